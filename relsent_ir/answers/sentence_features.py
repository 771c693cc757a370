"""Features of sentences for the linear model, in groups (docs/answers.md).

They are the moves of an abstract's sentences; the share of the question's words in each sentence
(`Body`); and cues: figures, tests, comparisons, negations, hedges. The claim zone consists of the
RESULTS and CONCLUSION sentences (Alamri & Stevenson 2015).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from math import fsum, log, log1p, sqrt
from typing import Final

import numpy as np

from relsent_ir.answers.language import Question, WordVectors
from relsent_ir.moves import MOVES, MoveModel, default_model, tag_record
from relsent_ir.moves.features import shorten
from relsent_ir.records import Record, Sentence
from relsent_ir.typing import Floats, NDArray

ZONE: Final = ("RESULTS", "CONCLUSION")


def tag_abstract(
    record: Record, moves: MoveModel | None = None, *, labels: bool = True
) -> list[Sentence]:
    """Return the sentences of an abstract with their moves.

    Parameters
    ----------
    record : Record
    moves : MoveModel, optional
        The model of moves; None for the packaged one.
    labels : bool
        Whether a structured abstract gets its moves from its labels.
    """
    return tag_record(moves or default_model(), record, labels=labels)


def move_probabilities(tagged: Sequence[Sentence]) -> NDArray[np.float64]:
    """Return a sentence's score for its move, the rest in equal parts; shape (sentences, moves)."""
    shares = np.empty((len(tagged), len(MOVES)))
    for row, sentence in zip(shares, tagged, strict=True):
        row[:] = (1.0 - sentence.score) / (len(MOVES) - 1)
        row[MOVES.index(sentence.move)] = sentence.score
    return shares


GRAM: Final = 4


class Body:
    """The sentences of an abstract, prepared for matching.

    The weight of a word is its idf times ln(1 + n / (sentences of the abstract with the word + ½)),
    since a word that is in every sentence distinguishes none.

    Parameters
    ----------
    sentences : sequence of list of str
        The `terms` of each sentence.
    vectors : WordVectors
    """

    def __init__(self, sentences: Sequence[Sequence[str]], vectors: WordVectors) -> None:
        self.vectors = vectors
        self.sets = [frozenset(words) for words in sentences]
        self._frequency = Counter(chain.from_iterable(self.sets))
        words = sorted(self._frequency)
        self._squares = {word: vectors.idf(word) ** 2 for word in words}
        # the column in values for each word
        self.place = dict(zip(words, range(len(words)), strict=True))
        # The words of all sentences in one sequence; each sentence starts with a word that is
        # similar to no word, so that a cosine below 0 counts as 0.
        columns = [[-1, *map(self.place.__getitem__, words)] for words in self.sets]
        self._columns = np.array([*chain.from_iterable(columns)], dtype=np.intp)
        self._starts = np.cumsum([0, *map(len, columns)], dtype=np.intp)[:-1]
        self._values = vectors.of(words)

    def cosines(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the cosines between words and each word of the sentences."""
        cosines: NDArray[np.float32] = self.vectors.of(words) @ self._values.T
        return cosines

    def highest(self, values: NDArray[np.floating]) -> Floats:
        """Return each sentence's highest value, or 0; from (n, words) to (n, sentences)."""
        highest = np.zeros((len(values), len(self.sets)))
        if self.sets:
            padded = np.zeros((len(values), len(self.place) + 1), dtype=values.dtype)
            padded[:, :-1] = values
            highest[:] = np.maximum.reduceat(padded[:, self._columns], self._starts, axis=1)
        return highest

    def words(self, query: Sequence[str]) -> Floats:
        """Return the weighted share of the words that each sentence has."""
        words = sorted(set(query))
        return self._share(words, self._has(words))

    def grams(self, query: Sequence[str]) -> Floats:
        """Return the weighted share, a word counting by its share of 4-grams in each."""
        words = sorted(set(query))
        runs = [grams(word) for word in words]
        shares = [[sum(map(has, run)) / len(run) for has in self._has_gram] for run in runs]
        return self._share(words, np.array(shares, dtype=np.float64))

    def meaning(self, query: Sequence[str]) -> Floats:
        """Return the weighted share, a word counting by its highest squared cosine in each."""
        words = sorted(set(query))
        best = self.highest(self.cosines(words))
        return self._share(words, np.where(self._has(words), 1.0, best**2))

    def cosine(self, query: Sequence[str]) -> Floats:
        """Return the cosine of the sets of words, weighted by idf only."""
        words = frozenset(query)
        length = fsum(self.vectors.idf(word) ** 2 for word in words)
        cosines = []
        for others, square in zip(self.sets, self._lengths, strict=True):
            both = sqrt(length * square)
            cosines.append(self._square(words & others) / both if both else 0.0)
        return np.array(cosines, dtype=np.float64)

    @cached_property
    def _lengths(self) -> list[float]:
        return [self._square(words) for words in self.sets]

    def _square(self, words: Iterable[str]) -> float:
        return fsum(map(self._squares.__getitem__, words))  # independent of the order

    @cached_property
    def _has_gram(self) -> list[Callable[[str], bool]]:
        """Return whether a word of each sentence contains a gram; grams have no spaces."""
        return [f"_{'_ _'.join(words)}_".__contains__ for words in self.sets]

    def _has(self, words: Sequence[str]) -> Floats:
        """Return 1 if a sentence has a word, else 0; shape (words, sentences)."""
        rows = [[word in sentence for sentence in self.sets] for word in words]
        return np.array(rows, dtype=np.float64).reshape(len(words), len(self.sets))

    def _share(self, words: Sequence[str], values: Floats) -> Floats:
        """Return the weighted mean over words of values with shape (words, sentences)."""
        total = np.zeros(len(self.sets))
        weights = 0.0
        for word, row in zip(words, values, strict=True):
            rarity = log(1 + len(self.sets) / (self._frequency[word] + 0.5))
            weight = self.vectors.idf(word) * rarity + 1e-6
            weights += weight
            total += weight * row
        return total / weights if weights else total


@lru_cache(maxsize=65536)
def grams(word: str) -> frozenset[str]:
    """Return the 4-grams of a word, including its borders."""
    text = f"_{word}_"
    return frozenset(text[i : i + GRAM] for i in range(max(1, len(text) - GRAM + 1)))


_MOST: Final = 3  # higher counts of a cue are cut to this

_PATTERNS: Final = {
    "p-value": r"\bp(?:\s*+values?)?\s*+[=<>≤≥]|\bp[- ]values?\b|\bp less than",
    "interval": r"\bci\b|confidence interval|95\s*%",
    "ratio": r"\b(?:or|rr|hr|odds ratio|hazard ratio|relative risk|risk ratio|mean difference|md"
    r"|smd)\b",
    "percent": r"%|per cent|percent",
    "comparison": r"\b(?:higher|lower|greater|less|fewer|more|better|worse|larger|smaller|longer"
    r"|shorter|faster|superior|inferior|increas\w*|decreas\w*|reduc\w*|improv\w*|declin\w*|rose"
    r"|fell|differ\w*|similar\w*|comparable|equal\w*|same|chang\w*|affect\w*|effect\w*"
    r"|associated)\b",
    "groups": r"\b(?:compared (?:with|to)|versus|vs|than|relative to|both groups"
    r"|between (?:the )?(?:two )?(?:groups|arms|treatments)|in the .* groups?)\b",
    "significance": r"\bsignifican\w*|statistical\w*",
    "negation": r"\b(?:no|not|neither|nor|without|non-?significant|failed|none|lack)\b",
    "hedge": r"\b(?:may|might|could|suggest\w*|appears?|seems?|likely|potential\w*|should"
    r"|further)\b",
    "conclusion": r"\b(?:conclu\w*|recommend\w*|our (?:results|findings|data|study)"
    r"|this (?:study|trial)|these (?:results|findings|data))\b",
    "design": r"\b(?:were (?:randomi[sz]ed|randomly|assessed|measured|recruited|assigned|enrolled"
    r"|included|recorded|collected|evaluated|performed)|was (?:assessed|measured|defined|evaluated"
    r"|performed|the primary)|primary (?:outcome|end-?point)|end-?points? (?:was|were)"
    r"|outcomes? (?:was|were|measures?|included))\b",
    "aim": r"\b(?:aim\w*|objective|purpose"
    r"|to (?:investigate|evaluate|assess|compare|determine|examine|test))\b",
    "baseline": r"\b(?:baseline|recruited|enrolled|eligible|(?:mean|median) age|follow-?up)\b",
}
# for lower-case texts, in half the time of re.IGNORECASE
CUES: Final = {name: re.compile(text) for name, text in _PATTERNS.items()}
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_HARM: Final = re.compile(
    r"\b(?:adverse|side effects?|toler\w*|safe\w*|complications?|toxicit\w*)\b"
)
CUE_RULES: Final = (*(cue.pattern for cue in CUES.values()), _NUMBER.pattern, _HARM.pattern, _MOST)
"""The patterns; a model compares them with those of its training."""

CUE_NAMES: Final = (*CUES, "numbers", "length", "longer than others", "asked for harms", "harms")


def cues(texts: Sequence[str], outcome: str) -> NDArray[np.float64]:
    """Count cues; shape (texts, `CUE_NAMES`).

    Parameters
    ----------
    texts : sequence of str
        The sentences of an abstract.
    outcome : str
        The question's outcome. Sentences on harms have one column if it is a harm, else another.
    """
    of_harms = bool(_HARM.search(outcome.lower()))
    lengths = [log1p(len(text.split())) for text in texts]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    rows = []
    for text, length in zip(map(str.lower, texts), lengths, strict=True):
        counts = [min(_MOST, len(cue.findall(text))) for cue in CUES.values()]
        harms = bool(_HARM.search(text))
        numbers = log1p(len(_NUMBER.findall(text)))
        rows.append(
            [*counts, numbers, length, length - mean, harms and of_harms, harms and not of_harms]
        )
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(CUE_NAMES))


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
    "cues": CUE_NAMES,
}
NAMES: Final = tuple(name for group in GROUPS.values() for name in group)
PLACES: Final = tuple(NAMES.index(name) for name in GROUPS["position"])
"""The columns of positions, not used for the slot of findings, which may be anywhere in RESULTS."""


def question_features(question: Question) -> Floats:
    """Return whether a question has a comparator, the outcome of an intervention, and both."""
    parts = question.parts
    compares, outcome = bool(parts.comparator), bool(parts.intervention)
    return np.array([compares, outcome, compares and outcome], dtype=np.float64)


def sentence_features(
    question: Question, title: str, tagged: Sequence[Sentence], vectors: WordVectors
) -> Floats:
    """Compute the features of an abstract's sentences.

    Parameters
    ----------
    question : Question
    title : str
        The title; if it, or the question, has no content words, features of it are 0.
    tagged : sequence of Sentence
        All sentences of the abstract.
    vectors : WordVectors

    Returns
    -------
    ndarray of float64, shape (sentences, features)
        Columns in the order of `NAMES`.
    """
    if not tagged:
        return np.zeros((0, len(NAMES)))
    texts = [sentence.text for sentence in tagged]
    parts = question.parts
    queries = (question.text, parts.intervention, parts.comparator, parts.outcome)
    short = abbreviated((title, *texts, *queries))
    sentences = [vectors.terms(text) for text in short[1 : len(texts) + 1]]
    everything, intervention, comparator, outcome = (vectors.terms(text) for text in short[-4:])
    body = Body(sentences, vectors)
    values: dict[str, Floats] = {"title: cosine": body.cosine(vectors.terms(short[0]))}
    for name, words in (("outcome", outcome), ("question", everything)):
        for way in _WAYS:
            share = getattr(body, way)(words)
            values[f"{name}: {way}"] = share
            values[f"{name}: {way}, behind the best"] = share - share.max()
    values["outcome: word pairs"] = _pairs(outcome, sentences)
    values["outcome: numbers"] = _numbers(short[-1], short[1 : len(texts) + 1])
    values["intervention: words"] = body.words(intervention)
    values["intervention: meaning"] = body.meaning(intervention)
    values["comparator: words"] = body.words(comparator)
    values["both arms"] = values["intervention: words"] * values["comparator: words"]
    _add_places(values, tagged)
    columns = [values[name] for group in list(GROUPS)[:-1] for name in GROUPS[group]]
    return np.hstack([np.array(columns, dtype=np.float64).T, cues(texts, parts.outcome)])


@lru_cache(maxsize=1)  # the choice of the shown sentences needs the abstract of its features again
def abbreviated(texts: tuple[str, ...]) -> list[str]:
    """Apply `relsent_ir.moves.features.shorten` to a title, the sentences, and a question."""
    return shorten(texts)


def _add_places(values: dict[str, Floats], tagged: Sequence[Sentence]) -> None:
    """Add the features of moves and of the sentences' order."""
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


def _pairs(query: Sequence[str], sentences: Sequence[Sequence[str]]) -> Floats:
    """Return the share of the query's word bigrams that each sentence has."""
    pairs = set(pairwise(query))
    shared = [len(pairs & set(pairwise(words))) for words in sentences]
    return np.array(shared, dtype=np.float64) / max(1, len(pairs))


def _numbers(query: str, sentences: Sequence[str]) -> Floats:
    """Return the share of the query's numbers that each sentence has."""
    numbers = set(_NUMBER.findall(query))
    shared = [len(numbers and numbers & set(_NUMBER.findall(text))) for text in sentences]
    return np.array(shared, dtype=np.float64) / max(1, len(numbers))
