"""The probability that an abstract answers a question, by each of its sentences.

It is a logistic regression. Its features are: how much of the question a sentence has, its subject
and comparator together with the title (the share of the words, weighted by their idf in the
collection; an inflection, a short form or a similar word counts in part); the sentence's move, its
cues and its verdict. It was trained on sentences judged by readers (docs/answers.md). The
probability of an abstract is that of its best sentence.

A short form and its long form count as the same if an abstract of the first stage defines them.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Final

import numpy as np

from relsent_ir.answers.directions import is_direction
from relsent_ir.answers.language import ASKING, Question, WordVectors, content_words, terms
from relsent_ir.answers.sentence_features import CUES, Body, grams
from relsent_ir.records import Record, Sentence, find_abbreviations
from relsent_ir.text.cues import leaves_open
from relsent_ir.text.lay import lay_words, reword
from relsent_ir.text.names import american
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats, NDArray

ABSTRACT_NAMES: Final = (
    "sentence",
    "subject",
    "outcome",
    "comparator",
    "share",
    "conclusion",
    "results",
    "void",
    "hedge",
    "negation",
    "words",
    "verdict",
    "asked",
    "behind",
    "claim",
    "both",
    "subject here",
    "dense",
    "parts",
    "odds",
    "no",
    "told",
    "for",
    "against",
    "asks",
    "open",
    "methods",
    "together",
)
"""The features from "odds" to "asks" describe a verdict, and are 0 for questions without one;
"claim" marks questions with a verdict."""
STANDS: Final = 0.5  # least cosine, or share of 4-grams, for a word to stand for another
GENERAL: Final = 0.25  # weight of a word for an aspect of the subject
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
# matched against lower-case text, in half the time of re.IGNORECASE
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
_IMPRINT: Final = re.compile(
    r"^\W*(?:references?: \d|copyright|©|\(c\) \d|all rights reserved|abstract truncated"
    r"|this article is part of|published by|(?:trial )?registration\b|registered on\b"
    r"|unique identifier|nct ?\d|isrctn|actrn|(?:https?://)?(?:www\.)?clinical-?trials\.gov"
    r"|current controlled trials|sponsors?:|key ?words\b"
    r"|(?:this|the) (?:study|trial) (?:was|is) (?:\w+ly )?registered\b"
    r"|[\w ]{0,30}\btrials? (?:regist(?:er|ry)|identifier)\b)",
    re.IGNORECASE,
)
_FIGURES: Final = (
    (
        "a share",
        r"\bhow (?:many|often|common|frequent\w*|prevalent|likely|accurate|sensitive|specific"
        r"|reliable)\b|\b(?:percentage|proportion|share|rates?|prevalence|incidence|frequency|survival"
        r"|sensitivity|specificity|accuracy|risk)\b(?! factors?)",
        r"\d\s*(?:%|percent|per ?cent)|\b\d+ (?:of|out of|in|per) (?:the )?\d|\d/\d|\bper \d"
        r"|\b(?:half|thirds?|quarters?|none|all|every)\b",
    ),
    (
        "a time",
        r"\bhow (?:long|soon|fast|quickly|old)\b|^when\b|\b(?:what|which) (?:age|time)\b"
        r"|\bhalf-?li(?:fe|ves)\b|\bduration\b",
        r"\d ?(?:h|hrs?|hours?|days?|wk|weeks?|mo|months?|yr|years?|min|minutes?|s|seconds?"
        r"|decades?)\b|\b(?:first|one|two|three|four|five|six|several|few) (?:hour|day|week|month"
        r"|year|minute)s?\b"
        r"|\b(?:before|until|early|late)\b",
    ),
    (
        "a dose",
        r"\b(?:dose|dosage|doses)\b",
        r"\d ?(?:mg|g|ug|µg|μg|microg\w*|ml|mmol|iu|gy|units?|mcg)\b",
    ),
    (
        "a figure",
        r"\bhow (?:much|large|high|low|big|little|few|far|soluble|strong)\b|\b(?:what|which) (?:is"
        r"|are|was|were) the (?:[\w-]+ ){0,4}?(?:amount|number|levels?|concentrations?|size|ratio"
        r"|cost|volume|mean|average)\b",
        r"\d",
    ),
)
"""Attributes that a question may ask for: its words in questions, and its words in sentences."""
ASKED: Final = [(name, re.compile(asks), re.compile(has)) for name, asks, has in _FIGURES]
ABSTRACT_RULES: Final = (_VOID.pattern, _KINDS, *(text for row in _FIGURES for text in row[1:]))
"""The patterns; a model compares them with those of its training."""
_EXTENT: Final = re.compile(
    r"\bhow (?:long|soon|fast|quickly|old|common|prevalent|likely|large|high|low|big|little|few|far"
    r"|strong|well)\b"
)


@dataclass(frozen=True)
class QueryWords:
    """The words of a question, with their weights in a collection.

    Attributes
    ----------
    question : Question
    words : tuple of str
        Stems of the question's words, without words of asking.
    weights : ndarray of float64, shape (words,)
    forms : tuple of (str, str)
        Long forms with their short forms, in lower case; the question has one of each pair.
    subject, outcome, comparator : ndarray of bool, shape (words,)
        Masks of the words that are only in the intervention, the outcome or the comparator; all
        False if no rule finds the part.
    """

    question: Question
    words: tuple[str, ...]
    weights: Floats
    forms: tuple[tuple[str, str], ...]
    subject: NDArray[np.bool_]
    outcome: NDArray[np.bool_]
    comparator: NDArray[np.bool_]

    def spelled(self, text: str) -> str:
        """Return a text in the question's spelling and words, with short forms for long ones.

        A lower-case short form is another word: "pg" means picograms, whatever PG means.
        """
        text = self.question.spell(text)
        for _, short in self.forms:
            text = re.sub(rf"\b{short}\b", " ", text)
        return shortened(text, self.forms)

    def terms(self, text: str, vectors: WordVectors) -> list[str]:
        """Return the stems of a text as `spelled` writes it."""
        return vectors.terms(self.spelled(text))


def short_forms(question: str, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return pairs of a long and a short form of which the question has one, the longest first.

    A short form has a capital letter, and matches only as it is written. If a short form has
    several long forms, the question's own is used, or else the most frequent.
    """
    lowered, words = question.lower(), set(re.findall(r"[\w/+-]+", question))
    counts: dict[tuple[str, str], int] = {}
    for text in texts:
        if "(" not in text:
            continue
        for short, long in find_abbreviations(text):
            if (
                short.isalnum()
                and short != short.lower()
                and (short in words or long.lower() in lowered)
            ):
                pair = long.lower(), short.lower()
                counts[pair] = counts.get(pair, 0) + 1
    forms: dict[str, str] = {}
    order = sorted(counts, key=lambda pair: (pair[0] not in lowered, -counts[pair], pair))
    for long, short in order:
        if long not in forms and short not in forms.values():
            forms[long] = short
    return tuple(sorted(forms.items(), key=lambda pair: (-len(pair[0]), pair)))


def shortened(text: str, forms: Sequence[tuple[str, str]]) -> str:
    """Replace long forms by short ones, and laymen's words by clinicians', in lower case."""
    text = text.lower()
    for long, short in forms:
        text = text.replace(long, short)
    return reword(text)


def other_forms(question: str, forms: Sequence[tuple[str, str]]) -> str:
    """Return the forms, long and short, that are not in the question itself."""
    lowered = question.lower()
    words = re.findall(r"[^\W_]+", lowered)
    every = [form for pair in forms for form in pair]
    return " ".join(form for form in every if form not in words and form not in lowered)


def query_words(
    question: Question,
    vectors: WordVectors,
    frequencies: Mapping[str, float] | None = None,
    forms: tuple[tuple[str, str], ...] = (),
) -> QueryWords:
    """Compute the weights of a question's words.

    Parameters
    ----------
    question : Question
    vectors : WordVectors
    frequencies : mapping of str to float, optional
        The idf in the collection of the question's words, in lower case; a word that is missing has
        the idf of the vectors.
    forms : tuple of (str, str)
    """
    text = _EXTENT.sub(" ", shortened(question.spelled, forms))
    idf = {}
    for word in re.findall(r"[^\W_]+", text):
        for name in vectors.terms(word):
            if name not in _ASKING:
                value = (frequencies or {}).get(word)
                weight = vectors.idf(name) if value is None else value
                idf[name] = weight * (GENERAL if name in _GENERAL else 1.0)
    parts = question.spelled_parts
    stems_of = [
        frozenset(vectors.terms(shortened(part, forms)))
        for part in (parts.intervention, parts.outcome, parts.comparator)
    ]
    names = tuple(idf)
    masks = [np.array([name in part for name in names], dtype=bool) for part in stems_of]
    masks[2] &= ~masks[0] & ~masks[1]
    if not parts.intervention:
        masks[1][:] = False
    return QueryWords(question, names, np.array([idf[n] for n in names]) + 1e-6, forms, *masks)


def is_imprint(sentence: str) -> bool:
    """Return whether a sentence only has references, rights or the registration of a trial."""
    return _IMPRINT.match(sentence) is not None


def is_general(word: str) -> bool:
    """Return whether a word asks, states a direction, or names an aspect of a subject."""
    name = stem(word)
    return name in _ASKING or name in _GENERAL or is_direction(name)


@dataclass(frozen=True)
class Coverage:
    """How a question's words occur in an abstract.

    Attributes
    ----------
    query : QueryWords
    values : ndarray of float64, shape (words, 1 + sentences)
        How far the title (first column) and the sentences have each word: 1 for the word itself.
    density : ndarray of float64, shape (1 + sentences,)
        The share of words, in the title and each sentence, that are in the question.
    """

    query: QueryWords
    values: Floats
    density: Floats

    def share(self, units: Floats, which: NDArray[np.bool_] | None = None) -> Floats:
        """Return the weighted share of the words that columns of `values` have."""
        weights = self.query.weights if which is None else self.query.weights * which
        total = weights.sum()
        return weights @ units / total if total else np.zeros(units.shape[1])


def cover(
    query: QueryWords, record: Record, body: Sequence[Sentence], vectors: WordVectors
) -> Coverage:
    """Look for the words of a question in the title and the sentences of an abstract."""
    title = f"{record.title} {record.vernacular_title}"
    texts = (title, *(sentence.text for sentence in body))
    lists = [query.terms(text, vectors) for text in texts]
    units = Body(lists, vectors)
    cosines = units.cosines(query.words)
    alike = np.where(cosines >= STANDS, cosines.astype(np.float64) ** 2, 0.0)
    starts = {word[:3] for word in query.words if len(word) > 3}
    near = [(word, n) for word, n in units.place.items() if word[:3] in starts]
    for row, word in zip(alike, query.words, strict=True):
        runs = grams(word)
        for other, n in near if len(word) > 3 else ():
            shared, total = len(runs & grams(other)), len(runs | grams(other))
            if other[:3] == word[:3] and shared > STANDS * total:
                row[n] = max(row[n], 0.9)
        if word in units.place:
            row[units.place[word]] = 1.0
    shares = [sum(word in query.words for word in unit) / max(1, len(unit)) for unit in lists]
    return Coverage(query, units.highest(alike), np.array(shares))


def sentence_rows(
    coverage: Coverage, body: Sequence[Sentence], shares: Floats, verdicts: Floats, behind: float
) -> Floats:
    """Compute the features of the sentences of an abstract.

    Parameters
    ----------
    coverage : Coverage
    body : sequence of Sentence
    shares : ndarray of float64, shape (sentences,)
        The sentences' probabilities within the abstract.
    verdicts : ndarray of float64, shape (sentences, 7)
        For the likelier of the verdicts yes and no: its probability, its log odds, whether it is
        *no*, and whether a clause states it (`relsent_ir.answers.clauses.tells`); then whether the
        sentence has signs for the claim, against it, and of a call for research. All values are 0
        for questions without a verdict.
    behind : float
        The first stage's highest score minus this abstract's, divided by the highest.

    Returns
    -------
    ndarray of float64, shape (sentences, `ABSTRACT_NAMES`)
    """
    query, values = coverage.query, coverage.values
    sentences = values[:, 1:]
    both = np.maximum(values[:, :1], sentences)
    n = len(body)
    odds = np.clip(shares, 1e-3, 1 - 1e-3)
    has_parts = query.subject.any() and query.outcome.any()
    texts = [sentence.text.lower() for sentence in body]

    def has(pattern: re.Pattern[str]) -> Floats:
        return np.array([bool(pattern.search(text)) for text in texts], dtype=np.float64)

    here, outcome = (
        coverage.share(sentences, part if has_parts else None)
        for part in (query.subject, query.outcome)
    )
    asked = np.zeros(n)
    for _, asks, figure in () if query.question.claims else ASKED:
        if asks.search(query.question.text.lower()):
            asked = np.maximum(np.where(asked, asked, -1.0), 2 * has(figure) - 1)
    columns = (
        coverage.share(sentences),
        coverage.share(both, query.subject if has_parts else None),
        outcome,
        coverage.share(both, query.comparator) if query.comparator.any() else np.ones(n),
        np.log(odds / (1 - odds)),
        *(
            np.array([s.move == move for s in body], np.float64)
            for move in ("CONCLUSION", "RESULTS")
        ),
        has(_VOID),
        has(CUES["hedge"]),
        has(CUES["negation"]),
        np.full(n, log1p(len(query.words))),
        verdicts[:, 0],
        asked,
        np.full(n, behind),
        np.full(n, float(query.question.claims)),
        coverage.share(both),
        here,
        coverage.density[1:],
        np.full(n, float(has_parts)),
        *verdicts[:, 1:].T,
        np.array([leaves_open(text) for text in texts], dtype=np.float64),
        np.array([s.move == "METHODS" for s in body], dtype=np.float64),
        here * outcome,
    )
    return np.array(columns).T.copy()


def lacking(question: Question, record: Record, stopwords: Collection[str]) -> list[str]:
    """Return the words of a question's subject and outcome that a record does not have.

    Words of asking and direction, general words and single letters are ignored; "diarrhea" equals
    "diarrhoea", and laymen's words those of clinicians.
    """
    parts = question.parts
    asked = _EXTENT.sub(" ", f"{parts.intervention} {parts.outcome}".lower())
    text = question.spell(f"{record.title} {record.vernacular_title} {record.abstract}")
    present = set(content_words(text, stopwords))
    words = dict.fromkeys(content_words(asked, stopwords))
    forms = {word: american(word, word) for word in words if len(word) > 1 and not is_general(word)}
    lacks = [word for word, form in forms.items() if form not in present]
    stems = {stem(word) for word in present} if lacks else present
    lacks = [word for word in lacks if stem(forms[word]) not in stems]
    if lacks:
        reworded = set(terms(reword(text), stopwords))
        for start, end, names in lay_words(asked):
            if reworded.issuperset(terms(names[0], stopwords)):
                lacks = [word for word in lacks if word not in asked[start:end].split()]
    return lacks
