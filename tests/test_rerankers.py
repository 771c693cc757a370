"""Rerankers by name."""

from pathlib import Path

import pytest

from relsent_ir import models
from relsent_ir.answers.reranking import AnswerReranker
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.feedback.reranking import SmartReranker
from relsent_ir.rank import open_reranker, reranker_names
from relsent_ir.related.formulas import FORMULAS
from relsent_ir.related.reranker import RelatedReranker


def test_names() -> None:
    """All formulas and the other methods; kinds of models are no names."""
    assert set(reranker_names()) == {*FORMULAS, "answers", "pmra", "ranker", "themes", "???.???"}


def test_opened_without_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name, a scheme, a folder; a folder with the name of a formula."""
    monkeypatch.chdir(tmp_path)
    assert isinstance(open_reranker("I1.5"), RelatedReranker)
    assert isinstance(open_reranker("ltc.atn"), SmartReranker)
    assert isinstance(open_reranker("answers"), AnswerReranker)
    assert isinstance(open_reranker(models.packaged("answers")), AnswerReranker)
    models.save(Path("D"), models.default("answers"))
    assert isinstance(open_reranker("./D"), AnswerReranker)
    assert isinstance(open_reranker("D"), RelatedReranker)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("I4", UsageError, "no model 'I4' .*answers, pmra, ranker, A, D, I0.5, "),
        ("citations", UsageError, "no model 'citations'"),
        ("???.???", UsageError, "no weighting scheme"),
        ("abc.xyz", UsageError, "no weighting scheme 'abc.xyz'"),
        ("no/such", InputError, "no/such: no such model"),
        (".", InputError, "this is no model"),
        (
            models.packaged("moves"),
            MismatchError,
            "a model of kind moves-crf, which does not rerank",
        ),
    ],
)
def test_mistakes(name: str, error: type[Exception], message: str) -> None:
    """One line each; an unknown name lists the names."""
    with pytest.raises(error, match=message):
        open_reranker(name)
