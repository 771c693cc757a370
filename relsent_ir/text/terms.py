"""The parts of search strategies: terms with tags, and nodes that join them."""

import re
from dataclasses import dataclass
from typing import Final

from relsent_ir.errors import StrategyError

TERMS: Final = 5_000
"""Largest number of terms of a strategy."""
DEPTH: Final = 100
"""Largest depth of parentheses, and of changes of the operator within them."""

YEAR: Final = re.compile(r"([0-9]{4})(?:/[0-9]{1,2}){0,2}")
WILD: Final = re.compile(r"(?<=\w)\?+(?=\w)|(?<=[^\W\d_])[#$](?=[^\W\d_])")
"""A letter or none within a word: ``colo?r``; some programs write ``wom#n`` or ``colo$r``."""
WILDCARDS: Final = 8
"""Largest number of wildcards in a word: the states of the pattern double with each."""

TEXT: Final = {
    "tw": ("title", "abstract", "terms"),
    "ti": ("title",),
    "ab": ("abstract",),
    "tiab": ("title", "abstract"),
    "ot": ("keyword",),
    "ad": ("affiliation",),
}
"""The tags of text, with the fields in which they search."""

HEADINGS: Final = ("mh", "majr", "mh:noexp", "majr:noexp")
"""The tags of MeSH: headings, major headings, and both without narrower ones."""
NAMED: Final = (*HEADINGS, "au", "1au", "lastau", "ta", "pt", "la", "nm", "sh", "sh:noexp")
"""The tags of whole values that are names, and so have neither question marks nor signs."""


QUALIFIERS: Final[dict[str, str]] = dict(
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
"""MeSH's qualifiers, by their two-letter codes."""
LETTERS: Final = {name: letters for letters, name in QUALIFIERS.items()}
_BELOW: Final = {
    name: below.split(", ")
    for name, _, below in (
        part.partition(": ")
        for part in """analysis: blood, cerebrospinal fluid, isolation & purification, urine;
    anatomy & histology: blood supply, cytology, embryology, innervation; cytology: pathology,
    ultrastructure; embryology: abnormalities; chemistry: agonists, analogs & derivatives,
    antagonists & inhibitors, chemical synthesis; diagnosis: diagnostic imaging, pathology,
    radiography, radionuclide imaging, ultrasonography; etiology: chemically induced,
    complications, congenital, embryology, genetics, immunology, microbiology, parasitology,
    transmission; complications: secondary; microbiology: virology;
    organization & administration: economics, legislation & jurisprudence, standards,
    statistics & numerical data, supply & distribution, trends, utilization;
    pharmacology: administration & dosage, adverse effects, agonists, antagonists & inhibitors,
    contraindications, pharmacokinetics; adverse effects: poisoning, toxicity;
    physiology: genetics, growth & development, immunology, metabolism, physiopathology,
    secretion; metabolism: biosynthesis, blood, cerebrospinal fluid, deficiency, enzymology,
    pharmacokinetics, urine; statistics & numerical data: epidemiology, supply & distribution,
    utilization; epidemiology: ethnology, mortality; surgery: transplantation;
    therapeutic use: administration & dosage, adverse effects, contraindications;
    therapy: diet therapy, drug therapy, nursing, prevention & control, radiotherapy,
    rehabilitation, surgery""".replace("\n   ", "").split("; ")
    )
}
"""The tree of MeSH's qualifiers: NLM's subordinate qualifiers of each."""


def qualifiers(name: str) -> list[str]:
    """Return a qualifier, given by its name or two-letter code, and all qualifiers below it."""
    plain = " ".join(name.casefold().split()).replace(" and ", " & ")
    found = [QUALIFIERS.get(plain, plain)]
    for one in found:
        found.extend(below for below in _BELOW.get(one, ()) if below not in found)
    return found


@dataclass(frozen=True)
class Term:
    """A single term of a strategy.

    Attributes
    ----------
    text : str
        The words as written, without quotes and tag. In words, a star stands for any letters, and
        a question mark between letters for one or none.
    tag : str
        One of the values of `TAGS`.
    start : int
        The position of the term in the strategy.
    loose : bool
        Whether any form of the words matches: there is no tag, quote or star.
    near : tuple of tuple of str
        Texts that must be near each other, with alternatives for each; empty for other terms.
    distance : int
        Largest number of words between them, or -1.
    """

    text: str
    tag: str
    start: int
    loose: bool = False
    near: tuple[tuple[str, ...], ...] = ()
    distance: int = -1

    @property
    def cut(self) -> bool:
        """Whether the term is truncated."""
        return self.text.endswith("*")

    @property
    def wild(self) -> bool:
        """Whether a word of a text stands for several words."""
        return "*" in self.text or bool(WILD.search(self.text))

    def __str__(self) -> str:
        """Write the term in the syntax of strategies."""
        if self.loose:
            return self.text
        if self.near:
            groups = [" OR ".join(_tagged(text, self.tag) for text in texts) for texts in self.near]
            groups = [f"({text})" if " OR " in text else text for text in groups]
            return f" NEAR/{self.distance} ".join(groups)
        return _tagged(self.text, self.tag)


def _tagged(text: str, tag: str) -> str:
    word = re.fullmatch(r"[\w*?:]*[\w*:]", text)
    plain = word and not re.fullmatch("[NW][0-9]+|(?i:and|or|not)", text)  # operators
    return f"{text}[{tag}]" if plain else f'"{text}"[{tag}]'


@dataclass(frozen=True)
class Joined:
    """Parts that one operator joins; NOT has two, and removes the second from the first."""

    operator: str
    parts: "tuple[Term | Joined, ...]"

    @property
    def depth(self) -> int:
        """How deeply nodes are nested."""
        depth, level = 0, [self]
        while level:
            depth += 1
            level = [part for node in level for part in node.parts if isinstance(part, Joined)]
        return depth

    def __str__(self) -> str:
        """Write the node in the syntax of strategies, with joined parts in parentheses."""
        near = [isinstance(part, Joined) or bool(part.near) for part in self.parts]
        texts = [f"({part})" if group else str(part) for group, part in zip(near, self.parts)]  # noqa: B905
        return f" {self.operator} ".join(texts)


Node = Term | Joined


def make_term(query: str, text: str, tag: str, start: int, distance: int = -1) -> Term:
    """Make a term of a strategy; a term with a tag matches as written.

    Raises
    ------
    StrategyError
        If a star or another wildcard cannot stand there, or a year or distance is invalid.
    """

    def error(problem: str) -> StrategyError:
        return StrategyError(problem, query, start)

    text = " ".join(text.split())
    if not text:
        raise error("an empty phrase")
    words, stands = [text], "at the end"
    if tag in TEXT:
        words = WILD.sub(lambda marks: marks[0].replace("#", "?").replace("$", "?"), text).split()
        stands = "within a word, or behind one that has letters"
    elif tag in NAMED and WILD.search(text):
        raise error(f"a wildcard for a letter stands in words of text, not in [{tag}]")
    for word in words:
        bare = word.rstrip("*")
        inside = re.sub(r"(?<=[^\W\d_])\*(?=[^\W\d_])", "", bare) if tag in TEXT else bare
        if "*" in inside or not bare:
            raise error(f"a star stands {stands}")
        marks = sum(map(len, WILD.findall(word))) + bare.count("*")
        if tag in TEXT and marks > WILDCARDS:
            raise error(f"more than {WILDCARDS} wildcards in a word")
    text = " ".join(word.rstrip("*") + "*" * word.endswith("*") for word in words)
    if tag == "dp" and not all(map(YEAR.fullmatch, text.split(":", 1))):
        raise error(f"{text} is no year: 2010, 2010:2020 or 2010/01/31")
    if distance >= 0:
        if "*" in text or len(words) < 2:
            raise error("a distance is between whole words, two or more")
        return Term(text, tag, start, near=tuple((word,) for word in words), distance=distance)
    return Term(text, tag, start)


def alternatives(node: Node) -> tuple[list[str], set[str]] | None:
    """Return alternative words or phrases and their tags; None for other nodes."""
    parts = node.parts if isinstance(node, Joined) and node.operator == "OR" else (node,)
    terms = [part for part in parts if isinstance(part, Term) and part.tag in ("", *TEXT)]
    if len(terms) < len(parts) or any(term.near for term in terms):
        return None
    return [term.text for term in terms], {term.tag for term in terms}


def common_tag(tags: set[str]) -> str | None:
    """Return the one tag of terms near each other, some of which may lack it; None if several."""
    stated = tags - {"", "tw"} or tags - {""} or tags
    return min(stated) if len(stated) == 1 else None


def near(before: Node, after: Node, distance: int, start: int) -> Term | None:
    """Join words or phrases, or alternatives of these, by NEAR; None if that is impossible.

    A side without a tag gets the tag of the other side.
    """
    first: list[tuple[str, ...]] = []
    tags = set()
    if isinstance(before, Term) and before.near and before.distance == distance:
        first, tags = list(before.near), {before.tag}
    elif one := alternatives(before):
        first, tags = [tuple(one[0])], one[1]
    second = alternatives(after)
    if not first or not second:
        return None
    tag = common_tag(tags | second[1])
    if tag is None:
        return None
    parts = (*first, tuple(second[0]))
    return Term(" ".join(parts[0]), tag, start, near=parts, distance=distance)
