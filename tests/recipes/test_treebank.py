"""Reading treebanks."""

import gzip
from pathlib import Path

import pytest

from recipes.treebank import TreeSentence, base_phrases, phrases, read_treebank, right_tags
from relsent_ir.errors import InputError

TEXT = "# d1 T S1\nMice\tNNS\tB-NP\nran\tVBD\tO\n\n# d2 A S1\n#\tSYM\tO\n"


def test_sentences(tmp_path: Path) -> None:
    """Documents, words, tags and chunks; a token may be "#"; gzip is unpacked."""
    path = tmp_path / "bank.tsv.gz"
    path.write_bytes(gzip.compress(TEXT.encode()))
    first, second = read_treebank(path)
    assert (first.document, first.words, first.tags) == ("d1", ("Mice", "ran"), ("NNS", "VBD"))
    assert first.chunks == ("B-NP", "O")
    assert (second.document, second.words) == ("d2", ("#",))


def test_without(tmp_path: Path) -> None:
    """Documents can be left out."""
    path = tmp_path / "bank.tsv"
    path.write_text(TEXT)
    assert [s.document for s in read_treebank(path, {"d1"})] == ["d2"]


@pytest.mark.parametrize("line", ["Mice\tNNS", "Mice\tNNS\tB-VP", "\tNNS\tO", "Mice NNS O"])
def test_bad_line(tmp_path: Path, line: str) -> None:
    """A line that is no token is named."""
    path = tmp_path / "bank.tsv"
    path.write_text(f"# d1\n{line}\n")
    with pytest.raises(InputError, match=r"bank\.tsv:2: not a token"):
        list(read_treebank(path))


SENTENCE = TreeSentence(
    "d", ("a", "b", "c", "d"), ("N", "N", "V", "N"), ("B-NP", "I-NP", "O", "B-NP")
)


def test_scores() -> None:
    """Three of four tags; a phrase goes from its B to its last I; one of two phrases is right."""
    assert right_tags([SENTENCE], [["N", "V", "V", "N"]]) == 0.75
    assert right_tags([], []) == 0
    assert phrases(["B-NP", "B-NP", "I-NP", "O"]) == {(0, 1), (1, 3)}
    found = base_phrases([SENTENCE], [["B-NP", "B-NP", "O", "B-NP"]])
    assert found == pytest.approx((1 / 3, 1 / 2, 2 / 5))
