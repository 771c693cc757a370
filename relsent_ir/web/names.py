"""Two names: the sentences that say how they are related; one: the terms that go with it."""

from dataclasses import replace

from pydantic import Field
from starlette.exceptions import HTTPException

from relsent_ir.executor import SERIAL
from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits
from relsent_ir.methods import Relations
from relsent_ir.relations.entity import GROUPS, entity_terms
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.pairs import PairEvidence, PairQuery, RelatedPair, ranked_pairs
from relsent_ir.relations.ranker import reasons
from relsent_ir.web.library import Library
from relsent_ir.web.reading import Reason, sentence_of
from relsent_ir.web.requests import EntityRequest, NamesRequest, WhyNamesRequest
from relsent_ir.web.settings import PAGE, PAGES
from relsent_ir.web.views import Line, Private, Shown, Values, View, place, place_of


class Spelling(View):
    """A name under which an entity was searched, its origin, and the number of records with it."""

    name: str
    origin: str
    records: int


class Between(View):
    """Two entities, with a page of sentences that mention both in order of clearness."""

    request: NamesRequest
    searched: list[list[Spelling]] = Field(default=[])
    sentences: int = Field(default=0, description="How many mention both.")
    records: int = Field(default=0, description="How many have such a sentence.")
    hits: list[Shown] = Field(default=[])
    more: bool = Field(default=False, description="Whether there is a next page.")
    note: str = Field(default="", description="Why there are none, or not all.")

    @property
    def classes(self) -> dict[str, str]:
        """The class of the marks for each name."""
        return {self.request.a: "one", self.request.b: "other"}

    def to(self, hit: Hit) -> str:
        """Return the URL of a hit in its abstract."""
        both = f"{self.request.a} {self.request.b}"
        return place_of(hit, ("q", both))

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains the score."""
        return [*self.request.parameters(page=None), ("id", hit.id)]


def between(library: Library, request: NamesRequest) -> Between:
    """Find the sentences that state how two entities are related."""
    if not (request.a.strip() and request.b.strip()):
        return Between(request=request)
    end = request.page * PAGE
    pair = _pair(library, request, min(end + 1, PAGE * PAGES))
    explains = PairEvidence(pair, library.relations)
    topic = " ".join(pair.names)
    page = pair.hits[end - PAGE : end]
    hits = read_hits(library.indexes, page, topic, library.words, explains) if len(page) else []
    return Between(
        request=request,
        searched=[
            [Spelling(name=form.name, origin=form.origin, records=form.records) for form in forms]
            for forms in pair.forms
        ],
        sentences=pair.sentences,
        records=pair.records,
        hits=[replace(hit, rank=end - PAGE + hit.rank) for hit in hits],
        more=len(pair.hits) > end,
        note=pair.note,
    )


class Partner(View):
    """A term associated with an entity."""

    name: str
    group: str
    weight: float = Field(description="By how much oftener than elsewhere they are together.")
    sentences: int = Field(description="How many mention both.")
    records: int = Field(description="How many have such a sentence.")
    sentence: Line | None = Field(description="The one that relates the two most clearly.")
    values: Values = Field(description="How it does.")
    record: Private[str] = ""


class EntityPage(View):
    """An entity, and the terms that are more frequent beside it than elsewhere."""

    request: EntityRequest
    names: list[str] = Field(default=[], description="Under which it was looked for.")
    sentences: int = Field(default=0, description="How many mention it.")
    terms: list[Partner] = Field(default=[], description="The most telling first.")
    note: str = Field(default="", description="Why the name is not looked for.")

    @property
    def groups(self) -> dict[str, list[Partner]]:
        """The terms of each group that has terms."""
        order = {name: [t for t in self.terms if t.group == name] for name in GROUPS}
        return {name: terms for name, terms in order.items() if terms}

    def to(self, term: Partner) -> str:
        """Return the URL of a term's sentence in its abstract."""
        assert term.sentence
        return place(term.record, term.sentence.n, ("q", f"{self.request.name} {term.name}"))


def entity(library: Library, request: EntityRequest) -> EntityPage:
    """Find the terms that go with an entity, by groups, each with a sentence that relates them."""
    if not request.name.strip():
        return EntityPage(request=request)
    finder = Finder.of(library.indexes, Relations(literal=request.literal))
    terms = entity_terms(finder, library.relations, request.name, request.terms)
    partners = []
    for term in terms:
        sentence = library.sentence(term.id) if term.id else None
        text, both = sentence.text if sentence else "", f"{request.name} {term.name}"
        partners.append(
            Partner(
                name=term.name,
                group=term.group,
                weight=term.weight,
                sentences=term.sentences,
                records=term.records,
                sentence=Line.of(sentence, library.words.spans(both, text)) if sentence else None,
                values=term.values,
                record=sentence.record if sentence else "",
            )
        )
    return EntityPage(
        request=request,
        names=[form.name for form in finder.entity(request.name).forms],
        sentences=finder.count(request.name),
        terms=partners,
        note=finder.entity(request.name).hint,
    )


def of_names(library: Library, request: WhyNamesRequest) -> Reason:
    """Explain how clearly a sentence relates two entities."""
    sentence_of(library, request.id)
    pair = _pair(library, request, None)
    if request.id not in pair.best:
        raise HTTPException(404, "this sentence does not mention both")
    hit = Hits.ranked([request.id], [0.0])
    evidence = PairEvidence(pair, library.relations).evidence(library.collection, "", hit)[0]
    weighed = evidence.features or tuple(reasons(library.relations, pair.best[request.id]))
    names = " ".join(pair.names)
    plain = "How clearly it says how the two are related: the sum of these features."
    method = "how clearly it relates the two"
    return Reason.of(method, names, evidence, features=weighed, plain=plain)


def _pair(library: Library, request: NamesRequest, k: int | None) -> RelatedPair:
    method, filters = request.settings(Relations), request.filters()
    query = PairQuery(library.indexes, library.relations, method, k, filters)
    return next(ranked_pairs(query, [(request.a, request.b)], SERIAL))
