"""The tense of a sentence's main verb, by a light rule: no tagger, no parser.

The first finite verb decides: an auxiliary, one of the irregular verbs of the table, a regular
past in -ed with a subject before it, or one of the verbs that authors report with ("we conclude").
Words after a relative pronoun or a preposition belong to no main clause, and are skipped as far
as the word before shows it. docs/moves.md has examples and limits.
"""

from typing import Final

_AUXILIARIES: Final = {
    "past": "was were had did wasn't weren't didn't",
    "present": "is are has have does do isn't aren't doesn't don't remains remain",
    "future": "will shall",
    "modal": "may can could should would might must cannot",
}
_PAST: Final = """
    became began came chose did drew fell felt found gave grew held kept knew led left lost made met
    ran rose saw sought showed spent stood took taught thought told underwent understood went wrote
    """
_PRESENT: Final = """
    aim aims appear appears argue assess compare conclude consider demonstrate demonstrates describe
    describes discuss discusses evaluate evaluates examine examines explore explores highlight
    highlights hypothesise hypothesize include includes indicate indicates investigate investigates
    need needs plan present presents propose provide provides recommend remain remains report
    reports represent represents require requires review reviews seem seems show shows study suggest
    suggests support supports test
    """
_BEFORE_PARTICIPLES: Final = """
    a an the of in for with by to from at on as and or than that which who whose whom where when
    our their its this these those be been being was were is are had has have 0 %
    """
"""After these words a form in -ed is a participle, or what looks like a verb is a noun."""

_NO_PAST: Final = "need needed speed seed feed breed based indeed hundred red bed"
_PARTICIPLES: Final = "been become shown found made given seen led"

_FINITE: Final = (
    dict.fromkeys(_PRESENT.split(), "present")
    | dict.fromkeys(_PAST.split(), "past")
    | {word: tense for tense, verbs in _AUXILIARIES.items() for word in verbs.split()}
)
_NO_VERB_BEFORE: Final = frozenset(_BEFORE_PARTICIPLES.split())
_NEVER_PAST: Final = frozenset(_NO_PAST.split())
_SHORT_PARTICIPLES: Final = frozenset(_PARTICIPLES.split())
_ALWAYS: Final = frozenset(word for verbs in _AUXILIARIES.values() for word in verbs.split())


def tense(tokens: list[str]) -> str:
    """Tell the tense of the main verb.

    Parameters
    ----------
    tokens : list of str
        A sentence's words in small letters, as `words` gives them.

    Returns
    -------
    {"past", "present", "perfect", "pluperfect", "future", "modal", "infinitive", "none"}
        "infinitive" for a sentence that begins with "to" and a verb, as aims often do; "none" if
        no verb is recognised.
    """
    if tokens[:1] == ["to"]:
        return "infinitive"
    before = ""
    relative = False
    for i, word in enumerate(tokens):
        finite = _FINITE.get(word)
        if finite and (word in _ALWAYS or before not in _NO_VERB_BEFORE) and before != "to":
            if relative:
                relative = False  # the clause's own verb
            elif word in ("has", "have", "had"):
                return _perfect(tokens, i)
            else:
                return finite
        elif not relative and _regular_past(word, before):
            return "past"
        elif word in ("that", "which", "who", "whose", "where", "when", "if", "although", "while"):
            relative = i > 0 or word in ("when", "if", "although", "while")
        before = word
    return "none"


def _regular_past(word: str, before: str) -> bool:
    return (
        word.endswith("ed")
        and len(word) > 4
        and word not in _NEVER_PAST
        and bool(before)
        and before not in _NO_VERB_BEFORE
    )


def _perfect(tokens: list[str], i: int) -> str:
    """Tell "has been shown" from "has a role": a participle within three words."""
    for word in tokens[i + 1 : i + 4]:
        if word in _SHORT_PARTICIPLES or word.endswith(("ed", "wn", "en")):
            return "pluperfect" if tokens[i] == "had" else "perfect"
    return _FINITE[tokens[i]]
