"""What the linear model sees of a sentence, in groups that can be left out (docs/answers.md)."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from relsent_ir.answers import cues, relatedness
from relsent_ir.answers.matching import Body
from relsent_ir.answers.vectors import WordVectors
from relsent_ir.answers.words import Parts, question_parts
from relsent_ir.answers.zones import move_probabilities
from relsent_ir.moves import MOVES
from relsent_ir.moves.features import shorten
from relsent_ir.records import Sentence
from relsent_ir.related.weights import WeightModel
from relsent_ir.typing import Floats

_WAYS: Final = ("words", "grams", "meaning", "cosine")

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "outcome": (
        *(f"outcome: {way}{end}" for way in _WAYS for end in ("", ", behind the best")),
        "outcome: word pairs",
        "outcome: numbers",
    ),
    "question": (
        *(f"question: {way}{end}" for way in _WAYS for end in ("", ", behind the best")),
        "intervention: words",
        "intervention: meaning",
        "comparator: words",
        "both arms",
        "title: cosine",
    ),
    "moves": (
        *MOVES,
        *(f"outcome: {way}, in {move}" for way in _WAYS[:3] for move in ("RESULTS", "CONCLUSION")),
    ),
    "position": (
        "position",
        "position squared",
        "last sentence",
        "first of RESULTS",
        "last of RESULTS",
        "position in RESULTS",
        "outcome before",
        "outcome behind",
    ),
    "cues": cues.NAMES,
}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
PLACES: Final = tuple(NAMES.index(name) for name in GROUPS["position"])
"""The columns of places. Findings stand anywhere in the RESULTS: their slot is not shown these."""

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def asked_features(question: str) -> Floats:
    """Tell what says which slot a question wants: a comparator, an intervention's outcome, both."""
    parts = question_parts(question)
    compares, outcome = bool(parts.comparator), bool(parts.intervention)
    return np.array([compares, outcome, compares and outcome], dtype=np.float64)


def feature_names(related: WeightModel | None = None) -> list[str]:
    """Name the columns of `sentence_features`."""
    return [*NAMES, *(relatedness.NAMES if related else ())]


def sentence_features(
    question: str,
    title: str,
    tagged: Sequence[Sentence],
    vectors: WordVectors,
    related: WeightModel | None = None,
    *,
    whole: bool = False,
) -> Floats:
    """Describe the sentences of an abstract.

    Parameters
    ----------
    question, title : str
        Either may be "", or have no word that counts: what it would match is 0.
    tagged : sequence of Sentence
        All sentences of the abstract.
    vectors : WordVectors
    related : WeightModel, optional
        Adds two columns.
    whole : bool
        Take the whole question for the outcome, as if no rule had found its parts.

    Returns
    -------
    ndarray of float64, shape (sentences, features)
        In the order of `feature_names`.
    """
    if not tagged:
        return np.zeros((0, len(feature_names(related))))
    texts = [sentence.text for sentence in tagged]
    parts = Parts("", "", question) if whole else question_parts(question)
    asked = (question, parts.intervention, parts.comparator, parts.outcome)
    short = shorten([title, *texts, *asked])
    found = [vectors.terms(text) for text in short[1 : len(texts) + 1]]
    everything, intervention, comparator, outcome = (vectors.terms(text) for text in short[-4:])
    body = Body(found, vectors)
    values: dict[str, Floats] = {"title: cosine": body.cosine(vectors.terms(short[0]))}
    for name, wanted in (("outcome", outcome), ("question", everything)):
        for way in _WAYS:
            share = getattr(body, way)(wanted)
            values[f"{name}: {way}"] = share
            values[f"{name}: {way}, behind the best"] = share - share.max()
    values["outcome: word pairs"] = _pairs(outcome, found)
    values["outcome: numbers"] = _numbers(short[-1], short[1 : len(texts) + 1])
    values["intervention: words"] = body.words(intervention)
    values["intervention: meaning"] = body.meaning(intervention)
    values["comparator: words"] = body.words(comparator)
    values["both arms"] = values["intervention: words"] * values["comparator: words"]
    _add_places(values, tagged)
    columns = [values[name] for group in list(GROUPS)[:-1] for name in GROUPS[group]]
    blocks = [*columns, cues.cues(texts, parts.outcome)]
    if related:
        blocks.append(relatedness.related_features(related, question, texts))
    return np.column_stack(blocks)


def _add_places(values: dict[str, Floats], tagged: Sequence[Sentence]) -> None:
    """Add what depends on the moves and the order of the sentences."""
    n = len(tagged)
    for move, column in zip(MOVES, move_probabilities(tagged).T, strict=True):
        values[move] = column
        if move in ("RESULTS", "CONCLUSION"):
            for way in _WAYS[:3]:
                values[f"outcome: {way}, in {move}"] = values[f"outcome: {way}"] * column
    place = np.arange(n) / max(1, n - 1)
    results = np.flatnonzero([sentence.move == "RESULTS" for sentence in tagged])
    first, last = (results[0], results[-1]) if len(results) else (n, -1)
    inside = (np.arange(n) - first) / max(1, last - first)
    values["position"] = place
    values["position squared"] = place**2
    values["last sentence"] = np.arange(n) == n - 1
    values["first of RESULTS"] = np.arange(n) == first
    values["last of RESULTS"] = np.arange(n) == last
    values["position in RESULTS"] = np.where((inside >= 0) & (inside <= 1), inside, 0.0)
    meaning = values["outcome: meaning"]
    values["outcome before"] = np.append(0.0, meaning[:-1])
    values["outcome behind"] = np.append(meaning[1:], 0.0)


def _pairs(asked: Sequence[str], sentences: Sequence[Sequence[str]]) -> Floats:
    """Give the share of the neighbouring words asked for that a sentence has so."""
    pairs = set(pairwise(asked))
    found = [len(pairs & set(pairwise(words))) for words in sentences]
    return np.array(found, dtype=np.float64) / max(1, len(pairs))


def _numbers(asked: str, sentences: Sequence[str]) -> Floats:
    """Give the share of the numbers asked for that a sentence has."""
    numbers = set(_NUMBER.findall(asked))
    found = [len(numbers & set(_NUMBER.findall(text))) for text in sentences]
    return np.array(found, dtype=np.float64) / max(1, len(numbers))
