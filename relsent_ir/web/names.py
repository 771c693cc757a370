"""Two names: the sentences that say most clearly how two entities are related."""

from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException

from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits
from relsent_ir.relations.names import Form
from relsent_ir.relations.pairs import Finder, PairEvidence, RelatedPair, rank_pairs
from relsent_ir.relations.ranker import reasons
from relsent_ir.web.library import Library
from relsent_ir.web.reading import Reason, sentence_of
from relsent_ir.web.requests import NamesRequest, WhyNamesRequest, address
from relsent_ir.web.settings import PAGE, PAGES


@dataclass(frozen=True)
class Between:
    """Two entities with a page of the sentences that mention both.

    Attributes
    ----------
    request : NamesRequest
    forms : list of list of Form
        The spellings under which each was looked for.
    sentences, records : int
        How many mention both.
    hits : list of Hit
    more : bool
    """

    request: NamesRequest
    forms: list[list[Form]]
    sentences: int
    records: int
    hits: list[Hit]
    more: bool

    @property
    def classes(self) -> dict[str, str]:
        """The class of the marks of each name."""
        return {self.request.a: "one", self.request.b: "other"}

    def to(self, hit: Hit) -> str:
        """Return the address of a hit in its abstract."""
        n = hit.id.rpartition(".")[2]
        both = f"{self.request.a} {self.request.b}"
        return address("/abstract", [("id", hit.record.id), ("at", n), ("q", both)], f"s{n}")

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that accounts for the score."""
        return [*self.request.parameters(page=None), ("id", hit.id)]


def between(library: Library, request: NamesRequest) -> Between:
    """Find the sentences that say how two entities are related."""
    if not (request.a.strip() and request.b.strip()):
        return Between(request, [], 0, 0, [], False)
    end = request.page * PAGE
    pair = _pair(library, request, min(end + 1, PAGE * PAGES))
    explains = PairEvidence(pair, library.relations)
    topic = " ".join(pair.names)
    page = pair.hits[end - PAGE : end]
    hits = read_hits(library.indexes, page, topic, library.words, explains) if len(page) else []
    hits = [replace(one, rank=end - PAGE + one.rank) for one in hits]
    more = len(pair.hits) > end
    return Between(request, pair.forms, pair.sentences, pair.records, hits, more)


def of_names(library: Library, request: WhyNamesRequest) -> Reason:
    """Account for how clearly a sentence relates two entities."""
    sentence_of(library, request.id)
    pair = _pair(library, request, None)
    if request.id not in pair.best:
        raise HTTPException(404, "this sentence does not mention both")
    hit = Hits.ranked([request.id], [0.0])
    evidence = PairEvidence(pair, library.relations).evidence(library.indexes, "", hit)[0]
    weighed = tuple(reasons(library.relations, pair.best[request.id]))
    shown = replace(evidence, features=evidence.features or weighed)
    return Reason("how clearly it relates the two", " ".join(pair.names), shown)


def _pair(library: Library, request: NamesRequest, k: int | None) -> RelatedPair:
    finder = Finder(library.indexes, literal=request.literal, filters=request.filters())
    return next(rank_pairs(finder, library.relations, [(request.a, request.b)], k))
