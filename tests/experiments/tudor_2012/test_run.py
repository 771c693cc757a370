"""The page of relations, from small invented corpora in the place of the real ones."""

import io
import tarfile
from pathlib import Path

import pytest

from relsent_ir.errors import MissingError
from relsent_ir.experiments import Request, reproduce
from relsent_ir.experiments.tudor_2012.protocol import (
    Set,
    article,
    by_entities,
    cross_validate,
    interval,
    significance,
)
from relsent_ir.relations import Candidate, Settings, evaluate
from relsent_ir.text.parsing import default_parser

NAMES = ("Abc1", "Bcd2", "Cde3", "Def4", "Efg5", "Fgh6")
BANK = (
    "# {n} A S1\nThe\tDT\tB-NP\nkinase\tNN\tI-NP\nbinds\tVBZ\tO\nAbc1\tNN\tB-NP\n.\t.\tO\n\n"
    "# {n} A S2\nIt\tPRP\tB-NP\nran\tVBD\tO\nfor\tIN\tO\nmice\tNNS\tB-NP\n.\t.\tO\n\n"
)
PPI_HEAD = ",docid,isValid,passage,passageid\n"


def _document(name: str) -> dict[str, str]:
    sentences = (f"{name} activates Xyz9.", f"Old {name} was lost, and Xyz9 too.")
    text = " ".join(sentences)
    spans = [(text.index(w, at), w) for at in (0, len(sentences[0])) for w in (name, "Xyz9")]
    proteins = "".join(
        f"T{n}\tProtein {start} {start + 4}\t{word}\n" for n, (start, word) in enumerate(spans, 1)
    )
    return {
        ".txt": text,
        ".a1": proteins,
        ".a2": "T9\tPositive_regulation 5 14\tactivates\nE1\tPositive_regulation:T9 Theme:T2 "
        "Cause:T1\n",
    }


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the experiment expects it."""
    for name in ("relations/ppi", "genia"):
        (tmp_path / name).mkdir(parents=True)
    with tarfile.open(tmp_path / "relations" / "bionlp-st-2011-ge.tar.gz", "w:gz") as packed:
        for part, names in (("train", NAMES), ("devel", NAMES[:4])):
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
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


def test_page(collections: Path) -> None:
    """All tables are there, with the paper's figures, and no sentence of a corpus."""
    steps: list[int] = []
    request = Request(full=True, progress=lambda done, _total: steps.append(done))
    path = reproduce("tudor-2012", request, collections / "results")
    text = path.read_text(encoding="utf-8")
    for title in ("Table 4", "Significance", "Table 5", "nDCG", "Untouched", "Ablation", "SVM's C"):
        assert title in text
    for figure in ("65.75", "71.69", "72.14", "83.10", "77.19", "| 80 | 17 | 3 |"):
        assert figure in text
    assert "activates" not in text
    assert steps == list(range(1, len(steps) + 1))
    assert (collections / "results" / "tudor-2012-gain.svg").read_bytes().startswith(b"<?xml")


def test_no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the data one line says what is missing."""
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    with pytest.raises(MissingError, match="RELSENT_DATA is not set"):
        reproduce("tudor-2012", Request(), tmp_path)


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


def test_cross_validation_and_significance() -> None:
    """What is learned elsewhere works here; a system does not differ from itself."""
    known = Set.of(_known(10), default_parser())
    found = evaluate(known.candidates, cross_validate(known, Settings("lexical")))
    assert found.pair_accuracy == 1
    assert significance(found, found) == (1, 1, 1)
    worse = evaluate(known.candidates, [-1, 1] * 10)
    assert max(significance(found, worse)) < 0.05
    assert interval(found, worse) == (1, 1)
