"""Comparing runs: gains and losses on each topic, and a topic's rankings side by side."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import Field
from starlette.exceptions import HTTPException

from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits
from relsent_ir.records import Record
from relsent_ir.trec import ComparisonTable, compare
from relsent_ir.web.library import Library
from relsent_ir.web.requests import RunsRequest, RunTopicRequest
from relsent_ir.web.settings import MEASURES, PAGE, Measured
from relsent_ir.web.views import Private, Shown, View

T = TypeVar("T")


class TopicRow(View):
    """The values of two runs on a topic."""

    topic: str
    text: str
    a: float
    b: float

    @property
    def gain(self) -> float:
        """The value of the second run minus that of the first."""
        return self.b - self.a


class RunsTable(View):
    """Two runs over all topics."""

    request: RunsRequest = Field(description="With the names of both runs.")
    runs: list[str] = Field(description="The names of all runs.")
    topics: list[TopicRow] = Field(description="In the order that is asked for.")
    comparison: dict[str, Any] | None = Field(
        description="As `relsent-ir compare --json`; null of a run with itself."
    )
    table: Private[ComparisonTable | None]

    @property
    def most(self) -> float:
        """The largest gain or loss; 1 if there is none."""
        return max((abs(row.gain) for row in self.topics), default=0.0) or 1.0


def runs(library: Library, request: RunsRequest) -> RunsTable:
    """Set two runs side by side, topic by topic; 404 where the server was given none."""
    measured, a, b = _measured(library, request)
    first, second = (_of(measured.evaluations, name) for name in (a, b))
    rows = [
        TopicRow(
            topic=topic,
            text=measured.topics.get(topic, ""),
            a=values[request.measure],
            b=after[request.measure],
        )
        for topic, values in first.topics.items()
        if (after := second.topics.get(topic))
    ]
    if request.sort == "topic":
        rows.sort(key=lambda row: (len(row.topic), row.topic))
    else:
        rows.sort(key=lambda row: row.gain if request.sort == "loss" else -row.gain)
    table = None
    if a != b:
        table = ComparisonTable(a, (b,), compare(first, [second], MEASURES))
    return RunsTable(
        request=request.model_copy(update={"a": a, "b": b}),
        runs=list(measured.runs),
        topics=rows,
        comparison=table.to_json() if table else None,
        table=table,
    )


class RunSide(View):
    """A run's ranking of a topic: its values by measure, and a page of its hits.

    The values of hits are ``grade`` (null without a judgement), ``elsewhere`` (the rank in the
    other run, null if it is missing there) and ``indexed``: a hit that is not in the collection has
    an empty record.
    """

    run: str
    measures: dict[str, float]
    hits: list[Shown]


class TopicPage(View):
    """A topic's rankings by two runs."""

    request: RunTopicRequest = Field(description="With the names of both runs.")
    text: str
    sides: list[RunSide]
    more: bool = Field(description="Whether there is a next page.")
    relevant: int = Field(description="How many are judged relevant.")

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains a hit's BM25 score for the topic."""
        unit = "sentences" if hit.is_sentence else "abstracts"
        return [("q", self.text), ("unit", unit), ("id", hit.id)]


def topic(library: Library, request: RunTopicRequest) -> TopicPage:
    """Show the rankings of a topic by two runs side by side."""
    measured, a, b = _measured(library, request)
    request = request.model_copy(update={"a": a, "b": b})
    grades = measured.qrels.get(request.id, {})
    hits = [_of(measured.runs, name).get(request.id, Hits.ranked([], [])) for name in (a, b)]
    if not any(map(len, hits)) and not grades:
        raise HTTPException(404, "the runs have no such topic")
    text = measured.topics.get(request.id, "")
    start = (request.page - 1) * PAGE
    pages = [ranking[start : start + PAGE] for ranking in hits]
    present = library.present([name for page in pages for name in page.ids])
    read = {hit.id: hit for hit in read_hits(library.indexes, present, text, library.words)}
    ranks = [{name: rank for rank, name in enumerate(ranking.ids, 1)} for ranking in hits]
    sides = []
    for n, name in enumerate((a, b)):
        page = []
        for rank, (id_, score) in enumerate(pages[n], start + 1):
            values = {
                "grade": grades.get(id_),
                "elsewhere": ranks[1 - n].get(id_),
                "indexed": id_ in read,
            }
            hit = read.get(id_, Hit(rank, id_, score, Record(id_)))
            page.append(replace(hit, rank=rank, score=score, values=values))
        measures = _of(measured.evaluations, name).topics.get(request.id, {})
        sides.append(RunSide(run=name, measures=dict(measures), hits=page))
    return TopicPage(
        request=request,
        text=text,
        sides=sides,
        more=max(map(len, hits)) > start + PAGE,
        relevant=sum(grade > 0 for grade in grades.values()),
    )


def _measured(
    library: Library, request: RunsRequest | RunTopicRequest
) -> tuple[Measured, str, str]:
    """Return all runs, and the names of two of them: those in a request, or else the first two."""
    if library.measured is None:
        raise HTTPException(404, "this server was given no runs")
    names = list(library.measured.runs)
    return library.measured, request.a or names[0], request.b or names[min(1, len(names) - 1)]


def _of(by_name: Mapping[str, T], name: str) -> T:
    if name not in by_name:
        raise HTTPException(404, "there is no run of this name")
    return by_name[name]
