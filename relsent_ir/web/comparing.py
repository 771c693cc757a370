"""Runs side by side: what each topic gained and lost, and a topic's rankings next to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from starlette.exceptions import HTTPException

from relsent_ir.hit import Hit, read_hits
from relsent_ir.hits import Hits
from relsent_ir.records import Record
from relsent_ir.trec import ComparisonTable, compare
from relsent_ir.web.library import MEASURES, Library, Measured
from relsent_ir.web.requests import RunsRequest, RunTopicRequest
from relsent_ir.web.settings import PAGE

T = TypeVar("T")


@dataclass(frozen=True)
class TopicRow:
    """A topic: its text, what both runs reach, and how much the second gains."""

    topic: str
    text: str
    a: float
    b: float

    @property
    def gain(self) -> float:
        """The second's value less the first's."""
        return self.b - self.a


@dataclass(frozen=True)
class RunsTable:
    """Two runs over all topics.

    Attributes
    ----------
    request : RunsRequest
        With the names of both runs.
    names : list of str
        Those of all runs.
    rows : list of TopicRow
        In the order that is asked for.
    table : ComparisonTable or None
        By all measures; None of a run with itself.
    """

    request: RunsRequest
    names: list[str]
    rows: list[TopicRow]
    table: ComparisonTable | None

    @property
    def comparison(self) -> dict[str, Any] | None:
        """The table as JSON."""
        return self.table.to_json() if self.table else None

    @property
    def most(self) -> float:
        """The largest gain or loss, 1 where there is none."""
        return max((abs(row.gain) for row in self.rows), default=0.0) or 1.0


def runs(library: Library, request: RunsRequest) -> RunsTable:
    """Set two runs side by side, topic by topic; 404 where the server was given none."""
    measured = _measured(library)
    names = list(measured.runs)
    a, b = request.a or names[0], request.b or names[min(1, len(names) - 1)]
    one, other = (_of(measured.evaluations, name) for name in (a, b))
    rows = [
        TopicRow(
            topic, measured.topics.get(topic, ""), values[request.measure], after[request.measure]
        )
        for topic, values in one.topics.items()
        if (after := other.topics.get(topic))
    ]
    if request.sort == "topic":
        rows.sort(key=lambda row: (len(row.topic), row.topic))
    else:
        rows.sort(key=lambda row: row.gain if request.sort == "loss" else -row.gain)
    table = None
    if a != b:
        table = ComparisonTable(a, (b,), compare(one, [other], MEASURES))
    return RunsTable(request.model_copy(update={"a": a, "b": b}), names, rows, table)


@dataclass(frozen=True)
class RunSide:
    """A run's name, its values by measure, and a page of its hits."""

    name: str
    measures: Mapping[str, float]
    hits: list[Hit]


@dataclass(frozen=True)
class TopicPage:
    """A topic's two rankings.

    Attributes
    ----------
    request : RunTopicRequest
        With the names of both runs.
    text : str
        The topic's, or "".
    sides : list of RunSide
        The values of their hits are ``grade``,
        None without a judgement, ``elsewhere``, the rank in the other run, None if it is not there,
        and ``indexed``: a hit that the collection does not have is an empty record.
    more : bool
    relevant : int
        How many are judged relevant.
    """

    request: RunTopicRequest
    text: str
    sides: list[RunSide]
    more: bool
    relevant: int

    def why(self, hit: Hit) -> list[tuple[str, str]]:
        """Return the parameters of the page that explains BM25's score of a hit for the topic."""
        unit = "sentences" if hit.is_sentence else "abstracts"
        return [("q", self.text), ("unit", unit), ("id", hit.id)]


def topic(library: Library, request: RunTopicRequest) -> TopicPage:
    """Set a topic's rankings by two runs side by side."""
    measured = _measured(library)
    names = list(measured.runs)
    a, b = request.a or names[0], request.b or names[min(1, len(names) - 1)]
    request = request.model_copy(update={"a": a, "b": b})
    grades = measured.qrels.get(request.id, {})
    hits = [_of(measured.runs, name).get(request.id, Hits.ranked([], [])) for name in (a, b)]
    if not any(map(len, hits)) and not grades:
        raise HTTPException(404, "the runs have no such topic")
    text = measured.topics.get(request.id, "")
    start = (request.page - 1) * PAGE
    pages = [found[start : start + PAGE] for found in hits]
    read = _read(library, pages, text)
    ranks = [{name: rank for rank, name in enumerate(found.ids, 1)} for found in hits]
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
        sides.append(RunSide(name, measures, page))
    relevant = sum(grade > 0 for grade in grades.values())
    return TopicPage(request, text, sides, max(map(len, hits)) > start + PAGE, relevant)


def _read(library: Library, pages: list[Hits], text: str) -> dict[str, Hit]:
    """Read the hits that the collection has."""
    ids = list(dict.fromkeys(name for hits in pages for name in hits.ids))
    units = (library.indexes.abstracts, library.indexes.sentences)
    there = np.any([index.documents(ids) >= 0 for index in units], axis=0)
    hits = Hits(np.array(ids, dtype=object)[there], np.zeros(int(there.sum())))
    return {hit.id: hit for hit in read_hits(library.indexes, hits, text, library.words)}


def _measured(library: Library) -> Measured:
    if library.measured is None:
        raise HTTPException(404, "this server was given no runs")
    return library.measured


def _of(named: Mapping[str, T], name: str) -> T:
    if name not in named:
        raise HTTPException(404, "there is no run of this name")
    return named[name]
