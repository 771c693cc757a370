"""Names of things in texts: one normal form for all the ways in which a name is written.

The normal form is a row of pieces: small letters, numbers apart from letters, Greek letters by
their names, American spelling. Two writings with the same pieces, in whatever way these are joined,
are one name: TNF-alpha, TNFα and tnf alpha; IL-2, IL2 and IL(2); tumour and tumor. Matching,
retrieval and highlighting all go by it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, product
from typing import Final

from relsent_ir.text.phrases import word_set
from relsent_ir.text.tokens import Span
from relsent_ir.text.words import default_stopwords


def _pairs(text: str, mark: str) -> list[tuple[str, str]]:
    return [(one, other) for one, _, other in (pair.partition(mark) for pair in text.split())]


_LETTERS: Final = """
    alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ mu:μ nu:ν
    xi:ξ omicron:ο pi:π rho:ρ sigma:σ tau:τ upsilon:υ phi:φ chi:χ psi:ψ omega:ω
"""
_GREEK: Final = _pairs(_LETTERS, ":")
_NAMES: Final = {sign: name for name, sign in _GREEK} | {"ß": "beta", "µ": "mu"}
_SIGNS: Final = {name: [s for s, n in _NAMES.items() if n == name] for name, _ in _GREEK}
_SIGNS["kappa"].append("k")  # NF-kB
_DOTTED: Final = tuple(
    chain.from_iterable((name, *_SIGNS[name]) for name in ("alpha", "beta", "gamma", "delta"))
)
"""The Greek letters at which names end that a dot joins to another."""

_INSIDE: Final = re.compile("(alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega)")
"""Greek letters that stand inside a word too (NFkappaB); to cut "alphabet" does no harm."""

_PIECE: Final = re.compile(rf"[{''.join(_NAMES)}]|[^\W\d_{''.join(_NAMES)}]+|\d+")
_CAMEL: Final = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=\b[A-Z])(?=[A-Z]{3,4}\b)|(?<=\b[A-Z]{2})(?=[A-Z]\d[A-Z]\b)"
)
"""Places where capitals may hide a joint: HbA, KRAS, HBA1C."""

_KAPPA: Final = re.compile(r"(?<![^\W_])(n\W?f|i)(\W?)k(?=\W?b(?![^\W_]))")
"""Places where k stands for kappa: NF-kB, IkB."""

_GAP: Final = r"(?:[\s\-‐-―/]{0,2}|[(\[]|[)\]]-?)"
_MOST: Final = 6
"""Names of more pieces are looked up as they are and in one word, not joined in every way."""

_SHORT: Final = 3
_BRITISH: Final = _pairs(
    """
    ^haem/^hem haemo/hemo haemat/hemat aemi/emi oestr/estr oesoph/esoph oedem/edem ^foet/^fet
    paed/ped anaesth/anesth aetiol/etiol rhoea/rhea pnoea/pnea leuco/leuko coeliac/celiac
    amoeb/ameb ^caec/^cec ^faec/^fec gynaec/gynec sulph/sulf tumour/tumor colour/color
    behaviour/behavior labour/labor humour/humor odour/odor vapour/vapor fibre/fiber centre/center
    litre/liter aluminium/aluminum mould/mold grey/gray ageing/aging isation/ization ise$/ize$
    ised$/ized$ ising$/izing$ yse$/yze$ programme$/program$
    """,
    "/",
)
"""Parts of words as the British spell them, and Americans do; ^ at the beginning, $ at the end."""

_ANY_BRITISH: Final = re.compile("|".join(british for british, _ in _BRITISH))

_ENGLISH: Final = word_set(
    """
    ace act add age aid aim air ale all and ant any ape apt arc are arm art ash ask ate bad bag ban
    bar bat bay bed bee big bit box boy bud bug but buy cab can cap car cat cow cry cup cut dam day
    did die dig dim dip dog dot dry due dye ear eat egg ego end era eye fan far fat few fit fix flu
    fly for fun fur gap gas get got gum gun gut had ham has hat hen her hid him hip his hit hot how
    ice ill ink its jar jaw jet job key kid kit lab lag lap law lay led leg let lid lie lip log lot
    low man map mat may men met mid mix mud net new nod nor not now nut odd off oil old one our out
    own pad pan par pay pen per pet pie pig pin pit pop pot put ram ran rat raw ray red rib rid rim
    rod row rub run sad sat saw say sea see set sex she sin sit six son sum sun tab tag tan tap tar
    tax tea ten the tie tin tip toe ton too top try tub two use van via war was wax way web wet who
    why win won yes yet you zip
    """
).union(default_stopwords())
"""Words of up to three letters that, in small letters, are no symbols."""


@lru_cache(maxsize=1000)
def pieces(name: str) -> tuple[str, ...]:
    """Return the pieces of a name; empty if it has neither letter nor digit.

    Examples
    --------
    >>> pieces("NF-κB"), pieces("nfkappab"), pieces("Tumour 2A")
    (('nf', 'kappa', 'b'), ('nf', 'kappa', 'b'), ('tumor', '2', 'a'))
    """
    lower = _KAPPA.sub(r"\1\2kappa", _CAMEL.sub(" ", name).lower())
    found = (_NAMES.get(piece, piece) for piece in _PIECE.findall(lower))
    split = chain.from_iterable(_INSIDE.split(piece) for piece in found)
    return tuple(_american(piece) for piece in split if piece)


def normal_form(name: str) -> str:
    """Return the pieces of a name as one word: names are one if theirs are equal."""
    return "".join(pieces(name))


@lru_cache(maxsize=10_000)
def writings(name: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the ways to write a name, as words of a text may have it.

    What a dot joins is one word to Lucene: in "IkappaB-alpha.NF-kappaB" a name begins after a Greek
    letter.

    Returns
    -------
    tuple of tuple of tuple of str
        Ways to join the pieces to words; of each, its words; of each word, its spellings.
    """
    parts = [_spellings(piece, last) for piece, last in _with_last(pieces(name))]
    if not parts:
        return ()
    n = len(parts)
    joints = product((False, True), repeat=n - 1)
    ways = joints if n <= _MOST else iter([(False,) * (n - 1), (True,) * (n - 1)])
    found = []
    for joined in ways:
        words: list[list[list[str]]] = [[parts[0]]]
        for part, glued in zip(parts[1:], joined, strict=True):
            if glued:
                words[-1].append(part)
            else:
                words.append([part])
        spelled = [["".join(one) for one in product(*word)] for word in words]
        dotted = [f"{greek}.{one}" for one in spelled[0] if one[0].isalpha() for greek in _DOTTED]
        found.append(tuple(tuple(row) for row in [spelled[0] + dotted, *spelled[1:]]))
    return tuple(found)


@lru_cache(maxsize=10_000)
def expression(name: str) -> re.Pattern[str]:
    """Compile the pattern that finds a name in a text in all its writings.

    Capitals count in names of up to two letters; of those of three, small letters that are an
    English word are no mention, unless the name is given so. A plural is taken.
    """
    parts = pieces(name)
    joined = "".join(parts)
    if joined.isalpha() and len(joined) <= _SHORT:
        return _compiled("|".join(_capitals(name, joined)), 0)
    written = []
    for piece, last in _with_last(parts):
        forms = "|".join(map(re.escape, _spellings(piece, last)))
        written.append(f"(?:{forms})")
    return _compiled(_GAP.join(written), re.IGNORECASE)


class Names:
    """Finds mentions of an entity in texts, however they are written.

    Parameters
    ----------
    names : sequence of str
        Names of one entity, each with a letter or digit.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._expressions = [expression(name) for name in names]

    def find(self, text: str) -> list[Span]:
        """Return the places of all mentions, in order; of those that overlap, the longest."""
        spans = {_closed(text, m.span()) for e in self._expressions for m in e.finditer(text)}
        found: list[Span] = []
        for span in sorted(spans, key=lambda s: (s[0], -s[1])):
            if not found or span[0] >= found[-1][1]:
                found.append(span)
        return found

    def is_name(self, text: str) -> bool:
        """Tell whether a text is one of the names."""
        return any(expression.fullmatch(text) for expression in self._expressions)


def _compiled(body: str, flags: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{body})(?![^\W_])", flags)


def _with_last(parts: tuple[str, ...]) -> list[tuple[str, bool]]:
    return [(piece, n == len(parts) - 1) for n, piece in enumerate(parts)]


def _american(piece: str) -> str:
    if not _ANY_BRITISH.search(piece):
        return piece
    for british, american in _BRITISH:
        piece = re.sub(british, american.strip("^$"), piece)
    return piece


def _spellings(piece: str, last: bool) -> list[str]:
    """Return a piece as it may be written, the last one of a name also in the other number."""
    if piece in _SIGNS:
        return [piece, *_SIGNS[piece]]
    found = dict.fromkeys(_numbers(piece) if last and len(piece) >= _SHORT else [piece])
    for british, american in _BRITISH:
        for form in list(found):
            found |= dict.fromkeys([re.sub(american, british.strip("^$"), form)])
    return list(found)


def _numbers(word: str) -> list[str]:
    """Return a word's possible singulars and their plurals."""
    singular = [word]
    if not word.isalpha():
        return singular
    if word.endswith("ies"):
        singular.append(f"{word[:-3]}y")
    elif word.endswith("ses"):
        singular += [f"{word[:-2]}is", word[:-2], word[:-1]]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORT:
        singular.append(word[:-1])
    plural = []
    for one in singular:
        if one.endswith("sis"):
            plural.append(f"{one[:-2]}es")
        elif one.endswith("y") and one[-2] not in "aeiou":
            plural.append(f"{one[:-1]}ies")
        else:
            plural.append(f"{one}es" if one.endswith(("s", "x", "z", "ch", "sh")) else f"{one}s")
    return [*singular, *plural]


def _capitals(name: str, lower: str) -> list[str]:
    """Return the writings of a name of few letters, which small letters may make another word."""
    given = "".join(filter(str.isalpha, name))
    if len(lower) < _SHORT:
        forms = [given, lower.upper()] if given == lower else [given]
        return list(dict.fromkeys(forms))
    forms = [given, lower.upper()]
    if lower not in default_stopwords():
        forms.append(lower.title())
    if lower not in _ENGLISH:
        forms.append(lower)
    return [form + plural for form in dict.fromkeys(forms) for plural in ("s", "")]


def _closed(text: str, span: Span) -> Span:
    """Take in the bracket that closes one in the mention: HbA(1c)."""
    start, end = span
    inside = text[start:end]
    if text[end : end + 1] in (")", "]") and sum(map(inside.count, "([")) > sum(
        map(inside.count, ")]")
    ):
        return start, end + 1
    return span
