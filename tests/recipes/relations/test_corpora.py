"""Graded candidates from event annotations."""

import io
import tarfile
from pathlib import Path

import pytest

from recipes.relations.corpora import candidates, read_corpus, read_events, read_statements
from relsent_ir.errors import InputError

TEXT = "Abc1 activates Xyz2. Def3 may block the induction of Abc1 by Xyz2. Abc1 binds Def3."
A1 = """T1\tProtein 0 4\tAbc1
T2\tProtein 15 19\tXyz2
T3\tProtein 21 25\tDef3
T4\tProtein 53 57\tAbc1
T5\tProtein 61 65\tXyz2
T6\tProtein 67 71\tAbc1
T7\tProtein 78 82\tDef3
"""
A2 = """T8\tPositive_regulation 5 14\tactivates
T9\tNegative_regulation 30 35\tblock
T10\tPositive_regulation 40 49\tinduction
T11\tBinding 72 77\tbinds
*\tEquiv T1 T6
E1\tPositive_regulation:T8 Theme:T2 Cause:T1
E2\tNegative_regulation:T9 Theme:E3 Cause:T3
E3\tPositive_regulation:T10 Theme:T4 Cause:T5
E4\tBinding:T11 Theme:T6 Theme2:T7
M1\tSpeculation E2
"""


def _pack(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as packed:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            packed.addfile(info, io.BytesIO(text.encode()))
    return path


def test_grades(tmp_path: Path) -> None:
    """Theme and Cause: 2; a nested event stands for its Theme; only speculated: 1; Binding: 2."""
    files = {"c/train/PMID-7.txt": TEXT, "c/train/PMID-7.a1": A1, "c/train/PMID-7.a2": A2}
    path = _pack(tmp_path / "c.tar.gz", files)
    found = [
        (c.id, c.text[slice(*c.e1)], c.text[slice(*c.e2)], c.grade)
        for c in read_corpus(path, "train")
    ]
    assert found == [
        ("PMID-7.0", "Abc1", "Xyz2", 2.0),
        ("PMID-7.1", "Def3", "Abc1", 1.0),
        ("PMID-7.1", "Def3", "Xyz2", 0.0),
        ("PMID-7.1", "Abc1", "Xyz2", 2.0),
        ("PMID-7.2", "Abc1", "Def3", 2.0),
    ]
    assert {c.group for c in read_corpus(path, "train")} == {"PMID-7"}


def test_statements(tmp_path: Path) -> None:
    """Of related pairs: status by the modifiers, polarity by the type, agent by the Cause."""
    a2 = A2 + "M2\tNegation E4\n"
    files = {"train/x.txt": TEXT, "train/x.a1": A1, "train/x.a2": a2}
    found = read_statements(_pack(tmp_path / "c.tar", files), "train")
    assert [(s.candidate.id, s.status, s.polarity, s.agent) for s in found] == [
        ("x.0", "asserted", "increases", 0),
        ("x.1", "speculated", "decreases", 0),
        ("x.1", "asserted", "increases", 1),
        ("x.2", "negated", "binds", None),
    ]


def test_statements_that_differ(tmp_path: Path) -> None:
    """One assertion is enough; two types have no polarity; two Causes no agent."""
    a2 = (
        "E1\tPositive_regulation:T8 Theme:T2 Cause:T1\n"
        "E2\tRegulation:T8 Theme:T1 Cause:T2\nM1\tNegation E1\n"
    )
    files = {"train/x.txt": TEXT, "train/x.a1": A1, "train/x.a2": a2}
    (found,) = read_statements(_pack(tmp_path / "c.tar", files), "train")
    assert (found.status, found.polarity, found.agent) == ("asserted", "", None)


def test_candidates_of_odd_documents(tmp_path: Path) -> None:
    """Events that name each other end; no sentence crosses a line's end."""
    a2 = "E1\tRegulation:T8 Theme:E2 Cause:T1\nE2\tRegulation:T9 Theme:E1 Cause:T2\n"
    path = _pack(tmp_path / "c.tar", {"train/x.txt": TEXT, "train/x.a1": A1, "train/x.a2": a2})
    assert {c.grade for c in candidates(read_events(path, "train")[0])} == {0.0}
    files = {"train/PMC-1-01-A.txt": "Abc1 ran\nXyz2 ran", "train/PMC-1-01-A.a1": ""}
    document = read_events(_pack(tmp_path / "c.tar", files), "train")[0]
    document.proteins.update(T1=(0, 4), T2=(9, 13))
    assert list(candidates(document)) == []


def test_faults(tmp_path: Path) -> None:
    """No tar file, no such folder, an annotation that makes no sense: the place is named."""
    (tmp_path / "no.tar").write_text("no tar")
    with pytest.raises(InputError, match="no corpus of events"):
        read_events(tmp_path / "no.tar", "train")
    with pytest.raises(InputError, match="no such file"):
        read_events(tmp_path / "none.tar", "train")
    path = _pack(tmp_path / "c.tar", {"train/x.txt": TEXT, "train/x.a1": "T1\tProtein 0 four\tA\n"})
    with pytest.raises(InputError, match=r"x\.a1:1: this is no annotation"):
        read_events(path, "train")
    with pytest.raises(InputError, match="no folder 'devel'"):
        read_events(path, "devel")


def test_counts(data: Path) -> None:
    """The corpus: far more pairs without a relation than with one."""
    path = data / "relations" / "bionlp-st-2011-ge.tar.gz"
    for part, sizes in {"train": (1230, 237, 10032), "devel": (552, 143, 5523)}.items():
        grades = [c.grade for c in read_corpus(path, part)]
        assert tuple(grades.count(g) for g in (2, 1, 0)) == sizes
