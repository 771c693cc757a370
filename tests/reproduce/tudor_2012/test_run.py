"""The page of relations, from small invented corpora in the place of the real ones."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from relsent_ir.errors import MissingError
from relsent_ir.relations import FeatureSettings
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.parsing import default_parser
from reproduce import Request, reproduce
from reproduce.tudor_2012.measures import evaluate
from reproduce.tudor_2012.protocol import (
    Set,
    apply,
    article,
    by_entities,
    fit,
    interval,
    read_minimal,
    significance,
)

NAMES = ("Abc1", "Bcd2", "Cde3", "Def4", "Efg5", "Fgh6")
BANK = (
    "# {n} A S1\nThe\tDT\tB-NP\nkinase\tNN\tI-NP\nbinds\tVBZ\tO\nAbc1\tNN\tB-NP\n.\t.\tO\n\n"
    "# {n} A S2\nIt\tPRP\tB-NP\nran\tVBD\tO\nfor\tIN\tO\nmice\tNNS\tB-NP\n.\t.\tO\n\n"
)
PPI_HEAD = ",docid,isValid,passage,passageid\n"


KINDS = (
    ("activates", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\n"),
    ("blocks", "E1\tNegative_regulation:T9 Theme:T2 Cause:T1\n"),
    ("binds", "E1\tBinding:T9 Theme:T1 Theme2:T2\n"),
    ("may induce", "E1\tPositive_regulation:T9 Theme:T2 Cause:T1\nM1\tSpeculation E1\n"),
    ("is not induced by", "E1\tPositive_regulation:T9 Theme:T1 Cause:T2\nM1\tNegation E1\n"),
    ("is induced by", "E1\tPositive_regulation:T9 Theme:T1 Cause:T2\n"),
)


def _document(name: str) -> dict[str, str]:
    verb, events = KINDS[NAMES.index(name)]
    sentences = (f"{name} {verb} Xyz9.", f"Old {name} was lost, and Xyz9 too.")
    text = " ".join(sentences)
    spans = [(text.index(w, at), w) for at in (0, len(sentences[0])) for w in (name, "Xyz9")]
    proteins = "".join(
        f"T{n}\tProtein {start} {start + 4}\t{word}\n" for n, (start, word) in enumerate(spans, 1)
    )
    trigger = f"T9\tEvent 5 {5 + len(verb)}\t{verb}\n"
    return {".txt": text, ".a1": proteins, ".a2": trigger + events}


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the experiment expects it."""
    for name in ("relations/ppi", "relations/ddi-2013", "relations/ppr", "genia"):
        (tmp_path / name).mkdir(parents=True)
    with tarfile.open(tmp_path / "relations" / "bionlp-st-2011-ge.tar.gz", "w:gz") as packed:
        for part, names in (("train", NAMES * 2), ("devel", NAMES[:4])):
            for n, name in enumerate(names):
                for suffix, text in _document(name).items():
                    prefix = "PMC-1-" if n == 0 else "PMID-"
                    info = tarfile.TarInfo(f"ge/{part}/{prefix}{part}{n}{suffix}")
                    info.size = len(text)
                    packed.addfile(info, io.BytesIO(text.encode()))
    for part in ("train", "dev"):
        bank = "".join(BANK.format(n=n) for n in range(3))
        (tmp_path / "genia" / f"{part}.pos_basenp.tsv.gz").write_text(bank)
    rows = (("True", "{} binds {}"), ("False", "We saw {} with old {}"))
    for corpus in ("IEPA", "HPRD50", "LLL", "BioInfer"):
        for part in ("train", "test"):
            for prefix, names in (("", ("PROTEIN1", "PROTEIN2")), ("wop_", ("Abc1", "Xyz9"))):
                lines = [
                    f"{n},d,{true},{text.format(*names)},s{n}\n"
                    for n, (true, text) in enumerate(rows)
                ]
                path = tmp_path / "relations" / "ppi" / f"{prefix}{corpus}-{part}.csv"
                path.write_text(PPI_HEAD + "".join(lines))
    candidates = [
        {"group": "d", "id": f"s{n}", "text": text, "e1": [0, 4], "e2": [at, at + 4], "grade": k}
        for n, (text, at, k) in enumerate(
            [("Abc1 with Xyz9 is toxic.", 10, 2), ("Abc1 ran, and so did the old Xyz9.", 29, 0)]
        )
    ]
    for corpus in ("ddi-2013", "ppr"):
        lines = "".join(json.dumps(one) + "\n" for one in candidates)
        (tmp_path / "relations" / corpus / "train.jsonl.gz").write_text(lines)
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


def test_page(collections: Path) -> None:
    """All tables are there, with the paper's figures, and no sentence of a corpus."""
    steps: list[int] = []
    request = Request(progress=lambda done, _total: steps.append(done))
    path = reproduce("tudor-2012", request, collections / "results")
    text = path.read_text(encoding="utf-8")
    for title in ("Table 4", "Significance", "Table 5", "nDCG", "Untouched"):
        assert title in text
    for title in ("corpora left out", "Probabilities", "who acts", "Minimal pairs"):
        assert title in text
    for figure in ("65.75", "71.69", "72.14", "83.10", "77.19", "| 80 | 17 | 3 |"):
        assert figure in text
    assert "activates Xyz9" not in text
    assert steps == list(range(1, len(steps) + 1))
    assert (collections / "results" / "tudor-2012-gain.svg").read_bytes().startswith(b"<?xml")


def test_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the data one line says what is missing."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    with pytest.raises(MissingError, match="RELSENT_DATA is not set"):
        reproduce("tudor-2012", Request(), tmp_path)


def test_minimal_pairs() -> None:
    """Both sentences of a pair have the two names, at their places."""
    for pair in read_minimal():
        for one in pair:
            assert (one.text[slice(*one.e1)], one.text[slice(*one.e2)]) == ("Abc1", "Xyz2")
        assert pair[0].text != pair[1].text


def _known(n: int) -> list[Candidate]:
    return [
        Candidate(f"d{k}", f"{k}.{grade}", text, (0, 4), (text.index("Xyz9"), len(text) - 1), grade)
        for k in range(n)
        for grade, text in ((2, "Abc1 activates Xyz9."), (0, "Abc1 was lost, and so was Xyz9."))
    ]


def test_articles_and_entities() -> None:
    """The files of a full text are one article; candidates regroup by their names."""
    assert article("PMC-12-01-Intro") == article("PMC-12-02-Results") == "PMC-12"
    assert article("PMID-12") == "PMID-12"
    assert len({c.group for c in by_entities(_known(3))}) == 1


def test_learning_and_significance() -> None:
    """What is learned elsewhere works here; a system does not differ from itself."""
    known = Set.of(_known(10), default_parser())
    settings = FeatureSettings("lexical")
    scores = apply(fit(Set.of(_known(8), default_parser()), settings), known.rows(settings))
    found = evaluate(known.candidates, scores)
    assert found.pair_accuracy == 1
    assert significance(found, found) == (1, 1, 1)
    worse = evaluate(known.candidates, [-1, 1] * 10)
    assert max(significance(found, worse)) < 0.05
    assert interval(found, worse) == (1, 1)
