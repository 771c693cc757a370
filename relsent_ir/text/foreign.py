"""Strategies in the syntax of Ovid, Embase.com and Cochrane, read as what PubMed's would say.

::

    (exp Asthma/dt or asthma$.tw.) and (child$ adj3 wheez$).ti,ab.
    'asthma'/exp OR (child* NEAR/3 wheez*):ti,ab

NOT and AND come before OR there. ``adj3`` and ``NEAR/3`` let two words stand between, which is
``NEAR/2`` here; ``adj`` alone makes a phrase. Words without a field are looked for in all text.
"""

import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import Final, NamedTuple

from relsent_ir.errors import StrategyError
from relsent_ir.text.terms import (
    DEPTH,
    Joined,
    Node,
    Term,
    alternatives,
    common_tag,
    make_term,
    near,
)

PHRASES: Final = 200
"""Phrases that ``(a or b) adj (c or d)`` may make."""

_FIELDS: Final = {
    "ti": "ti", "ab": "ab", "tw": "tw", "mp": "tw", "af": "tw", "kw": "ot", "kf": "ot", "ot": "ti",
    "sh": "mh:noexp", "de": "mh:noexp", "fs": "sh", "xs": "sh", "pt": "pt", "it": "pt", "au": "au",
    "jn": "ta", "jw": "ta", "ja": "ta", "jt": "ta", "ta": "ta", "lg": "la", "la": "la", "yr": "dp",
    "py": "dp", "nm": "nm", "rn": "nm", "in": "ad", "ad": "ad", "ui": "pmid", "do": "doi",
}  # fmt: skip
"""Fields of these programs, and the tag that each is here."""

_QUALIFIERS: Final[dict[str, str]] = dict(
    pair.split(" ", 1)
    for pair in """ab abnormalities; ad administration & dosage; ae adverse effects; ag agonists;
    aa analogs & derivatives; an analysis; ah anatomy & histology; ai antagonists & inhibitors;
    bi biosynthesis; bl blood; bs blood supply; cf cerebrospinal fluid; ch chemistry;
    ci chemically induced; cl classification; co complications; cn congenital;
    cs chemical synthesis; ct contraindications; cy cytology; df deficiency;
    dg diagnostic imaging; di diagnosis; dh diet therapy; de drug effects; dt drug therapy;
    ec economics; ed education; em embryology; en enzymology; ep epidemiology; es ethics;
    eh ethnology; et etiology; ge genetics; gd growth & development; hi history; im immunology;
    ip isolation & purification; ir innervation; is instrumentation;
    lj legislation & jurisprudence; me metabolism; mi microbiology; mo mortality; mt methods;
    nu nursing; og organization & administration; pa pathology; pc prevention & control;
    pd pharmacology; ph physiology; pk pharmacokinetics; po poisoning; pp physiopathology;
    ps parasitology; px psychology; py pathogenicity; ra radiography; re radiation effects;
    rh rehabilitation; ri radionuclide imaging; rt radiotherapy; sc secondary;
    sd supply & distribution; se secretion; sn statistics & numerical data; st standards;
    su surgery; sy synthesis; td trends; th therapy; tm transmission; to toxicity;
    tu therapeutic use; tx transplantation; ul ultrastructure; ur urine; us ultrasonography;
    ut utilization; ve veterinary; vi virology""".replace("\n   ", "").split("; ")
)
"""MeSH's qualifiers by their two letters."""

_LANGUAGES: Final = ("english", "german", "french", "spanish", "italian")
_LIMITS: Final = {
    **{name: (name, "la") for name in _LANGUAGES},
    **{f"{name} language": (name, "la") for name in _LANGUAGES},
    **{name: (f"{name.rstrip('s')}s", "mh") for name in ("human", "humans", "animal", "animals")},
    **{
        name.replace("-", " "): (name, "pt")
        for name in (
            *("randomized controlled trial", "controlled clinical trial", "clinical trial"),
            *("review", "systematic review", "meta-analysis", "letter", "editorial", "comment"),
            *("guideline", "practice guideline", "case reports", "observational study"),
            "journal article",
        )
    },
}
"""What ``limit 3 to`` and ``[…]/lim`` may name."""

_CODES: Final = "|".join(_FIELDS)
_LETTERS: Final = "|".join(_QUALIFIERS)
_COMMAS: Final = rf"(?:{_CODES})(?:, ?(?:{_CODES}))*+"
_MARK: Final = re.compile(
    rf"""
    \badj[0-9]{{0,2}}\b | [\w)]\$ | [\w"]/\ *(?:$|[)\n]|\b(?:and|or|not)\b) | ^\ *limit\ [0-9]
    | (?:^|[\s(])(?:or|and)/[0-9] | (?:^|[\s(])exp\ +[*"]?[A-Za-z] | [\w*$")]\.{_COMMAS}(?:\.|\s|$)
    | '/(?:exp|de|mj) | [\w*?$'")]:{_COMMAS}(?![\w:~\]-]) | \]/(?:lim|py) | ^\ *MeSH\ descriptor:
    | [\w"]/(?:{_LETTERS})(?:,\ ?[a-z]{{2}})*(?:$|[\s)])
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_TOKEN: Final = re.compile(
    rf"""
    \s*(?:
    (?P<phrase>"[^"]*"|(?<![\w])'[^']*')
    | (?P<paren>[()])
    | (?P<lines>(?:or|and)/[0-9][0-9,\ -]*)
    | (?P<near>(?:adj|near/?|next/?)(?P<distance>[0-9]{{0,2}})(?![\w/]))
    | (?P<operator>(?:and|or|not)(?![\w/.-]))
    | (?P<exp>exp\s+(?=\S))
    | (?P<field>[.:](?P<codes>{_COMMAS})(?:\.(?!\w)|(?![\w.]))(?:\ *\[mp=[^\]]*\])?)
    | (?P<limit>\[(?P<limited>[^\[\]]*)\]/(?:lim|py))
    | (?P<heading>/(?P<kind>exp/mj|exp|de|mj|(?:{_LETTERS})(?:,\ ?[a-z]{{2}})*)?
        (?![\w])(?:\ *\[[^\]]*\])?)
    | (?P<word>(?:[^\s()"'./:\[\]]|(?<=\w)'(?=\w)
        |[./:](?!(?:{_CODES}|{_LETTERS}|exp|mj)\b|\s|\)|$))+)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_LIMIT: Final = re.compile(r"limit\s+([0-9]{1,3})\s+to\s+(.+)", re.IGNORECASE)
_DESCRIPTOR: Final = re.compile(
    r"MeSH descriptor:\s*\[([^\]]+)\]\s*(explode all trees|this term only)", re.IGNORECASE
)
_YEARS: Final = re.compile(r"(?:yr=)?\W*([0-9]{4})(?:\s*-\s*(current|[0-9]{4}))?\W*", re.IGNORECASE)


def is_foreign(text: str) -> bool:
    """Tell whether a strategy has a mark of these programs."""
    return _MARK.search(text) is not None


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    more: str = ""


def parse_foreign(
    text: str, line: Callable[[int, int], Node], count: Callable[[int], None], numbered: bool
) -> Node:
    """Read a strategy, or a line of one.

    Parameters
    ----------
    text : str
    line : callable
        Gives the node of another line, by its number and the place where it is named.
    count : callable
        Takes the place of each further term.
    numbered : bool
        Whether a number alone is a line.

    Raises
    ------
    StrategyError
        Where it is wrong, or means nothing here.
    """
    return _Reader(text, line, count, numbered).parse()


class _Reader:
    """A reader of one line, by descent."""

    def __init__(
        self,
        text: str,
        line: Callable[[int, int], Node],
        count: Callable[[int], None],
        numbered: bool,
    ) -> None:
        self.text = text
        self.line = line
        self.count = count
        self.numbered = numbered
        self.depth = self.place = 0
        self.tokens: list[_Token] = []

    def error(self, problem: str, start: int) -> StrategyError:
        return StrategyError(problem, self.text, start)

    def parse(self) -> Node:
        bare = self.text.strip()
        if match := _LIMIT.fullmatch(bare):
            start = self.text.index(bare)
            within = self.line(int(match[1]), start)
            return Joined("AND", (within, *self._limits(match[2], start + match.start(2))))
        if match := _DESCRIPTOR.fullmatch(bare):
            tag = "mh" if match[2].lower().startswith("explode") else "mh:noexp"
            return self._term(match[1], tag, self.text.index(bare))
        self.tokens = list(self._tokens())
        node = self._any()
        if self.place < len(self.tokens):
            token = self.tokens[self.place]
            problem = "nothing is open that this parenthesis closes"
            if token.text != ")":
                problem = "a field or a slash stands behind the term that it is of"
            raise self.error(problem, token.start)
        return _spread(node, ("tw",))

    def _tokens(self) -> Iterable[_Token]:
        place, end = 0, len(self.text.rstrip())
        while place < end:
            match = _TOKEN.match(self.text, place)
            if not match or not match.lastgroup:
                raise self.error(
                    "this mark has no meaning here",
                    place + len(self.text[place:]) - len(self.text[place:].lstrip()),
                )
            kind = next(name for name in _KINDS if match[name] is not None)
            more = match[_MORE[kind]] if kind in _MORE else ""
            yield _Token(kind, match[kind], match.start(kind), more or "")
            place = match.end()

    def _kind(self) -> str:
        return self.tokens[self.place].kind if self.place < len(self.tokens) else ""

    def _next(self) -> _Token:
        if self.place >= len(self.tokens):
            raise self.error("an operator has nothing behind it", len(self.text))
        self.place += 1
        return self.tokens[self.place - 1]

    def _operator(self, *names: str) -> str:
        """Take an operator if it is one of these."""
        if self._kind() == "operator" and self.tokens[self.place].text.upper() in names:
            return self._next().text.upper()
        return ""

    def _any(self) -> Node:
        parts = [self._all()]
        while self._operator("OR"):
            parts.append(self._all())
        return Joined("OR", tuple(parts)) if len(parts) > 1 else parts[0]

    def _all(self) -> Node:
        node = self._near()
        while operator := self._operator("AND", "NOT"):
            operator = "NOT" if operator == "NOT" or self._operator("NOT") else "AND"
            other = self._near()
            if isinstance(node, Joined) and operator == node.operator == "AND":
                node = Joined(operator, (*node.parts, other))
            else:
                node = Joined(operator, (node, other))
                if node.depth > DEPTH:
                    raise self.error(f"more than {DEPTH} joined in each other", 0)
        return node

    def _near(self) -> Node:
        node = self._operand()
        while self._kind() == "near":
            token = self._next()
            other = self._operand()
            ordered = token.text.lower().startswith("next")
            if ordered and token.more not in ("", "1"):
                raise self.error(
                    "there is no NEXT with words between: NEAR/2 is in any order", token.start
                )
            joined: Node | None
            if ordered or token.text.lower() == "adj":
                joined = self._phrases(node, other)
            else:
                joined = near(node, other, max(int(token.more or 10) - 1, 0), token.start)
            if joined is None:
                problem = f"{token.text} stands between words, phrases or (some or others)"
                raise self.error(problem, token.start)
            node = joined
        return node

    def _phrases(self, before: Node, after: Node) -> Node | None:
        first, second = alternatives(before), alternatives(after)
        if not first or not second:
            return None
        tag = common_tag(first[1] | second[1])
        if tag is None or len(first[0]) * len(second[0]) > PHRASES:
            return None
        start = self.tokens[self.place - 1].start
        pairs = [Term(f"{a} {b}", tag, start) for a, b in product(first[0], second[0])]
        return Joined("OR", tuple(pairs)) if len(pairs) > 1 else pairs[0]

    def _operand(self) -> Node:
        token = self._next()
        if token.kind == "paren" and token.text == "(":
            self.depth += 1
            if self.depth > DEPTH:
                raise self.error(f"more than {DEPTH} parentheses in each other", token.start)
            node = self._any()
            if self._kind() != "paren":
                raise self.error("a parenthesis is not closed", token.start)
            self.place += 1
            self.depth -= 1
            return self._field(node)
        if token.kind == "lines":
            return self._lines(token)
        if token.kind == "limit":
            parts = self._limits(token.more, token.start)
            return Joined("AND", tuple(parts)) if len(parts) > 1 else parts[0]
        if token.kind == "phrase":
            text = " ".join(token.text[1:-1].replace('"', " ").split())
            if self._kind() == "heading":
                return self._heading(text, token.start, exploded=False)
            return self._field(self._term(text, "", token.start))
        if token.kind == "exp":
            words = []
            while self._kind() not in ("heading", "", "paren"):
                words.append(self._next().text.replace('"', ""))
            if self._kind() != "heading" or not words:
                raise self.error(
                    "exp stands before a heading and its slash: exp Asthma/", token.start
                )
            return self._heading(" ".join(words), token.start, exploded=True)
        if token.kind == "word":
            return self._words(token)
        raise self.error(f"{token.text.strip()} has no term before it", token.start)

    def _words(self, token: _Token) -> Node:
        words = [token.text]
        while self._kind() == "word":
            words.append(self._next().text)
        text = " ".join(words)
        number = text.removeprefix("#").removeprefix("S")
        if number.isdecimal() and number.isascii() and (self.numbered or "#" in text):
            return self.line(int(number), token.start)
        if self._kind() == "heading":
            return self._heading(text, token.start, exploded=False)
        return self._field(self._term(text, "", token.start))

    def _heading(self, text: str, start: int, *, exploded: bool) -> Node:
        kind = self._next().more.lower()
        main = text.startswith("*") or kind.endswith("mj")
        exploded = exploded or kind.startswith("exp")
        tag = ("majr" if main else "mh") + ("" if exploded else ":noexp")
        name = text.lstrip("*").strip()
        codes = (
            []
            if kind in ("", "exp", "exp/mj", "mj") or (kind == "de" and "'" in self.text)
            else re.split(", ?", kind)
        )
        unknown = [code for code in codes if code not in _QUALIFIERS]
        if unknown:
            raise self.error(f"there is no qualifier {unknown[0]}", start)
        names = [f"{name}/{_QUALIFIERS[code]}" for code in codes] or [name]
        terms = [self._term(one, tag, start) for one in names]
        return Joined("OR", tuple(terms)) if len(terms) > 1 else terms[0]

    def _field(self, node: Node) -> Node:
        if self._kind() != "field":
            return node
        codes = re.split(", ?", self._next().more.lower())
        tags = dict.fromkeys(_FIELDS[code] for code in codes)
        if "tw" in tags:
            tags = {tag: None for tag in tags if tag not in ("ti", "ab")}
        elif "ti" in tags and "ab" in tags:
            tags = {"tiab": None} | {tag: None for tag in tags if tag not in ("ti", "ab")}
        return _spread(node, tuple(tags))

    def _term(self, text: str, tag: str, start: int) -> Term:
        self.count(start)
        for word in text.split():
            if code := _UNKNOWN.search(word):
                raise self.error(f"the field {code[0]} has no meaning here", start)
            if tag in ("", "tw") and (wrong := _WILD.search(word)):
                problem = "there is no wildcard within a word: join its forms by OR"
                if "$" in wrong[0]:
                    problem = "a star has no number of letters here: random*"
                raise self.error(problem, start)
        if tag == "":
            text = re.sub(r"(?<![$*])[$*]++(?=\s|$)", "*", text)
        return (
            make_term(self.text, text, tag or "tw", start) if tag else self._untagged(text, start)
        )

    def _untagged(self, text: str, start: int) -> Term:
        term = make_term(self.text, text, "tw", start)
        return Term(term.text, "", start)

    def _lines(self, token: _Token) -> Node:
        operator, _, listed = token.text.partition("/")
        numbers: list[int] = []
        for part in filter(None, re.split(r"[, ]+", listed)):
            if not _RANGE.fullmatch(part):
                raise self.error("these are no lines", token.start)
            first, _, last = part.partition("-")
            numbers += range(int(first), int(last or first) + 1)
        nodes = tuple(self.line(number, token.start) for number in numbers)
        return Joined(operator.upper(), nodes) if len(nodes) > 1 else nodes[0]

    def _limits(self, text: str, start: int) -> list[Node]:
        nodes: list[Node] = []
        plainly = " ".join(text.split())
        for item in re.split(" and ", plainly, flags=re.IGNORECASE):
            anyway: list[Node] = []
            for name in re.split(" or ", item.strip("() "), flags=re.IGNORECASE):
                plain = name.strip("() \"'").casefold().replace("-", " ")
                if plain in _LIMITS:
                    anyway.append(self._term(*_LIMITS[plain], start))
                elif years := _YEARS.fullmatch(name):
                    last = years[2] or years[1]
                    last = "3000" if last.lower() == "current" else last
                    anyway.append(self._term(f"{years[1]}:{last}", "dp", start))
                else:
                    raise self.error(f"the limit {plain} has no meaning here", start)
            nodes.append(Joined("OR", tuple(anyway)) if len(anyway) > 1 else anyway[0])
        return nodes


_RANGE: Final = re.compile("[0-9]{1,3}(?:-[0-9]{1,3})?")
_WILD: Final = re.compile(r"\w[?#]|[?#]\w|\$[0-9]|[$*][^\W\d]")
_UNKNOWN: Final = re.compile(r"\.[a-z]{2}(?:,[a-z]{2})*\.$")
_KINDS: Final = (
    *("phrase", "paren", "lines", "near", "operator", "exp", "field", "limit", "heading", "word"),
)
_MORE: Final = {"near": "distance", "field": "codes", "limit": "limited", "heading": "kind"}


def _spread(node: Node, tags: tuple[str, ...]) -> Node:
    """Give the terms that have no tag these, of which any will do."""
    if isinstance(node, Joined):
        return Joined(node.operator, tuple(_spread(part, tags) for part in node.parts))
    if node.tag:
        return node
    terms = tuple(Term(node.text, tag, node.start, False, node.near, node.distance) for tag in tags)
    return Joined("OR", terms) if len(terms) > 1 else terms[0]
