"""Sentences that cannot answer: those that state an aim, and those that report no result.

An aim states the object of a study, not its findings. A sentence that describes the groups at
baseline, counts people, or calls for research is replaced by another with its move.
"""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.answers.clauses import itself
from relsent_ir.answers.language import Question, WordVectors
from relsent_ir.answers.sentence_features import CUES, abbreviated
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
    r"|^(?:the |our )?(?:aims?|objectives?|purpose|goal)s?\b"
    r"|\b(?:aim(?:ed)?|objective|purpose) of (?:this|the|our)\b"
    r"|\bwe (?:aimed|sought|investigated whether|hypothesi[sz]ed)\b|\bwill be\b"
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
"""A phrase after an aim with which findings begin."""
VETO_RULES: Final = (_AIM.pattern, _TELLS.pattern)
"""The patterns; a model compares them with those of its training."""


def states_aim(sentence: str) -> bool:
    """Return whether a sentence states the object of a study, but none of its findings."""
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
    """Return whether a sentence of RESULTS or CONCLUSION reports neither result nor conclusion.

    Such a sentence describes the groups at baseline, counts people or studies without a comparison,
    has an aim, or calls for research.
    """
    if _GROUPS_ALIKE.search(sentence) or _CALLS.match(sentence) or states_aim(sentence):
        return True
    results = (CUES[name] for name in ("comparison", "p-value"))
    text = sentence.lower()
    return _COUNTS.search(text) is not None and not any(cue.search(text) for cue in results)


def named_shares(
    question: Question, title: str, texts: Sequence[str], vectors: WordVectors
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """Return how far each sentence of an abstract names the subject of findings, and conclusions.

    For a finding it is the share of the outcome's words; for a conclusion this share, and the
    smaller of it and the share of the subject's words. Locations ("in pregnancy", "after surgery"),
    general words and numbers do not count. Empty if no rule finds the parts.
    """
    parts = question.parts
    if not parts.intervention:
        return (), ()
    queries = (question.text, parts.intervention, parts.comparator, parts.outcome)
    short = abbreviated((title, *texts, *queries))
    terms_of = [vectors.terms(text) for text in short[1 : len(texts) + 1]]
    shares = []
    for part in (short[-1], short[-3]):
        words = {word for word in itself(part, vectors.stopwords, _PLACE) if not word.isdigit()}
        shared = [len(words.intersection(sentence)) for sentence in terms_of]
        shares.append(np.array(shared) / max(1, len(words)))
    return (shares[0],), (shares[0], np.minimum(*shares))
