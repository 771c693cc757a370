"""Cues of English sentences: negation, hedge, comparison, contrast, clause break, and aim.

Single words are cues by list, in small letters. A study's aim and an open question are phrases,
which are looked for in the sentence's words, joined by blanks.
"""

import re
from typing import Final

from relsent_ir.text.phrases import word_set

NEGATION: Final = word_set(
    """
    not no neither nor without fail fails failed failing failure unable inability cannot lack lacks
    lacked lacking absence absent independent independently never none n't unaffected unchanged
    rather instead except
    """
)
HEDGE: Final = word_set(
    """
    may might could would can possible possibly probable probably potential potentially perhaps
    putative putatively presumably presumed likely unlikely hypothesis hypothesize hypothesized
    hypothesise hypothesised speculate speculated suggest suggests suggested suggesting suspected
    whether if unclear unknown appear appears appeared seem seems seemed propose proposed
    investigate investigated examine examined tested determine assess assessed studied
    """
)
COMPARISON: Final = word_set("than versus vs vs. compared comparing comparison comparisons")
CONTRAST: Final = word_set("but whereas while although however")
BREAKS: Final = CONTRAST | word_set(", ; : ( ) -LRB- -RRB- and which that because since when")
"""Tokens at the ends of a clause, marks among them."""

_CLAUSE: Final = re.compile(
    r"[;:]|\.,\s|\s-+\s|,?\s\b(?:but|although|though|whereas|while|despite|nevertheless|yet"
    r"|except(?:ing)?)\b|\b(?:conclud\w*|show(?:s|n|ed)?|suggest\w*|indicat\w*|demonstrat\w*"
    r"|confirm\w*|reveal\w*|f(?:ou|i)nd|findings?|observed|evidence|report\w*|support\w*|establish\w*"
    r"|clear|noted|likely|stat(?:es|ed)|known) (?:\w+ ){0,2}?that\b",
    re.IGNORECASE,
)


def split_clauses(sentence: str) -> list[str]:
    """Split a sentence at marks, contrasts, and a verb of reporting with its "that"."""
    return [clause for part in _CLAUSE.split(sentence) if (clause := part.strip())]


_TOKEN: Final = re.compile(r"\d+(?:[.,·/-]\d+)*|[^\W\d_]+|[,;:?%]")


def joined_tokens(sentence: str) -> str:
    """Return a sentence's words, numbers and marks in small letters, joined by blanks."""
    return " ".join(_TOKEN.findall(sentence.lower()))


_VERB: Final = (
    r"(?:address|examin|investigat|evaluat|assess|explor|compar|review|discuss|describ|test|stud[iy]"
    r"|design|undertak|conduct|consider|focus|attempt|seek|sought|aim|intend|analy[sz]|look)"
    r"(?:e?s|ed?|en|ing)?"
)
_AIM: Final = re.compile(
    r"^(?:(?:here|in addition|therefore|thus|finally|further(?:more)?) (?:, )?)?(?:"
    r"(?:in )?(?:this|the present|the current|the|our|these) (?:\w+ ){0,5}?"
    r"(?:stud(?:y|ies)|trials?|papers?|articles?|reviews?|reports?|investigations?|analys[ei]s"
    r"|experiments?|surveys?)"
    rf"(?: (?:was|were|is|are|has|have|been|also|further|then))*(?: ,)? (?:we |will )?{_VERB}\b"
    rf"|(?:we|the authors?)(?: (?:have|has|also|then|further|therefore|thus))* (?:{_VERB}"
    r"|set out|wanted|asked|determined (?:whether|if))\b"
    r"|to (?:determine|investigate|evaluate|assess|examine|study|compare|test|explore|identify"
    r"|address|establish|find out)\b)"
    r"|^(?:the |our )?(?:aims?|objectives?|purpose|goal)s?\b"
    r"|\b(?:aim(?:ed)?|objective|purpose) of (?:this|the|our)\b"
    r"|\bwe (?:aimed|sought|investigated whether|hypothesi[sz]ed)\b|\bwill be\b"
    r"|\b(?:was|were|is|are|has been|have been)(?: (?:also|then|further|first|next))? (?:studied"
    r"|examined|investigated|evaluated|assessed|explored|discussed|reviewed|tested|described"
    r"|addressed|analy[sz]ed)(?: here| too)?$"
)
_FINDINGS: Final = re.compile(
    r"\b(?:found|findings?|shows?|show(?:ed|n|ing)|demonstrat\w+|reveal\w*|conclu\w+|confirm\w*"
    r"|suggest\w*|indicat(?:es?|ed|ing)|observ\w+|noted|report(?:s|ed)|support(?:s|ed)|provid\w+"
    r"|establish(?:es|ed)|results? (?:in|are|is|was|were)|(?:and|but|which|that|they|it) (?:was"
    r"|were|is|are|did|does|do|had|has|have|can|may))\b|[;:]"
)
"""A phrase after an aim that begins the findings."""


def states_aim(sentence: str) -> bool:
    """Return whether a sentence states the object of a study, and none of its findings."""
    text = joined_tokens(sentence)
    match = _AIM.search(text)
    return match is not None and not _FINDINGS.search(text, match.end())


_OPEN: Final = re.compile(
    r"^(?:conclusions? |background |methods? )?"
    r"(?:comparison|effects?|influence|impact|evaluation) of\b"
    r"|\b(?:aim(?:s|ed)?|objectives?|purpose|whether|hypothesi[sz]ed?|hypothesis was"
    r"|to (?:investigate|evaluate|assess|determine|examine|compare|study|test|explore|describe"
    r"|review)|investigated|evaluated|examined|examining|to (?:better )?understand"
    r"|conducted (?:in order )?to|protocol"
    r"|we (?:compared|studied|assessed|tested|measured|sought|aimed|determined|analy[sz]ed)"
    r"|was designed|will|unclear|unknown|not known|remains? to)\b|\?"
)


def leaves_open(sentence: str) -> bool:
    """Return whether a sentence is a question, or has words of an aim: it may assert nothing."""
    return _OPEN.search(joined_tokens(sentence)) is not None
