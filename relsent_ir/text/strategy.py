"""Search strategies as reviewers write them: a set of documents by operators, phrases and tags.

::

    ("cystic fibrosis"[tiab] OR mucoviscid*) AND infection NEAR/5 lung NOT mice[mh] AND 2010[dp]

Operators are in capitals and apply from left to right, as in PubMed; parentheses come first;
adjacent words are joined by AND. A star stands for any end of a word. A tag after several words
applies to all of them; a word without a tag is searched in all text. Words with a tag, in quotes,
truncated or near others match as written; other words match in any form.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Final

from relsent_ir.errors import StrategyError
from relsent_ir.files import open_text
from relsent_ir.text.foreign import ForeignParser, is_foreign
from relsent_ir.text.terms import (
    DEPTH,
    HEADINGS,
    TERMS,
    TEXT,
    YEAR,
    Joined,
    Node,
    Term,
    make_term,
    near,
)

NEAR: Final = 10
"""The default distance of NEAR."""

_TOKEN: Final = re.compile(
    r"""\s*(?: (?P<quote>["“”]) | (?P<paren>[()]) | \[(?P<tag>[^\[\]]*)\] | (?P<bracket>[\[\]])
    | (?P<word>[^\s()\[\]"“”]+) )""",
    re.VERBOSE,
)
_QUOTED: Final = re.compile(r'[^"“”]*')
_NEAR: Final = re.compile(r"NEAR(?:/([0-9]{1,3}))?")
_DOI: Final = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.[0-9]{4,9}/\S+)", re.IGNORECASE
)
_PMID: Final = re.compile(r"PMID:? ?([0-9]{1,9})", re.IGNORECASE)
_DOI_TAG: Final = re.compile(r"\[(?:doi|aid|lid)\]$", re.IGNORECASE)
_LINE: Final = re.compile("([#S]?)([0-9]{1,3})")
_LINES_ALONE: Final = re.compile(r"(?:[\s()]|[#S]?[0-9]{1,3}\b|(?:and|or|not)\b)+", re.IGNORECASE)
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
        (r"[^.$]*\.[a-z]{2}(?:,[a-z]{2})*\.", "Ovid's syntax: fields are as [tiab] here"),
        (r"[\w-]+\$[0-9]*(?:\.[a-z,]+\.?)?", "a star truncates here: random*"),
        (
            r"[a-z]{2,4}=.*|title-abs(?:-key)?(?:-auth)?|noft|(?:mj)?mesh\.exact.*"
            r"|(?:title|abstract|ti|ab|tiab|mesh|author|intitle|allintitle|inauthor):.*",
            "another program's syntax: fields are as asthma[tiab] here",
        ),
        (
            r"(?-i:[NW][0-9]{1,2})|(?:w|p|pre)/[0-9]{1,2}",
            'near words are joined by NEAR/2 here; in "quotes" it is a word',
        ),
        (r"[&|+~]+[0-9]*|[+!-]\w.*|\w+\^[0-9.]+|\w+~[0-9.]*", "operators here are AND, OR, NOT"),
        ("hasabstract", "PubMed's own filter is not heeded"),
    )
]
"""Words from other programs' strategies, which would be searched as words, and our syntax."""
_SYNTAX: Final = re.compile(r"\S (?:AND|OR|NOT|&&|\|\|) \S|\w\*(?:\s|$)|[^\W\d_][?#*][^\W\d_]")
_PHRASE: Final = re.compile(r'"[^"][^" ]* [^"]+"')
_TAGGED: Final = re.compile(r"\[([^\[\]]{2,25})\]")
_BEHIND: Final = re.compile(r'[\w"”*)]\[(?![IVX]+\])[A-Za-z][A-Za-z /:-]{1,24}\](?!\w)')
"""What stands as a tag does, known or not; "Fe[III]" and "benzo[ghi]perylene" have none."""

_ALIASES: Final = {
    "tw": "text word|text words|all|all fields|word",
    "ti": "title",
    "ab": "abstract",
    "tiab": "title/abstract|title/abs",
    "mh": "mesh|mesh terms|mesh term",
    "majr": "mesh major topic",
    "mh:noexp": "mesh:noexp|mesh terms:noexp",
    "majr:noexp": "mesh major topic:noexp",
    "sh": "mesh subheading|mesh subheadings|subheading|subheadings",
    "sh:noexp": "mesh subheading:noexp|mesh subheadings:noexp|subheading:noexp|subheadings:noexp",
    "nm": "supplementary concept|substance|substance name|supplementary concept name",
    "ot": "other term|other terms|keyword|keywords",
    "ad": "affiliation",
    "au": "author|authors|auth|author name|cn|corporate author|ir|investigator",
    "1au": "first author|first author name|author - first",
    "lastau": "last author|last author name|author - last",
    "si": "secondary source id",
    "pmcid": "pmc",
    "ta": "journal|jour|source|title abbreviation|full journal title|so",
    "dp": "pdat|date - publication|publication date|date|year|ppdat|epdat",
    "pt": "publication type|publication types|ptyp",
    "la": "language|languages|lang",
    "pmid": "uid|id",
    "doi": "aid|lid|article identifier",
    "own": "field",
}
_REFUSED: Final = {
    name: reason
    for names, reason in (
        ("sb|subset|filter|text", "PubMed's own; --year, --publication-type and others are here"),
        ("edat|entry date|crdt|create date|date - create|date - entry|dcom|date - completion|mhda|"
         "mesh date|date - mesh|lr|modification date|date - modification|completion date",
         "only years of publication are in the index: [dp]"),
        ("fau|full author name|fir|full investigator name|auid|author identifier|ed|editor|ps|"
         "personal name as subject", "names are as in Okafor B[au]"),
        ("rn|ec/rn number|pa|pharmacological action", "substances are in the index by name: [nm]"),
        ("vi|volume|ip|issue|pg|pagination|isbn|jid|nlm unique id|book|pl|place of publication|"
         "pubn|publisher|tt|transliterated title|gr|grants and funding|grant number|cois|"
         "conflict of interest statements|stat|owner|version|mh:exp",
         "it is not in the index"),
    )
    for name in names.split("|")
}  # fmt: skip
"""Tags of PubMed that are not supported, each with the reason."""
TAGS: Final = {name: tag for tag, others in _ALIASES.items() for name in (tag, *others.split("|"))}
"""The tags, and their other names in PubMed."""


def looks_like_strategy(text: str, *, quoted: bool = True) -> bool:
    """Return whether a text seems to be a strategy: it has operators, tags, stars or such marks.

    An unknown tag right behind a word counts too; with `quoted`, so do quoted phrases (some topics
    contain quotations).
    """
    tags = (" ".join(tag.casefold().split()) for tag in _TAGGED.findall(text))
    phrase = quoted and _PHRASE.search(text)
    marked = phrase or _BEHIND.search(text) or _SYNTAX.search(text) or is_foreign(text)
    return bool(marked) or any(tag in TAGS for tag in tags)


def is_doi(text: str) -> bool:
    """Return whether a text is exactly a DOI, or its URL."""
    return _DOI.fullmatch(text.strip()) is not None


def parse(text: str) -> Node:
    """Parse a strategy; if its lines are numbered, the last line.

    Raises
    ------
    StrategyError
        If the strategy is invalid; the error has the place.
    """
    alone = _DOI_TAG.sub("", text.strip())
    for tag, pattern in (("doi", _DOI), ("pmid", _PMID)):
        if match := pattern.fullmatch(alone):
            return Term(match[1], tag, text.index(alone))
    lines = _numbered(text)
    if not lines:
        return _parse_line(text, {}, is_foreign(text))[0]
    foreign = is_foreign(text)
    nodes: dict[int, tuple[Node, int]] = {}
    for number, start, line in lines:
        try:
            nodes[number] = _parse_line(line, nodes, foreign)
        except StrategyError as error:
            problem, _, place = error.args
            raise StrategyError(f"line {number}: {problem}", text, start + place) from error
    return nodes[lines[-1][0]][0]


def read_strategy(text: str) -> str:
    """Return a strategy that is given as its text, or as ``@`` and the name of its file.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    if not text.startswith("@"):
        return text
    with open_text(text[1:]) as file:
        return file.read()


def translated(text: str) -> str:
    """Return the translation of a strategy of numbered lines or of another program; else ""."""
    node = parse(text)
    if isinstance(node, Term) and node.tag in ("doi", "pmid"):
        return ""
    return str(node) if is_foreign(text) or _numbered(text) else ""


def _parse_line(
    text: str, lines: Mapping[int, tuple[Node, int]], foreign: bool
) -> tuple[Node, int]:
    """Parse a line, which may refer to lines above; return its node and its number of terms."""
    parser = _Parser(text, lines)
    tags = (" ".join(tag.casefold().split()) for tag in _TAGGED.findall(text))
    if foreign and not any(tag in TAGS for tag in tags):
        node = ForeignParser(text, parser.line, parser.count, bool(lines)).parse()
    else:
        node = parser.parse()
    return node, parser.terms


_NUMBERED: Final = re.compile(r"[ \t]*+(?:#|S)?([0-9]{1,3})(?:[.):]|[ \t]|(?=\t))[ \t]*+(.*)")
_COUNT: Final = re.compile(r"(?<![ \t])(?:\t|[ \t]{2,}+|[ \t]*+\()[ \t]*+[0-9][0-9,]*+\)?$")
"""The number of hits that Ovid prints after a line."""
_NAMED: Final = re.compile(
    r"#[0-9]|\b(?:or|and)/[0-9]|^[ \t(]*+S?[0-9]{1,3}\)* ++(?:and|or|not)\b", re.I | re.M
)


def _numbered(text: str) -> list[tuple[int, int, str]]:
    """Return numbers, places and texts of numbered lines that refer to each other; else []."""
    lines: list[tuple[int, int, str]] = []
    place, first = 0, True
    for line in text.splitlines(keepends=True):
        match = _NUMBERED.match(line.rstrip())
        if match and (first or int(match[1]) == lines[-1][0] + 1):
            body = _COUNT.sub("", match[2])
            lines.append((int(match[1]), place + match.start(2), body))
        elif line.strip() and not first:
            number, start, above = lines[-1]
            lines[-1] = (number, start, f"{above} {line.strip()}")
        elif line.strip():
            lines = []
            break
        first = first and not line.strip()
        place += len(line)
    if len(lines) > 1:
        return lines
    place, lines = 0, []
    for line in text.splitlines(keepends=True):
        if line.strip():
            lines.append((len(lines) + 1, place, line.strip()))
        place += len(line)
    return lines if len(lines) > 1 and _NAMED.search(text) else []


class _Parser:
    """Parse one strategy from left to right, with a stack for parentheses."""

    def __init__(self, text: str, lines: Mapping[int, tuple[Node, int]]) -> None:
        self.text = text
        self.lines = lines
        self.terms = 0
        self.numbers = 0
        self.names_lines = bool(lines and _LINES_ALONE.fullmatch(text))
        self.heeded = self.names_lines or bool(_TAGGED.search(text))
        self.marked = looks_like_strategy(text, quoted=False)

    def line(self, number: int, place: int) -> Node:
        """Return the node of an earlier line."""
        if number not in self.lines:
            problem = f"there is no line {number} above" if self.lines else _LINES
            raise self.error(problem, place)
        node, terms = self.lines[number]
        self.count(place, terms)
        return node

    def count(self, place: int, terms: int = 1) -> None:
        """Count further terms, and refuse too many."""
        self.terms += terms
        if self.terms > TERMS:
            raise self.error(f"more than {TERMS:,} terms", place)

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
                if word[0] == ":" and len(word) > 1 and self.text[start - 1 : start] in ("]", '"'):
                    word, place = ":", start + 1
                near = _NEAR.fullmatch(word)
                if word in ("AND", "OR", "NOT"):
                    yield "operator", word, start
                elif near:
                    yield "near", near[1] or str(NEAR), start
                elif word == ":":
                    yield "range", "", start
                elif word.upper() in ("AND", "OR", "NOT"):
                    if not self.heeded and word.upper() != "AND":
                        fix = f'write {word.upper()}, or "{word}" for the word'
                        raise self.error(f"{word} is an operator in capitals: {fix}", start)
                    yield "operator", word.upper(), start
                else:
                    yield "word", word, start

    def _operand(self, tokens: Sequence[tuple[str, str, int]], place: int, group: "_Group") -> int:
        """Read words or a phrase and the tag behind them; return the place where they end."""
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
            for word, at in words if kind == "word" and tag in TEXT else ():
                self._refuse_foreign(word, at)
            group.add(self._term(" ".join(word for word, _ in words), tag, start, distance), start)
            return end + 1
        for word, at in words:
            line = _LINE.fullmatch(word) if kind == "word" else None
            if line and (line[1] == "#" or self.names_lines):
                group.add(self.line(int(line[2]), at), at)
                continue
            doi = _DOI.fullmatch(word) if kind == "word" else None
            if kind == "word" and not doi:
                self._refuse_foreign(word, at)
                self.numbers += word.isascii() and word.isdecimal() and len(word) < 4
            term = self._term(doi[1], "doi", at) if doi else self._term(word, "tw", at)
            group.add(replace(term, loose=kind == "word" and not doi and not term.wild), at)
        return end

    def _refuse_foreign(self, word: str, start: int) -> None:
        """Refuse a word that belongs to another program's syntax."""
        advice = next((fix for pattern, fix in _FOREIGN if pattern.match(word)), "")
        if self.marked and word[-1] == "?":
            advice = "Ovid's \"?\" for a letter or none is not heeded: join the word's forms by OR"
        if advice:
            raise self.error(advice, start)

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
        self.count(start)
        return make_term(self.text, text, tag, start, distance)


class _Group:
    """Collect the parts between two parentheses."""

    def __init__(self, parser: _Parser) -> None:
        self.parser = parser
        self.parts: list[tuple[str, Node, int]] = []
        self.operator = ""
        self._near = -1
        self._range = False
        self._at = 0

    def join(self, operator: str, start: int) -> None:
        """Add an operator."""
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
        """Add the operator NEAR."""
        if not self.parts or self.operator or self._near >= 0:
            raise self.parser.error("NEAR stands between two terms", start)
        self._near, self._at = distance, start

    def reach(self, start: int) -> None:
        """Add the colon between two dates."""
        if not self.parts or self.operator:
            raise self.parser.error("a colon stands between two dates", start)
        self._range, self._at = True, start

    def add(self, node: Node, start: int) -> None:
        """Add a term, or the node of a group in parentheses."""
        if self._near >= 0 or self._range:
            operator, before, place = self.parts.pop()
            joined = self._joined(before, node, place)
            if joined is None:
                problem = "a colon stands between two dates"
                if self._near >= 0:
                    problem = "NEAR stands between words, phrases or (some OR others) of one tag"
                raise self.parser.error(problem, self._at)
            self.parts.append((operator, joined, place))
            self._near, self._range = -1, False
            return
        self.parts.append((self.operator or "AND", node, start))
        self.operator = ""

    def _joined(self, before: Node, after: Node, start: int) -> Term | None:
        """Join two terms; return None if they cannot be joined."""
        if self._near >= 0:
            return near(before, after, self._near, start)
        if not isinstance(before, Term) or not isinstance(after, Term):
            return None
        first, last = YEAR.fullmatch(before.text), YEAR.fullmatch(after.text)
        if not first or not last or before.tag not in ("dp", "tw") or after.tag != "dp":
            return None
        return Term(f"{first[1]}:{last[1]}", "dp", start)

    def node(self, end: int) -> Node:
        """Join the parts from left to right."""
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
        if isinstance(node, Joined) and node.depth > 2 * DEPTH:
            raise self.parser.error(f"more than {2 * DEPTH} joined in each other", self.parts[0][2])
        return node


def positive_text(node: Node) -> str:
    """Return the words by which hits are ranked: those of text and headings, except behind NOT."""
    words: list[str] = []
    pending: list[Node] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, Joined):
            searched = part.parts[:1] if part.operator == "NOT" else part.parts
            pending.extend(reversed(searched))
        elif part.near:
            words += (text for texts in part.near for text in texts)
        elif part.tag in TEXT.keys() - {"ad"} or part.tag in HEADINGS:
            words.append(part.text.replace("/", " "))
    return re.sub(r"\*|(?<=\w)\?+(?=\w)", "", " ".join(dict.fromkeys(words)))
