"""What a sentence says as answers do: figures, tests, comparisons, negations, hedges."""

import re
from collections.abc import Sequence
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

_MOST: Final = 3  # so often a cue counts

_PATTERNS: Final = {
    "p-value": r"\bp\s*(?:values?)?\s*[=<>≤≥]|\bp[- ]values?\b|\bp less than",
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
# for texts in small letters, which take half the time of re.IGNORECASE
_CUES: Final = {name: re.compile(text) for name, text in _PATTERNS.items()}
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_HARM: Final = re.compile(
    r"\b(?:adverse|side effects?|toler\w*|safe\w*|complications?|toxicit\w*)\b"
)
RULES: Final = (*(cue.pattern for cue in _CUES.values()), _NUMBER.pattern, _HARM.pattern, _MOST)
"""The patterns, to tell whether they have changed since a model learned from them."""

NAMES: Final = (*_CUES, "numbers", "length", "longer than others", "asked for harms", "harms")


def cues(texts: Sequence[str], outcome: str) -> NDArray[np.float64]:
    """Count cues; shape (texts, `NAMES`).

    Parameters
    ----------
    texts : sequence of str
        The sentences of an abstract.
    outcome : str
        What the question asks about: sentences on harms count one way where it asks for harms,
        the other way where it does not.
    """
    asked = bool(_HARM.search(outcome.lower()))
    lengths = [log1p(len(text.split())) for text in texts]
    mean = sum(lengths) / len(lengths) if lengths else 0.0
    rows = []
    for text, length in zip(map(str.lower, texts), lengths, strict=True):
        counts = [min(_MOST, len(cue.findall(text))) for cue in _CUES.values()]
        harms = bool(_HARM.search(text))
        numbers = log1p(len(_NUMBER.findall(text)))
        rows.append([*counts, numbers, length, length - mean, harms and asked, harms and not asked])
    return np.array(rows, dtype=np.float64).reshape(len(texts), len(NAMES))
