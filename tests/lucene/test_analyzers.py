"""From text to terms: stemmers, stop words, and Anserini's own chain as the yardstick."""

from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relsent_ir.errors import UsageError
from relsent_ir.lucene.analyzers import Analysis, encodable
from relsent_ir.lucene.jvm import exclusive, java

TEXT = "The studies of the patients' running organizations were not conclusive"

LUCENE_STOPWORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that"
    " the their then there these they this to was will with"
)


@pytest.mark.parametrize(
    ("stemmer", "terms"),
    [
        ("porter", "studi patient run organ were conclus"),
        ("krovetz", "study patient running organization were conclusive"),
        ("s", "study patient running organization were conclusive"),
        ("none", "studies patients running organizations were conclusive"),
    ],
)
def test_stemmers(stemmer: str, terms: str) -> None:
    """Each stemmer cuts as much as it should; stop words and possessives are gone in all."""
    assert Analysis.choose(stemmer).terms(TEXT) == terms.split()


def test_words_by_hand() -> None:
    """Stemmers, and an unknown one; a lone surrogate becomes U+FFFD, whole pairs stay."""
    words = "therapies genes cells shoes trees virus mass mice"
    terms = ["therapy", "gene", "cell", "shoes", "trees", "virus", "mass", "mice"]
    assert Analysis.choose("s").terms(words) == terms
    assert Analysis.choose("krovetz").terms("infected infections") == ["infect", "infection"]
    assert Analysis.choose("porter").terms("infected infections") == ["infect", "infect"]
    with pytest.raises(UsageError, match="one of porter, krovetz, s, none"):
        Analysis.choose("lovins")
    assert encodable("a\ud800b 😀\udc80") == "a\ufffdb 😀\ufffd"
    assert Analysis.choose().terms("mice\udc80 men") == ["mice", "men"]


def test_stop_words() -> None:
    """The 33 English words, none, or more of them, which leaves the old analysis alone."""
    assert " ".join(Analysis.choose().stopwords) == LUCENE_STOPWORDS
    analysis = Analysis.choose("none", keep=True)
    assert analysis.stopwords == ()
    assert analysis.terms("To be or not") == ["to", "be", "or", "not"]
    analysis = Analysis.choose("none")
    assert analysis.without(["mice"]).terms("mice and men") == ["men"]
    assert analysis.terms("mice and men") == ["mice", "men"]
    assert analysis.without([]) == analysis


def test_stop_file(tmp_path: Path) -> None:
    """Comments are no words, capitals do not matter; stop words go before stemming."""
    path = tmp_path / "stop.txt"
    path.write_text("# ours\n\nPatients\n  study \nstudy\nÉtude\n", encoding="utf-8")
    analysis = Analysis.choose("none", path)
    assert analysis.stopwords == ("patients", "study", "étude")
    assert analysis.terms("The STUDY (étude) of patients' mice") == ["the", "of", "mice"]
    path = tmp_path / "stop.txt"
    path.write_text("study\n")
    assert Analysis.choose("porter", path).terms("study studies") == ["studi"]
    with pytest.raises(UsageError, match="exclude each other"):
        Analysis.choose(stopwords=tmp_path / "stop.txt", keep=True)


TEXTS = st.lists(
    st.sampled_from(
        ["The", "studies'", "NF-kappa", "B.", "p53", "IL-2/IL-4", "running", "naïve", "β-blockers"]
    )
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    max_size=12,
).map(" ".join)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(TEXTS)
def test_porter_chain_is_anserinis(text: str) -> None:
    """The default analysis gives the terms of Anserini's default analyzer, on any text."""
    analyzer = java("io.anserini.analysis.DefaultEnglishAnalyzer").newDefaultInstance()
    analyze = java("io.anserini.analysis.AnalyzerUtils")
    expected = [str(term) for term in analyze.analyze(analyzer, text).toArray()]
    assert Analysis.choose().terms(text) == expected


def test_two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is `exclusive` has an analyzer while another waits for Java to make one."""
    waits = Event()

    def told() -> AbstractContextManager[None]:
        waits.set()
        return exclusive()

    def hold() -> None:
        with exclusive():
            asking.start()
            waits.wait(30)
            assert Analysis("porter", ("hold",)).analyzer

    monkeypatch.setattr("relsent_ir.lucene.analyzers.exclusive", told)
    asking = Thread(target=lambda: Analysis("porter", ("ask",)).analyzer, daemon=True)
    holding = Thread(target=hold, daemon=True)
    holding.start()
    holding.join(30)
    assert not holding.is_alive()
    asking.join(30)
    assert not asking.is_alive()
