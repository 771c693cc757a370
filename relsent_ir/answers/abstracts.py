"""Does an abstract answer a question? A probability of its sentences, and gates before a star.

A logistic regression on what a sentence of RESULTS or CONCLUSION, the title and the whole abstract
cover of the question: the share of its words, each weighed by its idf in the collection, and as far
as an inflection, a short form or a similar word stands for it. It was learned from sentences that
were read (docs/answers.md). The abstract's sentence is the one with the highest probability, and
the abstract's probability is that of its sentence.

Short forms and long ones, as any of the abstracts that were found defines them, are one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log1p
from typing import Final

import numpy as np

from relsent_ir.answers.asking import CLAIMS, question_kind, question_parts
from relsent_ir.answers.directions import is_direction
from relsent_ir.answers.linear import sigmoid
from relsent_ir.answers.sentence_features import ZONE, grams
from relsent_ir.answers.words import ASKING, WordVectors
from relsent_ir.records import Record, Sentence, find_abbreviations
from relsent_ir.text.names import american
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, NDArray

_OWN: Final = (
    "sentence",
    "sentence and title",
    "title",
    "abstract",
    "subject",
    "outcome",
    "least word",
    "share",
    "conclusion",
    "void",
    "words",
    "named",
    "says",
    "figures",
    "behind",
)
ABSTRACT_NAMES: Final = (*_OWN, "claim")
"""The last tells a question of yes or no or a statement from any other."""
STANDS: Final = 0.5  # cosine, or share of 4-grams, from which on a word stands for another
NAMED: Final = 0.5  # idf-weighted share of the subject, and of the outcome, that must be named
GENERAL: Final = 0.25  # what a word weighs that says what is wanted of the subject, not which it is
_ASKING: Final = frozenset(map(stem, ASKING))
_KINDS: Final = (
    "abnormal abnormality abnormalities alternative association available best biochemical case "
    "cause caused causes change changes characteristic characteristics clinical common "
    "complication complications concentration condition conditions consideration considerations "
    "consistently contribute described describe diagnosis difference differences different "
    "differently effective elevated evaluation evidence factor factors feature features found "
    "function functions frequency identified incidence increase increased influence interaction "
    "known level levels major management manifestation manifestations mechanism metabolism "
    "method methods normal normally outcome pathology patient patients performed prevalence "
    "problem problems prognosis properties property reduce reduced relationship reported result "
    "results risk role safe severe special structure subject subjects symptom symptoms "
    "technique techniques therapy time treat treated treatment type types unusual use used "
    "useful "
)
_GENERAL: Final = frozenset(map(stem, _KINDS.split()))
# for texts in small letters, which take half the time of re.IGNORECASE
_VOID: Final = re.compile(
    r"\b(?:aim(?:s|ed)?|objectives?|purpose|hypothes\w+|protocol|will (?:be|provide|help|inform)"
    r"|(?:are|is|were|was|has been|have been) (?:also )?(?:discussed|reviewed|presented|described"
    r"|summarized|considered|outlined|examined|emphasized)"
    r"|this (?:article|review|paper|report|chapter)"
    r"|(?:further|more|additional|future|larger) (?:\w+ ){0,3}?(?:stud(?:y|ies)|research|trials?"
    r"|investigations?|work)"
    r"|remains? (?:to be|unknown|unclear|controversial|uncertain)"
    r"|not (?:yet )?(?:known|clear|established)|(?:needed|required|warranted|necessary) to"
    r"|to (?:determine|investigate|evaluate|assess|examine) (?:whether|if|the))\b"
)
_AIM: Final = re.compile(
    r"^(?:the |our )?(?:aims?|objectives?|purpose|goal)s?\b"
    r"|\b(?:aim(?:ed)?|objective|purpose) of (?:this|the|our)\b"
    r"|\bwe (?:aimed|sought|investigated whether|hypothesi[sz]ed)\b|\bwill be\b"
)
"""An aim or a protocol: no answer, whatever move it has."""
_PRONOUN: Final = re.compile(
    r"^\W*(?:they|it(?! (?:is|was|has been|can be|may be|appears|seems) (?:\w+ )?(?:that|to)\b)"
    r"|th(?:is|ese) (?:drug|agent|treatment|therapy|compound|combination|regimen|medication|method"
    r"|antibiotic|vitamin|procedure|technique|patient|group)s?)\b"
)
"""Of whom a sentence speaks was said before it."""
_IMPRINT: Final = re.compile(
    r"^\W*(?:references?: \d|copyright|©|\(c\) \d|all rights reserved|abstract truncated"
    r"|published by|(?:trial )?registration\b|registered on\b|unique identifier|nct ?\d|isrctn"
    r"|actrn|(?:https?://)?(?:www\.)?clinical-?trials\.gov|current controlled trials)",
    re.IGNORECASE,
)
_DIGIT: Final = re.compile(r"\d")
ABSTRACT_RULES: Final = (_VOID.pattern, _AIM.pattern, _PRONOUN.pattern, _KINDS)
"""The patterns, by which a model knows whether they have changed since it was trained."""


@dataclass(frozen=True)
class Wanted:
    """The words of a question, as they weigh in a collection.

    Attributes
    ----------
    question : str
    words : tuple of str
        Stems, without those of asking.
    weights : ndarray of float64, shape (words,)
    forms : tuple of (str, str)
        Long forms with their short ones, in small letters, of which the question has either.
    subject, outcome, comparator, people : ndarray of bool, shape (words,)
        Which words are of the intervention, of the outcome, of the comparator alone, and of in whom
        alone; all False where no rule finds it.
    """

    question: str
    words: tuple[str, ...]
    weights: Floats
    forms: tuple[tuple[str, str], ...] = ()
    subject: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    outcome: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    comparator: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    people: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))

    def terms(self, text: str, vectors: WordVectors) -> list[str]:
        """Return a text's stems, its long forms made short, its spellings those of the question.

        A short form in small letters is another word: "pg" are picograms, whatever PG is.
        """
        text = american(text, self.question)
        for _, short in self.forms:
            text = re.sub(rf"\b{short}\b", " ", text)
        return vectors.terms(shortened(text, self.forms))


def short_forms(question: str, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the long forms of which a question has either form, longest first, each with its own.

    A short form has a capital letter, and counts as it is written; of several long ones only what
    the question has, or the most frequent.
    """
    asked, words = question.lower(), set(re.findall(r"[\w/+-]+", question))
    counts: dict[tuple[str, str], int] = {}
    for text in texts:
        if "(" not in text:
            continue
        for short, long in find_abbreviations(text):
            if (
                short.isalnum()
                and short != short.lower()
                and (short in words or long.lower() in asked)
            ):
                pair = long.lower(), short.lower()
                counts[pair] = counts.get(pair, 0) + 1
    forms: dict[str, str] = {}
    for long, short in sorted(counts, key=lambda pair: (pair[0] not in asked, -counts[pair], pair)):
        if long not in forms and short not in forms.values():
            forms[long] = short
    return tuple(sorted(forms.items(), key=lambda pair: (-len(pair[0]), pair)))


def shortened(text: str, forms: Sequence[tuple[str, str]]) -> str:
    """Replace long forms, in small letters."""
    text = text.lower()
    for long, short in forms:
        text = text.replace(long, short)
    return text


def other_forms(question: str, forms: Sequence[tuple[str, str]]) -> str:
    """Return the writings of forms that a question does not have itself."""
    asked, words = question.lower(), set(re.findall(r"[^\W_]+", question.lower()))
    lacks = [form for pair in forms for form in pair]
    return " ".join(form for form in lacks if form not in words and form not in asked)


def wanted(
    question: str,
    vectors: WordVectors,
    frequencies: Mapping[str, float] | None = None,
    forms: tuple[tuple[str, str], ...] = (),
) -> Wanted:
    """Weigh the words of a question.

    Parameters
    ----------
    question : str
    vectors : WordVectors
    frequencies : mapping of str to float, optional
        The idf of words in the collection, as the question writes them in small letters; that of
        the vectors where there is none.
    forms : tuple of (str, str)
    """
    text = shortened(american(question, question), forms)
    idf = {}
    for word in re.findall(r"[^\W_]+", text):
        for name in vectors.terms(word):
            if name not in _ASKING:
                value = (frequencies or {}).get(word)
                weight = vectors.idf(name) if value is None else value
                idf[name] = weight * (GENERAL if name in _GENERAL else 1.0)
    parts = question_parts(american(question, question))
    of = [
        frozenset(vectors.terms(shortened(part, forms)))
        for part in (parts.intervention, parts.outcome, parts.comparator, parts.population)
    ]
    names = tuple(idf)
    masks = [np.array([name in part for name in names], dtype=bool) for part in of]
    masks[2] &= ~masks[0] & ~masks[1]
    masks[3] &= ~masks[0] & ~masks[1] & ~masks[2]
    if not parts.intervention:
        masks[1][:] = False
    return Wanted(question, names, np.array([idf[n] for n in names]) + 1e-6, forms, *masks)


def is_imprint(sentence: str) -> bool:
    """Return whether a sentence only has references, rights, or a trial's registration."""
    return _IMPRINT.match(sentence) is not None


def is_general(word: str) -> bool:
    """Return whether a word asks, points up or down, or says what is wanted of a subject."""
    name = stem(word)
    return name in _ASKING or name in _GENERAL or is_direction(name)


@dataclass(frozen=True)
class Coverage:
    """What an abstract has of a question's words.

    Attributes
    ----------
    stands : ndarray of float64, shape (words, 1 + sentences)
        How far title (first) and sentences have each word: 1 for the word itself.
    """

    wanted: Wanted
    stands: Floats
    length: int

    def share(self, units: Floats, which: NDArray[np.bool_] | None = None) -> Floats:
        """Return the weighted share of the words that columns of `stands` have."""
        weights = self.wanted.weights if which is None else self.wanted.weights * which
        total = weights.sum()
        return weights @ units / total if total else np.zeros(units.shape[1])


def cover(
    wanted: Wanted, record: Record, body: Sequence[Sentence], vectors: WordVectors
) -> Coverage:
    """Look for a question's words in the title and the sentences of an abstract."""
    title = f"{record.title} {record.vernacular_title}"
    units = [wanted.terms(text, vectors) for text in (title, *(s.text for s in body))]
    held = sorted({word for unit in units for word in unit})
    place = {word: n for n, word in enumerate(held)}
    alike: dict[str, list[str]] = {}
    for word in held:
        alike.setdefault(word[:3], []).append(word)
    values = np.zeros((len(wanted.words), len(held)))
    if held and wanted.words:
        cosines = vectors.of(wanted.words) @ vectors.of(held).T
        values = np.where(cosines >= STANDS, cosines.astype(np.float64) ** 2, 0.0)
    for row, word in zip(values, wanted.words, strict=True):
        own = grams(word)
        for other in alike.get(word[:3], ()) if len(word) > 3 else ():
            both = len(own & grams(other))
            if both > STANDS * (len(own) + len(grams(other)) - both):
                row[place[other]] = max(row[place[other]], 0.9)
        if word in place:
            row[place[word]] = 1.0
    stands = np.zeros((len(wanted.words), len(units)))
    for n, unit in enumerate(units):
        columns = sorted({place[word] for word in unit})
        stands[:, n] = values[:, columns].max(axis=1, initial=0.0)
    return Coverage(wanted, stands, sum(map(len, units)))


def sentence_rows(
    covered: Coverage,
    body: Sequence[Sentence],
    shares: Floats,
    named: NDArray[np.bool_],
    says: Floats,
    behind: float,
) -> Floats:
    """Describe the sentences of an abstract.

    Parameters
    ----------
    covered : Coverage
    body : sequence of Sentence
    shares : ndarray of float64, shape (sentences,)
        Each one's probability within the abstract.
    named : ndarray of bool, shape (sentences,)
        As `may_answer` says.
    says : ndarray of float64, shape (sentences,)
        The probability of its verdict, yes or no; 0 where nothing is named, or a rule takes it
        back.
    behind : float
        How far the first stage's score is behind its highest, over the highest.

    Returns
    -------
    ndarray of float64, shape (sentences, `ABSTRACT_NAMES`)
    """
    wanted, stands = covered.wanted, covered.stands
    title, own = stands[:, :1], stands[:, 1:]
    both = np.maximum(title, own)
    n = len(body)
    whole = stands.max(axis=1, keepdims=True)
    odds = np.clip(shares, 1e-3, 1 - 1e-3)
    parted = wanted.subject.any() and wanted.outcome.any()
    kind = question_kind(wanted.question)
    figures = [kind == "how much" and bool(_DIGIT.search(s.text)) for s in body]
    columns = (
        covered.share(own),
        covered.share(both),
        np.full(n, covered.share(title)[0]),
        np.full(n, covered.share(whole)[0]),
        covered.share(both, wanted.subject) if parted else covered.share(both),
        covered.share(own, wanted.outcome) if parted else covered.share(own),
        both.min(axis=0, initial=1.0),
        np.log(odds / (1 - odds)),
        np.array([s.move == "CONCLUSION" for s in body], dtype=np.float64),
        np.array([bool(_VOID.search(s.text.lower())) for s in body], dtype=np.float64),
        np.full(n, log1p(len(wanted.words))),
        named.astype(np.float64),
        says,
        np.array(figures, dtype=np.float64),
        np.full(n, behind),
    )
    claim = np.full(n, float(kind in CLAIMS))
    return np.column_stack((*columns, claim)).reshape(n, len(ABSTRACT_NAMES))


def may_answer(covered: Coverage, body: Sequence[Sentence]) -> NDArray[np.bool_]:
    """Return which sentences may answer at all; shape (sentences,).

    Of RESULTS or CONCLUSION, no aim; the outcome is named in the sentence, subject and comparator
    there or in the title, the subject of "it" in the title,
    and in whom is named somewhere; where no rule finds them, half of the
    question in the sentence, and most of it there or in the title.
    """
    wanted, stands = covered.wanted, covered.stands
    own, both = stands[:, 1:], np.maximum(stands[:, :1], stands[:, 1:])
    zone = np.array([s.move in ZONE and not _AIM.search(s.text.lower()) for s in body], dtype=bool)
    if wanted.subject.any() and wanted.outcome.any():
        named = (covered.share(own, wanted.outcome) >= NAMED) & (
            covered.share(both, wanted.subject) >= NAMED
        )
        pronoun = np.array([bool(_PRONOUN.search(s.text.lower())) for s in body], dtype=bool)
        named &= ~pronoun | (covered.share(stands[:, :1], wanted.subject) >= NAMED)
        if wanted.people.any():
            named &= covered.share(stands.max(axis=1, keepdims=True), wanted.people) >= NAMED
        if wanted.comparator.any():
            named &= covered.share(both, wanted.comparator) >= NAMED
    else:
        named = (covered.share(own) >= NAMED) & (covered.share(both) >= 0.75)
    return zone & named


def sentence_probabilities(weights: Floats, rows: Floats) -> Floats:
    """Return the probability that each sentence answers; of the weights, the intercept is last."""
    return sigmoid(rows @ weights[:-1] + weights[-1])
