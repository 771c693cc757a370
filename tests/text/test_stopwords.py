"""Stop lists."""

from pathlib import Path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from relsent_ir.errors import InputError
from relsent_ir.text.stopwords import default_stopwords, read_stopwords


def test_default_is_scikit_learns() -> None:
    """The list that is shipped is the installed scikit-learn's, sorted."""
    assert default_stopwords() == tuple(sorted(ENGLISH_STOP_WORDS))


def test_reading(tmp_path: Path) -> None:
    """One word a line, comments and empty lines left out, in lower case, in the file's order."""
    path = tmp_path / "stop.txt"
    path.write_text("# a list\nThe\n\n of \n", encoding="utf-8")
    assert read_stopwords(path) == ["the", "of"]


def test_missing_file(tmp_path: Path) -> None:
    """The file is named."""
    with pytest.raises(InputError, match=r"stop\.txt: .*no such file"):
        read_stopwords(tmp_path / "stop.txt")
