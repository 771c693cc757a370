"""Two names: the sentences that say most clearly how two entities are related."""

from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException

from relsent_ir.hit import Shown, describe
from relsent_ir.rank import Evidence
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.names import Form
from relsent_ir.relations.pairs import PairEvidence, RelatedPair, rank_pairs
from relsent_ir.relations.reasons import reasons
from relsent_ir.web.asked import TwoNames, WhyNames, address
from relsent_ir.web.library import Library
from relsent_ir.web.reading import sentence_of
from relsent_ir.web.reasons import Reason
from relsent_ir.web.settings import PAGE, PAGES


@dataclass(frozen=True)
class Between:
    """Two entities with a page of the sentences that mention both.

    Attributes
    ----------
    asked : TwoNames
    forms : list of list of Form
        The spellings under which each was looked for.
    sentences, records : int
        How many mention both.
    hits : list of Shown
    more : bool
    """

    asked: TwoNames
    forms: list[list[Form]]
    sentences: int
    records: int
    hits: list[Shown]
    more: bool

    @property
    def classes(self) -> dict[str, str]:
        """How each name is marked."""
        return {self.asked.a: "one", self.asked.b: "other"}

    def to(self, hit: Shown) -> str:
        """The address of a hit in its abstract."""
        n = hit.id.rpartition(".")[2]
        both = f"{self.asked.a} {self.asked.b}"
        return address("/abstract", [("id", hit.record.id), ("at", n), ("q", both)], f"s{n}")

    def why(self, hit: Shown) -> list[tuple[str, str]]:
        """The parameters of the page that says why."""
        return [*self.asked.parameters(page=None), ("id", hit.id)]


def between(library: Library, asked: TwoNames) -> Between:
    """Find a page of sentences that mention both of two entities, the clearest first."""
    if not (asked.a.strip() and asked.b.strip()):
        return Between(asked, [], 0, 0, [], False)
    end = asked.page * PAGE
    pair = _pair(library, asked, min(end + 1, PAGE * PAGES))
    explains = PairEvidence(pair, library.relations)
    topic = " ".join(pair.names)
    page = pair.hits[end - PAGE : end]
    hits = describe(library.indexes, page, topic, library.words, explains) if len(page) else []
    hits = [replace(one, rank=end - PAGE + one.rank) for one in hits]
    more = len(pair.hits) > end
    return Between(asked, pair.forms, pair.sentences, pair.records, hits, more)


def of_names(library: Library, asked: WhyNames) -> Reason:
    """Account for a sentence's place among those that mention both names."""
    sentence_of(library, asked.id)
    pair = _pair(library, asked, None)
    if asked.id not in pair.best:
        raise HTTPException(404, "this sentence does not mention both")
    one = PairEvidence(pair, library.relations).evidence(library.indexes, "", [asked.id])[0]
    weighed = tuple(reasons(library.relations, pair.best[asked.id]))
    shown = Evidence(one.sentence, one.text, one.spans, one.values, one.features or weighed)
    return Reason("how clearly it relates the two", " ".join(pair.names), shown)


def _pair(library: Library, asked: TwoNames, k: int | None) -> RelatedPair:
    finder = Finder(library.indexes, literal=asked.literal, filters=asked.filters())
    return next(rank_pairs(finder, library.relations, [(asked.a, asked.b)], k))
