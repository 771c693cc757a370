"""An entity's page: the terms that go with it, grouped, and a best sentence for each.

After Tudor & Vijay-Shanker 2012 (section 1, figure 1): terms are base noun phrases of the sentences
that mention the entity, by how much oftener they stand there than in the collection (Dunning's
log-likelihood ratio); the sentence is the one that relates the two most clearly.

References
----------
T. Dunning. Accurate methods for the statistics of surprise and coincidence. Computational
Linguistics 19(1), 1993, 61-74.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import log
from typing import Final

from relsent_ir.hits import owner
from relsent_ir.relations.clinical import is_molecule
from relsent_ir.relations.pairs import Finder, PairEvidence, rank_pairs
from relsent_ir.relations.ranker import RelationRanker
from relsent_ir.relations.structure import Structure
from relsent_ir.text.names import Names, is_common, normal_form, pieces
from relsent_ir.text.parsing import Parsed
from relsent_ir.text.phrases import word_set
from relsent_ir.text.tokens import Span

READ: Final = 1_000
"""Sentences that are read of those with the entity: the first by BM25."""
WEIGHED: Final = 120
"""Terms that are counted in the collection: those of the most sentences."""
TRIED: Final = 2
"""Candidates for each term that is shown."""
LEAST: Final = 2
"""Records that must have a term in a sentence with the entity."""
FEW: Final = 150
"""Sentences of an entity of which one record is enough, if the term stands elsewhere too, and of
which twice as many candidates are tried."""
LIGHTEST: Final = 6.63
"""The least weight of a term: chance exceeds it once in a hundred times."""
TIMES: Final = 4
"""A term stands so many times oftener beside the entity than in all sentences, at least: words of
any study (survival, incidence) are about twice as often there."""
FRAGMENT: Final = 8
"""A term stands alone once in so many times, at least: else it is a part of longer ones."""
SENTENCES: Final = 20
"""Sentences of a term, the clearest by the ranker, of which one is shown."""
SAID: Final = 0.3
VERB: Final = 0.1
NOT_ASSERTED: Final = 0.4
LISTED: Final = 0.5
METHOD: Final = 0.4
APART: Final = 0.25
COMPARED: Final = 0.1
"""What a sentence gains that is known to raise, lower or bind, or has a verb between the names; and
loses as an aim or negated, where both stand in one list, where it tells what was measured, where
they are in two clauses, and as a comparison, which mostly says of neither what it does. Learned
from the readings of qrels/reader/entity-terms.jsonl."""
CLEAR: Final = 0.2
SURE: Final = 0.5
"""The least clearness of a sentence that is shown, and where one record has both: else the term is
left out."""

GROUPS: Final = {
    "diseases": r"(?:itis|oses|osis|emia|oma|omas|pathy|disease|syndrome|infection|cancer|fibrosis"
    r"|disorder|failure|sepsis|pneumonia|diabetes|asthma|death|mortality)s?$",
    "drugs": r"(?:cillin|mycin|micin|floxacin|statin|mab|pril|sartan|olol|azole|cycline|azepam"
    r"|idone|apine|steroid|dipine|antibiotic|drug|therapy|treatment|amide|amine|acid)s?$",
    "genes and proteins": "",
    "processes": r"(?:tion|sis|ment|ing|growth|activity|transport|release|clearance|uptake)s?$",
}
"""Groups of terms, by the ends of their last words; genes and proteins by their form."""
OTHER: Final = "other"

_GENERIC, _VAGUE, _PLAIN = (
    word_set(line.partition("\t")[2])
    for line in (files("relsent_ir") / "relations" / "entity.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
)
_UNIT: Final = re.compile(
    r"[a-zµμ]{1,4}(?:/[a-z]{1,4})+(?:$|[/ ]\d)|mu?g$|%|mg |\w+\./", re.IGNORECASE
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
_APART: Final = re.compile(
    r";|, (?:although|however|and (?:the|an?|in|there|no|that))\b|\b(?:but|whereas|while)\b"
)
_LISTED: Final = re.compile(r"(?:NN\w*|JJ\w*|CD|,|CC|DT|POS|:|-LRB-|-RRB-|VBN|SYM|RB)")
_CONNECTED: Final = re.compile(
    r"\b(?:correlat|relation|associat|ratio|interact|link|synerg|combin|balance|bound|bind|convert)",
    re.IGNORECASE,
)
"""Of two in a list it may be said what they are to each other."""
_COMPARED: Final = re.compile(r"\b(?:than|versus|vs|compar(?:ed|ing|isons?))\b", re.IGNORECASE)


@dataclass(frozen=True)
class EntityTerm:
    """A term that goes with an entity.

    Attributes
    ----------
    name, group : str
    weight : float
        The log-likelihood ratio; 0 of a name that was given.
    sentences, records : int
        How many mention both.
    id, text : str
        Of the best sentence; empty if there is none.
    values : dict of str to (str or float)
        How it relates the two: `PairEvidence.statements`.
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
    """Return the terms that go with an entity, each with its best sentence.

    Parameters
    ----------
    finder : Finder
    ranker : RelationRanker
    name : str
    count : int
        So many terms at most.
    names : sequence of str
        Terms in the place of those that are found.
    """
    tried = TRIED * count * (1 if finder.count(name) > FEW else 2)
    weights = dict.fromkeys(names, 0.0) or informative_terms(finder, ranker, name, tried)
    terms = []
    worth: dict[str, float] = {}
    for pair in rank_pairs(finder, ranker, [(name, term) for term in weights], SENTENCES):
        term = pair.names[1]
        evidence = PairEvidence(pair, ranker)
        rows = evidence.described(pair.hits.ids.tolist())
        stated = [_clearness(evidence.said(*row), row[1].structure) for row in rows]
        best = max(stated, default=0.0)
        if not names and best < (CLEAR if pair.records >= LEAST else SURE):
            continue
        row = evidence.to_row(stated.index(best) if stated else 0)
        worth[term] = log(1 + weights[term]) * best
        said = ("probability", "status", "polarity", "agent")
        terms.append(
            EntityTerm(
                name=term,
                group=group_of(term),
                weight=round(weights[term], 1),
                sentences=pair.sentences,
                records=pair.records,
                id=str(row["id"]),
                text=str(row["text"]),
                values={key: row[key] for key in said if row[key] != ""},
            )
        )
    if names:
        return terms
    terms.sort(key=lambda term: -worth[term.name])
    return _different(finder, terms)[:count]


def _clearness(said: Mapping[str, str | float], structure: Structure) -> float:
    """Return how clearly a sentence states a connection, by its probability and its words."""
    candidate = structure.candidate
    text, (first, second) = candidate.text, sorted((candidate.e1, candidate.e2))
    start, end = structure.first or (0, 0), structure.second or (0, 0)
    between = structure.tags[start[1] : end[0]]
    listed = bool({"CC", ","} & set(between)) and all(map(_LISTED.fullmatch, between))
    return (
        float(said["probability"])
        + SAID * ("polarity" in said)
        + VERB * any(tag.startswith(("VB", "MD")) for tag in between)
        - NOT_ASSERTED * (said.get("status", "asserted") != "asserted")
        - LISTED * (listed and not _CONNECTED.search(text))
        - METHOD * bool(_MEASURED.search(text))
        - APART * bool(_APART.search(text[first[1] : second[0]]))
        - COMPARED * bool(_COMPARED.search(text))
    )


def _different(finder: Finder, terms: Sequence[EntityTerm]) -> list[EntityTerm]:
    """Leave out terms that are another name, or a narrower one, of one that comes before."""
    kept: list[EntityTerm] = []
    seen: list[tuple[Names, frozenset[str]]] = []
    for term in terms:
        forms = [form.name for form in finder.forms(term.name)]
        parts = frozenset(pieces(term.name))
        if not any(
            one.is_name(term.name) or words <= parts or parts <= words or any(map(one.find, forms))
            for one, words in seen
        ):
            kept.append(term)
            seen.append((Names(forms), parts))
    return kept


def informative_terms(
    finder: Finder, ranker: RelationRanker, name: str, count: int
) -> dict[str, float]:
    """Return the terms that stand oftener beside an entity than elsewhere, the weightiest first."""
    places = finder.mentions(name, READ)
    ids = list(places)
    texts = finder.collection.texts(ids)
    own = Names([form.name for form in finder.forms(name)])
    read = [_joined(text) for text in texts]
    found: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    of_records: dict[str, set[str]] = {}
    parts = {part for form in finder.forms(name) for part in _joined(form.name).split()}
    for one, text, parsed in zip(ids, texts, ranker.parser.parse(texts), strict=True):
        # What follows a name at once is a part of a longer one: diabetes mellitus
        beside = {len(text) - len(text[end:].lstrip(" -")) for _, end in places[one]}
        of_sentence = {
            normal_form(term).removesuffix("s"): term
            for start, end in _terms(parsed)
            if start not in beside and (term := _written(text, start, end))
        }
        for key, term in of_sentence.items():
            if not own.find(term) and not parts.issuperset(_joined(term).split()):
                found[key] += 1
                of_records.setdefault(key, set()).add(owner(one))
                written.setdefault(key, Counter())[term] += 1
    everything = len(finder.collection.sentences)
    weights = {}
    for key, together in found.most_common(WEIGHED):
        term = written[key].most_common(1)[0][0]
        vague = (
            is_common(term)
            or _UNIT.match(term)
            or term.endswith("-")
            or _is_of_people(written[key])
        )
        if vague or _METHODS.search(term.split()[-1].lower()):
            continue
        elsewhere = max(finder.count_literally(term), together)
        few = len(ids) <= FEW and elsewhere >= LEAST
        if few or len(of_records[key]) >= LEAST:
            alone = together
            together = max(together, sum(_joined(term) in text for text in read))
            if together > FRAGMENT * alone:
                continue
            elsewhere = max(elsewhere, together)
            if together * everything >= TIMES * elsewhere * len(ids):
                weights[term] = log_likelihood_ratio(together, len(ids), elsewhere, everything)
    best = sorted(weights, key=lambda term: (-weights[term], term))
    return {term: weights[term] for term in best[:count] if weights[term] > LIGHTEST}


def _joined(text: str) -> str:
    """Return the pieces of a text in their singular, with blanks around them."""
    return f" {' '.join(piece.removesuffix('s') for piece in pieces(text))} "


def _written(text: str, start: int, end: int) -> str:
    """Return a term as it is written, without the capital that begins a sentence."""
    term = text[start:end]
    first, space, rest = term.partition(" ")
    return f"{first.lower()}{space}{rest}" if not start and first.istitle() else term


def _is_of_people(written: Counter[str]) -> bool:
    """Tell whether a term is an author or a place: mostly its words begin with capitals."""
    titles = sum(
        count
        for term, count in written.items()
        if all(word.isalpha() and word.istitle() for word in term.split())
    )
    return 2 * titles > written.total()


def group_of(term: str) -> str:
    """Return the group of a term, by its form."""
    for group, ends in GROUPS.items():
        if re.search(ends, term.lower()) if ends else is_molecule(term):
            return group
    return OTHER


def _terms(parsed: Parsed) -> Iterable[Span]:
    """Yield the places of the base noun phrases, without what leads them and no term."""
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


def log_likelihood_ratio(both: int, one: int, other: int, everything: int) -> float:
    """Compute Dunning's ratio of two terms; negative where they are together less than by chance.

    Parameters
    ----------
    both, one, other, everything : int
        Sentences that have both terms, each of them, and all sentences.
    """
    other = min(max(other, both), everything - one + both)
    cells = (both, one - both, other - both, everything - one - other + both)
    rows, columns = (one, everything - one), (other, everything - other)
    ratio = 2 * sum(
        cell * log(cell * everything / (rows[i // 2] * columns[i % 2]))
        for i, cell in enumerate(cells)
        if cell > 0
    )
    return ratio if both * everything > one * other else -ratio
