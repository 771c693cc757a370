"""Names of things in texts: one normal form for all the ways in which a name is written.

The normal form is a row of pieces: small letters, numbers apart from letters, Greek letters by
their names, American spelling, no accents. Two writings with the same pieces, however they are
joined, are one name: TNF-alpha, TNFα and tnf alpha; IL-2, IL2 and IL(2); Na,K-ATPase and
Na(+)/K(+)-ATPase; Crohn's and Crohn disease; tumour and tumor. Matching, retrieval and highlighting
all go by it.

Files of names hold synonyms, lists, and the trees in which MeSH orders its headings:
``relsent-ir fetch mesh`` writes them into a folder ``synonyms``; searches read those beside an
index.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from relsent_ir.errors import InputError
from relsent_ir.files import open_text
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
_SIGNS["alpha"].append("alfa")  # interferon alfa-2b
_NAMES["alfa"] = "alpha"

_INSIDE: Final = re.compile("(alpha|beta|gamma|delta|epsilon|zeta|theta|kappa|lambda|sigma|omega)")
"""Greek letters that stand inside a word too (NFkappaB); to cut "alphabet" does no harm."""

_LETTER: Final = "".join(sign for sign in _NAMES if len(sign) == 1)
_PIECE: Final = re.compile(rf"[{_LETTER}]|[^\W\d_{_LETTER}]+|\d+")
_CAMEL: Final = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=\b[A-Z])(?=[A-Z]{3,4}\b)|(?<=\b[A-Z]{2})(?=[A-Z]\d[A-Z]\b)"
)
"""Places where capitals may hide a joint: HbA, KRAS, HBA1C."""

_KAPPA: Final = re.compile(r"(?<![^\W_])(n\W?f|i)(\W?)k(?=\W?b(?![^\W_]))")
"""Places where k stands for kappa: NF-kB, IkB."""

_GAP: Final = r"(?:[)\]'+]| ?\([+-]\))*(?: ?[-/(\[+] ?[-+]? ?|[.,:]|,-| )?\(?"
"""How two pieces are joined; never by what parts words, as a comma or a dot with a blank does."""
_INITIAL: Final = rf"(?:\. |{_GAP})"
"""A letter with a dot may have a blank behind it: E. coli."""
_LIST: Final = rf"(?:[.,] |{_GAP})"
"""So may a comma between two symbols: Na, K-ATPase."""
_NUMBERS: Final = rf"(?!\d)(?:, |{_GAP})"
"""Two numbers are never one, and a comma between them may have a blank: 1, 25-."""
_GENITIVE: Final = "(?:'s|')?"
"""Lucene drops it too."""
_GENITIVES: Final = re.compile(r"(?<=[^\W\d_])'s(?![^\W_])")

_NOT_NEGATIVE: Final = r"(?!\(-\)|- )"
"""CD4+ cells are no CD4- cells."""
_ION: Final = re.compile(r"([A-Z][a-z]?) ?\(?([2-4]?) ?([+-])\)?")
"""Capitals and sign belong to it: Mg2+ is no "mg 2"."""

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


def _anywhere(part: str) -> re.Pattern[str]:
    return re.compile(part.replace("^", r"(?<![^\W_])"), re.IGNORECASE)


_INNER: Final = [
    (_anywhere(british), _anywhere(new), new.strip("^"))
    for british, new in _BRITISH
    if "$" not in british and british != "isation"  # "raise" is as it is, whatever "exercise" is
]

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


def _folds() -> dict[int, str]:
    """Return the plain form of characters: a letter without its accent, a plain hyphen."""
    folds = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-") | dict.fromkeys(map(ord, "’‘‛′´`ʹʼ"), "'")
    for code in (*range(0xA0, 0x250), *range(0x1E00, 0x1F00), *range(0x2000, 0x2100)):
        plain = unicodedata.normalize("NFKD", chr(code))[:1]
        kind = unicodedata.category(chr(code))
        if kind in ("Zs", "No"):
            folds[code] = " "
        elif kind in ("Lu", "Ll") and plain.isascii() and plain.isalpha():
            folds[code] = plain
    return folds | {ord("ø"): "o", ord("Ø"): "O", ord("ł"): "l", ord("Ł"): "L"}


_FOLDS: Final = _folds() | dict.fromkeys(map(ord, "\t\n\r"), " ")


def fold(text: str) -> str:
    """Return a text as names are compared, of the same length: no accents, plain marks."""
    return text.translate(_FOLDS)


def american(text: str, like: str) -> str:
    """Return a text with the words American that have the British part of a word of another text.

    "diarrhoea" is "diarrhea" where the other has either; other words stay as they are.
    """
    for british, new in _respelt(like):
        text = british.sub(new, text)
    return text


@lru_cache(maxsize=100)
def _respelt(like: str) -> list[tuple[re.Pattern[str], str]]:
    """Return which British parts of words are to be replaced, each with what replaces it."""
    return [(b, new) for b, a, new in _INNER if b.search(like) or a.search(like)]


@lru_cache(maxsize=10_000)
def pieces(name: str) -> tuple[str, ...]:
    """Return the pieces of a name; empty if it has neither letter nor digit.

    Examples
    --------
    >>> pieces("NF-κB"), pieces("nfkappab"), pieces("Tumour 2A")
    (('nf', 'kappa', 'b'), ('nf', 'kappa', 'b'), ('tumor', '2', 'a'))
    """
    plain = _GENITIVES.sub("", fold(name))
    lower = _KAPPA.sub(r"\1\2kappa", _CAMEL.sub(" ", plain).lower())
    folded = (_NAMES.get(piece, piece) for piece in _PIECE.findall(lower))
    split = chain.from_iterable(_INSIDE.split(piece) for piece in folded)
    return tuple(_american(piece) for piece in split if piece)


def normal_form(name: str) -> str:
    """Return the pieces of a name as one word: names are one if theirs are equal."""
    return "".join(pieces(name))


def spellings(name: str) -> list[list[str]]:
    """Return the ways to write each piece of a name."""
    parts = pieces(name)
    return [list(_spellings(piece, n == len(parts) - 1)) for n, piece in enumerate(parts)]


def is_common(name: str) -> bool:
    """Tell whether a name is a single character, or words of any sentence, in small letters."""
    parts = pieces(name)
    if len(parts) == 1 and len(parts[0]) == 1:
        return name.strip().rstrip("+-) ") == name.strip()  # K+ is an ion
    return name[1:] == name[1:].lower() and all(map(default_stopwords().__contains__, parts))


@lru_cache(maxsize=1000)
def expression(name: str) -> re.Pattern[str]:
    """Compile the pattern that finds a name in a folded text in all its writings.

    Capitals count in names of up to two letters; of those of three, small letters that are an
    English word are no mention, unless the name is given so. A plural is taken.
    """
    parts = pieces(name)
    plain = fold(name).strip()
    joined = "".join(parts)
    if joined.isalpha() and len(joined) <= _SHORT and plain.isalpha():
        return _compiled("|".join(_capitals(plain, joined)), 0)
    itself = re.sub(r"^[\W_]+|[\W_]+$", "", plain)
    if ion := _ION.fullmatch(plain):
        element, charge, sign = ion.groups()
        charged = rf" ?\(?{charge}" if charge else ""
        return _compiled(rf"{element}{charged}(?= ?\(?[{sign}])", 0)
    written = []
    for n, forms in enumerate(spellings(name)):
        if n:
            positive = re.search(rf"{parts[n - 1]}\(?\+", plain.lower())
            written.append(_NOT_NEGATIVE if positive else "")
            written.append(_joint(parts[n - 1], parts[n]))
        written.append(f"(?:{'|'.join(map(re.escape, forms))})")
    literal = r"\ +".join(map(re.escape, itself.split()))
    return _compiled(f"{''.join(written)}|{literal}", re.IGNORECASE)


def _joint(one: str, other: str) -> str:
    if one[-1].isdigit() and other[0].isdigit():
        return _NUMBERS
    if len(one) < _SHORT and len(other) < _SHORT:
        return _GENITIVE + _LIST
    return _GENITIVE + (_INITIAL if len(one) == 1 else _GAP)


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
        plain = fold(text)
        spans = {_closed(text, m.span()) for e in self._expressions for m in e.finditer(plain)}
        mentions: list[Span] = []
        for span in sorted(spans, key=lambda s: (s[0], -s[1])):
            if not mentions or span[0] >= mentions[-1][1]:
                mentions.append(span)
        return mentions

    def is_name(self, text: str) -> bool:
        """Tell whether a text is one of the names."""
        return any(expression.fullmatch(fold(text)) for expression in self._expressions)


def _compiled(body: str, flags: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{body})(?![^\W_])", flags)


@lru_cache(maxsize=10_000)
def _american(piece: str) -> str:
    if not _ANY_BRITISH.search(piece):
        return piece
    for british, american in _BRITISH:
        piece = re.sub(british, american.strip("^$"), piece)
    return piece


@lru_cache(maxsize=10_000)
def _spellings(piece: str, last: bool) -> tuple[str, ...]:
    """Return a piece as it may be written, the last one of a name also in the other number."""
    if piece in _SIGNS:
        return (piece, *_SIGNS[piece])
    forms = dict.fromkeys(_numbers(piece) if last and len(piece) >= _SHORT else [piece])
    if not last and piece.isalpha() and len(piece) > _SHORT and not piece.endswith("s"):
        forms[f"{piece}s"] = None  # Alzheimers disease
    for british, american in _BRITISH:
        for form in list(forms):
            forms |= dict.fromkeys([re.sub(american, british.strip("^$"), form)])
    return tuple(forms)


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
    for form in singular:
        if form.endswith("sis"):
            plural.append(f"{form[:-2]}es")
        elif form.endswith("y") and form[-2:-1] not in "aeiou":
            plural.append(f"{form[:-1]}ies")
        else:
            plural.append(f"{form}es" if form.endswith(("s", "x", "z", "ch", "sh")) else f"{form}s")
    return [*singular, *plural]


def _capitals(name: str, lower: str) -> list[str]:
    """Return the writings of a name of few letters, which small letters may make another word."""
    letters = "".join(filter(str.isalpha, name))
    if len(lower) < _SHORT:
        forms = [letters, lower.upper()] if letters == lower else [letters]
        return list(dict.fromkeys(forms))
    forms = [letters, lower.upper()]
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


FOLDER: Final = "synonyms"
MESH: Final = "mesh.tsv"
"""The preferred term of a concept, and another of its terms."""
TREES: Final = "mesh-trees.tsv"
"""A heading, and one of its places in MeSH's trees."""
_ABOVE: Final = 3
"""Folders in which `beside` looks: the index's own, and two above it (``indexes/mine``)."""


def read_synonyms(*paths: str | Path) -> dict[str, list[str]]:
    """Read files of synonyms: a name, a tab, another name of the same thing; ``#`` is a comment.

    Raises
    ------
    InputError
        If a line is not so; with the line.
    """
    groups: dict[str, dict[str, str]] = {}
    for path in paths:
        for names in read_names(path, 2):
            keyed = [(normal_form(name), name) for name in names]
            one, other = (groups.setdefault(key, {key: name}) for key, name in keyed)
            if one is not other:
                one.update(other)
                groups.update(dict.fromkeys(other, one))
    return {key: list(group.values()) for key, group in groups.items()}


def read_names(path: str | Path, columns: int) -> list[tuple[str, ...]]:
    """Read names, so many on a line with tabs between them; ``#`` starts a comment line.

    Raises
    ------
    InputError
        If a line has another number of columns, or a name without letter or digit; with the line.
    """
    rows = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            names = tuple(name.strip() for name in line.rstrip("\n").split("\t"))
            if len(names) != columns or not all(map(normal_form, names)):
                form = "NAME, a tab, NAME" if columns > 1 else "NAME"
                raise InputError(
                    "these are no names" if columns > 1 else "this is no name",
                    where=f"{path}:{number}",
                    fix=f"a line is {form}",
                )
            rows.append(names)
    if not rows:
        raise InputError("there are no names in this file", where=path)
    return rows


class Trees:
    """The places of headings in MeSH's trees: ``C08.381`` stands below ``C08``.

    Parameters
    ----------
    places : iterable of (str, str)
        A heading, and one of its places.
    """

    def __init__(self, places: Iterable[tuple[str, str]]) -> None:
        self._of: dict[str, list[str]] = {}
        self._at: dict[str, str] = {}
        for heading, place in places:
            self._of.setdefault(heading.casefold(), []).append(place)
            self._at[place] = heading
        self._below: dict[str, list[str]] = {}
        for place in self._at:
            self._below.setdefault(place.rpartition(".")[0], []).append(place)

    def places(self, heading: str) -> list[str]:
        """Return the places of a heading; none of one that the trees have not."""
        return self._of.get(heading.casefold(), [])

    def narrower(self, heading: str) -> list[str]:
        """Return all headings below one, each once; none below one that the trees have not."""
        pending = list(self._of.get(heading.casefold(), ()))
        below: dict[str, None] = {}
        while pending:
            for place in self._below.get(pending.pop(), ()):
                below[self._at[place]] = None
                pending.append(place)
        return sorted(name for name in below if name.casefold() != heading.casefold())


def beside(index: Path, name: str) -> Path | None:
    """Find a file of the folder ``synonyms`` in an index's folder or the two above it, or None.

    Parameters
    ----------
    index : Path
    name : str
        `MESH` or `TREES`.
    """
    folder = index.absolute()
    above = (folder, *folder.parents)[:_ABOVE]
    paths = (parent / FOLDER / name for parent in above)
    return next((path for path in paths if path.is_file()), None)


def synonyms_beside(index: Path) -> dict[str, list[str]]:
    """Return the entry terms of MeSH beside an index, as `read_synonyms` does, if there are any."""
    path = beside(index, MESH)
    return _synonyms(path, path.stat().st_mtime_ns) if path else {}


def trees_beside(index: Path) -> Trees:
    """Return MeSH's trees beside an index; empty ones if there are none."""
    path = beside(index, TREES)
    return _trees(path, path.stat().st_mtime_ns) if path else Trees(())


@lru_cache(maxsize=2)
def _synonyms(path: Path, _changed: int) -> dict[str, list[str]]:
    return read_synonyms(path)


@lru_cache(maxsize=2)
def _trees(path: Path, _changed: int) -> Trees:
    return Trees((heading, place) for heading, place in read_names(path, 2))
