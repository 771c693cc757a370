"""Names of entities in texts, with one normal form for all spellings of a name.

The normal form is a sequence of pieces: lower case, numbers separated from letters, Greek letters
spelled out, American spelling, no accents. Two spellings with the same pieces, however joined, are
one name: TNF-alpha, TNFα and tnf alpha; IL-2, IL2 and IL(2); Na,K-ATPase and Na(+)/K(+)-ATPase;
Crohn's and Crohn disease; tumour and tumor. Matching, retrieval and highlighting all use it.

Files of names contain synonyms, lists, or the trees of MeSH headings: ``relsent-ir fetch mesh``
writes these to a folder ``synonyms``; searches read the files beside an index.
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
"""Greek letters that also occur inside words (NFkappaB); splitting "alphabet" is harmless."""

_LETTER: Final = "".join(sign for sign in _NAMES if len(sign) == 1)
_PIECE: Final = re.compile(rf"[{_LETTER}]|[^\W\d_{_LETTER}]+|\d+")
_CAMEL: Final = re.compile(
    r"(?<=[a-z])(?=[A-Z])|(?<=\b[A-Z])(?=[A-Z]{3,4}\b)|(?<=\b[A-Z]{2})(?=[A-Z]\d[A-Z]\b)"
)
"""Places where a capital may start a new piece: HbA, KRAS, HBA1C."""

_KAPPA: Final = re.compile(r"(?<![^\W_])(n\W?f|i)(\W?)k(?=\W?b(?![^\W_]))")
"""Places where k abbreviates kappa: NF-kB, IkB."""

_GAP: Final = r"(?:[)\]'+]| ?\([+-]\))*(?: ?[-/(\[+] ?[-+]? ?|[.,:]|,-| )?\(?"
"""What may join two pieces, but not what separates words, as a comma or dot and a blank do."""
_INITIAL: Final = rf"(?:\. |{_GAP})"
"""The joint after a letter, which may be a dot and a blank: E. coli."""
_LIST: Final = rf"(?:[.,] |{_GAP})"
"""The joint of two symbols, which may be a comma and a blank: Na, K-ATPase."""
_NUMBERS: Final = rf"(?!\d)(?:, |{_GAP})"
"""The joint of two numbers, which is never empty and may be a comma and a blank: 1, 25-."""
_GENITIVE: Final = "(?:'s|')?"
"""An optional genitive, which Lucene also removes."""
_GENITIVES: Final = re.compile(r"(?<=[^\W\d_])'s(?![^\W_])")

_NOT_NEGATIVE: Final = r"(?!\(-\)|- )"
"""The name of CD4+ cells must not match CD4- cells."""
_ION: Final = re.compile(r"([A-Z][a-z]?) ?\(?([2-4]?) ?([+-])\)?")
"""An ion, with its capitals and its sign: Mg2+ is not "mg 2"."""

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
"""Parts of words in British and American spelling; ^ marks the beginning, $ the end."""

_ANY_BRITISH: Final = re.compile("|".join(british for british, _ in _BRITISH))


def _anywhere(part: str) -> re.Pattern[str]:
    return re.compile(part.replace("^", r"(?<![^\W_])"), re.IGNORECASE)


_INNER: Final = [
    (_anywhere(british), _anywhere(new), new.strip("^"))
    for british, new in _BRITISH
    if "$" not in british and british != "isation"  # or "raise" would change because of "exercise"
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
"""Words of up to three letters that, in lower case, are not symbols."""


def _folds() -> dict[int, str]:
    """Return the plain form of characters: letters without accents, plain hyphens."""
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
    """Return a text in the form in which names are compared, at the same length."""
    return text.translate(_FOLDS)


def american(text: str, like: str) -> str:
    """Return a text with American spellings of words whose British part occurs in another text.

    "diarrhoea" becomes "diarrhea" if the other text has either; other words do not change.
    """
    for british, new in _respelt(like):
        text = british.sub(new, text)
    return text


@lru_cache(maxsize=100)
def _respelt(like: str) -> list[tuple[re.Pattern[str], str]]:
    """Return patterns for the British parts of words to replace, each with its replacement."""
    return [(b, new) for b, a, new in _INNER if b.search(like) or a.search(like)]


@lru_cache(maxsize=10_000)
def pieces(name: str) -> tuple[str, ...]:
    """Return the pieces of a name; empty if it has no letter or digit.

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
    """Return the pieces of a name joined to one word: equal words are the same name."""
    return "".join(pieces(name))


def spellings(name: str) -> list[list[str]]:
    """Return the possible spellings of each piece of a name."""
    parts = pieces(name)
    return [list(_spellings(piece, n == len(parts) - 1)) for n, piece in enumerate(parts)]


def is_common(name: str) -> bool:
    """Return whether a name is a single character, or consists of common words in lower case."""
    parts = pieces(name)
    if len(parts) == 1 and len(parts[0]) == 1:
        return name.strip().rstrip("+-) ") == name.strip()  # the sign of an ion, as in K+
    return name[1:] == name[1:].lower() and all(map(default_stopwords().__contains__, parts))


@lru_cache(maxsize=1000)
def expression(name: str) -> re.Pattern[str]:
    """Compile the pattern that finds all spellings of a name in a folded text.

    Names of up to two letters are case-sensitive; for names of three letters, a lower-case English
    word matches only if the name is given in lower case. Plurals match.
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
    """Find the mentions of an entity in texts, in any spelling.

    Parameters
    ----------
    names : sequence of str
        The names of one entity; each has a letter or digit.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._expressions = [expression(name) for name in names]

    def find(self, text: str) -> list[Span]:
        """Return the places of all mentions, in order; of overlapping ones the longest."""
        plain = fold(text)
        spans = {_closed(text, m.span()) for e in self._expressions for m in e.finditer(plain)}
        mentions: list[Span] = []
        for span in sorted(spans, key=lambda s: (s[0], -s[1])):
            if not mentions or span[0] >= mentions[-1][1]:
                mentions.append(span)
        return mentions

    def is_name(self, text: str) -> bool:
        """Return whether a text is one of the names."""
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
    """Return the spellings of a piece; the last piece of a name also in the other number."""
    if piece in _SIGNS:
        return (piece, *_SIGNS[piece])
    forms = dict.fromkeys(_numbers(piece) if last and len(piece) >= _SHORT else [piece])
    if not last and piece.isalpha() and len(piece) > _SHORT and not piece.endswith("s"):
        forms[f"{piece}s"] = None  # as in Alzheimers disease
    for british, american in _BRITISH:
        for form in list(forms):
            forms |= dict.fromkeys([re.sub(american, british.strip("^$"), form)])
    return tuple(forms)


def _numbers(word: str) -> list[str]:
    """Return the possible singulars of a word, and their plurals."""
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
    """Return the spellings of a short name, whose letters may form another word in lower case."""
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
    """Extend a mention by the closing bracket of one that opens in it: HbA(1c)."""
    start, end = span
    inside = text[start:end]
    if text[end : end + 1] in (")", "]") and sum(map(inside.count, "([")) > sum(
        map(inside.count, ")]")
    ):
        return start, end + 1
    return span


FOLDER: Final = "synonyms"
MESH: Final = "mesh.tsv"
"""A file of pairs: the preferred term of a concept, and another term."""
TREES: Final = "mesh-trees.tsv"
"""A file of pairs: a heading, and one of its places in MeSH's trees."""
_ABOVE: Final = 3
"""Number of folders that `beside` searches: the index's and two above it (``indexes/mine``)."""


def read_synonyms(*paths: str | Path) -> dict[str, list[str]]:
    """Read files of synonyms: a name, a tab and a synonym on a line; ``#`` starts a comment.

    Raises
    ------
    InputError
        If a line has another form; the error names the line.
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
    """Read lines with a fixed number of names, separated by tabs; ``#`` starts a comment line.

    Raises
    ------
    InputError
        If a line has another number of names, or a name has no letter or digit.
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
    """The places of headings in MeSH's trees: ``C08.381`` is below ``C08``.

    Parameters
    ----------
    places : iterable of (str, str)
        Pairs of a heading and one of its places.
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
        """Return the places of a heading; none if it is not in the trees."""
        return self._of.get(heading.casefold(), [])

    def narrower(self, heading: str) -> list[str]:
        """Return all headings below a heading, each once; none if it is not in the trees."""
        pending = list(self._of.get(heading.casefold(), ()))
        below: dict[str, None] = {}
        while pending:
            for place in self._below.get(pending.pop(), ()):
                below[self._at[place]] = None
                pending.append(place)
        return sorted(name for name in below if name.casefold() != heading.casefold())


def beside(index: Path, name: str) -> Path | None:
    """Find a file in a folder ``synonyms`` beside an index or up to two folders above; else None.

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
    """Return MeSH's entry terms beside an index, read by `read_synonyms`; empty without a file."""
    path = beside(index, MESH)
    return _synonyms(path, path.stat().st_mtime_ns) if path else {}


def trees_beside(index: Path) -> Trees:
    """Return MeSH's trees beside an index; empty trees without a file."""
    path = beside(index, TREES)
    return _trees(path, path.stat().st_mtime_ns) if path else Trees(())


@lru_cache(maxsize=2)
def _synonyms(path: Path, _changed: int) -> dict[str, list[str]]:
    return read_synonyms(path)


@lru_cache(maxsize=2)
def _trees(path: Path, _changed: int) -> Trees:
    return Trees((heading, place) for heading, place in read_names(path, 2))
