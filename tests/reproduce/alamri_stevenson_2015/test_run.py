"""The page of answers, from small invented collections in the place of the real ones."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.records import Record, Section
from reproduce import Request, reproduce
from reproduce.alamri_stevenson_2015.systems import mancon_questions

DRUGS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol", "equinol", "apinol")
NAME = "alamri-stevenson-2015"


def _record(number: str, drug: str) -> Record:
    parts = {
        "AIM": f"Little is known of {drug}. We aimed to study it.",
        "METHODS": f"Forty mice were given {drug} or placebo. Fur was measured by a nurse.",
        "RESULTS": f"All mice stayed. Body weight fell with {drug} (P < 0.01). Ears were alike.",
        "CONCLUSION": f"We conclude that {drug} may help mice.",
    }
    sections = tuple(Section(text, label) for label, text in parts.items())
    return Record(number, f"Safety of {drug}", sections=sections)


def _question(number: str, drug: str) -> str:
    values = {
        "prompt_id": int(number),
        "pmid": number,
        "question": f"Compared with placebo, what is the effect of {drug} on body weight?",
        "evidence": [f"Body weight fell with {drug} (P < 0.01)."],
        "label": "significantly decreased",
    }
    return json.dumps(values) + "\n"


@pytest.fixture
def collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder as the experiment expects it."""
    for folder in ("rct", "answers", "abstracts", "pubmed-xml"):
        (tmp_path / folder).mkdir()
    for n, split in enumerate(("train", "validation"), 1):
        names = {f"{n}{k}": drug for k, drug in enumerate(DRUGS)}
        records = "".join(_record(*pair).to_json() + "\n" for pair in names.items())
        (tmp_path / "rct" / f"rct-{split}.xml.gz").write_text(records, encoding="utf-8")
        questions = "".join(_question(*pair) for pair in names.items())
        (tmp_path / "answers" / f"answers-{split}.jsonl").write_text(questions, encoding="utf-8")
    lines = "".join(_record(f"3{k}", drug).to_json() + "\n" for k, drug in enumerate(DRUGS))
    (tmp_path / "pubmed-xml" / "one.jsonl").write_text(
        _record("50", "murinol").to_json() + "\n", encoding="utf-8"
    )
    for k, drug in enumerate(DRUGS):
        asking = replace(_record(f"4{k}", drug), title=f"Does {drug} help mice?")
        lines += asking.to_json() + "\n"
    (tmp_path / "abstracts" / "abstracts.jsonl.gz").write_text(lines, encoding="utf-8")
    (tmp_path / "answers" / "mancon.xml").write_text(
        '<CORPUS><REVIEW><CLAIM PMID="30" QUESTION="Does murinol help mice?">'
        'We conclude that murinol may help mice.</CLAIM><CLAIM PMID="99" QUESTION="Else?">No.'
        "</CLAIM></REVIEW></CORPUS>",
        encoding="utf-8",
    )
    monkeypatch.setenv("RELSENT_DATA", str(tmp_path))
    return tmp_path


def test_page(collections: Path) -> None:
    """All tables are there, the paper's figures among them, and no text of a record."""
    steps: list[int] = []
    request = Request(
        indexes=collections / "indexes", progress=lambda done, _total: steps.append(done)
    )
    path = reproduce(NAME, request, collections / "results")
    page = path.read_text(encoding="utf-8")
    for heading in (
        "## Data",
        "## Claim zones (Tables 1 and 2)",
        "## The six feature sets (Table 3)",
        "## Both components together (Table 4)",
        "## The validation split",
        "## Ours against the paper's tree",
        "## Two slots",
        "## Reliability within an abstract",
        "## General questions",
        "## ManConCorpus",
    ):
        assert heading in page
    assert "| 5: st-sim, sq-sim, role-label | 0.70 | 0.83 | 0.76 |" in page
    assert "| training | 8 | 8 | 64 | 32 | 8 | 100 % | 0 |" in page
    assert "Forty mice" not in page
    assert "## Ablation" not in page
    assert steps


def test_mancon_takes_what_has_an_abstract(collections: Path) -> None:
    """A claim whose abstract is nowhere is left out."""
    (question,) = mancon_questions()
    assert question.text == "Does murinol help mice?"
    assert question.record.id == "30"
    assert question.evidence == ("We conclude that murinol may help mice.",)


def test_mancon_that_was_fetched(collections: Path) -> None:
    """Records in the folder mancon are taken too."""
    folder = collections / "mancon"
    folder.mkdir()
    lines = "".join(_record(f"6{k}", drug).to_json() + "\n" for k, drug in enumerate(DRUGS))
    (folder / "mancon-1.jsonl").write_text(lines, encoding="utf-8")
    claims = "".join(
        f'<CLAIM PMID="6{k}" QUESTION="Does {drug} help mice?">We conclude that {drug} may help '
        "mice.</CLAIM>"
        for k, drug in enumerate(DRUGS)
    )
    (collections / "answers" / "mancon.xml").write_text(f"<CORPUS>{claims}</CORPUS>")
    questions = mancon_questions()
    assert [q.record.id for q in questions] == [f"6{k}" for k in range(8)]


def test_mancon_that_is_no_xml(collections: Path) -> None:
    """A damaged file is named."""
    (collections / "answers" / "mancon.xml").write_text("<CORPUS>", encoding="utf-8")
    with pytest.raises(InputError, match=r"mancon\.xml: no XML"):
        mancon_questions()
