"""Search strategies on an index: building the Lucene query for a strategy, and describing it.

Words without a tag, quotes or a star are analysed like the index. All others are looked up
unchanged, in fields that hold runs of letters, digits and underscores, where nothing is stemmed or
left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from relsent_ir.errors import MismatchError, StrategyError
from relsent_ir.lucene.analyzers import encodable
from relsent_ir.lucene.documents import folded
from relsent_ir.lucene.read.index import Index
from relsent_ir.records.fields import PMCID, REGISTRY
from relsent_ir.text.names import normal_form, synonyms_beside, trees_beside
from relsent_ir.text.strategy import parse
from relsent_ir.text.terms import HEADINGS, LETTERS, TEXT, Joined, Node, Term, qualifiers

_JOINED: Final = 6
"""Largest number of words of a heading that hyphens or blanks may join."""
EXPANSIONS: Final = 10_000
"""Largest number of words for which a word with a star or ? in a phrase may stand."""

VALUES: Final = {
    "mh": "heading",
    "majr": "major",
    "mh:noexp": "heading",
    "majr:noexp": "major",
    "au": "author",
    "ta": "journal",
    "pt": "publication_type",
    "la": "language",
    "own": "own",
    "si": "own",
    "pmcid": "own",
    "doi": "doi",
    "sh": "qualifier",
    "sh:noexp": "qualifier",
    "nm": "substance",
    "1au": "first_author",
    "lastau": "last_author",
}
"""The tags of fields with whole values."""

_OWN: Final = {"si": f"{REGISTRY}=", "pmcid": f"{PMCID}="}
"""The names of own fields that have tags."""
_WORDS: Final = ("sh", "sh:noexp", "nm", "1au", "lastau")
"""The tags of whole values whose fields were added to the index with those of words."""

_STRAY: Final = re.compile(r"(?<![\w?])\?+|\?+(?![\w*?])")
"""A question mark that ends words, as in a title; it is none that stands for a letter."""
_LANGUAGES: Final = {"japanese": "jpn", "dutch": "dut", "czech": "cze", "polish": "pol"}


def _written(term: Term, text: str) -> Iterator[str]:
    """Yield other spellings: ``Neoplasms, Breast``, ``follow up studies``, ``Wang, Y``."""
    if term.cut:
        return
    if term.tag in ("au", "1au", "lastau"):
        yield text.replace(",", "")
    if term.tag in ("sh", "sh:noexp"):
        yield qualifiers(text)[0]
    if term.tag == "ta":
        plain = text.replace(".", "").strip()
        yield from (plain, plain.removeprefix("the "), f"the {plain}")
    if term.tag in HEADINGS:
        heading, slash, qualifier = text.partition("/")
        headings, words = [heading], re.split("[ -]", heading)
        if len(words) <= _JOINED and "," not in heading:
            for marks in product(" -", repeat=len(words) - 1):
                joints = zip(marks, words[1:], strict=True)
                headings.append(words[0] + "".join(map("".join, joints)))
        last, comma, first = heading.partition(", ")
        if comma:
            headings.append(f"{first} {last}")
        below = qualifiers(qualifier)[: 1 if term.tag.endswith(":noexp") else None]
        yield from (f"{one}{slash}{with_it}" for one, with_it in product(headings, below))


@dataclass
class _Steps:
    """A strategy in postfix, for relsent.Strategy."""

    kinds: list[str]
    fields: list[str]
    texts: list[str]
    numbers: list[int]
    others: list[int]

    def add(
        self, kind: str, field: str = "", text: str = "", number: int = 0, other: int = 0
    ) -> None:
        self.kinds.append(kind)
        self.fields.append(field)
        self.texts.append(encodable(text))
        self.numbers.append(number)
        self.others.append(other)


class Strategy:
    """Apply a strategy to an index.

    Raises
    ------
    StrategyError
        If it cannot be parsed, or a truncated word stands for too many terms.
    MismatchError
        If the index was built before it had a field that the strategy uses.
    """

    def __init__(self, text: str, index: Index) -> None:
        self.text = text
        self.index = index
        self.tree = parse(text)

    def query(self, node: Node | None = None) -> Any:
        """Build the engine's query for a part of the strategy; by default for all of it."""
        steps = _Steps([], [], [], [], [])
        if not self._write(node or self.tree, steps):
            raise StrategyError("only words that the index leaves out", self.text, 0)
        parts = steps.kinds, steps.fields, steps.texts, steps.numbers, steps.others
        return self.index.strategy(*parts)

    def _write(self, node: Node, steps: _Steps) -> bool:
        """Add the steps of a part; words that the index leaves out add none."""
        if isinstance(node, Term):
            return self._write_term(node, steps)
        first, *rest = [self._write(part, steps) for part in node.parts]
        if node.operator == "NOT":
            if not first:
                raise StrategyError("only NOT: words before it are left out", self.text, 0)
            if rest[0]:
                steps.add("not")
            return True
        count = sum((first, *rest))
        if count > 1:
            steps.add(node.operator.lower(), number=count)
        return count > 0

    def _write_term(self, term: Term, steps: _Steps) -> bool:
        if term.tag in TEXT:
            return self._write_text(term, steps)
        if term.tag == "dp":
            first, _, last = term.text.partition(":")
            self._check(self.index.facts.filters)
            steps.add("years", "year", "", int(first[:4]), int((last or first)[:4]))
        elif term.tag == "pmid":
            steps.add("value", self._naming, term.text)
        else:
            self._check(self.index.facts.facets or term.tag in ("ta", "pt"))
            self._check(self.index.facts.words or term.tag not in _WORDS)
            text = _OWN.get(term.tag, "") + folded(term.text.rstrip("*"))
            if term.tag == "la":
                text = _LANGUAGES.get(text, text[:3])
            steps.add("values" if term.cut else "value", VALUES[term.tag], text)
            others = self._others(term, text)
            for other in others:
                steps.add("value", VALUES[term.tag], other)
            if others:
                steps.add("or", number=1 + len(others))
        return True

    def _others(self, term: Term, text: str) -> list[str]:
        """Return the other values for which a term stands."""
        named = self._headings(term) if term.tag in HEADINGS else []
        others = {*map(folded, (*named, *self.narrower(term))), *_written(term, text)}
        if term.tag in ("sh", "sh:noexp") or (term.tag in HEADINGS and "/" in text):
            for value in (text, *others):  # some collections name qualifiers by their letters
                start, slash, qualifier = value.rpartition("/")
                if qualifier in LETTERS:
                    others.add(f"{start}{slash}{LETTERS[qualifier]}")
        return sorted(others - {text})

    def _headings(self, term: Term) -> list[str]:
        """Return the headings with a name among their entry terms, each with the qualifier."""
        name, slash, qualifier = term.text.partition("/")
        found = synonyms_beside(self.index.folder).get(normal_form(name), [])
        return [] if term.cut else [f"{one}{slash}{qualifier}" for one in found]

    def unknown(self) -> list[str]:
        """Return the headings of the strategy that no record has, in the strategy's spelling."""
        pending, found = [self.tree], []
        while pending:
            node = pending.pop()
            if isinstance(node, Joined):
                pending += reversed(node.parts)
            elif node.tag in HEADINGS and not node.cut:
                text = folded(node.text)
                forms = [text, *self._others(node, text)]
                if not any(self.index.frequencies(forms, VALUES[node.tag])):
                    found.append(node.text)
        return found

    def _write_text(self, term: Term, steps: _Steps) -> bool:
        """Add the steps of words; words that the index leaves out add none."""
        sentences = self.index.unit == "sentences"
        if term.loose:
            if not self.index.facts.analysis.terms(term.text):
                return False
            steps.add("terms", "contents", term.text)
            if term.text.isascii() and term.text.isdecimal():
                steps.add("value", self._naming, term.text)  # a PMID finds its record
                steps.add("or", number=2)
            return True
        self._check(self.index.facts.words)
        names = TEXT[term.tag]
        if sentences:
            if term.tag == "ad":
                problem = "[ad] is not heeded: sentences have no affiliations"
                raise StrategyError(problem, self.text, term.start)
            names = names if term.tag == "ot" else ("contents",)
        fields = [f"{name}.words" for name in names]
        texts = term.near or ((term.text,),)
        bare = [
            [_STRAY.sub(" ", text.casefold()) for text in some if re.search(r"\w", text)]
            for some in texts
        ]
        if not all(bare):
            return False
        for text in (text for some in bare for text in some):
            self._check_expansions(term, fields, text)
        kind = "near" if term.near else "words"
        lines = "\n".join("\t".join(some) for some in bare)
        steps.add(kind, " ".join(fields), lines, term.distance)
        if sentences and term.tag in ("ti", "ab"):
            steps.add("value", "n", "0")
            steps.add("and" if term.tag == "ti" else "not", number=2)
        return True

    @property
    def _naming(self) -> str:
        """The fields that may hold a record's id."""
        return "pmid id record" if self.index.unit == "sentences" else "pmid id"

    def narrower(self, term: Term) -> list[str]:
        """Return what MeSH's trees have below a heading, a qualifier, both together, or a type."""
        if term.tag == "sh":
            return qualifiers(term.text)[1:]
        if term.tag not in ("mh", "majr", "pt") or term.cut:
            return []
        trees = trees_beside(self.index.folder)
        _, slash, qualifier = term.text.partition("/")
        names = [one.partition("/")[0] for one in (term.text, *self._headings(term))]
        below = [*names, *(one for name in names for one in trees.narrower(name.strip()))]
        forms = [f"{name}{slash}{one}" for name in below for one in qualifiers(qualifier)]
        return forms[1:] if slash else below[len(names) :]

    def _check_expansions(self, term: Term, fields: Sequence[str], text: str) -> None:
        """Refuse a word with a star or ? in a phrase if it stands for too many words."""
        words = text.split()
        for word in words if len(words) > 1 or term.near else ():
            for part in re.findall(r"\b\w++[?*][\w?*]*+", word):
                count = max(self.index.expansions(field, encodable(part)) for field in fields)
                if count > EXPANSIONS:
                    problem = f"{word} stands for {count:,} words, and {EXPANSIONS:,} are the most"
                    raise StrategyError(problem, self.text, term.start)

    def _check(self, there: bool) -> None:
        if not there:
            raise MismatchError(
                "this index is older than the field that the query asks for",
                where=self.index.folder,
                fix="build it again",
            )

    def described(self) -> list[str]:
        """Describe how the strategy was read: a line for each part, with its document count."""
        lines: list[str] = []
        pending: list[tuple[Node, int]] = [(self.tree, 0)]
        while pending:
            node, depth = pending.pop()
            name = node.operator if isinstance(node, Joined) else str(node)
            name += " in any form" if isinstance(node, Term) and node.loose else ""
            below = self.narrower(node) if isinstance(node, Term) else []
            name += f" with {len(below)} narrower" if below else ""
            try:
                count = f"{self.index.count(self.query(node)):,}"
            except StrategyError:
                count = "left out"
            lines.append(f"{'  ' * depth}{name}: {count}")
            if isinstance(node, Joined):
                pending += [(part, depth + 1) for part in reversed(node.parts)]
        return lines
