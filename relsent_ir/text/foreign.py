"""Strategies in the syntax of other databases, translated to the terms that PubMed would use.

::

    (exp Asthma/dt or asthma$.tw.) and (child$ adj3 wheez$).ti,ab.        Ovid
    'asthma'/exp OR (child* NEAR/3 wheez*):ti,ab                          Embase.com, Cochrane
    [mh ^"Asthma"/DT] OR (MH "Asthma+") AND TI ( child* N2 wheez* )       Cochrane; EBSCO
    TS=(child* NEAR/2 wheez*)       TITLE-ABS-KEY(child* W/2 wheez*)      Web of Science; Scopus
    MESH.EXACT.EXPLODE("Asthma") OR ti,ab(child* N/2 wheez*)              ProQuest

NOT and AND precede OR, but Scopus may not mix them. ``adj3``, and ``NEAR/3`` of Embase.com and
Cochrane, allow two words in between, which is ``NEAR/2`` here; elsewhere the number counts these
words. ``adj`` alone makes a phrase, as do adjacent words in the first three and EBSCO; elsewhere
adjacent words are all required. Words without a field are searched in all text.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from relsent_ir.errors import StrategyError
from relsent_ir.text.terms import (
    DEPTH,
    HEADINGS,
    QUALIFIERS,
    TEXT,
    Joined,
    Node,
    Term,
    alternatives,
    common_tag,
    make_term,
    near,
)

PHRASES: Final = 200
"""Largest number of phrases that ``(a or b) adj (c or d)`` may make."""

_FIELDS: Final = {
    "ti": "ti", "ab": "ab", "tw": "tw", "mp": "tw", "af": "tw", "kw": "ot", "kf": "ot", "ot": "ti",
    "sh": "mh:noexp", "de": "mh:noexp", "fs": "sh:noexp", "xs": "sh", "pt": "pt", "it": "pt",
    "au": "au", "jn": "ta", "jw": "ta", "ja": "ta", "jt": "ta", "ta": "ta", "lg": "la", "la": "la",
    "yr": "dp",
    "py": "dp", "m_titl": "ti", "nm": "nm", "rn": "nm", "in": "ad", "ad": "ad", "ui": "pmid",
    "do": "doi",
}  # fmt: skip
"""Fields of these programs, and the tag that we use for each."""

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
"""Names that ``limit 3 to`` and ``[…]/lim`` accept."""

_BEFORE: Final = {
    name: tags.split()
    for tags, names in (
        ("ti", "ti title"), ("ab", "ab abs"), ("tiab", "xb title-abs ti,ab ab,ti"),
        ("tiab ot", "ts title-abs-key"), ("tw", "tx all noft"), ("ot", "ak kp kw key authkey"),
        ("au", "au auth author-name"), ("ta", "so jn srctitle pub"), ("dp", "py yr"),
        ("pt", "pt rtype"), ("la", "la language"), ("ad", "af ad affil"), ("doi", "do doi"),
        ("pmid", "pmid"), ("mh", "mh mesh.exact.explode emb.exact.explode"),
        ("mh:noexp", "de mesh.exact emb.exact"), ("majr", "mm mjmesh.exact.explode"),
        ("majr:noexp", "mjmesh.exact mjemb.exact"),
        ("", "su mj an wc cu og ut fo is cf gp dt if limit-to exclude doctype indexterms "
            "subjarea mesh mainsubject"),
    )
    for name in names.split()
}  # fmt: skip
"""Fields written before a term, with the tags of which any matches; none if unsupported."""
_CALLED: Final = "|".join(re.escape(name) for name in sorted(_BEFORE, key=len, reverse=True))
_TERM: Final = r"""\s+(?!(?:AND|OR|NOT)\b)[\w("']"""
_SPACED: Final = rf"(?-i:TI|AB|TX|XB|SU|MH|MM|MJ|DE|AU|PT|SO|JN|PY|LA|AF|KW|AN)(?={_TERM})"
"""Fields of EBSCO, which are followed by a blank."""
_EBSCO: Final = re.compile(
    rf"(?:^|[\s(])(?:TI|AB|TX|XB|SU){_TERM}|^\(*(?:AU|JN|PT|MH|MM){_TERM}"
    r'|(?:^|[\s(])(?:MH|MM|MJ|DE)\s+["(]'
    r"|^(?:[\s()]|S[0-9]{1,3}\b|(?:AND|OR|NOT)\b)+$"
)

_CODES: Final = "|".join(_FIELDS)
_LETTERS: Final = "|".join(QUALIFIERS)
_COMMAS: Final = rf"(?:{_CODES})(?:, ?(?:{_CODES}))*+"
_MARK: Final = re.compile(
    rf"""
    \badj[0-9]{{0,2}}\b | [\w)]\$ | [\w"]/(?:\ *+(?:$|[)\n])|\ ++(?:and|or|not)\b)
    | ^\ *+(?:limit|(?:remove\ duplicates|dedup\w*)\ from)\ [0-9]
    | (?:^|[\s(])(?:or|and)/[0-9] | (?:^|[\s(])exp\ +[*"]?[A-Za-z]
    | [\w*$")]\.{_COMMAS}(?:\.|\s|$)
    | '/(?:exp|de|mj|[a-z]+_[a-z]+) | \{{[^{{}}]+\}} | \ in\ Trials$
    | [\w*?$'")]:{_COMMAS}(?![\w:~\]-]) | \]/(?:lim|py) | ^\ *MeSH\ descriptor:
    | [\w"]/(?:{_LETTERS})(?:,\ ?[a-z]{{2}})*(?:$|[\s)]) | \.[a-z]{{2}}(?:,[a-z]{{2}})*\.(?:\s|\)|$)
    | \[mh\ +[\^"\w/] | (?:^|[\s(])(?:{_CALLED})(?:=|\() | \bPUBYEAR\b
    | (?:^|[\s(])(?-i:TITLE(?:-ABS(?:-KEY)?)?|ABS|KEY|AUTH|AUTHKEY|LIMIT-TO)\ \(
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
_TOKEN: Final = re.compile(
    rf"""
    \s*+(?:
    \[mh\ ++(?P<mesh>[^\[\]]++(?:\[mj\])?)\]
    | (?P<since>PUBYEAR\s*(?P<years>(?:=|>|<|IS|AFT|BEF)\s*[0-9]{{4}}))
    | (?P<before>(?P<name>{_CALLED})(?:=|(?=\()|(?-i:(?<=[A-Z]))(?=\ \()) | (?P<spaced>{_SPACED}))
    | (?P<phrase>"[^"]*"|\{{[^{{}}]*\}}|(?<![\w])'[^']*')
    | (?P<paren>[()])
    | (?P<lines>(?:or|and)/[0-9][0-9,\ -]*)
    | (?P<near>(?:adj|near/?|next/?|(?:[nwp]|pre)/|(?-i:[NW](?=[0-9])))
        (?P<distance>[0-9]{{0,2}})(?![\w/]))
    | (?P<operator>(?:and|or|not)(?![\w/.-]))
    | (?P<exp>exp\s++(?=\S))
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
_DUPLICATES: Final = re.compile("(?:remove duplicates|dedup\\w*) from ([0-9]{1,3})", re.IGNORECASE)
_USED: Final = re.compile("#?[0-9]{1,3} (?:use [a-z]+|(?:with|in) .*)", re.IGNORECASE)
_DESCRIPTOR: Final = re.compile(
    r"MeSH descriptor:\s*\[([^\]]+)\]\s*(explode all trees|this term only)"
    r"(?:\s+and with qualifiers?(?:\(s\))?:\s*\[([^\]]+)\])?",
    re.IGNORECASE,
)
_MESH: Final = re.compile(
    r'(?P<only>\^?)\s*+"?(?P<name>[^"/\[\]]*+)"?\s*+(?:/(?P<codes>[A-Za-z, ]+))?(?P<main>\[mj\])?',
    re.IGNORECASE,
)
_PLUS: Final = re.compile(r"(?P<name>[^+/]+)(?P<plus>\+?)(?:/(?P<codes>[A-Za-z,/ ]+))?")
"""Headings in the syntax of the Cochrane Library, and of EBSCO."""
_YEARS: Final = re.compile(r"(?:yr=)?\W*([0-9]{4})(?:\s*-\s*(current|[0-9]{4}))?\W*", re.IGNORECASE)


def is_foreign(text: str) -> bool:
    """Return whether a strategy has a mark of one of these programs."""
    return bool(_MARK.search(text) or _EBSCO.search(text.strip()))


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    more: str = ""


class ForeignParser:
    """Parse a strategy, or one line of it, by recursive descent.

    Parameters
    ----------
    text : str
    line : callable
        Returns the node of another line, from its number and the place where it is named.
    count : callable
        Called with the place of each further term.
    numbered : bool
        Whether a number alone refers to a line.
    """

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
        self.ebsco = _EBSCO.search(text.strip()) is not None
        self.between = self.ebsco  # whether distances count the words in between
        self.apart = False  # whether adjacent words are all required, in any order

    def error(self, problem: str, start: int) -> StrategyError:
        """Return the error about a place."""
        return StrategyError(problem, self.text, start)

    def parse(self) -> Node:
        """Return the node.

        Raises
        ------
        StrategyError
            If the strategy is invalid or has no equivalent here; the error has the place.
        """
        bare = self.text.strip()
        if match := _LIMIT.fullmatch(bare):
            start = self.text.index(bare)
            within = self.line(int(match[1]), start)
            return Joined("AND", (within, *self._limits(match[2], start + match.start(2))))
        if match := _DUPLICATES.fullmatch(bare):
            return self.line(int(match[1]), self.text.index(bare))
        if match := _USED.fullmatch(bare):
            raise self.error("databases are not told apart here", self.text.index(bare))
        if match := _DESCRIPTOR.fullmatch(bare):
            tag = "mh" if match[2].lower().startswith("explode") else "mh:noexp"
            codes = ",".join(part.rpartition("- ")[2] for part in (match[3] or "").split(","))
            return self._headed(match[1], codes, tag, self.text.index(bare))
        self.tokens = list(self._tokens())
        names = {token.more for token in self.tokens if token.kind == "before"}
        self.between |= bool(names)
        self.apart = bool(names) and not self.ebsco
        if any(re.match("title|abs|key|auth|pub", name) for name in names):
            self._check_mixed()
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
                rest = self.text[place:].lstrip()
                code = re.search(r"[.,]([a-z]{2})$", self.text[:place])
                problem = f"the field {code[1]}" if code else "this mark"
                raise self.error(f"{problem} has no meaning here", len(self.text) - len(rest))
            kind = next(name for name in _KINDS if match[name] is not None)
            text, start = match[kind], match.start(kind)
            more = (match[_MORE[kind]] if kind in _MORE else "") or match["spaced"] or ""
            if not self.ebsco and (match["spaced"] or re.fullmatch("[NW][0-9]+", text)):
                kind = "word"
            yield _Token(kind, text, start, more.lower())
            place = match.end()

    def _check_mixed(self) -> None:
        """Refuse AND and OR in the same parentheses: Scopus has changed their precedence."""
        groups: list[set[str]] = [set()]
        for token in self.tokens:
            if token.text == "(":
                groups.append(set())
            elif token.text == ")" and len(groups) > 1:
                groups.pop()
            elif token.kind == "operator":
                groups[-1].add(token.text.upper())
                if len(groups[-1] & {"OR", "AND"}) > 1:
                    raise self.error("AND and OR side by side: put parentheses", token.start)

    def _kind(self) -> str:
        return self.tokens[self.place].kind if self.place < len(self.tokens) else ""

    def _next(self) -> _Token:
        if self.place >= len(self.tokens):
            raise self.error("an operator has nothing behind it", len(self.text))
        self.place += 1
        return self.tokens[self.place - 1]

    def _operator(self, *names: str) -> str:
        """Read the next operator if it is one of these."""
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
        if self._kind() == "before":
            return self._before()
        node = self._operand()
        while self._kind() == "near":
            token = self._next()
            other = self._operand()
            name = token.text.lower()
            ordered = name.startswith(("next", "p")) or (name[0] == "w" and name[1:2] != "/")
            if ordered and token.more not in ("", "0" if self.between else "1"):
                problem = f"{token.text} is a distance in this order: NEAR/2 here is in either"
                raise self.error(problem, token.start)
            joined: Node | None
            if ordered or name == "adj":
                joined = self._phrases(node, other)
            else:
                distance = int(token.more or 10) - (not self.between)
                joined = near(node, other, max(distance, 0), token.start)
            if joined is None:
                problem = f"{token.text} stands between words, phrases or (some or others)"
                raise self.error(problem, token.start)
            node = joined
        return node

    def _before(self) -> Node:
        """Read a term that follows its field."""
        token = self._next()
        tags = _BEFORE[token.more]
        if not tags:
            raise self.error(f"the field {token.text.strip('=')} has no meaning here", token.start)
        apart, self.apart = self.apart, self.apart and tags[0] in TEXT
        node = self._near()
        self.apart = apart
        if tags[0] not in (*HEADINGS, "dp"):
            return _spread(node, tuple(tags))

        def made(term: Term) -> Node:
            if tags[0] == "dp":
                return self._limits(term.text, term.start)[0]
            match = _PLUS.fullmatch(term.text)
            if not match:
                raise self.error("this is no heading", term.start)
            only = self.ebsco and not match["plus"]
            tag = tags[0] + ":noexp" * (only and ":" not in tags[0])
            return self._headed(match["name"], match["codes"], tag, term.start)

        return _each(node, made)

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
        if token.kind == "since":
            sign, year = token.more.rstrip("0123456789 "), int(token.more[-4:])
            first, last = (year, year) if sign in ("=", "is") else (year + 1, 3000)
            if sign in ("<", "bef"):
                first, last = 1000, year - 1
            return self._term(f"{first}:{last}", "dp", token.start)
        if token.kind == "mesh" and (match := _MESH.fullmatch(token.text.strip())):
            tag = ("majr" if match["main"] else "mh") + ":noexp" * bool(match["only"])
            return self._headed(match["name"].strip(), match["codes"], tag, token.start)
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
        named = self.numbered or "#" in text or self.ebsco
        if number.isdecimal() and number.isascii() and named:
            return self.line(int(number), token.start)
        if self._kind() == "heading":
            return self._heading(text, token.start, exploded=False)
        terms = words if self.apart else [text]
        parts = tuple(self._term(one, "", token.start) for one in terms)
        return self._field(Joined("AND", parts) if len(parts) > 1 else parts[0])

    def _heading(self, text: str, start: int, *, exploded: bool) -> Node:
        kind = self._next().more.lower()
        main = text.startswith("*") or kind.endswith("mj")
        exploded = exploded or kind.startswith("exp")
        tag = ("majr" if main else "mh") + ("" if exploded else ":noexp")
        plain = kind in ("", "exp", "exp/mj", "mj") or (kind == "de" and "'" in self.text)
        return self._headed(text.lstrip("*").strip(), "" if plain else kind, tag, start)

    def _headed(self, name: str, codes: str | None, tag: str, start: int) -> Node:
        """Make the terms of a heading with each qualifier, or of the qualifiers without a name."""
        listed = [code for code in re.split("[,/ ]+", (codes or "").lower().strip()) if code]
        unknown = [code for code in listed if code not in QUALIFIERS]
        if unknown:
            raise self.error(f"there is no qualifier {unknown[0]}", start)
        names = [f"{name}/{QUALIFIERS[code]}" if name else QUALIFIERS[code] for code in listed]
        terms = [self._term(one, tag if name else "sh", start) for one in names or [name]]
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
                names = [name for name in code[0].strip(".").split(",") if name not in _FIELDS]
                raise self.error(f"the field {', '.join(names)} has no meaning here", start)
            if tag in ("", "tw") and (wrong := _COUNTED.search(word)):
                problem = "a wildcard for a letter stands within a word: join the forms by OR"
                if "$" in wrong[0]:
                    problem = "a star has no number of letters here: random*"
                raise self.error(problem, start)
        if tag == "":
            text = re.sub(r"(?<![$*])[$*]++(?=\s|$)", "*", text)
        term = make_term(self.text, text, tag or "tw", start)
        return term if tag else Term(term.text, "", start)

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
_COUNTED: Final = re.compile(r"\w[?#](?!\w)|(?<!\w)[?#]\w|\$[0-9]|(?<!\w)[$*]\w")
_UNKNOWN: Final = re.compile(r"\.[a-z]{2}(?:,[a-z]{2})*\.$")
_KINDS: Final = (
    *("mesh", "since", "before", "phrase", "paren", "lines", "near", "operator", "exp", "field"),
    *("limit", "heading", "word"),
)
_MORE: Final = {
    "near": "distance", "field": "codes", "limit": "limited", "heading": "kind", "since": "years",
    "before": "name",
}  # fmt: skip


def _each(node: Node, make: Callable[[Term], Node]) -> Node:
    """Replace the terms that have no tag."""
    if isinstance(node, Joined):
        return Joined(node.operator, tuple(_each(part, make) for part in node.parts))
    return node if node.tag else make(node)


def _spread(node: Node, tags: tuple[str, ...]) -> Node:
    """Replace each term without a tag by a term for each of these tags, joined by OR."""

    def made(term: Term) -> Node:
        terms = tuple(replace(term, tag=tag) for tag in tags)
        return Joined("OR", terms) if len(terms) > 1 else terms[0]

    return _each(node, made)
