"""Facets of a search: its number of hits, by year, journal, type, heading and move."""

from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import Field

from relsent_ir.lucene.read.facets import count_facets
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.methods import BM25
from relsent_ir.web.library import Library
from relsent_ir.web.requests import FacetsRequest, SearchRequest
from relsent_ir.web.views import View
from relsent_ir.web.wording import understand

BESIDE: Final = ("year", "move", "publication_type", "journal")
"""Fields that are counted for each search; counting headings takes longer."""
FEW, MANY = 6, 20
NAMES: Final = {
    "year": "Years", "move": "Moves", "publication_type": "Types", "journal": "Journals",
    "heading": "Headings", "language": "Languages",
}  # fmt: skip
_PARAMETERS: Final = {
    "move": "move", "publication_type": "type", "journal": "journal", "heading": "mesh",
}  # fmt: skip
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100)


class FacetValue(View):
    """A value, the number of hits with it, and the URL of these hits."""

    value: str
    count: int
    address: str


class Facet(View):
    """A field with its most frequent values; for years, with spans."""

    field: str
    name: str
    values: list[FacetValue]


class FacetsPage(View):
    """The counts over all hits of a search."""

    request: FacetsRequest
    found: int | None = Field(default=None, description="How many hits; null if it is not known.")
    facets: list[Facet] = Field(default=[])


def facets(library: Library, request: FacetsRequest) -> FacetsPage:
    """Count the hits of a search by year, move, type, journal and heading."""
    request, _ = understand(library, request)
    total, facets = count(library, request, (*BESIDE, "heading"), MANY)
    return FacetsPage(request=request, found=total, facets=facets)


def count(
    library: Library, request: SearchRequest, fields: Sequence[str] = BESIDE, most: int = FEW
) -> tuple[int | None, list[Facet]]:
    """Count the hits of a search and their facets; None for an index without facets."""
    index = library.indexes.index(request.unit)
    filters, whole = request.filters(request.unit), request.whole
    if not index.facts.facets or not (whole or library.words.analysis.terms(request.q)):
        return None, []
    if whole:
        query = filters.query(index, warn=False)
    else:
        text = request.q
        if not request.written:  # and other spellings of its words
            text = library.alternatives(text, request.unit).widened
        query = open_searcher(index, BM25(), filters=filters).matching(text)
    result = count_facets(index, query, fields, most)
    # The URL is the same on all pages of the search.
    plain = SearchRequest.model_validate(
        request.model_dump(include=set(SearchRequest.model_fields))
    )
    facets = []
    for field, counts in result.counts.items():
        if field == "year":
            values = _years(plain, counts, most)
        else:
            name = _PARAMETERS[field]
            values = [
                FacetValue(value=value, count=n, address=plain.narrowed(name, [value]))
                for value, n in counts.items()
            ]
        if len(values) > 1:
            facets.append(Facet(field=field, name=NAMES[field], values=values))
    return result.documents, facets


def _years(request: SearchRequest, counts: Mapping[str, int], most: int) -> list[FacetValue]:
    """Group years into a limited number of spans, the newest first."""
    years = [int(year) for year in counts]
    if not years:
        return []
    first, last = min(years), max(years)
    step = next((s for s in _STEPS if last // s - first // s < most), 1000)
    spans: dict[int, int] = {}
    for year, n in counts.items():
        start = int(year) // step * step
        spans[start] = spans.get(start, 0) + n
    return [
        FacetValue(
            value=str(start) if step == 1 else f"{start}–{start + step - 1}",
            count=n,
            address=request.address(first=start, last=start + step - 1, page=1),
        )
        for start, n in sorted(spans.items(), reverse=True)
    ]
