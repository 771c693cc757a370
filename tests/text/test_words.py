"""Words and bigrams."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from relsent_ir.errors import InputError
from relsent_ir.text.words import bigrams, default_stopwords, read_stopwords, stem, words


def test_words() -> None:
    """Numbers become 0, hyphens join letters, Greek letters are letters; each with the next."""
    assert words("Mean pH rose by 0.4 (P<.05); 12,500 mice!") == [
        *["mean", "ph", "rose", "by", "0", "p", "<", "0", "0", "mice"]
    ]
    assert words("double-blind IL-6 didn't p53") == ["double-blind", "il", "0", "didn't", "p", "0"]
    assert words("TNF-α à Łódź") == ["tnf-α", "à", "łódź"]
    assert bigrams(["we", "saw", "mice"]) == ["we_saw", "saw_mice"]
    assert bigrams(["we"]) == bigrams([]) == []


ENDS = ("ation", "ations", "e", "es", "ed", "ing", "ingly", "or", "ors", "iveness", "fulness", "al")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("reduce", "reduces", "reduced", "reducing"), "reduc"),
        (("activate", "activates", "activation", "activator", "activated"), "activ"),
        (("therapy", "therapies"), "therapi"),
        (("12",), "12"),
        (("",), ""),
    ],
)
def test_stem(words: tuple[str, ...], expected: str) -> None:
    """Forms of a word have one stem; numbers stay."""
    assert {stem(word) for word in words} == {expected}


def test_threads() -> None:
    """Stems that threads ask for at once are those of one thread."""
    words = [f"{start}{end}" for start in ("activ", "relat", "induc", "hop") for end in ENDS]
    expected = [stem(word) for word in words]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _: [stem.__wrapped__(w) for w in words], range(40)))
    finally:
        sys.setswitchinterval(interval)
    assert all(one == expected for one in found)


def test_stopwords(tmp_path: Path) -> None:
    """The shipped list is scikit-learn's, sorted; of a file, comments are none; none is told."""
    assert default_stopwords() == tuple(sorted(ENGLISH_STOP_WORDS))
    path = tmp_path / "stop.txt"
    path.write_text("# a list\nThe\n\n of \n", encoding="utf-8")
    assert read_stopwords(path) == ["the", "of"]
    with pytest.raises(InputError, match=r"none\.txt: .*no such file"):
        read_stopwords(tmp_path / "none.txt")
