"""The language of questions: their kinds, parts and words, and vectors of words.

Only a yes/no question or a statement has a direction, which is that of *yes*. Parts are found by
rules for English; if no rule finds the outcome, it is the whole question.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from typing import Any, Final

import numpy as np

from relsent_ir.models import check_arrays, pack_strings, unpack_strings
from relsent_ir.text.names import american
from relsent_ir.text.phrases import word_set
from relsent_ir.text.words import stem
from relsent_ir.typing import NDArray

KINDS: Final = ("yes/no", "statement", "how much", "what", "how", "who", "topic")
"""The kinds after the claims: extent; what or which; how or why; who, when or where. A topic, like
"metformin in PCOS", has no verb."""
CLAIMS: Final = KINDS[:2]
"""The kinds that have a direction."""


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """The parts of a question.

    Attributes
    ----------
    intervention, comparator, outcome : str
        All but the outcome are "" if no rule finds them; the outcome is then the whole question.
    population : str
    way : str
        What *yes* says about the outcome: ``up``, ``down``, ``good`` or ``bad`` (the intervention
        for it), ``same`` (as good as the comparator), ``linked`` (affected, associated) or ``is``
        (a property).
    """

    intervention: str
    comparator: str
    outcome: str
    population: str = ""
    way: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was parsed with `parse`.

    Attributes
    ----------
    text : str
        The question as it was asked.
    kind : str
        One of `KINDS`.
    parts : QuestionParts
    spelled : str
        The text in American spelling.
    spelled_parts : QuestionParts
        The parts of `spelled`.
    denies : bool
        Whether the question has a negation: "X does not reduce O".
    """

    text: str
    kind: str
    parts: QuestionParts
    spelled: str
    spelled_parts: QuestionParts
    denies: bool

    @property
    def claims(self) -> bool:
        """Whether the question is answered by yes or no."""
        return self.kind in CLAIMS

    def spell(self, text: str) -> str:
        """Return a text in which the question's words have American spelling."""
        return american(text, self.text)


_AUX: Final = (
    r"(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have|had|may|might|must)\b"
)
_ASKS: Final = re.compile(
    r"\b(?:(?P<what>what|which)|(?P<how>how|why)|(?P<who>who|whom|whose|when|where))\b",
    re.IGNORECASE,
)
_WORTH: Final = (
    r"(?:cost-)?effective|active|effici\w{1,9}+|efficacious|safe|useful|beneficial|helpful|necessary|needed"
    r"|indicated|appropriate|feasible|justified|adequate|sufficient|reliable|accurate|valid"
    r"|worthwhile|well tolerated|acceptable|suitable|valuable|successful"
    r"|of (?:\w+ )?(?:benefit|value|use)"
)
_VERBS: Final = (
    r"(?P<up>increas(?:es?|ed|ing)|rais(?:es?|ed)"
    r"|promot(?:es?|ed)|caus(?:es?|ed)|induc(?:es?|ed)|leads? to|results? in|prolong(?:s|ed)?"
    r"|worsen(?:s|ed)?|stimulat(?:es?|ed)|accelerat(?:es?|ed)|elevat(?:es?|ed)|exacerbates?"
    r"|produc(?:es?|ed)|aggravates?|provok(?:es?|ed)|facilitates?|predisposes? to"
    r"|contributes? to|triggers?|potentiates?)"
    r"|(?P<down>reduc(?:es?|ed|ing)|decreas(?:es?|ed|ing)|lower(?:s|ed|ing)?|prevent(?:s|ed|ing)?"
    r"|slow(?:s|ed|ing)?(?: down)?|delay(?:s|ed)?|inhibit(?:s|ed)?|suppress(?:es|ed)?"
    r"|attenuat(?:es?|ed)|shorten(?:s|ed)?|diminish(?:es|ed)?"
    r"|protects?(?: against)?|minimi[sz]es?|limits?"
    r"|impair(?:s|ed)?|abolish(?:es)?|blocks?|eliminates?|avoids?"
    r"|(?:inversely|negatively) (?:associated with|related to|correlat\w+ (?:with|to)))"
    r"|(?P<linked>affect(?:s|ed)?|influenc(?:es?|ed)|alter(?:s|ed)?|chang(?:es?|ed)|impacts?"
    r"|modif(?:y|ies)|modulates?|predict(?:s|ed)?|determines?"
    r"|ha(?:ve|s|d) (?:an?|any|no) (?:\w+ )?(?:effect|impact|influence) (?:up)?on"
    r"|regulat(?:es?|ed)|reflect(?:s|ed)?|interact(?:s|ed)? with"
    r"|associated with|related to|linked (?:to|with)|correlat\w+ (?:with|to)|involved in|due to"
    r"|(?:an? |the )?(?:\w+ )?(?:risk )?(?:factors?|predictors?|markers?|determinants?|causes?"
    r"|indicators?) (?:for|of)|play(?:s|ed)? (?:an? )?(?:\w+ )?roles? in)"
    r"|(?P<better>improv(?:es?|ed|ing)|enhanc(?:es?|ed)|restores?|maintains?|reliev(?:es?|ed)"
    r"|detect(?:s|ed)?|locat(?:es?|ed)|monitors?|preserv(?:es?|ed)"
    r"|alleviates?|cur(?:es?|ed)|eradicat(?:es?|ed)|ameliorates?|heals?|corrects?|controls?)"
    r"|(?P<bad>(?:contraindicated|harmful|dangerous|detrimental|hazardous|unsafe) (?:for|in|to|at"
    r"|during|after))"
    rf"|(?P<good>(?:an? )?(?:(?:{_WORTH})(?:,? (?:and|or) (?:\w+ly )?|, )?){{1,8}}"
    r"(?: (?:treatments?|therap(?:y|ies)|options?|methods?|tools?))? (?:for|in|against|at|to|as)"
    r"|helps?(?: to| in)?|benefits?|treats?)"
)
_SHIFT: Final = (  # few words: an unlimited number would take quadratic time
    r"(?P<shift>,?\s(?:(?:be|been|is|are|was|were|not|to|also|significantly|independently|strongly"
    r"|positively|directly|causally|still|do|does|did|can|may|might|will|would|could)\s){0,8}+)"
)
_SUBJECT: Final = r"^(?P<intervention>\S.*?)" + _SHIFT
_UNDER: Final = r"(?:in|among|with|after|for|during|on|under|by|using|following)"
_THAN: Final = rf"\s(?:than|to|as)\s(?:(?:{_UNDER}|that of|those in)\s)?"
_MORE: Final = (
    r"(?:(?P<up>more|greater|better|higher|longer|larger|increased|elevated|faster|earlier)"
    r"|(?P<down>less|fewer|worse|lower|shorter|smaller|reduced|decreased|slower|later))"
)
_WHOM: Final = re.compile(
    r"\s(?:in|among|of)\s(?P<population>(?:(?!(?:in|among|of|for|with|on|to|and)\b)[\w-]+\s){0,3}?"
    r"(?:patients?|people|persons?|women|men|girls|boys|children|adults|adolescents|infants"
    r"|neonates|newborns|volunteers|individuals|subjects|mice|rats|humans?)\b.*)$",
    re.IGNORECASE,
)
_LEADING: Final = re.compile(
    r"^(?:as )?compared (?:with|to) (?P<comparator>.+?), ?(?=(?:what|does|do|did|is|are|how)\b)",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"(?:,\s?)?(?:\b(?:as )?compared (?:with|to)|\bin comparison (?:with|to)|\bversus|\bvs\.?"
    r"|\b(?:rather )?than|\brelative to)\s(?P<comparator>.+?)"
    r"(?=,\s|\s(?:on|reduces?|improves?|increases?|decreases?|prevents?|affects?)\s|$)",
    re.IGNORECASE,
)
_OF: Final = (
    r"\b(?:effect|impact|influence|efficacy|effectiveness|benefit|role)s? of (?P<intervention>.+)"
)
_EFFECTS: Final = tuple(
    re.compile(_OF + end + r"\s(?P<outcome>.+)$", re.IGNORECASE)
    for end in (r"\s(?:up)?on", r"\s(?:for|in (?:reducing|preventing|improving))")
)
_COMPARING: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        _SUBJECT + r"(?:(?:any|an?|work|works|worked)\s)?(?:(?P<bad>worse|inferior|less (?:good"
        r"|effective|safe|useful|accurate))|(?P<good>better|superior|safer|more (?:effective|good"
        r"|safe|useful|accurate|beneficial|efficacious))|(?P<same>as (?:effective|good|safe|well"
        r"|useful|accurate|beneficial|efficacious)))"
        + _THAN + r"(?P<comparator>.+?)"
        r"(?:\s(?:for|in|at|on|against)\s(?P<outcome>.+))?$",
        r"^(?P<outcome>\S.*?)" + _SHIFT + _MORE + r"(?:\s(?:common|frequent|prevalent|likely|severe"
        r"|often|frequently|pronounced))?\s" + _UNDER
        + r"\s(?P<intervention>.+?)(?:" + _THAN + r"(?P<comparator>.+))?$",
        _SUBJECT + r"(?:(?:have|has|had|causes?|produces?|requires?|needs?|shows?|gives?|leads? to"
        r"|results? in|provides?|experience|associated with|(?:related|linked) to|at|an?)\s){1,8}"
        + _MORE + r"\s(?P<outcome>.+?)(?:" + _THAN + r"(?P<comparator>.+))?$",
    )
)  # fmt: skip
_THERE: Final = tuple(
    re.compile(text, re.IGNORECASE)
    for text in (
        r"^there (?:an?|any)(?: \w+)? (?P<linked>association|relation(?:ship)?|correlation|link"
        r"|connection|difference|interaction) (?:between|of|in) (?P<intervention>.+?)"
        r" (?:and|with|between) (?P<outcome>.+)$",
        r"^there (?:an?|any|still a)(?: \w+)? (?P<good>role|place|need|benefit|use|indication"
        r"|advantage|rationale) (?:for|of|in|from|to) (?P<intervention>.+?) (?:in|for|after|during"
        r"|as) (?P<outcome>.+)$",
        rf"^there (?:an? )?{_MORE}\s(?P<outcome>.+?)\s{_UNDER}\s(?P<intervention>.+?)"
        rf"(?:{_THAN}(?P<comparator>.+))?$",
        r"^there (?:(?P<is>an?|any) )?(?P<outcome>.+)$",
    )
)
_CLAIM: Final = re.compile(rf"{_SUBJECT}(?P<verb>{_VERBS})\s(?P<outcome>.+)$", re.IGNORECASE)
_IS: Final = re.compile(
    rf"^(?P<intervention>.+?) (?P<outcome>(?P<is>{_WORTH}|(?:ab)?normal|increased|decreased"
    r"|elevated|reduced|impaired|defective|deficient|common|rare|present|absent|different)\b.*)$",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    r"^(?:(?:the )?(?:effect|impact|influence|efficacy|benefit|role)s? of )?"
    r"(?P<intervention>\w[\w-]*(?:\s[\w-]+){0,3}?)\s(?:in|for|against)\s(?P<outcome>[\w\s-]+)$",
    re.IGNORECASE,
)
_USE: Final = re.compile(
    r"^(?:the )?(?:(?:use|administration|addition|application|effect|role|presence) of"
    r"|treatment with|therapy with)\s",
    re.IGNORECASE,
)
_EVIDENCE: Final = re.compile(
    r"^(?:is there (?:any |some )?evidence (?:that|for)|is it (?:true|known) (?:that|whether))\s",
    re.IGNORECASE,
)
_CLAUSES: Final = re.compile(r"(?<=[:?.;])\s|\s?--+\s?|\s[-–—]\s")
_ADVERBIAL: Final = re.compile(
    r"^(?:in|among|for|after|during|other than|besides)\b[^,]*, ", re.IGNORECASE
)
_MUCH: Final = re.compile(
    r"\bhow (?:much|many|often|common|frequent|frequently|long|far|large|high|low|well|effective"
    r"|accurate|safe|prevalent|likely|soon|fast|strong)\b|\bto what extent\b"
    r"|\bwhat (?:is|are|was|were) the (?:\w+ )?(?:incidences?|prevalence|frequency|rates?"
    r"|percentage|proportion|concentrations?|levels?|risks?|amount|number|costs?)\b(?! factors?)",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(r"^(?:is|are|was|were)\b.*\bor\b(?! not\b)", re.IGNORECASE)
_NOUN: Final = re.compile(
    r"^(?:\w+(?:ed|ing)\b|(?:causes?|changes?|influences?|impacts?|raises?|delays?|helps?|benefits?"
    r"|limits?|blocks?|triggers?|cures?|treats?)\s(?:in|of|for|from|to|with|on|by|and|or|after"
    r"|among|during|between)$|(?:associated|related|linked|due|involved)\b"
    r"|.*\b(?:for|of|at|as)\s\S+$)",
    re.IGNORECASE,
)
"""A verb with the next word, where the verb may be a noun or a participle in a title."""
NOT: Final = re.compile(r"\b(?:not|\w+n't|no longer|cannot|fails?)\b", re.IGNORECASE)
_WAYS: Final = ("up", "down", "better", "good", "bad", "same", "linked", "is")
_NOBODY: Final = frozenset(("be", "been", "they", "it", "we", "the", "a", "an", "there"))
QUESTION_RULES: Final = tuple(
    p.pattern
    for p in (
        *(_LEADING, _COMPARED, _WHOM, *_EFFECTS, *_COMPARING, *_THERE, _CLAIM, _IS, _NAMED, _USE),
        *(_EVIDENCE, _CLAUSES, _ADVERBIAL, _MUCH, _CHOICE, _NOUN),
    )
)
"""The patterns; a model compares them with those of its training."""


def _clause(question: str) -> str:
    """Return the last interrogative clause, for example after a colon, without its adverbials."""
    text = " ".join(question.split()).strip("[] ").rstrip("? .]")
    if not _LEADING.match(text):
        parts = [part.strip(" ?.[]") for part in _CLAUSES.split(text)]
        asking = [p for p in parts if re.match(_AUX, p, re.IGNORECASE) or _ASKS.match(p)]
        text = asking[-1] if asking else text
    return _EVIDENCE.sub("does ", _ADVERBIAL.sub("", text))


def _kind(question: str, parts: QuestionParts) -> str:
    """Return one of `KINDS`; a choice like "Is it friend or foe?" has the kind of "which"."""
    clause = _clause(question)
    if re.match(_AUX, clause, re.IGNORECASE):
        return "what" if _CHOICE.match(clause) else "yes/no"
    if _MUCH.search(clause):
        return "how much"
    asks = _ASKS.match(clause) or (_ASKS.search(clause) if "?" in question else None)
    if asks or _LEADING.match(clause):
        return (asks and asks.lastgroup) or ("what" if _ASKS.search(clause) else "yes/no")
    return "statement" if parts.way and "?" not in question else "topic"


def _parts(question: str) -> QuestionParts:
    """Find intervention, comparator, outcome, population, and the direction of *yes*, by rules.

    "Compared with C, what is the effect of I on O?", "Does I, compared to C, reduce O?", "Is I
    better than C for O?", "Do patients with I have more O than C?", "effect of I on O in P" and
    similar forms; the last "on" counts, since dosages also have one. A topic such as "metformin in
    PCOS" has an intervention too.
    """
    text = _clause(question)
    comparator = ""
    asks = _ASKS.match(text)
    is_question = bool(
        re.match(_AUX, text, re.IGNORECASE) or _ASKS.search(text) or _LEADING.match(text)
    )
    body = _behind_auxiliary(text) if is_question else text
    leading = _LEADING.match(text)  # it names the comparator: a later "than" belongs to a part
    if not (asks or leading) and ((is_question and body != text) or " than " in text):
        for pattern in (*_THERE, *_COMPARING):
            if match := pattern.search(body):
                return _split_parts(match.groupdict(""))
    if match := leading or _COMPARED.search(text):
        comparator = match["comparator"]
        text = f"{text[: match.start()]} {text[match.end() :]}".strip(" ,")
    for pattern in _EFFECTS:
        if match := pattern.search(text):
            return _split_parts({"comparator": comparator, **match.groupdict()})
    body = _behind_auxiliary(text) if is_question else text
    claim = _CLAIM.search(body) if body != text or not is_question else None
    if (
        claim
        and claim["intervention"].lower() not in _NOBODY
        and (is_question or _has_finite_verb(claim))
    ):
        return _split_parts({"comparator": comparator, **claim.groupdict("")})
    if is_question and not asks and (claim := _IS.search(body)):
        return _split_parts({"comparator": comparator, **claim.groupdict("")})
    if not comparator and "?" not in question and (match := _NAMED.match(text)):
        return QuestionParts(match["intervention"], "", match["outcome"])
    return QuestionParts("", comparator, question)


def _behind_auxiliary(text: str) -> str:
    """Return the text after the first auxiliary verb: "murinol reduce falls"."""
    start = re.search(rf"(?:^|\s){_AUX}\s", text, re.IGNORECASE)
    return text[start.end() :] if start else text


def _has_finite_verb(claim: re.Match[str]) -> bool:
    """Return whether a statement has a finite verb: "is associated with", not "to prevent"."""
    shift, verb = claim["shift"].lower().split(), claim["verb"]
    if {"to", "not"}.isdisjoint(shift) and any(re.fullmatch(_AUX, word) for word in shift):
        return True
    if "not" in shift:
        return True
    plural = claim["intervention"].endswith("s") or " and " in claim["intervention"]
    whole = verb.split()[0].lower().endswith("s") or plural
    noun = _NOUN.match(f"{verb} {claim['outcome'].split()[0]}")
    return "to" not in shift and not claim["good"] and not noun and whole


def _split_parts(groups: dict[str, str]) -> QuestionParts:
    """Split a match into subject, outcome and population, and find the direction of *yes*.

    In "Is O increased in P?" and "Is O inhibited by I?", subject and outcome are exchanged; in
    "Does I relieve O better than C?", the verb precedes the comparison.
    """
    subject, outcome = groups.get("intervention", "").strip(" ,"), groups.get("outcome") or ""
    way = next((way for way in _WAYS if groups.get(way)), "")
    way = "good" if way == "better" else way
    if not outcome and (inner := _CLAIM.search(subject)):
        return _split_parts({**inner.groupdict(""), "comparator": groups.get("comparator", "")})
    if way in ("up", "linked") and (
        more := re.match(rf"(?:an? |the )?{_MORE}\s(?=\w)", outcome, re.IGNORECASE)
    ):
        way, outcome = str(more.lastgroup), outcome[more.end() :]
    if turned := re.match(r"(?P<by>by|with)\s|(?:in|among)\s", outcome, re.IGNORECASE):
        whom = outcome[turned.end() :]
        subject, outcome = (whom, subject) if turned["by"] else ("", f"{subject} in {whom}")
    match = _WHOM.search(f" {outcome}")
    whom = match["population"] if match else ""
    rest = outcome[: max(0, match.start() - 1)] if match else outcome
    return QuestionParts(
        _USE.sub("", subject), groups.get("comparator", ""), rest.strip(" ,") or subject, whom, way
    )


@lru_cache(maxsize=1024)
def parse(text: str) -> Question:
    """Parse a question into its kind and parts."""
    parts, spelled = _parts(text), american(text, text)
    spelled_parts = parts if spelled == text else _parts(spelled)
    denies = NOT.search(spelled) is not None
    return Question(text, _kind(text, parts), parts, spelled, spelled_parts, denies)


_TOKEN: Final = re.compile(r"[^\W_]+")
ASKING: Final = word_set(
    """
    benefit benefits better compared comparison did does effect effective effects efficacy help
    helps impact improve increase influence prevent reduce
    """
)
"""Words of asking, which an abstract with the answer need not have."""


def content_words(text: str, stopwords: Collection[str]) -> list[str]:
    """Return the lower-case words and numbers of a text in order, without stop words."""
    return [word for word in _TOKEN.findall(text.lower()) if word not in stopwords]


def token_spans(text: str, stopwords: Collection[str]) -> list[tuple[int, int, str]]:
    """Return the spans of a text's `content_words`, [start, end), each with the word."""
    tokens = ((*match.span(), match.group().lower()) for match in _TOKEN.finditer(text))
    return [token for token in tokens if token[2] not in stopwords]


def terms(text: str, stopwords: Collection[str]) -> list[str]:
    """Return the stems of a text's `content_words`."""
    return [stem(word) for word in content_words(text, stopwords)]


@lru_cache(maxsize=256)  # `cover` uses the terms of a sentence again
def cached_terms(text: str, stopwords: frozenset[str]) -> tuple[str, ...]:
    """Return the `terms` of a text."""
    return tuple(terms(text, stopwords))


LEAST: Final = 4  # least number of sentences with a word


@dataclass(frozen=True)
class WordVectors:
    """Vectors and frequencies of words.

    Attributes
    ----------
    words : tuple of str
    values : ndarray of float, shape (words, size)
        Unit vectors.
    frequency : ndarray of int, shape (words,)
        Numbers of sentences with the words.
    sentences : int
        Number of all sentences.
    stopwords : frozenset of str
        Words that are not terms.
    """

    words: tuple[str, ...]
    values: NDArray[np.floating]
    frequency: NDArray[np.integer]
    sentences: int
    stopwords: frozenset[str] = frozenset()

    def terms(self, text: str) -> list[str]:
        """Return the stems of a text's words, without stop words."""
        return list(cached_terms(text.lower(), self.stopwords))

    @cached_property
    def place(self) -> dict[str, int]:
        """The row number of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def idf(self, word: str) -> float:
        """Return ln((N + 1) / (n + 1)); for an unknown word, n is one below the least frequency."""
        return self._idf.get(word, self._rare)

    @cached_property
    def _rows(self) -> NDArray[np.float32]:
        """The vectors, followed by a zero vector for unknown words."""
        return np.vstack([self.values, np.zeros((1, self.values.shape[1]))]).astype(np.float32)

    @cached_property
    def _idf(self) -> dict[str, float]:
        values = np.log((self.sentences + 1) / (self.frequency + 1.0))  # small types overflow
        return dict(zip(self.words, values.tolist(), strict=True))

    @cached_property
    def _rare(self) -> float:
        return log((self.sentences + 1) / (LEAST / 2 + 1)) if self.sentences else 1.0

    def of(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words, 0 for unknown words; shape (len(words), size)."""
        rows = np.array([self.place.get(word, -1) for word in words], dtype=np.intp)
        return self._rows[rows]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays for `from_arrays`."""
        return {
            "words": pack_strings(self.words),
            "stopwords": pack_strings(sorted(self.stopwords)),
            "vectors": self.values.astype(np.float16),
            "frequency": self.frequency.astype(np.min_scalar_type(self.sentences)),
            "sentences": np.array([self.sentences]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "WordVectors":
        """Read the arrays of `to_arrays`."""
        words, stopwords = unpack_strings(arrays["words"]), unpack_strings(arrays["stopwords"])
        values, frequency = arrays["vectors"], arrays["frequency"]
        shapes = {"vectors": "float n size", "frequency": "int n", "sentences": "int 1"}
        check_arrays(arrays, shapes, n=len(words))
        if frequency.min(initial=0) < 0 or frequency.max(initial=0) > arrays["sentences"][0]:
            raise ValueError("a frequency that no word can have")
        return cls(words, values, frequency, int(arrays["sentences"][0]), frozenset(stopwords))
