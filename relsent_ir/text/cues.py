"""Cues of English sentences: negation, hedge, comparison, contrast, clause break, open question.

Single words are lower-case cues in lists. The cue of an open question is a phrase, which is looked
up in the words of the sentence, joined by blanks.
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
"""Tokens that end a clause, including punctuation marks."""

_TOKEN: Final = re.compile(r"\d+(?:[.,·/-]\d+)*|[^\W\d_]+|[,;:?%]")
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
    """Return whether a sentence may assert nothing: it is a question, or has words of an aim."""
    return _OPEN.search(" ".join(_TOKEN.findall(sentence.lower()))) is not None
