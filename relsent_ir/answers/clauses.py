"""Whether a sentence gives a verdict on the subject itself, by word order in its clauses.

The first content word of the clause must belong to an arm or to the outcome, or be a predicate; any
other word names another agent or topic. The clause must name both subject and outcome, near the
words for or against the claim, and no other agent with *by*. An adverbial before the clause may
name the subject, and is not an agent.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Final

from relsent_ir.answers.abstracts import is_general
from relsent_ir.answers.directions import SIGN, marked
from relsent_ir.answers.language import QuestionParts, content_words, terms
from relsent_ir.text.phrases import word_set
from relsent_ir.text.words import stem

NEAR: Final = 3
"""Largest number of content words between a predicate and the outcome."""
FAR: Final = 6
"""Largest number of content words between a predicate and the subject."""
_PARTED: Final = re.compile(
    r"[;:]|\.,\s|\s-+\s|,?\s\b(?:but|although|though|whereas|while|despite|nevertheless|yet"
    r"|except(?:ing)?)\b|\b(?:conclud\w*|show(?:s|n|ed)?|suggest\w*|indicat\w*|demonstrat\w*"
    r"|confirm\w*|reveal\w*|f(?:ou|i)nd|findings?|observed|evidence|report\w*|support\w*|establish\w*"
    r"|clear|noted|likely|stat(?:es|ed)|known) (?:\w+ ){0,2}?that\b",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(
    r"\([^()]*\)|\[[^\][]*\]|,\s?however,"
    r"|\b(?:independent(?:ly)?|irrespective|regardless) of\b[^,;.]*"
    r"|\b(?:patients|subjects|women|men|children|people|those|individuals|adults) with (?:an? )?"
    r"(?:higher|lower|more|less|greater|reduced|increased|impaired|elevated|low|high)\b[^,;.]*",
    re.IGNORECASE,
)
"""Brackets, irrelevant factors, and descriptions of the population."""
_UNPROVED: Final = re.compile(
    r"\b(?:no|little|without|lack(?:s|ed|ing)?(?: of)?|insufficient)\b[^,;.]{0,40}\bevidence\b",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"^\W*(?:(?:and|or|also|thus|therefore|moreover|furthermore|overall|however|hence|finally"
    r"|conclusions?|authors?|results?|interpretation)\b[,' ]*)*",
    re.IGNORECASE,
)
_ADVERBIAL: Final = re.compile(
    r"^(?:in|among|for|after|during|at|on|over|under|with|within|by|as|to|from|when|compared"
    r"|following|given|because|since|using|of|throughout|based)\b[^,]*, ",
    re.IGNORECASE,
)
WHERE: Final = re.compile(
    r"\b(?:in|of|for|from|with|after|at|among|during|before|by|on|to|than)\b", re.IGNORECASE
)
_CALL: Final = re.compile(
    r"\b(?:more|further|additional|larger|future) (?:[\w-]+ ){0,4}?(?:data|stud(?:y|ies)|research"
    r"|trials?|work|investigations?|evidence)\b|\bobjectives?\b"
    r"|\bmight\b|\bwould (?:assist|help|allow|be)\b"
    r"|\b(?:should|must|needs? to|remains? to|to) be (?:\w+ly )?(?:stud|investigat|evaluat|test"
    r"|examin|explor|determin|assess)(?:ied|e?d)\b",
    re.IGNORECASE,
)
"""A call for research or action."""
BY: Final = 3
"""Largest numbers of words from a predicate to *by*, and from there to the agent."""
_MODIFIER: Final = re.compile(
    r"^(?:.*\d.*|[a-z]|\w+(?:al|ive|ic|ous|ed|ly|ary|ent|ant|er|est|ful|ble|term|day))"
)
_ANYBODY: Final = word_set(
    """
    treatment treatments therapy therapies use user users dose doses dosage dosages dosing regimen
    regimens intervention interventions supplement supplements supplementation drug drugs agent
    agents medication medications administration group groups arm arms patient patients subject
    subjects people person persons woman women man men child children infant infants participants
    individuals study studies trial trials analysis analyses data result results finding findings
    evidence review reviews program programs strategy strategies approach approaches procedure
    procedures exposure exposures method methods measure measures preparation preparations
    formulation formulations form forms mean median rate rates level levels score scores value
    values risk risks incidence symptom symptoms change changes effect effects difference
    differences reduction reductions improvement improvements number numbers half third thirds
    quarter factor factors week weeks month months day days year years hour hours time times mg
    short long high low early late new old severe mild moderate robust adequate single sustained
    release extended acting application consumption intake ingestion infusion injection injections
    meta literature course relation relationship association link role presence addition first
    second line large small population populations western common typical recent many several
    """
)
"""Words that name no agent, in addition to those with the ending of a modifier."""
_PEOPLE: Final = frozenset(("patients", "subjects", "women", "men", "children", "people", "adults"))
_MEASURES: Final = word_set(
    """
    severity duration frequency intensity occurrence prevalence episode episodes attack attacks
    onset recurrence recurrences relapse relapses progression development proportion percentage
    amount extent degree odds hazard hazards probability likelihood sign signs case cases burden
    concentration concentrations manifestation manifestations exacerbation exacerbations stage
    stages event events index indices scale scales performance test tests pathogenesis due
    refractory did does
    """
)
"""Measures of an outcome, and words after an outcome; other nouns are other outcomes."""
_ACTS: Final = re.compile(r"improv|relie[fv]|heal|alleviat")
"""Praise that applies to an outcome; other praise, like "effective", may precede the population."""
_COMPOUND: Final = re.compile(r"^X\b(?! (?:\w+ ){0,2}(?:scores?|ratings?)\b)")
"""A noun that makes the outcome part of another: "fever mortality", not "fever X scores"."""
_ELSEWHERE: Final = re.compile(
    r"^(?!.*\b(?:than|between|from|versus|vs|compared)\b).*\bX\b.*"
    r"\b(?:in|among|for|with|after|during|at|of|from|on|under|against|due to)\b"
    r"|\b(?:in|among|for|on) (?:\w+ ){0,4}?(?:patients|subjects|women|men|children|people|adults)"
    r" (?:with|having)\b"
)
"""Words after which a predicate does not apply to the outcome that follows; X is another noun."""
_ADJUNCT: Final = re.compile(
    r"^(?!.*\b(?:than|between)\b).*\bS\b.*\b(?:in|among|for|after|during)\b"
)
"""Words before an outcome that precedes the predicate, in or for which subject S is given."""
CLAUSE_RULES: Final = (
    *(
        p.pattern
        for p in (
            *(_PARTED, _ASIDE, _UNPROVED, _JOINT, _ADVERBIAL, WHERE, _CALL, _MODIFIER),
            *(_ACTS, _COMPOUND, _ELSEWHERE, _ADJUNCT),
        )
    ),
    " ".join(sorted(_ANYBODY)),
    " ".join(sorted(_MEASURES)),
    f"{NEAR} {FAR}",
)
"""The patterns; a model compares them with those of its training."""
_QUIET: Final = frozenset(("", "HEDGE", "THAN", "SHOULD", "BUT"))
_FOREIGN: Final = "X"
_PREDICATES: Final = frozenset(
    ("FOR", "AGAINST", "MOVES", "NEG", "SAME", "LINK", "GOOD", "UP", "DOWN")
)
_IT: Final = re.compile(r"(?:it|they|both|neither)\b", re.IGNORECASE)
_NO: Final = frozenset(("NEG", "SAME", "AGAINST", "not FOR", "not LINK", "not MOVES", "P-"))


@lru_cache(maxsize=256)  # the sentences of an abstract are used twice
def tells(verdict: str, parts: QuestionParts, sentence: str, stopwords: Collection[str]) -> bool:
    """Return whether a clause of a sentence gives a verdict, yes or no, on the subject itself."""
    text, aim = _ASIDE.sub(" ", sentence), itself(parts.outcome, stopwords)
    acted = aim if parts.outcome != parts.intervention else set()
    if verdict == "yes" and _UNPROVED.search(text):
        return False
    pieces = [part.strip() for part in _PARTED.split(text) if part.strip()]
    if verdict == "no":  # a denial ends with its clause
        pieces = [clause for piece in pieces for clause in _denials(parts, piece, stopwords)]
    doubtful = verdict == "no" and any(
        sign == "P-" for _, sign, _ in marked(parts, sentence, stopwords)
    )
    is_subject = True  # "it" and no word count; at the sentence's start the title has it
    for piece in pieces:
        for before, clause in _starts(piece):
            signs = _classes(parts, clause, stopwords)
            first, noun = (
                next((sign for _, sign in signs if sign not in ignored), _FOREIGN)
                for ignored in (_QUIET, _QUIET | _PREDICATES)
            )
            starts = piece != pieces[0] or _IT.match(clause)
            silent = first in _PREDICATES and is_subject and starts
            subject = parts.intervention if silent else ""
            may = noun != _FOREIGN and (before != "," or (first in ("S", "O") and verdict == "yes"))
            if may and not _CALL.search(clause):
                text = f"{subject} {before} {clause}"
                keys = _keys(verdict, parts, signs) or [len(signs)] * doubtful
                if _names(parts, text, signs, aim, stopwords) and _near(signs, keys, acted):
                    return True
            if not before.endswith(","):
                is_subject = first == "S" or bool(silent)
    return False


def _denials(parts: QuestionParts, piece: str, stopwords: Collection[str]) -> Iterator[str]:
    """Split a text at each ", and" after a clause with a denial; do not split lists."""
    start = 0
    for match in re.finditer(r", and\b", piece):
        clause = piece[start : match.start()]
        if not _NO.isdisjoint(sign for _, sign in _classes(parts, clause, stopwords)):
            yield clause
            start = match.end()
    yield piece[start:]


def _starts(piece: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses that may start in a piece, the longest first, with adverbials."""
    clause, before = _JOINT.sub("", piece, count=1), ""
    while match := _ADVERBIAL.match(clause):
        before += match.group()
        clause = clause[match.end() :]
    yield before, clause
    for match in re.finditer(r", (?:and )?", clause):
        yield ",", clause[match.end() :]


def is_short(word: str, part: str) -> bool:
    """Return whether a capitalised word consists of the initials of consecutive words of a part."""
    short = word.strip(",.").removesuffix("s")
    letters = "".join(name[0] for name in re.findall(r"[^\W_]+", part)).upper()
    return len(short) > 1 and short.isupper() and short in letters


def _classes(parts: QuestionParts, text: str, stopwords: Collection[str]) -> list[tuple[str, str]]:
    """Return the words of a clause with their signs; "" for words without content."""
    pairs: list[tuple[str, str]] = []
    for written, sign, _ in marked(parts, text, stopwords):
        word = written.lower()
        if sign in ("", "ASK") and word:
            empty = word in stopwords or word in _ANYBODY or bool(_MODIFIER.fullmatch(word))
            quiet = empty and not sign and not word.startswith("anti")
            sign = "" if quiet else _FOREIGN
            for kind, part in (("O", parts.outcome), ("S", parts.intervention)):
                sign = kind if is_short(written, part) else sign
        if word in _PEOPLE:  # "cancer patients" are not an outcome
            run = len(pairs) - len(list(takewhile(lambda pair: pair[1] == "O", reversed(pairs))))
            pairs[run:] = [(noun, "") for noun, _ in pairs[run:]]
        pairs.append((word, "S" if sign == "B" else sign))
    return pairs


def _keys(verdict: str, parts: QuestionParts, signs: Sequence[tuple[str, str]]) -> list[int]:
    """Return the places of predicates for a verdict, such as "reducing" after "effective in"."""
    predicates = _NO
    if verdict == "yes":
        predicates = frozenset(("FOR", "not AGAINST"))
        predicates |= {"MOVES"} if parts.way in ("good", "linked") else set()
        predicates |= {"O"} if parts.way == "is" else set()
    places: list[int] = []
    good = False
    for n, (word, sign) in enumerate(signs):
        if sign in predicates and (verdict == "no" or good or not word.endswith("ing")):
            places.append(n)
        good |= sign == "GOOD" or (sign == "FOR" and not word.endswith("ing"))
    return places


def itself(part: str, stopwords: Collection[str], where: re.Pattern[str] = WHERE) -> set[str]:
    """Return the stems of a part of a question, such as the outcome, without its location."""
    for piece in where.split(part):
        words = [word for word in content_words(piece, stopwords) if not is_general(word)]
        if words:
            return set(map(stem, words))
    return set(terms(part, stopwords))


def _names(
    parts: QuestionParts,
    text: str,
    signs: Sequence[tuple[str, str]],
    aim: Collection[str],
    stopwords: Collection[str],
) -> bool:
    """Return whether a clause, with its adverbials, names the subject and enough of the outcome.

    The subject needs all its words, except general ones, or its initials. The outcome needs two of
    its words, or its only one; of more than four words, half.
    """
    words, stems = content_words(parts.intervention, stopwords), set(terms(text, stopwords))
    specific = {stem(w) for w in words if not is_general(w) and w not in _ANYBODY}
    if not (specific or set(map(stem, words))) <= stems and not any(
        is_short(word, parts.intervention) for word in text.split()
    ):
        return False
    short = any(kind == "O" and is_short(word.upper(), parts.outcome) for word, kind in signs)
    shared = sum(word in aim for word in stems)
    return short or shared >= min(len(aim), max(2, (len(aim) + 1) // 2))


def _near(signs: Sequence[tuple[str, str]], keys: Sequence[int], aim: Collection[str]) -> bool:
    """Return whether a predicate is near the outcome and the subject, and acts on the outcome.

    No predicate may have another agent. A clause without the outcome must not name another one.
    """
    if any(_is_by_another(signs[key : key + 1 + 2 * BY]) for key in keys):
        return False
    kinds = [sign for _, sign in signs]
    subject = [n for n, kind in enumerate(kinds) if kind == "S"] or [0]
    outcome = [n for n, kind in enumerate(kinds) if kind == "O"]
    places = [n for n in outcome if stem(signs[n][0]) in aim] or outcome or [-1]
    return any(
        _distance(kinds, key, outcome or [0]) <= NEAR
        and _distance(kinds, key, subject) <= FAR
        and (not aim or any(_acts_on(signs, key, place) for place in places))
        for key in keys
    )


def _acts_on(signs: Sequence[tuple[str, str]], key: int, place: int) -> bool:
    """Return whether a predicate acts on the outcome at a place, not on a noun after it.

    The place -1 means that the clause does not name the outcome; it must name no other one.
    """
    nouns = [
        kind
        if kind == "S" or (kind == _FOREIGN and word not in _MEASURES and not word.endswith("ing"))
        else word
        for word, kind in signs
    ]
    end = place if place >= 0 else len(signs)
    if key < end and _force(signs[key]) != "alike":
        key = max((n for n in range(key, end) if _force(signs[n])), default=key)
    if key < len(signs) and _force(signs[key]) in ("alike", "worth"):
        return True
    if key < end:
        before = " ".join((*nouns[key + 1 : end], *["in"] * (place < 0)))
    else:
        before = " ".join(nouns[:end])
        if key < len(signs) and _ADJUNCT.search(before):
            return False
    last = end + sum(1 for _ in takewhile(lambda pair: pair[1] == "O", signs[end:]))
    behind = " ".join(nouns[last : last + 4])
    return not _ELSEWHERE.search(before) and not _COMPOUND.match(behind)


def _force(pair: tuple[str, str]) -> str:
    """Return the kind of a predicate: of likeness, of value, or of action; "" for other words."""
    word, sign = pair
    match = SIGN.match(word)
    if match is None or sign.removeprefix("not ") not in _PREDICATES:
        return ""
    if match.lastgroup == "SAME" and sign == "FOR":
        return "alike"
    return "worth" if match.lastgroup in ("GOOD", "BAD") and not _ACTS.match(word) else "acts"


def _is_by_another(signs: Sequence[tuple[str, str]]) -> bool:
    """Return whether words have an agent, after *by*, that is not the subject."""
    words = [word for word, _ in signs]
    if "by" not in words:
        return False
    agent = [sign for _, sign in signs[words.index("by") :][: BY + 1]]
    return _FOREIGN in agent and "S" not in agent


def _distance(kinds: Sequence[str], place: int, targets: Sequence[int]) -> int:
    """Return the unrelated words between a place and the nearest of the targets."""
    return min(kinds[min(place, n) : max(place, n)].count(_FOREIGN) for n in targets)
