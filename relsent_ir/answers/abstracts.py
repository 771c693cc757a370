"""Does an abstract answer the question at all? A probability from what it covers of the question.

Logistic regression on

    covered     idf-weighted share of the question's words that title and abstract hold
    associated  the same, a missing word counted by the squared cosine of the most similar word
    closest     cosine (of idf) of the question and the abstract's most similar sentence
    length      ln(1 + words of the abstract): a long one has a question's words by chance
    gap         how far the first stage's score is behind the highest, over the highest
    rank        one over the rank in the first stage
    sentence    log odds of the probability of the abstract's best sentence

learned from questions that are titles (`relsent_ir.answers.abstract_training`), asked of a
collection without these titles, and the same with words replaced by similar ones, so that a
question in other words than the article's is known. Where the intervention is missing, and no word
of the abstract stands for it, there is no answer, whatever the probability; where no rule finds an
intervention, half the question must be there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import Final

import numpy as np

from relsent_ir.answers.linear import sigmoid
from relsent_ir.answers.questions import question_parts
from relsent_ir.answers.sentence_features import Body, grams
from relsent_ir.answers.words import ASKING, WordVectors
from relsent_ir.records import Record, Sentence
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats

ABSTRACT_NAMES: Final = ("covered", "associated", "closest", "length", "gap", "rank", "sentence")
STANDS: Final = 0.5  # cosine, or share of 4-grams, from which on a word stands for another
PRESENT: Final = 0.5  # idf-weighted share of the intervention that must be there
_ASKING: Final = frozenset(map(stem, ASKING))


@dataclass(frozen=True, slots=True)
class Cover:
    """The share of a question that an abstract covers.

    Attributes
    ----------
    covered, associated, closest : float
        From 0 to 1.
    length : int
        Words of the abstract, without stop words.
    intervenes : bool
        The intervention is there, or something that stands for it; of a question without one, half
        of its words, by idf.
    """

    covered: float
    associated: float
    closest: float
    length: int
    intervenes: bool


def cover(question: str, record: Record, body: Sequence[Sentence], vectors: WordVectors) -> Cover:
    """Look for a question's words in the title and the sentences of the abstract."""
    sentences = [vectors.terms(sentence.text) for sentence in body]
    title = vectors.terms(f"{record.title} {record.vernacular_title}")
    held = sorted({*title, *(word for found in sentences for word in found)})
    held_words = frozenset(held)
    values = vectors.of(held)

    def shares(words: Iterable[str]) -> tuple[float, float, bool]:
        wanted = _asked(words)
        if not wanted or not held:
            return 0.0, 0.0, not wanted
        cosines = (vectors.of(wanted) @ values.T).max(axis=1, initial=0.0)
        idf = np.array([vectors.idf(word) for word in wanted]) + 1e-6
        exact = np.array([word in held_words for word in wanted], dtype=np.float64)
        soft = np.maximum(exact, cosines**2)
        stands = [
            bool(hit) or cosine >= STANDS or _alike(word, held)
            for word, hit, cosine in zip(wanted, exact, cosines, strict=True)
        ]
        total = idf.sum()
        there = float(idf @ np.array(stands, dtype=np.float64) / total) >= PRESENT
        return float(idf @ exact / total), float(idf @ soft / total), there

    wanted_terms = vectors.terms(question)
    covered, associated, _ = shares(wanted_terms)
    *_, intervenes = shares(vectors.terms(question_parts(question).intervention) or wanted_terms)
    closest = float(Body(sentences, vectors).cosine(_asked(wanted_terms)).max(initial=0.0))
    return Cover(covered, associated, closest, sum(map(len, sentences)), intervenes)


def abstract_features(
    covers: Sequence[Cover], scores: Sequence[float], sentences: Sequence[float]
) -> Floats:
    """Describe the abstracts that were found for a question.

    Parameters
    ----------
    covers : sequence of Cover
    scores : sequence of float
        The first stage's, in its order.
    sentences : sequence of float
        The probability of each one's best sentence; 0 without one.

    Returns
    -------
    ndarray of float64, shape (abstracts, `ABSTRACT_NAMES`)
    """
    highest = max((*scores, 1e-9))
    rows = []
    for rank, (covered, score, sentence) in enumerate(
        zip(covers, scores, sentences, strict=True), 1
    ):
        odds = min(max(sentence, 1e-3), 1 - 1e-3)
        own = [covered.covered, covered.associated, covered.closest, log1p(covered.length)]
        rows.append([*own, (highest - score) / highest, 1 / rank, log(odds / (1 - odds))])
    return np.array(rows, dtype=np.float64).reshape(-1, len(ABSTRACT_NAMES))


def abstract_probabilities(weights: Floats, features: Floats) -> Floats:
    """Return the probability that each abstract answers; of the weights, the intercept is last."""
    return sigmoid(features @ weights[:-1] + weights[-1])


def reworded(question: str, vectors: WordVectors) -> str:
    """Replace every second word that has a similar one (cosine of .5 at least) by that one.

    The words are stems then: it is for systems that stem what they are asked.
    """
    words = question.split()
    turn = 0
    for n, word in enumerate(words):
        stems = vectors.terms(word)
        if len(stems) != 1 or stems[0] in _ASKING or stems[0] not in vectors.place:
            continue
        cosines = vectors.of(vectors.words) @ vectors.of(stems)[0]
        cosines[vectors.place[stems[0]]] = -1.0
        best = int(cosines.argmax())
        if cosines[best] >= STANDS:
            if turn % 2 == 0:
                words[n] = vectors.words[best]
            turn += 1
    return " ".join(words)


def _asked(words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word not in _ASKING]


def _alike(word: str, held: Sequence[str]) -> bool:
    """Return whether a word of the abstract shares most of a word's 4-grams (an inflection)."""
    own = grams(word)
    return len(word) > 3 and any(
        len(own & grams(other)) > STANDS * len(own | grams(other)) for other in held
    )
