"""Search strategies as reviewers write them: a set of documents, by operators, phrases and tags.

::

    ("cystic fibrosis"[tiab] OR mucoviscid*) AND infection NEAR/5 lung NOT mice[mh] AND 2010[dp]

Operators are in capitals, and are taken from left to right, as PubMed does; parentheses come first;
words side by side are joined by AND. A star stands for any end of a word. A tag after several words
takes them together; a word without one is looked for in all text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from relsent_ir.errors import StrategyError

TERMS: Final = 5_000
"""Terms of a strategy."""
DEPTH: Final = 100
"""Parentheses in parentheses, and changes of the operator within them."""
NEAR: Final = 10
"""The distance of NEAR, if it has no number."""

_TOKEN: Final = re.compile(
    r"""\s*(?: (?P<quote>["“”]) | (?P<paren>[()]) | \[(?P<tag>[^\[\]]*)\] | (?P<bracket>[\[\]])
    | (?P<word>[^\s()\[\]"“”]+) )""",
    re.VERBOSE,
)
_QUOTED: Final = re.compile(r'[^"“”]*')
_NEAR: Final = re.compile(r"NEAR(?:/([0-9]{1,3}))?")
_YEAR: Final = re.compile(r"([0-9]{4})(?:/[0-9]{1,2}){0,2}")
_DOI: Final = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.[0-9]{4,9}/\S+)", re.IGNORECASE
)
_PMID: Final = re.compile(r"PMID:? ?([0-9]{1,9})", re.IGNORECASE)
_DOI_TAG: Final = re.compile(r"\[(?:doi|aid|lid)\]$", re.IGNORECASE)
_LINES: Final = "lines of a strategy are not numbered here: put the lines themselves in parentheses"
_FOREIGN: Final = [
    (re.compile(rf"\A(?:{pattern})\Z", re.IGNORECASE), advice)
    for pattern, advice in (
        (r"#[0-9]+|(?:or|and)/[0-9]+(?:-[0-9]+)?", _LINES),
        (r"adj[0-9]{0,2}", "Ovid's syntax: adj3 is NEAR/2 here"),
        (
            r"(?:(?:near|next)/?|[nw]/)[0-9]{1,2}",
            "near words are joined by NEAR/2 here, in capitals",
        ),
        (r"[^/.$]+/(?:\.)?", "Ovid's syntax: a heading is asthma[mh] here"),
        (r"\.[a-z]{2}(?:,[a-z]{2})*\.?", "Ovid's syntax: fields are as [tiab] here"),
        (r"[^.$]*\.(?:ti|ab|tw|mp|kw|kf|af|sh|hw|pt)(?:,[a-z]{2})*\.", "Ovid's syntax: [tiab]"),
        (r"[\w-]+\$[0-9]*(?:\.[a-z,]+\.?)?", "a star truncates here: random*"),
        (r"[^\W\d_]+[?#][^\W\d_]\S*", "there is no wildcard within a word: join its forms by OR"),
    )
]
"""Words of other programs' strategies, which would be searched as words, and what to write."""
_SYNTAX: Final = re.compile(r"\S (?:AND|OR|NOT) \S|\w\*(?:\s|$)")
_PHRASE: Final = re.compile(r'"[^"][^" ]* [^"]+"')
_TAGGED: Final = re.compile(r"\[([^\[\]]{2,25})\]")

TEXT: Final = {
    "tw": ("contents",),
    "ti": ("title",),
    "ab": ("abstract",),
    "tiab": ("title", "abstract"),
}
"""The tags of text, with the fields of records."""

HEADINGS: Final = ("mh", "majr", "mh:noexp", "majr:noexp")
"""The tags of MeSH: headings, main ones, and either without those below them in the trees."""

_ALIASES: Final = {
    "tw": "text word|text words|all|all fields|word",
    "ti": "title",
    "ab": "abstract",
    "tiab": "title/abstract|title/abs",
    "mh": "mesh|mesh terms|mesh term",
    "majr": "mesh major topic",
    "mh:noexp": "mesh:noexp|mesh terms:noexp",
    "majr:noexp": "mesh major topic:noexp",
    "au": "author|auth|author name",
    "ta": "journal|jour|source",
    "dp": "pdat|date - publication|publication date|date|year",
    "pt": "publication type|ptyp",
    "la": "language|lang",
    "pmid": "uid|id",
    "doi": "aid|lid|article identifier",
    "own": "field",
}
_REFUSED: Final = {
    "sh": "a qualifier stands behind its heading: asthma/drug therapy[mh]",
    "nm": "substances are in the text of a record: [tw]",
    "ot": "keywords have no field: [tw]",
    "ad": "affiliations are shown and not searched",
    "1au": "the first author has no field: [au]",
    "lastau": "the last author has no field: [au]",
    "sb": "subsets are PubMed's own",
    "filter": "filters are PubMed's own: --year, --publication-type and others are here",
}
"""Tags of PubMed that are not heeded, and why."""
TAGS: Final = {name: tag for tag, others in _ALIASES.items() for name in (tag, *others.split("|"))}
"""The tags, and their other names in PubMed."""


@dataclass(frozen=True)
class Term:
    """A term of a strategy.

    Attributes
    ----------
    text : str
        As written, without quotes, star and tag.
    tag : str
        Out of `TAGS`' values.
    start : int
        Its place in the strategy.
    cut : bool
        Whether it is truncated.
    near : tuple of str
        Texts that are to be near each other; empty for other terms.
    distance : int
        The words that may stand between, or -1.
    """

    text: str
    tag: str
    start: int
    cut: bool = False
    near: tuple[str, ...] = ()
    distance: int = -1

    def __str__(self) -> str:
        text = f" NEAR/{self.distance} ".join(self.near) if self.near else self.text
        return f"{text}{'*' * self.cut} [{self.tag}]"


@dataclass(frozen=True)
class Joined:
    """Parts that one operator joins; of NOT two, the second of which is taken away."""

    operator: str
    parts: "tuple[Term | Joined, ...]"


Node = Term | Joined


def looks_like_strategy(text: str, *, quoted: bool = True) -> bool:
    """Tell whether a text seems to be written as a strategy: operators, tags, stars.

    So do quoted phrases, if `quoted`; topics have some that quote.
    """
    tags = (" ".join(tag.casefold().split()) for tag in _TAGGED.findall(text))
    phrase = quoted and _PHRASE.search(text)
    return bool(phrase or _SYNTAX.search(text)) or any(tag in TAGS for tag in tags)


def is_doi(text: str) -> bool:
    """Tell whether a text is a DOI, or its address, and nothing else."""
    return _DOI.fullmatch(text.strip()) is not None


def parse(text: str) -> Node:
    """Read a strategy.

    Raises
    ------
    StrategyError
        Where it is wrong: it points at the place.
    """
    alone = _DOI_TAG.sub("", text.strip())
    for tag, pattern in (("doi", _DOI), ("pmid", _PMID)):
        if match := pattern.fullmatch(alone):
            return Term(match[1], tag, text.index(alone))
    return _Parser(text).parse()


class _Parser:
    """A reader of one strategy, from left to right, parentheses on a stack of its own."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.terms = 0
        self.numbers = 0
        self.tagged = bool(_TAGGED.search(text))

    def error(self, problem: str, place: int) -> StrategyError:
        return StrategyError(problem, self.text, place)

    def parse(self) -> Node:
        opened: list[tuple[int, _Group]] = []
        group = _Group(self)
        tokens = list(self._tokens())
        place = 0
        while place < len(tokens):
            kind, value, start = tokens[place]
            place += 1
            if kind == "(":
                if len(opened) >= DEPTH:
                    raise self.error(f"more than {DEPTH} parentheses in each other", start)
                opened.append((start, group))
                group = _Group(self)
            elif kind == ")":
                if not opened:
                    raise self.error("nothing is open that this parenthesis closes", start)
                if not group.parts and not group.operator:
                    raise self.error("nothing between the parentheses", start)
                inner = group.node(start)
                start, group = opened.pop()
                group.add(inner, start)
            elif kind == "operator":
                group.join(value, start)
            elif kind == "near":
                group.approach(int(value), start)
            elif kind == "range":
                group.reach(start)
            else:
                place = self._operand(tokens, place - 1, group)
        if opened:
            raise self.error("a parenthesis is not closed", opened[-1][0])
        if not group.parts and not group.operator:
            raise self.error("the query is empty", 0)
        if self.terms == self.numbers > 1:
            raise self.error(_LINES, 0)
        return group.node(len(self.text))

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        place = 0
        while match := _TOKEN.match(self.text, place):
            start, place = match.start(match.lastgroup or 0), match.end()
            if match.lastgroup == "quote":
                inner = _QUOTED.match(self.text, place)
                assert inner
                if inner.end() == len(self.text):
                    raise self.error("a quotation mark is not closed", start)
                if not inner[0].strip("* \t\n"):
                    raise self.error("an empty phrase", start)
                place = inner.end() + 1
                yield "phrase", inner[0].strip(), start
            elif match.lastgroup == "paren":
                yield match["paren"], "", start
            elif match.lastgroup == "tag":
                yield "tag", match["tag"], start - 1
            elif match.lastgroup == "bracket":
                raise self.error("a bracket that belongs to no tag", start)
            else:
                word = match["word"]
                near = _NEAR.fullmatch(word)
                if word in ("AND", "OR", "NOT"):
                    yield "operator", word, start
                elif near:
                    yield "near", near[1] or str(NEAR), start
                elif word == ":":
                    yield "range", "", start
                elif word.upper() in ("AND", "OR", "NOT"):
                    if not self.tagged and word.upper() != "AND":
                        fix = f'write {word.upper()}, or "{word}" for the word'
                        raise self.error(f"{word} is an operator in capitals: {fix}", start)
                    yield "operator", word.upper(), start
                else:
                    yield "word", word, start

    def _operand(self, tokens: Sequence[tuple[str, str, int]], place: int, group: "_Group") -> int:
        """Read words or a phrase, and the tag behind them; returns the place of what follows."""
        kind, value, start = tokens[place]
        if kind == "tag":
            raise self.error("a tag stands behind the term that it is of", start)
        if kind == "phrase":
            end = place + 1
            words = [(value, start)]
        else:
            end = place
            while end < len(tokens) and tokens[end][0] == "word":
                end += 1
            words = [(word, at) for _, word, at in tokens[place:end]]
        if end < len(tokens) and tokens[end][0] == "tag":
            tag, distance = self._tag(*tokens[end][1:])
            group.add(self._term(" ".join(word for word, _ in words), tag, start, distance), start)
            return end + 1
        for word, at in words:
            doi = _DOI.fullmatch(word) if kind == "word" else None
            if kind == "word" and not doi:
                advice = next((fix for pattern, fix in _FOREIGN if pattern.match(word)), "")
                if advice:
                    raise self.error(advice, at)
                self.numbers += word.isascii() and word.isdecimal() and len(word) < 4
            term = self._term(doi[1], "doi", at) if doi else self._term(word, "tw", at)
            group.add(term, at)
        return end

    def _tag(self, name: str, start: int) -> tuple[str, int]:
        plain, _, more = " ".join(name.casefold().replace(":", " : ").split()).partition(" : ~")
        plain, more = plain.replace(" : ", ":"), more.replace(" : ", ":")
        if plain in _REFUSED:
            raise self.error(f"[{name}] is not heeded: {_REFUSED[plain]}", start)
        if plain not in TAGS:
            close = get_close_matches(plain, TAGS, 1, 0.5)
            advice = f"did you mean [{close[0]}]?" if close else f"there are {', '.join(_ALIASES)}"
            raise self.error(f"there is no tag [{name}]: {advice}", start)
        if more and not (more.isascii() and more.isdecimal() and len(more) < 4):
            raise self.error(f"the distance ~{more} is no number below 1,000", start)
        if more and TAGS[plain] not in TEXT:
            raise self.error(f"[{plain}] has no distance between words", start)
        return TAGS[plain], int(more) if more else -1

    def _term(self, text: str, tag: str, start: int, distance: int = -1) -> Term:
        self.terms += 1
        if self.terms > TERMS:
            raise self.error(f"more than {TERMS:,} terms", start)
        cut = text.endswith("*")
        bare = text.rstrip("*").strip()
        if "*" in bare or not bare:
            raise self.error("a star stands at the end of a word that has letters", start)
        if tag == "dp" and (cut or not all(map(_YEAR.fullmatch, bare.split(":", 1)))):
            raise self.error(f"{text} is no year: 2010, 2010:2020 or 2010/01/31", start)
        if distance >= 0:
            words = tuple(bare.split())
            if cut or len(words) < 2:
                raise self.error("a distance is between whole words, two or more", start)
            return Term(bare, tag, start, near=words, distance=distance)
        return Term(bare, tag, start, cut)


class _Group:
    """The parts between two parentheses."""

    def __init__(self, parser: _Parser) -> None:
        self.parser = parser
        self.parts: list[tuple[str, Node, int]] = []
        self.operator = ""
        self._near = -1
        self._range = False
        self._at = 0

    def join(self, operator: str, start: int) -> None:
        """Take an operator."""
        if self.operator == "AND" and operator == "NOT":
            self.operator = operator
            return
        if not self.parts:
            problem = f"{operator} has nothing before it"
            if operator == "NOT":
                problem = "only NOT: say from what it is to be taken"
            raise self.parser.error(problem, start)
        if self.operator or self._near >= 0 or self._range:
            raise self.parser.error(f"{operator} follows another operator", start)
        self.operator, self._at = operator, start

    def approach(self, distance: int, start: int) -> None:
        """Take NEAR."""
        if not self.parts or self.operator or self._near >= 0:
            raise self.parser.error("NEAR stands between two terms", start)
        self._near, self._at = distance, start

    def reach(self, start: int) -> None:
        """Take the colon between two dates."""
        if not self.parts or self.operator:
            raise self.parser.error("a colon stands between two dates", start)
        self._range, self._at = True, start

    def add(self, node: Node, start: int) -> None:
        """Take a term, or the node of a group in parentheses."""
        if self._near >= 0 or self._range:
            operator, before, place = self.parts.pop()
            joined = self._joined(before, node)
            if joined is None:
                problem = "a colon stands between two dates"
                if self._near >= 0:
                    problem = "NEAR stands between words or phrases with the same tag of text"
                raise self.parser.error(problem, self._at)
            self.parts.append((operator, joined, place))
            self._near, self._range = -1, False
            return
        self.parts.append((self.operator or "AND", node, start))
        self.operator = ""

    def _joined(self, before: Node, after: Node) -> Term | None:
        """Join two terms, or return None if they cannot be."""
        if not isinstance(before, Term) or not isinstance(after, Term):
            return None
        if self._range:
            both = before.tag in ("dp", "tw") and after.tag == "dp" and before.distance < 0
            first, last = _YEAR.fullmatch(before.text), _YEAR.fullmatch(after.text)
            if not (both and first and last):
                return None
            return Term(f"{first[1]}:{last[1]}", "dp", before.start)
        tag = after.tag if before.tag == "tw" and not before.near else before.tag
        if tag not in TEXT or after.tag != tag or before.cut or after.cut or after.near:
            return None
        if before.near and before.distance != self._near:
            return None
        parts = (*(before.near or (before.text,)), after.text)
        return Term(before.text, tag, before.start, near=parts, distance=self._near)

    def node(self, end: int) -> Node:
        """Join the parts, from left to right."""
        if self.operator or self._near >= 0 or self._range:
            raise self.parser.error("an operator has nothing behind it", min(self._at, end))
        node = self.parts[0][1]
        changes = 0
        for operator, part, start in self.parts[1:]:
            if isinstance(node, Joined) and node.operator == operator != "NOT" and changes:
                node = Joined(operator, (*node.parts, part))
                continue
            changes += 1
            if changes > DEPTH:
                problem = f"more than {DEPTH} changes between operators: use parentheses"
                raise self.parser.error(problem, start)
            node = Joined(operator, (node, part))
        return node


def positive_text(node: Node) -> str:
    """Return the words that hits are ranked by: those of text and headings, but not behind NOT."""
    words: list[str] = []
    pending: list[Node] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, Joined):
            searched = part.parts[:1] if part.operator == "NOT" else part.parts
            pending.extend(reversed(searched))
        elif part.tag in TEXT or part.tag in HEADINGS:
            words += part.near or (part.text.replace("/", " "),)
    return " ".join(dict.fromkeys(words))
