"""What the features of answer models mean, by their values for an invented abstract."""

from functools import cache
from typing import Final

import numpy as np

from relsent_ir.answers import cues, directions, relatedness, words
from relsent_ir.answers.features import NAMES, sentence_features
from relsent_ir.answers.paper import FEATURES, zone_features
from relsent_ir.answers.vectors import WordVectors
from relsent_ir.answers.zones import claim_zone
from relsent_ir.models import Columns, digest, figures
from relsent_ir.records import Sentence

_QUESTION: Final = "Compared with placebo, what is the effect of murinol on body weight in 5 weeks?"
_TITLE: Final = "Murinol and the weight of mice: a trial"
_TAGGED: Final = tuple(
    Sentence("1", n, text, move, score)
    for n, (move, score, text) in enumerate(
        (
            ("PURPOSE", 0.9, "We aimed to test whether murinol changes weight."),
            ("METHODS", 0.8, "In all, 40 mice were randomised to murinol or placebo for 5 weeks."),
            ("RESULTS", 1.0, "Body weight fell by 3.1 g with murinol (P = .02; 95% CI 1 to 5)."),
            ("RESULTS", 0.7, "Adverse events were similar, and no death was seen."),
            ("CONCLUSION", 0.6, "Murinol may reduce the body weight of mice more than placebo."),
        ),
        1,
    )
)
_STOPWORDS: Final = frozenset({"a", "the", "of", "and", "in", "is", "what", "with", "on", "we"})


@cache
def linear_columns(*, with_related: bool) -> Columns:
    """Give the columns of the linear model; those of relatedness are as the model that gives it."""
    texts = [_QUESTION, _TITLE, *(sentence.text for sentence in _TAGGED)]
    known = sorted({term for text in texts for term in words.terms(text, _STOPWORDS)})
    n = np.arange(len(known))
    values = (n[:, None] * 7 + np.arange(4) * 3) % 11 - 4.5
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    vectors = WordVectors(tuple(known), values, n % 5 + 1, 9, _STOPWORDS)
    table = sentence_features(_QUESTION, _TITLE, _TAGGED, vectors)
    columns: dict[str, list[float] | str] = {
        "rules": digest(*cues.RULES, *words.RULES, *directions.RULES)
    }
    columns |= {name: figures(column) for name, column in zip(NAMES, table.T, strict=True)}
    return columns | dict.fromkeys(relatedness.NAMES if with_related else (), "score")


@cache
def tree_columns(names: tuple[str, ...]) -> Columns:
    """Give the columns of a tree: some of the paper's `FEATURES`."""
    table = zone_features(_QUESTION, _TITLE, _TAGGED, claim_zone(_TAGGED))
    return {name: figures(table[:, FEATURES.index(name)]) for name in names}
