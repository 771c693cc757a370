"""The model that judges answers, stored with the values of its features."""

from collections.abc import Sequence
from functools import cache
from typing import Any, ClassVar, Final, Self

import numpy as np

from relsent_ir import models
from relsent_ir.answers.abstracts import (
    ABSTRACT_NAMES,
    ABSTRACT_RULES,
    QueryWords,
    cover,
    is_imprint,
    sentence_rows,
)
from relsent_ir.answers.classifiers import (
    CALIBRATED,
    LEAST,
    SLOTS,
    Step,
    Verdict,
    Weights,
    judge_abstract,
    probabilities_of,
)
from relsent_ir.answers.clauses import tells
from relsent_ir.answers.directions import (
    VERDICT_RULES,
    VERDICTS,
    Direction,
    Verdicts,
    verdict_features,
)
from relsent_ir.answers.language import QUESTION_RULES, Question, WordVectors, parse, terms
from relsent_ir.answers.sentence_features import (
    CUE_RULES,
    NAMES,
    question_features,
    sentence_features,
)
from relsent_ir.answers.vetoes import VETO_RULES, named_shares, reports_nothing
from relsent_ir.models import Columns, Stored, check_arrays, digest, figures
from relsent_ir.records import Record, Sentence
from relsent_ir.typing import Floats, NDArray

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


TITLED: Final = 0.8
"""Weighted share of a question's words from which a title that asks is the same question."""
_SIGNS: Final = ("FOR", "AGAINST", "ASK")


@cache
def linear_columns() -> Columns:
    """Return the columns of the linear model."""
    texts = [_QUESTION, _TITLE, *(sentence.text for sentence in _TAGGED)]
    vocabulary = sorted({term for text in texts for term in terms(text, _STOPWORDS)})
    n = np.arange(len(vocabulary))
    values = (n[:, None] * 7 + np.arange(4) * 3) % 11 - 4.5
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    vectors = WordVectors(tuple(vocabulary), values, n % 5 + 1, 9, _STOPWORDS)
    table = sentence_features(parse(_QUESTION), _TITLE, _TAGGED, vectors)
    columns: dict[str, list[float] | str] = {
        "rules": digest(
            *(*CUE_RULES, *QUESTION_RULES), *(*VERDICT_RULES, *ABSTRACT_RULES, *VETO_RULES)
        )
    }
    return columns | {name: figures(column) for name, column in zip(NAMES, table.T, strict=True)}


class AnswerModel:
    """A model that judges the sentences of abstracts (`relsent_ir.answers.classifiers`).

    Parameters
    ----------
    weights : Weights
    vectors : WordVectors
        Vectors and frequencies of words.
    facts : dict of str to Any
        The origin of the model: ``command``, ``data``, ``scores``.
    abstracts : ndarray of float64, shape (3, features + 2), optional
        Weights for `relsent_ir.answers.abstracts`, an intercept, and the least probability for a
        star; one row each for open questions, for claims, and for claims that the title asks. If
        None, probabilities are those of sentences within their abstract.
    verdicts : Verdicts, optional
        Reads the verdicts on yes/no questions; without it there are none.
    """

    family: ClassVar[str] = "answers"
    kind: ClassVar[str] = "answers-linear"

    def __init__(
        self,
        weights: Weights,
        vectors: WordVectors,
        facts: dict[str, Any],
        abstracts: Floats | None = None,
        verdicts: Verdicts | None = None,
    ) -> None:
        self.weights = weights
        self.vectors = vectors
        self.facts = facts
        self.verdicts = verdicts
        self.abstracts = abstracts

    def row(self, query: QueryWords, record: Record) -> int:
        """Return the row of `abstracts` that applies to a question and a record."""
        if not query.question.claims:
            return 0
        title = query.terms(record.title, self.vectors)
        named = query.weights @ np.isin(query.words, title)
        return 1 + ("?" in record.title and named >= TITLED * query.weights.sum())

    def least(self, query: QueryWords, record: Record) -> float:
        """Return the least probability, in a search, for an abstract to get a star."""
        if self.abstracts is None:
            return LEAST
        return float(self.abstracts[self.row(query, record), -1])

    @property
    def stopwords(self) -> frozenset[str]:
        """The stop words of the vectors."""
        return self.vectors.stopwords

    def judge(self, question: Question, title: str, tagged: Sequence[Sentence]) -> Verdict:
        """Judge all sentences of an abstract; the sum of the scores is one."""
        features = sentence_features(question, title, tagged, self.vectors)
        moves = ["" if is_imprint(s.text) else s.move for s in tagged]
        texts = [s.text for s in tagged]
        return judge_abstract(
            self.weights,
            features,
            question_features(question),
            moves,
            named_shares(question, title, texts, self.vectors),
            lambda n: reports_nothing(texts[n]),
        )

    def slot(self, question: Question) -> str:
        """Return the slot of a question, one of `SLOTS`."""
        return SLOTS[self.weights.slot(question_features(question))]

    def verdict(
        self, question: Question, sentence: str, least: float | None = None
    ) -> Direction | None:
        """Return the verdict of a sentence on a yes/no question; None for other questions.

        It is unclear below a least probability, by default that of the model.
        """
        if self.verdicts is None or not question.claims:
            return None
        return self.verdicts.read(question, question.spell(sentence), self.stopwords, least)

    def about(
        self,
        query: QueryWords,
        record: Record,
        tagged: Sequence[Sentence],
        verdict: Verdict,
        behind: float,
    ) -> Floats:
        """Return for each sentence the probability that the abstract answers by it.

        For a yes/no question it is the probability that the sentence answers and its likelier
        verdict is right.

        Parameters
        ----------
        query : QueryWords
        record : Record
        tagged : sequence of Sentence
            The sentences of the abstract, without the title.
        verdict : Verdict
            The verdict that `judge` returned.
        behind : float
            The first stage's highest score minus this abstract's, divided by the highest.
        """
        if self.abstracts is None:
            return verdict.probabilities
        rows = self.rows(query, record, tagged, verdict, behind)
        return probabilities_of(self.abstracts[self.row(query, record), :-1], rows)

    def rows(
        self,
        query: QueryWords,
        record: Record,
        tagged: Sequence[Sentence],
        verdict: Verdict,
        behind: float,
    ) -> Floats:
        """Compute the features of an abstract's sentences, with `sentence_rows`."""
        values, question = np.zeros((len(tagged), 4 + len(_SIGNS))), query.question
        if self.verdicts is not None and question.claims:
            parts = question.spelled_parts
            for row, sentence in zip(values, tagged, strict=True):
                text = question.spell(sentence.text)
                features = verdict_features(parts, text, self.stopwords)
                shares = self.verdicts.probabilities([features])[0, :2]
                no, p = int(shares.argmax()), np.clip(shares.max(), 1e-3, 1 - 1e-3)
                told = tells(VERDICTS[no], parts, text, self.stopwords)
                row[:] = p, np.log(p / (1 - p)), no, told, *(name in features for name in _SIGNS)
        coverage = cover(query, record, tagged, self.vectors)
        return sentence_rows(coverage, tagged, verdict.scores, values, behind)

    def to_stored(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the facts and the arrays to save."""
        return {**self.facts, "columns": linear_columns()}, self.to_arrays()

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays to save."""
        weights = self.weights
        arrays = {
            "slots": np.stack([[slot.deviation, slot.weights] for slot in weights.slots]),
            "order": weights.order,
            "calibration": np.append(weights.calibration, weights.least),
            **self.vectors.to_arrays(),
        }
        if self.verdicts is not None:
            arrays |= self.verdicts.to_arrays()
        if self.abstracts is not None:
            arrays["abstracts"] = self.abstracts
        return arrays

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """Read a stored model."""
        arrays = stored.arrays
        models.check_columns(stored, linear_columns())
        abstracts = {"abstracts"} & set(arrays)
        shapes = {
            "slots": "float 2 2 features",
            "order": "float asked",
            "calibration": "float calibrated",
            **dict.fromkeys(abstracts, "float 3 abstracts"),
        }
        check_arrays(
            arrays,
            shapes,
            asked=len(question_features(parse(""))) + 1,
            features=len(NAMES),
            calibrated=CALIBRATED + 1,
            abstracts=len(ABSTRACT_NAMES) + 2,  # plus intercept and threshold
        )
        if arrays["slots"][:, 0].min(initial=1.0) <= 0.0:
            raise ValueError("deviations that are not above 0")
        finding, conclusion = (Step(*slot) for slot in np.array(arrays["slots"]))
        *calibration, least = np.array(arrays["calibration"], dtype=np.float64)
        return cls(
            Weights((finding, conclusion), np.array(arrays["order"]), np.array(calibration), least),
            WordVectors.from_arrays(arrays),
            stored.facts,
            np.array(arrays["abstracts"], dtype=np.float64) if abstracts else None,
            Verdicts.from_arrays(arrays) if "verdict_names" in arrays else None,
        )


def default_model() -> AnswerModel:
    """Return the packaged model, which is read once."""
    model: AnswerModel = models.default("answers")
    return model
