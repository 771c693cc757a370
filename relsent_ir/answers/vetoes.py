"""Vetoes of stars and verdicts: rules that withdraw a judgement of the models, and make no other.

An aim states the object of a study, not its findings, and answers nothing. A *yes* or a *no* is
about the outcome, so a clause must name it, since a negation reaches no other clause; and if the
sentence compares, it compares the arms of the question. A question, or a belief of others, says
neither. After a veto the verdict is *unclear*; no rule turns a *yes* to a *no*.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from typing import Final

import numpy as np

from relsent_ir.answers.abstracts import is_general
from relsent_ir.answers.clauses import WHERE, is_short, itself, tells
from relsent_ir.answers.directions import signs
from relsent_ir.answers.language import (
    QuestionParts,
    WordVectors,
    content_words,
    question_parts,
    terms,
)
from relsent_ir.answers.sentence_features import CUES, abbreviated
from relsent_ir.text.words import stem
from relsent_ir.typing import Floats

_STUDY: Final = (
    r"(?:address|examin|investigat|evaluat|assess|explor|compar|review|discuss|describ|test|stud[iy]"
    r"|design|undertak|conduct|consider|focus|attempt|seek|sought|aim|intend|analy[sz]|look)"
    r"(?:e?s|ed?|en|ing)?"
)
_AIM: Final = re.compile(
    r"^(?:(?:here|in addition|therefore|thus|finally|further(?:more)?),? )?(?:"
    r"(?:in )?(?:this|the present|the current|the|our|these) (?:[\w-]+ ){0,3}?"
    r"(?:stud(?:y|ies)|trials?|papers?|articles?|reviews?|reports?|investigations?|analys[ei]s"
    r"|experiments?|surveys?)"
    rf"(?: (?:was|were|is|are|has|have|been|also|further|then))*,? (?:we |will )?{_STUDY}\b"
    rf"|(?:we|the authors?)(?: (?:have|has|also|then|further|therefore|thus))* (?:{_STUDY}"
    r"|set out|wanted|asked|determined (?:whether|if))\b"
    r"|to (?:determine|investigate|evaluate|assess|examine|study|compare|test|explore|identify"
    r"|address|establish|find out)\b)"
    r"|\b(?:was|were|is|are|has been|have been)(?: (?:also|then|further|first|next))? (?:studied"
    r"|examined|investigated|evaluated|assessed|explored|discussed|reviewed|tested|described"
    r"|addressed|analy[sz]ed)(?: here| too)?\W*$",
    re.IGNORECASE,
)
_TELLS: Final = re.compile(
    r"\b(?:found|findings?|shows?|show(?:ed|n|ing)|demonstrat\w+|reveal\w*|conclu\w+|confirm\w*"
    r"|suggest\w*|indicat(?:es?|ed|ing)|observ\w+|noted|report(?:s|ed)|support(?:s|ed)|provid\w+"
    r"|establish(?:es|ed)|results? (?:in|are|is|was|were)|(?:and|but|which|that|they|it) (?:was"
    r"|were|is|are|did|does|do|had|has|have|can|may))\b|[;:]",
    re.IGNORECASE,
)
"""A phrase after an aim that begins the findings."""


def states_aim(sentence: str) -> bool:
    """Return whether a sentence states the object of a study, and none of its findings."""
    match = _AIM.search(sentence)
    return match is not None and not _TELLS.search(sentence, match.end())


_GROUPS_ALIKE: Final = re.compile(
    r"\b(?=[bd])(?<!from )(?<!to )(?<!with )(?<!for )(?:baseline|demographic)(?: and \w+)?(?: \w+)?"
    r" (?:characteristics|demographics?|variables|features|profiles?|data)\b"
    r"|\b(?:similar|comparable|matched|balanced|no\b[^.;,]{0,30} differences?)\b[^.;,]{0,80}"
    r"\b(?:(?:at|before) (?:the )?(?:study )?(?:baseline|entry|enrol+ment|inclusion"
    r"|randomi[sz]ation)|(?:baseline )?demograph\w+|in age)\b(?! and|-)"
    r"|^(?:results:? )?baseline\b[^.;]{0,90}\b(?:similar|comparable|balanced|matched|not differ)",
    re.IGNORECASE,
)
_COUNTS: Final = re.compile(
    r"\b(?:patients|subjects|participants|women|men|children|infants|adults|people|volunteers"
    r"|individuals|respondents)(?: (?!who\b|that\b|had\b)[\w(),%=-]+){0,6}?"
    r" (?:(?:was|were|had been) (?:\w+ly |not )?(?:randomi[sz]ed|enrol+ed|recruited|included"
    r"|screened|assigned|allocated|eligible|analy[sz]ed|evaluable|assessable|excluded|entered"
    r"|registered|studied)"
    r"|completed (?:the|this|all|both|\d))\b"
    r"|\b(?:studies|trials|rcts|reviews|articles|papers)(?: [\w(),%=-]+){0,8}?"
    r" (?:(?:was|were) (?:\w+ly |not )?(?:included|identified|found|retrieved|excluded|eligible"
    r"|selected|screened|reviewed|located|described)|met|fulfilled|satisfied|evaluated|compared"
    r"|examined|investigated|assessed)\b"
    r"|\b(?:we|search\w*|strategy) (?:randomi[sz]ed|enrol+ed|recruited|included|screened)\b"
    r"|\bmean age\b|\bfollow-?up (?:period |time |duration )?(?:was|ranged)\b"
    r"|\blost to follow-?up\b"
)
_CALLS: Final = re.compile(
    r"(?!while\b|although\b|though\b)(?:[\w,'()-]+:? (?!that\b|but\b)){0,9}?(?:research"
    r"|stud(?:y|ies)|trials?|rcts|work|investigations?|evaluations?|evidence|data|analys[ei]s)"
    r"(?: (?!that\b|suggest|indicat|show|demonstrat|which\b|not\b)[\w-]+){0,6}?,?"
    r" (?:is|are|were|was|will be|seems?|appears?) (?:(?!not\b)[\w-]+ ){0,2}?(?:needed|required"
    r"|warranted|necessary|awaited|desirable|recommended)\b"
    r"|(?:[\w,']+ ){0,3}?(?:further|future|additional|more|larger|these) (?:[\w-]+ ){0,4}?"
    r"(?:research|stud(?:y|ies)|trials?|work|investigations?)"
    r"(?: (?!that\b|suggest|indicat|show|demonstrat|which\b)[\w-]+){0,5}"
    r" (?:should|must|needs? to)\b"
    r"|(?:[\w,'()-]+:? (?!but\b)){0,6}?(?:needs?|requires?|remains?) to be (?:\w+ly )?(?:evaluat"
    r"|assess|stud|investigat|confirm|test|explor|examin|replicat|establish|determin)"
    r"|(?:[\w,'()-]+:? ){0,4}?there (?:is|remains)(?: [\w-]+){0,4} need\b"
    r"|(?:[\w,'()-]+:? ){0,5}?(?:requires?|deserves?|warrants?|merits?|needs?) (?:further|more"
    r"|additional|future)\b",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\b(?:in|during|after|before|among|at|with|following|on|within|by)\b", re.IGNORECASE
)


def reports_nothing(sentence: str) -> bool:
    """Return whether a sentence of RESULTS or CONCLUSION reports neither.

    It describes the groups at baseline, counts people or studies without a comparison, has an
    aim, or calls for research.
    """
    if _GROUPS_ALIKE.search(sentence) or _CALLS.match(sentence) or states_aim(sentence):
        return True
    results = (CUES[name] for name in ("comparison", "p-value"))
    text = sentence.lower()
    return _COUNTS.search(text) is not None and not any(cue.search(text) for cue in results)


def named_shares(
    question: str, title: str, texts: Sequence[str], vectors: WordVectors
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """Return how far each sentence of an abstract names what findings, and conclusions, are on.

    For a finding it is the share of the outcome's words; for a conclusion this, and then the lesser
    of this and the share of the subject's. Both parts are taken without their place ("in
    pregnancy", "after surgery"), general words and numbers. Empty where no rule finds them.
    """
    parts = question_parts(question)
    if not parts.intervention:
        return (), ()
    queries = (question, parts.intervention, parts.comparator, parts.outcome)
    short = abbreviated((title, *texts, *queries))
    terms_of = [vectors.terms(text) for text in short[1 : len(texts) + 1]]
    shares = []
    for part in (short[-1], short[-3]):
        words = {word for word in itself(part, vectors.stopwords, _PLACE) if not word.isdigit()}
        shared = [len(words.intersection(sentence)) for sentence in terms_of]
        shares.append(np.array(shared) / max(1, len(words)))
    return (shares[0],), (shares[0], np.minimum(*shares))


_OTHERS: Final = re.compile(
    r"\?\W*$|^if\b|^(?:\w+, )?only\b|\bwith the exception of\b|\bonly (?:one|a few|few|some)\b"
    r"|\bonly (?:\w+|\d+) of\b|\bother \w+ (?:that|which)\b|\bdue to bias\b|\bconfus(?:ed|ing)\b"
    r"|\bconflict\w*|\bfree(?:dom)? (?:from|of)\b|\bdevoid of\b"
    r"|\b(?:doses?|dosages?|levels?|concentrations?) (?:was|were|is|are) not\b"
    r"|\b(?:evidence|results?|data|findings)\b[^.;]{0,120}\b(?:is|are|was|were) (?:\w+ )?(?:weak"
    r"|limited|poor|insufficient|inconclusive|inconsistent|conflicting|contradictory|equivocal|mixed|lacking)\b"
    r"|\b(?:weak|limited|insufficient|inconclusive|inconsistent|conflicting|contradictory|equivocal"
    r"|mixed|little) (?:\w+ )?(?:evidence|results?|data|findings)\b"
    r"|\b(?:insufficient|inadequate|too (?:low|small|few|little|short)|not (?:sufficient|adequate"
    r"|enough)) to\b"
    r"|\b(?:notions?|beliefs?|myths?|misconceptions?|suspicions?|fears?|concerns?|claims?"
    r"|suggestions?|possibilit(?:y|ies)|theor(?:y|ies)|assumptions?|debates?|controvers(?:y|ies))"
    r" (?:that|about|over)\b|\bspeculat\w+|\bpromising\b"
    r"|\b(?:has|have|had) (?:\w+ly )?been (?:\w+ly )?(?:suggested|claimed|proposed|hypothesi[sz]ed"
    r"|thought|questioned|debated|speculated|postulated|assumed|argued|feared)\b"
    r"|\b(?:is|are|was|were) (?:\w+ly )?(?:thought|believed|assumed|expected|supposed|claimed|said"
    r"|feared|hypothesi[sz]ed|postulated|proposed) (?:to|that)\b"
    r"|(?<!regardless of )(?<!irrespective of )(?<!independent of )\bwhether\b",
    re.IGNORECASE,
)
"""A question, a condition, a belief, a call for research, an exception, too little evidence."""
_BEFORE: Final = re.compile(
    r"\b(?:at|similar|comparable|of|in)(?: (?:the|study|their))?"
    r" (?:baseline|entry|enrol+ment|admission|inclusion|randomi[sz]ation)\b"
    r"|\bbaseline(?: \w+){0,3} (?:characteristics|data|values|measure\w*)\b",
    re.IGNORECASE,
)
_PEOPLE_ALIKE: Final = re.compile(
    r"\b(?:differ\w*|similar\w*|comparabl\w*|balanc\w*|same|equal\w*)\b[^.;]{0,90}\b(?:ages?"
    r"|sex|gender|demograph\w+)\b"
    r"|\b(?:ages?|sex|gender|demograph\w+)\b[^.;]{0,90}\b(?:differ\w*|similar\w*|comparabl\w*"
    r"|balanc\w*)\b",
    re.IGNORECASE,
)
"""The likeness of a study's groups before treatment."""
_EXAMPLES: Final = re.compile(
    r"\b(?:such as|whose)\b[^,;.]*"
    r"|\b(?:combined|in combination|together|along) with (?:[\d.]+ \w+ )?[\w-]+(?: [\w-]+)?"
    r"|\b(?:respon[sd]\w*|resistan\w+|switch\w*|transfer\w*|add(?:ed|ing)|addition of [\w -]+?)"
    r" to [\w-]+(?: [\w-]+)?"
    r"|\b[\w-]+(?:/| ?\+ ?)[\w-]+",
    re.IGNORECASE,
)
"""Examples, additions to a treatment, and targets of a response; a fixed combination."""
_EMPTY: Final = re.compile(
    r"\bnot (?:only|just|merely|simply)\b|\bno doubt\b|, not [\w-]+,"
    r"|\b(?:stud(?:y|ies)|trials?|patients|subjects|women|men|children|those|people|groups?)"
    r" without\b"
    r"|\b(?:independent(?:ly)?|irrespective|regardless) of\b[^,;.]*"
    r"|\bundoubted\w*|\bwithout (?:any )?doubts?\b"
    r"|\b(?:relative risks?|risk (?:ratios?|differences?))\b"
    r"|\b(?:unlikely|not)\b[^.;]{0,120}\b(?:by|due to) chance\b"
    r"|\b(?:the|its|their) (?:associated|related)\b",
    re.IGNORECASE,
)
"""A negation of nothing, or of chance, and a measure with the name of a harm."""
_CLAUSE: Final = re.compile(
    r"[;:]|\s-+\s|,?\s\b(?:but|although|though|however|whereas|while|despite|nevertheless|yet"
    r"|except(?:ing)?|which|who)\b|,\s(?:so|with|without|because|as(?! well)|since|if|when"
    r"|in the absence)\b",
    re.IGNORECASE,
)
_PREDICATE: Final = re.compile(r"\sand\s(?=(?:was|were|is|are|did|does|had|has)\b)", re.IGNORECASE)
_THAN: Final = re.compile(
    r"\b(?:than|compared (?:with|to)|in comparison (?:with|to)|versus|vs|relative to|as \w+ as"
    r"|(?:similar|comparable|equal|equivalent|inferior|superior)(?:ly)? (?:\w+ ){0,3}?(?:to|with)"
    r"|differ(?:ed|s|ent|ently)? from"
    r"|(?P<between>differ(?:ed|s|ent|ences?)?\b[^.;]{0,60}? between))\b\.?"
    r"(?P<other>[^.,;()]{1,60})",
    re.IGNORECASE,
)
_GROUPS: Final = re.compile(r"\b(?:groups?|arms|treatments|regimens|both|either)\b", re.IGNORECASE)
_PEOPLE: Final = re.compile(
    r"^\s(?:(?:in|among|for|that of|those of)\s)?(?:wom[ae]n|m[ae]n|males?|females?|boys?|girls?"
    r"|adults|children|whites?|blacks?|younger|older)\b",
    re.IGNORECASE,
)
_NEUTRAL: Final = re.compile(
    r"\b(?:placebos?|controls?|sham|no|non\w*|not|without|un\w+|never|baseline|before|usual|standard"
    r"|general|others?|healthy|normal|saline|vehicle|those|expected|previous\w*|pre\w*|alone"
    r"|population|rest|reference)\b|\s\d",
    re.IGNORECASE,
)
"""A comparator to assume where the question has none."""
_MORE: Final = re.compile(
    r"\b(?:more|less|fewer|most|least|better|best|worse|superior\w*|inferior\w*|greater|higher|lower"
    r"|longer|shorter|faster|slower|larger|smaller|differ\w*|only(?! \w+ly\b)"
    r"|similar\w*|comparabl\w*|equal\w*|equivalen\w*|same)\b",
    re.IGNORECASE,
)
_HIGHER: Final = re.compile(rf"{_MORE.pattern}|\b(?:increas|decreas|reduc)\w*", re.IGNORECASE)
_NON: Final = re.compile(
    r"\b(?:non-?|never[- ])\w+"
    r"|\b(?:withdraw(?:al|n|ing)|discontinu\w+|cessation|stopp(?:ed|ing))(?: (?:of|the)){0,2}"
    r" [\w-]+(?: [\w-]+)?"
    r"|\b(?:stratif\w+ (?:by|for)|adjust\w+ for|controll(?:ed|ing) for)\b[^,;]*",
    re.IGNORECASE,
)
"""A mention of the subject that makes no claim: its absence or end, or an adjustment for it."""
_GIVEN: Final = re.compile(
    r"(?P<before>(?:[\w-]+ ){0,2})(?:(?P<of>[\w-]+) (?:associated with|caused by|induced by|due to"
    r"|secondary to|attributable to) (?P<by>[\w-]+(?: [\w-]+)?)"
    r"|(?P<cause>\w+)-(?:induced|associated|related) (?P<harm>[\w-]+(?: [\w-]+)?))",
    re.IGNORECASE,
)
"""An outcome with its cause in its name: a denial of it is about another cause."""
_NONE: Final = re.compile(r"\b(?:no|not|nor|neither|without|any|never|few|less)\b", re.IGNORECASE)
_WITH: Final = re.compile(
    r"\b(?:associated|(?:un)?related|linked|correlated)(?: \w+ly)? (?:to|with)\b", re.IGNORECASE
)
NEAR: Final = 4  # words from one word of the outcome to the next
SHORT: Final = 4  # words before a link that may be a pronoun and a verb
_MEANS: Final = re.compile(r"\b(?:mediat|explain|account)\w*\b", re.IGNORECASE)
"""A mechanism: the denial of another one says nothing about the subject."""
_BETWEEN: Final = re.compile(
    r"\b(?:associations?|relations?|relationships?|correlations?|links?|connections?|interactions?)"
    r" (?:\w+ ){0,4}?between\b(?P<both>.*)",
    re.IGNORECASE,
)
VETO_RULES: Final = tuple(
    p.pattern
    for p in (
        *(_AIM, _TELLS, _OTHERS, _BEFORE, _PEOPLE_ALIKE, _EXAMPLES, _EMPTY, _CLAUSE, _PREDICATE),
        *(
            _THAN,
            _GROUPS,
            _PEOPLE,
            _NEUTRAL,
            _MORE,
            _HIGHER,
            _NON,
            _GIVEN,
            _NONE,
            _WITH,
            _MEANS,
            _BETWEEN,
        ),
    )
)
"""The patterns, which a model compares with those it was trained with."""
_AFFIRMED: Final = frozenset(("FOR", "not AGAINST", "MOVES"))
_DENIED: Final = frozenset(("not FOR", "AGAINST"))
_SAME: Final = frozenset(("SAME", "not LINK"))


@lru_cache(maxsize=256)  # an abstract's sentences are weighed, and then read
def may_say(verdict: str, parts: QuestionParts, sentence: str, stopwords: Collection[str]) -> bool:
    """Return whether a sentence may give a verdict, yes or no, on a question of these parts."""
    if _OTHERS.search(sentence) or _BEFORE.search(sentence) or states_aim(sentence):
        return False
    question = _Question(parts, stopwords)
    return (
        not question.lists_people(sentence)
        and question.is_whole(sentence)
        and question.is_meant(sentence)
        and question.is_its_kind(sentence)
        and question.names(sentence)
        and question.points(verdict, sentence)
        and question.compares(verdict, sentence)
        and question.links(sentence)
        and tells(verdict, parts, sentence, stopwords)  # takes the longest
    )


@dataclass(frozen=True)
class _Question:
    """A question's parts, with the checks of a sentence against them."""

    parts: QuestionParts
    stopwords: Collection[str]

    def terms(self, text: str) -> set[str]:
        """Return the stems of a text."""
        return set(terms(text, self.stopwords))

    def subject(self, text: str) -> bool:
        """Return whether a text names the subject, or its initials; True without a subject."""
        words = self.parts.intervention
        initials = "".join(word[0] for word in re.findall(r"\w+", words)).lower()
        short = len(initials) > 1 and re.search(rf"\b{initials}s?\b", text, re.IGNORECASE)
        return not words or bool(short) or not self.terms(words).isdisjoint(self.terms(text))

    def lists_people(self, sentence: str) -> bool:
        """Return whether a sentence compares groups by age and sex, unlike the question."""
        match = _PEOPLE_ALIKE.search(_NON.sub(" ", sentence))
        stems = self.terms(f"{self.parts.intervention} {self.parts.outcome}")
        return match is not None and stems.isdisjoint(self.terms("age ages sex gender"))

    def is_whole(self, sentence: str) -> bool:
        """Return whether neighbouring words of the outcome are near each other in a sentence."""
        words = terms(sentence, self.stopwords)
        places = {word: [n for n, other in enumerate(words) if other == word] for word in words}
        for first, second in pairwise(re.findall(r"[^\W_]+", self.parts.outcome.lower())):
            if first.endswith("ing"):
                continue
            pairs = product(*(places.get(stem(word), ()) for word in (first, second)))
            if min((abs(i - j) for i, j in pairs), default=0) > NEAR:
                return False
        return True

    def is_meant(self, sentence: str) -> bool:
        """Return whether every part of the question is more than an example or an addition."""
        rest = _EXAMPLES.sub(" ", sentence)
        for part in (self.parts.intervention, self.parts.outcome):
            named = self.terms(part) & self.terms(sentence)
            if {"/", "+"}.isdisjoint(part) and named and named.isdisjoint(self.terms(rest)):
                return False
        return True

    def is_its_kind(self, sentence: str) -> bool:
        """Return whether a sentence names the outcome's complement ("of", "for"), if it has one."""
        stems, outcome = self.terms(sentence), self.parts.outcome
        matches = list(WHERE.finditer(outcome))
        ends = [*(match.start() for match in matches[1:]), len(outcome)]
        for match, end in zip(matches, ends, strict=False):
            if match.group().lower() not in ("of", "for", "from"):
                break
            kind = outcome[match.end() : end]
            words = {stem(w) for w in content_words(kind, self.stopwords) if not is_general(w)}
            named = not words or not words.isdisjoint(stems)
            if not named and not any(is_short(word, kind) for word in sentence.split()):
                return False
        return True

    def names(self, sentence: str) -> bool:
        """Return whether an arm is named by its own words, and not by its absence alone."""
        subject, arm = self.terms(self.parts.intervention), self.terms(self.parts.comparator)
        words = self.terms(sentence)
        if arm and subject - arm and arm - subject and words.isdisjoint(subject ^ arm):
            return not words & subject & arm
        if self.parts.way == "same" and words.isdisjoint(subject) != words.isdisjoint(arm):
            return False
        if words.isdisjoint(subject) or _NON.search(self.parts.intervention):
            return True
        return self.subject(_NON.sub(" ", sentence))

    def points(self, verdict: str, sentence: str) -> bool:
        """Return whether some clause on outcome or comparator points the verdict's way."""
        split = [_PREDICATE.split(c) for c in _CLAUSE.split(_EMPTY.sub(" ", sentence))]
        clauses = [c for pieces in split for c in pieces if c.strip()]
        outcome, arm = self.terms(self.parts.outcome), self.terms(self.parts.comparator)
        named = [c for c in clauses if outcome & self.terms(c)]
        naming = self.signs_of(named or clauses)
        against = self.signs_of([c for c in clauses if arm & self.terms(c)])
        if verdict == "yes":
            if self.parts.way and naming.isdisjoint(_AFFIRMED):
                return False
            same = bool(arm) and not naming.isdisjoint(_SAME)
            turned = ("FOR" not in names and bool(names & _DENIED) for names in (naming, against))
            return not same and not any(turned)
        if _MEANS.search(sentence) or self.is_given(sentence):
            return False
        if "FOR" in against and against.isdisjoint((*_DENIED, "SAME")):
            return False
        if not naming.isdisjoint((*_DENIED, "SAME")):
            return True
        denied = any(sign in ("NEG", "P-") or sign.startswith("not ") for sign in naming)
        return denied and naming.isdisjoint(("FOR", "not AGAINST"))

    def is_given(self, sentence: str) -> bool:
        """Return whether the subject is in the outcome's name as its cause, without a denial."""
        for match in _GIVEN.finditer(sentence) if self.parts.intervention else ():
            groups = match.groupdict("")
            harm = self.terms(groups["of"] + groups["harm"])
            if (
                self.subject(groups["by"] + groups["cause"])
                and not harm.isdisjoint(self.terms(self.parts.outcome))
                and not _NONE.search(groups["before"])
            ):
                return True
        return False

    def signs_of(self, clauses: Sequence[str]) -> set[str]:
        """Return the signs of clauses, each read by itself."""
        return {sign for c in clauses for sign in signs(self.parts, c, self.stopwords)}

    def compares(self, verdict: str, sentence: str) -> bool:
        """Return whether a sentence makes no comparison, or the question's.

        If the question has no comparator, any comparison may say a *yes*, but "no better than
        another treatment" is not a *no*; "less common than with the subject" is neither.
        """
        matches = list(_THAN.finditer(sentence))
        arm = self.terms(self.parts.comparator)
        if matches and not self.subject(sentence):
            return False
        if any(_PEOPLE.match(m["other"]) and not arm & self.terms(m["other"]) for m in matches):
            return False
        if arm and matches:
            return any(self.against(match, sentence) for match in matches)
        if arm:
            return (verdict == "no" and self.parts.way != "same") or not self.lists(sentence)
        if any(
            _HIGHER.search(sentence, 0, m.start()) and not self.subject(sentence[: m.start()])
            for m in matches
            if not m["between"]
        ):
            return False
        loose = verdict == "yes" or (not self.parts.way and bool(_MORE.search(self.parts.outcome)))
        return all(
            self.subject(sentence[: m.start()] + sentence[m.end() :])
            and (loose or bool(_GROUPS.search(m["other"]) or _NEUTRAL.search(m["other"])))
            for m in matches
        )

    def lists(self, sentence: str) -> bool:
        """Return whether a clause names both arms and compares nothing."""
        subject, arm = self.terms(self.parts.intervention), self.terms(self.parts.comparator)
        return any(
            (subject - arm) & self.terms(clause) and (arm - subject) & self.terms(clause)
            for clause in _CLAUSE.split(sentence)
            if not _MORE.search(clause)
        )

    def against(self, match: re.Match[str], sentence: str) -> bool:
        """Return whether a comparison sets one arm of the question against the other."""
        subject, arm = self.terms(self.parts.intervention), self.terms(self.parts.comparator)
        subject, arm = subject - arm or subject, arm - subject or arm
        words, other = self.terms(sentence), self.terms(match["other"])
        if _GROUPS.search(match["other"]):
            return True
        if _NEUTRAL.search(self.parts.comparator) and _NEUTRAL.search(match["other"]):
            return True
        if other & arm:
            return bool(match["between"]) or not other & subject
        return bool(other & subject and words & arm)

    def parted(self, before: str, after: str) -> bool:
        """Return whether a link does not have an arm on one side and the outcome on the other."""
        outcome, arm = self.terms(self.parts.outcome), self.terms(self.parts.comparator)
        left, right = self.terms(before), self.terms(after)
        arms = [
            self.subject(text) or bool(arm & words)
            for text, words in ((before, left), (after, right))
        ]
        if not any(arms):  # another agent is linked with the outcome, except in "it was …"
            return bool(outcome & right) and len(before.split()) > SHORT
        if not outcome & (left | right):
            return False
        return not (arms[0] and outcome & right) and not (outcome & left and arms[1])

    def links(self, sentence: str) -> bool:
        """Return whether an association of the outcome, if there is any, is with the subject."""
        for clause in _CLAUSE.split(sentence):
            before, *after = _WITH.split(clause)
            if after and self.parted(before, " ".join(after)):
                return False
        match = _BETWEEN.search(sentence)
        if match is None or self.terms(self.parts.outcome).isdisjoint(self.terms(match["both"])):
            return True
        return self.subject(match["both"]) or not self.subject(sentence)
