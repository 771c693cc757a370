"""An entity's page: its associated terms, in groups, with a best sentence for each.

The method is that of Tudor & Vijay-Shanker 2012 (section 1, figure 1): terms are base noun phrases
of the sentences that mention the entity, ranked by how much more frequent they are there than in
the collection (Dunning's log-likelihood ratio). The sentence relates both most clearly.

References
----------
T. Dunning. Accurate methods for the statistics of surprise and coincidence. Computational
Linguistics 19(1), 1993, 61-74.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import takewhile
from math import log
from typing import Final

from relsent_ir.hits import owner
from relsent_ir.relations.finding import MOLECULES, Finder
from relsent_ir.relations.pairs import PairEvidence, rank_pairs
from relsent_ir.relations.ranker import RelationRanker
from relsent_ir.relations.structure import Structure, is_name
from relsent_ir.text.cues import COMPARISON, CONTRAST
from relsent_ir.text.names import Names, is_common, normal_form, pieces
from relsent_ir.text.parsing import Parsed, Remembering
from relsent_ir.text.phrases import word_set
from relsent_ir.text.tokens import Span

READ: Final = 300
"""Number of sentences with the entity that are read: the first by BM25."""
WEIGHED: Final = 120
"""Number of terms that are counted in the collection: the most frequent ones."""
TRIED: Final = 2
"""Number of candidates for each term that is shown."""
LEAST: Final = 2
"""Least number of records that have the term in a sentence with the entity."""
FEW: Final = 150
"""An entity with at most this number of sentences needs one record only, if the term also occurs
elsewhere; twice as many candidates are tried for it."""
LIGHTEST: Final = 6.63
"""Least weight of a term, which a random term exceeds with a probability of 0.01."""
TIMES: Final = 4
"""Least ratio of a term's frequency beside the entity to that in all sentences; words of all
studies (survival, incidence) are about twice as frequent there."""
FRAGMENT: Final = 8
"""A term must occur by itself once in so many occurrences; else it is part of longer terms."""
MENTIONS: Final = 12
"""Mentions of a term beside the entity that are ranked: those in the shortest sentences."""
SAID: Final = 0.3
VERB: Final = 0.1
NOT_ASSERTED: Final = 0.4
LISTED: Final = 0.5
METHOD: Final = 0.4
APART: Final = 0.25
COMPARED: Final = 0.1
"""Gains of a sentence that states a direction, or has a verb between the names; and losses of an
aim or a negation, of two names in one list, of a report on what was measured, of names in two
clauses, and of a comparison, which mostly does not state an effect of either. Learned from the
readings of qrels/reader/entity-terms.jsonl."""
CLEAR: Final = 0.2
SURE: Final = 0.5
"""Least clearness of a sentence that is shown, and of one from the only record with both names;
otherwise the term is left out."""

DRUGS: Final = "drugs and treatments"
TREES: Final = {
    "diseases and symptoms": r"C|F03",
    "genes and proteins": MOLECULES,
    DRUGS: r"D(?:0[2-6]|09|10|20|2[67])|E0[24]",
    "processes": r"G",
}
"""Groups by the places of a heading in MeSH's trees; the first group with such a place counts."""
OTHER: Final = "other"
GROUPS: Final = (*TREES, OTHER)

_LISTS: Final = dict(
    line.split("\t")
    for line in (files("relsent_ir") / "relations" / "entity.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
)
_GENERIC, _VAGUE, _PLAIN = (word_set(_LISTS[name]) for name in ("GENERIC", "VAGUE", "PLAIN"))
_ENDS: Final = {
    end[1:] if end[0] == "-" else f" {end}".replace("_", " "): group
    for group in GROUPS
    for end in _LISTS[group].split()
}
"""Groups by the ends of names; a whole word has a blank before it."""
_CUES: Final = {
    cue.replace("_", " "): group
    for group in GROUPS
    for cue in _LISTS.get(f"beside {group}", "").split()
}
CUED: Final = 30
"""Number of sentences with a term, the first by BM25, whose words beside it are read."""
LEAST_CUED, SHARE_CUED, SYMBOL_CUED = 2, 0.06, 0.04
"""Least number of cues of a group, and their least share of the mentions; and the share by which a
symbol is more likely a gene."""
_NUMBERED: Final = re.compile(r"[A-Z]{3,}-?\d{1,2}[A-Z]?")
"""Symbols that are mostly genes: TP53, ERBB2, APOBEC3G."""
_WORD: Final = re.compile(r"[^\W_]+")
_NEAR: Final = 40
"""Characters beside a mention, which have its two next words."""
_AFTER_HEAD: Final = frozenset(["of", "in", "for", "with"])
_NO_HEAD: Final = re.compile(r"\d+|.{1,2}|iii|viii|alpha|beta|gamma|delta|kappa")
"""Pieces after the head of a name: interleukin 6, factor VIII, vitamin D."""
_UNIT: Final = re.compile(
    r"(?:micro|[a-zµμ])?[a-z]{0,3}(?:/[a-z]{1,4}\d?)+(?:$|[/ ]\d)|mu?g$|%|mg |\w+\./", re.IGNORECASE
)
_LEADING: Final = re.compile(r"(?:DT|PRP\$?|CD|JJR|JJS|RB|IN|POS|CC|PDT|WDT|WP\$?|EX|,|-LRB-|:)")
_METHODS: Final = re.compile(
    r"(?:phoresis|focusing|graphy|scopy|metry|electrodes?|gels?|pellets?|medium|media|separation|optimum"
    r"|weights?|diets?|techniques?|systems?|preparations?|solutions?|buffers?|columns?|staining"
    r"|antiser(?:a|um)|kits?|procedures?|tests?|explants?|specimens?|clippings?|instruments?)"
)
"""Ends of names of methods and preparations."""
_MEASURED: Final = re.compile(
    r"\b(?:were|was|been|have|has|we|is|are) (?:\w+ly )?(?:determined|measured|studied|investigated"
    r"|evaluated|assessed|examined|performed|obtained|randomi[sz]ed|reviewed|analy[sz]ed|described"
    r"|administered|received|assigned|discussed|estimated|undertaken|tested|collected|calculated"
    r"|given|quantitated|enrolled|conducted|carried)\b|\b(?:reviews?|discusses|describes) "
    r"|^(?:the )?(?:effects?|influence|relationship|comparison|evaluation|stud(?:y|ies)) of ",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r", and (?:the|an?|in|there|no|that)\b")
_APART: Final = CONTRAST | {";"}
"""Marks and words between the clauses of two names."""
_LISTED: Final = re.compile(r"(?:NN\w*|JJ\w*|CD|,|CC|DT|POS|:|-LRB-|-RRB-|VBN|SYM|RB)")
_CONNECTED: Final = re.compile(
    r"\b(?:correlat|relation|associat|ratio|interact|link|synerg|combin|balance|bound|bind|convert)",
    re.IGNORECASE,
)
"""Words that connect two names in a list."""


@dataclass(frozen=True)
class EntityTerm:
    """A term associated with an entity.

    Attributes
    ----------
    name, group : str
    weight : float
        The log-likelihood ratio; 0 for a given name.
    sentences, records : int
        Numbers of sentences and of records that mention both.
    id, text : str
        The best sentence; empty if there is none.
    values : dict of str to (str or float)
        ``probability`` that it states a relation, and ``status``: `PairEvidence.statements`.
    """

    name: str
    group: str
    weight: float
    sentences: int
    records: int
    id: str
    text: str
    values: dict[str, str | float]


def entity_terms(
    finder: Finder, ranker: RelationRanker, name: str, count: int, names: Sequence[str] = ()
) -> list[EntityTerm]:
    """Return the terms associated with an entity, each with its best sentence.

    Parameters
    ----------
    finder : Finder
    ranker : RelationRanker
    name : str
    count : int
        Largest number of terms.
    names : sequence of str
        Terms to use instead of the informative ones.
    """
    # A sentence with the entity may have several terms, and is read for each of them.
    parser = Remembering(ranker.parser.tagger, ranker.parser.chunker)
    ranker = replace(ranker, parser=parser)
    tried = TRIED * count * (1 if finder.count(name) > FEW else 2)
    finder.partners = Finder(finder.collection, literal=True)  # no abbreviations of each term
    weights = dict.fromkeys(names, 0.0) or informative_terms(finder, ranker, name, tried)
    terms = []
    worth: dict[str, float] = {}
    for pair in rank_pairs(finder, ranker, [(name, term) for term in weights], most=MENTIONS):
        term = pair.names[1]
        evidence = PairEvidence(pair, ranker)
        rows = evidence.described(pair.hits.ids.tolist())
        stated = [_clearness(evidence.said(*row), row[1].structure) for row in rows]
        best = max(stated, default=0.0)
        if not names and best < (CLEAR if pair.records >= LEAST else SURE):
            continue
        row = evidence.to_row(stated.index(best) if stated else 0)
        worth[term] = log(1 + weights[term]) * best
        terms.append(
            EntityTerm(
                name=term,
                group=OTHER,
                weight=round(weights[term], 1),
                sentences=pair.sentences,
                records=pair.records,
                id=str(row["id"]),
                text=str(row["text"]),
                values={key: row[key] for key in ("probability", "status") if row[key] != ""},
            )
        )
    if not names:
        terms.sort(key=lambda term: -worth[term.name])
        terms = _different(finder, terms, count)
    return [replace(term, group=group_of(term.name, finder)) for term in terms]


def _clearness(said: Mapping[str, str | float], structure: Structure) -> float:
    """Return how clearly a sentence states a connection, by its probability and its words."""
    candidate = structure.candidate
    text, (first, second) = candidate.text, sorted((candidate.e1, candidate.e2))
    start, end = structure.first or (0, 0), structure.second or (0, 0)
    between = structure.tags[start[1] : end[0]]
    words = [word.lower() for word in structure.words]
    parted = not _APART.isdisjoint(words[start[1] : end[0]])
    listed = bool({"CC", ","} & set(between)) and all(map(_LISTED.fullmatch, between))
    return (
        float(said["probability"])
        + SAID * ("polarity" in said)
        + VERB * any(tag.startswith(("VB", "MD")) for tag in between)
        - NOT_ASSERTED * (said.get("status", "asserted") != "asserted")
        - LISTED * (listed and not _CONNECTED.search(text))
        - METHOD * bool(_MEASURED.search(text))
        - APART * (parted or bool(_JOINED.search(text[first[1] : second[0]])))
        - COMPARED * (not COMPARISON.isdisjoint(words))
    )


def _forms(finder: Finder, term: str) -> list[str]:
    """Return the names of a term; if it has capitals, also those that the collection defines."""
    names = finder.partners if term[1:] == term[1:].lower() else finder
    return [form.name for form in names.entity(term).forms]


def _different(finder: Finder, terms: Sequence[EntityTerm], count: int) -> list[EntityTerm]:
    """Return the first terms that are neither another name of an earlier one nor narrower."""
    different: list[EntityTerm] = []
    earlier: list[tuple[Names, frozenset[str]]] = []
    for term in terms:
        forms = _forms(finder, term.name)
        parts = frozenset(pieces(term.name))
        if not any(
            names.is_name(term.name)
            or words <= parts
            or parts <= words
            or any(map(names.find, forms))
            for names, words in earlier
        ):
            different.append(term)
            earlier.append((Names(forms), parts))
        if len(different) == count:
            break
    return different


def informative_terms(
    finder: Finder, ranker: RelationRanker, name: str, count: int
) -> dict[str, float]:
    """Return the weights of terms more frequent beside an entity than elsewhere, highest first."""
    mentions = finder.mentions(name, READ)
    texts = [text for text, _ in mentions.values()]
    forms = [form.name for form in finder.entity(name).forms]
    names = Names(forms)
    parts = {part for form in forms for part in _joined(form).split()}
    counts: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    records: dict[str, set[str]] = {}
    parses = ranker.parser.parse(texts)
    for (sentence, (text, spans)), parsed in zip(mentions.items(), parses, strict=True):
        # A phrase directly after a name belongs to a longer name: diabetes mellitus
        beside = {len(text) - len(text[end:].lstrip(" -")) for _, end in spans}
        terms = {
            normal_form(term).removesuffix("s"): term
            for start, end in _terms(parsed)
            if start not in beside and (term := _written(text, start, end))
        }
        for key, term in terms.items():
            if not names.find(term) and not parts.issuperset(_joined(term).split()):
                counts[key] += 1
                records.setdefault(key, set()).add(owner(sentence))
                written.setdefault(key, Counter())[term] += 1
    joined = list(map(_joined, texts))
    everything = len(finder.collection.sentences)
    weights = {}
    for key, alone in counts.most_common(WEIGHED):
        term = written[key].most_common(1)[0][0]
        titles = sum(
            n
            for form, n in written[key].items()
            if all(word.isalpha() and word.istitle() for word in form.split())
        )
        if (
            is_common(term)
            or _UNIT.match(term)
            or term.endswith("-")
            or 2 * titles > alone  # an author or a place: mostly with capitals
            or _METHODS.search(term.split()[-1].lower())
        ):
            continue
        if len(records[key]) < LEAST and len(texts) > FEW:
            continue
        words = _joined(term)
        together = max(alone, sum(words in text for text in joined))
        if together > FRAGMENT * alone:
            continue
        literal = finder.partners.literal_query(term)  # what a term's entity compiles is not needed
        elsewhere = max(finder.conjunctions.count(literal), alone)
        if len(records[key]) < LEAST and elsewhere < LEAST:
            continue
        elsewhere = max(elsewhere, together)
        if together * everything >= TIMES * elsewhere * len(texts):
            weights[term] = log_likelihood_ratio(together, len(texts), elsewhere, everything)
    best = sorted(weights, key=lambda term: (-weights[term], term))
    return {term: weights[term] for term in best[:count] if weights[term] > LIGHTEST}


def _joined(text: str) -> str:
    """Return the pieces of a text in the singular, with blanks around them."""
    return f" {' '.join(piece.removesuffix('s') for piece in pieces(text))} "


def _written(text: str, start: int, end: int) -> str:
    """Return a term as written, without the capital of a sentence's first word."""
    term = text[start:end]
    first, space, rest = term.partition(" ")
    return f"{first.lower()}{space}{rest}" if not start and first.istitle() else term


def group_of(term: str, finder: Finder) -> str:
    """Return the group of a term: by MeSH's trees, its names' ends, or the words beside it."""
    forms = sorted(_forms(finder, term), key=len, reverse=True)
    places = [place for form in forms for place in finder.trees.places(form)]
    for group, tree in TREES.items():
        if any(re.match(tree, place) for place in places):
            return group
    return next(filter(None, map(_group_of_head, forms)), None) or _group_by_cues(term, finder)


def _group_of_head(name: str) -> str | None:
    """Return the group of the longest listed end of a name's head, if one is listed."""
    first, *rest = pieces(name.lower())
    words = [first, *takewhile(lambda piece: piece not in _AFTER_HEAD, rest)]
    while len(words) > 1 and f" {words[-1]}" not in _ENDS and _NO_HEAD.fullmatch(words[-1]):
        words.pop()
    head = f" {' '.join(words)}"
    ends = (end for n in range(len(head)) for end in (head[n:], head[n:].removesuffix("s")))
    return next((group for end in ends if (group := _ENDS.get(end))), None)


def _group_by_cues(term: str, finder: Finder) -> str:
    """Return the group that the words beside a term's mentions tell; if they do not, `OTHER`."""
    sentences = finder.partners.mentions(term, CUED).values()
    counts = dict.fromkeys(GROUPS, 0.0)
    for text, spans in sentences:
        for start, end in spans:
            before = _WORD.findall(text[max(0, start - _NEAR) : start].lower())
            after = _WORD.findall(text[end : end + _NEAR].lower())
            beside = {(*before[-n:], "*") for n in (1, 2)} | {("*", *after[:n]) for n in (1, 2)}
            for cue in map(" ".join, beside):
                if cue in _CUES:
                    counts[_CUES[cue]] += 1
    mentions, cues = sum(len(spans) for _, spans in sentences), sum(counts.values())
    if is_name(symbol := term.split()[-1]) and not term[0].isdigit():
        numbered = LEAST_CUED if _NUMBERED.fullmatch(symbol) else 1
        counts["genes and proteins"] += numbered + SYMBOL_CUED * mentions
    group, count = max(counts.items(), key=lambda item: item[1])
    sure = count >= max(LEAST_CUED, SHARE_CUED * mentions, cues / 2)
    return group if sure else OTHER


def _terms(parsed: Parsed) -> Iterable[Span]:
    """Yield the places of base noun phrases without leading words; general ones are no terms."""
    row: list[int] = []
    for n, chunk in enumerate([*parsed.chunks, "O"]):
        if chunk != "I-NP" and row:
            while row and (
                _LEADING.fullmatch(parsed.tags[row[0]]) or parsed.words[row[0]].lower() in _PLAIN
            ):
                row.pop(0)
            words = [parsed.words[i].lower() for i in row]
            if row and not (
                words[-1] in _GENERIC
                or not parsed.tags[row[-1]].startswith("NN")
                or (_GENERIC | _VAGUE).issuperset(words)
                or len("".join(words)) <= 2
            ):
                yield parsed.spans[row[0]][0], parsed.spans[row[-1]][1]
            row = []
        if chunk in ("B-NP", "I-NP"):
            row.append(n)


def log_likelihood_ratio(both: int, first: int, second: int, everything: int) -> float:
    """Compute Dunning's ratio of two terms; negative if they co-occur less than by chance.

    Parameters
    ----------
    both, first, second, everything : int
        Numbers of sentences with both terms, with each of them, and of all sentences.
    """
    second = min(max(second, both), everything - first + both)
    cells = (both, first - both, second - both, everything - first - second + both)
    rows, columns = (first, everything - first), (second, everything - second)
    ratio = 2 * sum(
        cell * log(cell * everything / (rows[i // 2] * columns[i % 2]))
        for i, cell in enumerate(cells)
        if cell > 0
    )
    return ratio if both * everything > first * second else -ratio
