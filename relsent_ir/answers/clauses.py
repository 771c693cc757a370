"""Whether a sentence tells a verdict of the subject itself, by the order of what a clause names.

The first word of the clause that means anything is of an arm or the outcome, or says what becomes
of it: any other is another agent, or something that is only spoken of beside them. Subject and
outcome are both named, near to what is for the claim or against it, and what is done by somebody is
not done by another. An adverbial before the clause may name the subject, and is no agent.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Final

from relsent_ir.answers.abstracts import is_general
from relsent_ir.answers.asking import QuestionParts
from relsent_ir.answers.directions import SIGN, marked
from relsent_ir.answers.words import content_words, terms
from relsent_ir.text.phrases import word_set
from relsent_ir.text.words import stem

NEAR: Final = 3
"""Words that mean something, at most, from what is said of the outcome to the outcome."""
FAR: Final = 6
"""The same from what is said to the subject."""
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
"""What is told in brackets, of what does not matter, and of whom."""
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
"""What is still to be found out, or done."""
BY: Final = 3
"""Words from what is done to *by*, and from there to who does it."""
_MODIFIER: Final = re.compile(
    r".*\d.*|[a-z]|\w+(?:al|ive|ic|ous|ed|ly|ary|ent|ant|er|est|ful|ble|term|day)"
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
"""Words that name no agent of their own, besides those that end as modifiers do."""
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
"""What is measured of an outcome, and words behind it; other nouns are other outcomes."""
_ACTS: Final = re.compile(r"improv|relie[fv]|heal|alleviat")
"""What is good and acts on an outcome; the other words, as "effective", may say in whom."""
_COMPOUND: Final = re.compile(r"^X\b(?! (?:\w+ ){0,2}(?:scores?|ratings?)\b)")
"""What makes an outcome a word of another, "fever mortality", but not "fever X scores"."""
_ELSEWHERE: Final = re.compile(
    r"^(?!.*\b(?:than|between|from|versus|vs|compared)\b).*\bX\b.*"
    r"\b(?:in|among|for|with|after|during|at|of|from|on|under|against|due to)\b"
    r"|\b(?:in|among|for|on) (?:\w+ ){0,4}?(?:patients|subjects|women|men|children|people|adults)"
    r" (?:with|having)\b"
)
"""What stands between a predicate and an outcome that it does not act on; X is another noun."""
_ADJUNCT: Final = re.compile(
    r"^(?!.*\b(?:than|between)\b).*\bS\b.*\b(?:in|among|for|after|during)\b"
)
"""What stands before an outcome that the subject S is given in or for, before a predicate."""
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
"""The patterns, by which a model knows whether they have changed since it was trained."""
_QUIET: Final = frozenset(("", "HEDGE", "THAN", "SHOULD", "BUT"))
_FOREIGN: Final = "X"
_PREDICATES: Final = frozenset(
    ("FOR", "AGAINST", "MOVES", "NEG", "SAME", "LINK", "GOOD", "UP", "DOWN")
)
_IT: Final = re.compile(r"(?:it|they|both|neither)\b", re.IGNORECASE)
_NO: Final = frozenset(("NEG", "SAME", "AGAINST", "not FOR", "not LINK", "not MOVES", "P-"))


def tells(verdict: str, parts: QuestionParts, sentence: str, stopwords: Collection[str]) -> bool:
    """Return whether a clause of a sentence tells a verdict, yes or no, of the subject itself."""
    text, aim = _ASIDE.sub(" ", sentence), _aim(parts, stopwords)
    acted = aim if parts.outcome != parts.intervention else set()
    if verdict == "yes" and _UNPROVED.search(text):
        return False
    pieces = [part.strip() for part in _PARTED.split(text) if part.strip()]
    if verdict == "no":  # what is denied of one thing is not of the next
        pieces = [own for piece in pieces for own in _denials(parts, piece, stopwords)]
    doubtful = verdict == "no" and any(
        sign == "P-" for _, sign, _ in marked(parts, sentence, stopwords)
    )
    known = True  # the subject of "it"; the title has it where the sentence begins so
    for piece in pieces:
        for before, clause in _starts(piece):
            signs = _classes(parts, clause, stopwords)
            first, noun = (
                next((sign for _, sign in signs if sign not in others), _FOREIGN)
                for others in (_QUIET, _QUIET | _PREDICATES)
            )
            silent = first in _PREDICATES and known and (piece != pieces[0] or _IT.match(clause))
            own = parts.intervention if silent else ""
            may = noun != _FOREIGN and (before != "," or (first in ("S", "O") and verdict == "yes"))
            if may and not _CALL.search(clause):
                text = f"{own} {before} {clause}"
                keys = _keys(verdict, parts, signs) or [len(signs)] * doubtful
                if _names(parts, text, signs, aim, stopwords) and _near(signs, keys, acted):
                    return True
            if not before.endswith(","):
                known = first == "S" or bool(silent)
    return False


def _denials(parts: QuestionParts, piece: str, stopwords: Collection[str]) -> Iterator[str]:
    """Yield the clauses that "and" joins; of a list, which says nothing before it, the whole."""
    start = 0
    for match in re.finditer(r", and\b", piece):
        own = {sign for _, sign in _classes(parts, piece[start : match.start()], stopwords)}
        if not own.isdisjoint(_NO):
            yield piece[start : match.start()]
            start = match.end()
    yield piece[start:]


def _starts(piece: str) -> Iterator[tuple[str, str]]:
    """Yield where a clause may start, each with the adverbials before it: the whole first."""
    clause, before = _JOINT.sub("", piece, count=1), ""
    while match := _ADVERBIAL.match(clause):
        before += match.group()
        clause = clause[match.end() :]
    yield before, clause
    for match in re.finditer(r", (?:and )?", clause):
        yield ",", clause[match.end() :]


def _named(parts: QuestionParts, text: str, stopwords: Collection[str]) -> bool:
    """Return whether a text has the words of the subject, but for general ones, or its initials."""
    words = content_words(parts.intervention, stopwords)
    own = {stem(w) for w in words if not is_general(w) and w not in _ANYBODY}
    return (own or set(map(stem, words))) <= set(terms(text, stopwords)) or any(
        is_short(word, parts.intervention) for word in text.split()
    )


def is_short(word: str, part: str) -> bool:
    """Return whether a word in capitals has the initials of words of a part that are in a row."""
    short = word.strip(",.").removesuffix("s")
    letters = "".join(one[0] for one in re.findall(r"[^\W_]+", part)).upper()
    return len(short) > 1 and short.isupper() and short in letters


def _classes(parts: QuestionParts, text: str, stopwords: Collection[str]) -> list[tuple[str, str]]:
    """Return the words of a clause with their signs; "" of what names nothing."""
    found: list[tuple[str, str]] = []
    for own, sign, _ in marked(parts, text, stopwords):
        word = own.lower()
        if sign in ("", "ASK") and word:
            known = word in stopwords or word in _ANYBODY or bool(_MODIFIER.fullmatch(word))
            quiet = known and not sign and not word.startswith("anti")
            sign = "" if quiet else _FOREIGN
            for kind, part in (("O", parts.outcome), ("S", parts.intervention)):
                sign = kind if is_short(own, part) else sign
        if word in _PEOPLE:  # "cancer patients" are no outcome
            run = len(found) - len(list(takewhile(lambda one: one[1] == "O", reversed(found))))
            found[run:] = [(own, "") for own, _ in found[run:]]
        found.append((word, "S" if sign == "B" else sign))
    return found


def _keys(verdict: str, parts: QuestionParts, signs: Sequence[tuple[str, str]]) -> list[int]:
    """Return the places of what says a verdict; "reducing" does only after "effective in"."""
    wanted = _NO
    if verdict == "yes":
        wanted = frozenset(("FOR", "not AGAINST"))
        wanted |= {"MOVES"} if parts.way in ("good", "linked") else set()
        wanted |= {"O"} if parts.way == "is" else set()
    found: list[int] = []
    good = False
    for n, (word, sign) in enumerate(signs):
        if sign in wanted and (verdict == "no" or good or not word.endswith("ing")):
            found.append(n)
        good |= sign == "GOOD" or (sign == "FOR" and not word.endswith("ing"))
    return found


def _aim(parts: QuestionParts, stopwords: Collection[str]) -> set[str]:
    """Return the stems of what is asked of the outcome, without where, and in whom."""
    for part in WHERE.split(parts.outcome):
        words = [word for word in content_words(part, stopwords) if not is_general(word)]
        if words:
            return set(map(stem, words))
    return set(terms(parts.outcome, stopwords))


def _names(
    parts: QuestionParts,
    text: str,
    signs: Sequence[tuple[str, str]],
    aim: Collection[str],
    stopwords: Collection[str],
) -> bool:
    """Return whether a clause, and what belongs to it, names the subject and enough of the outcome.

    Of the outcome two words are enough, or one that has no other; of more than four half of them.
    """
    if not _named(parts, text, stopwords):
        return False
    short = any(kind == "O" and is_short(word.upper(), parts.outcome) for word, kind in signs)
    held = sum(word in aim for word in set(terms(text, stopwords)))
    return short or held >= min(len(aim), max(2, (len(aim) + 1) // 2))


def _near(signs: Sequence[tuple[str, str]], keys: Sequence[int], aim: Collection[str]) -> bool:
    """Return whether one of some words is near the outcome, acts on it, and is near the subject.

    None is by another. A clause that does not name the outcome may say it as a whole, of no other.
    """
    if any(_is_by_another(signs[key : key + 1 + 2 * BY]) for key in keys):
        return False
    kinds = [sign for _, sign in signs]
    subject = [n for n, kind in enumerate(kinds) if kind == "S"] or [0]
    named = [n for n, kind in enumerate(kinds) if kind == "O"]
    own = [n for n in named if stem(signs[n][0]) in aim] or named or [-1]
    return any(
        _least(kinds, key, named or [0]) <= NEAR
        and _least(kinds, key, subject) <= FAR
        and (not aim or any(_acts_on(signs, key, place) for place in own))
        for key in keys
    )


def _acts_on(signs: Sequence[tuple[str, str]], key: int, place: int) -> bool:
    """Return whether what is said acts on the outcome at a place, and not on what it qualifies.

    At -1 the clause does not name the outcome, and must name no other.
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
    last = end + sum(1 for _ in takewhile(lambda one: one[1] == "O", signs[end:]))
    behind = " ".join(nouns[last : last + 4])
    return not _ELSEWHERE.search(before) and not _COMPOUND.match(behind)


def _force(one: tuple[str, str]) -> str:
    """Return how a word says something: as alike as asked, of worth, acting; "" of other words."""
    word, sign = one
    known = SIGN.match(word)
    if known is None or sign.removeprefix("not ") not in _PREDICATES:
        return ""
    if known.lastgroup == "SAME" and sign == "FOR":
        return "alike"
    return "worth" if known.lastgroup in ("GOOD", "BAD") and not _ACTS.match(word) else "acts"


def _is_by_another(signs: Sequence[tuple[str, str]]) -> bool:
    """Return whether words name an agent, *by*, that is not the subject."""
    words = [word for word, _ in signs]
    if "by" not in words:
        return False
    agent = [sign for _, sign in signs[words.index("by") :][: BY + 1]]
    return _FOREIGN in agent and "S" not in agent


def _least(kinds: Sequence[str], place: int, others: Sequence[int]) -> int:
    """Return how many words of others stand between a place and the nearest of some places."""
    return min(kinds[min(place, o) : max(place, o)].count(_FOREIGN) for o in others)
