"""A part of the abstracts collection: what two workers make of it, one of them killed."""

import gzip
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.answers.searching import answer_topics
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index, build_parts
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.relations.pairs import PairQuery, ranked_pairs
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from tests.cluster.tagged import tagged_twice

pytestmark = pytest.mark.slow

RECORDS, FILES, TOPICS = 160, 4, 8


@pytest.fixture(scope="module")
def titles() -> dict[str, str]:
    """Of the records, by id; filled by `files`."""
    return {}


@pytest.fixture(scope="module")
def files(
    data: Path, titles: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Path, str]]:
    """The first records, in four files."""
    folder = tmp_path_factory.mktemp("files")
    with gzip.open(data / "abstracts" / "abstracts.jsonl.gz", "rt") as source:
        lines = list(islice(source, RECORDS))
    titles.update((record["id"], record["title"]) for record in map(json.loads, lines))
    made = []
    for number in range(FILES):
        path = folder / f"{number}.jsonl"
        path.write_text("".join(lines[number::FILES]))
        made.append((path, "jsonl"))
    return made


@pytest.fixture(scope="module")
def index(files: list[tuple[Path, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them in one index."""
    folder = tmp_path_factory.mktemp("index") / "index"
    build_index(files, folder)
    return folder


@pytest.fixture
def topics(index: Path, titles: dict[str, str]) -> dict[str, str]:
    """Titles, by their records' ids."""
    return {name: title for name, title in titles.items() if title}


def plain(run: Run) -> dict[str, tuple[list[str], list[float]]]:
    """Give what can be compared."""
    return {topic: (hits.ids.tolist(), hits.scores.tolist()) for topic, hits in run.items()}


def matches(index: Path, topics: dict[str, str], executor: Executor) -> Any:
    """Match all titles exactly."""
    with Indexes(index) as collection:
        settings = {"candidates": "exact", "without_own": True, "executor": executor}
        return plain(Matcher(collection, "I2").related(topics, 10, **settings))


def themes(index: Path, topics: dict[str, str], executor: Executor) -> Any:
    """Find the themes of some records."""
    with Indexes(index) as collection:
        finder = ThemeFinder(collection)
        kernels = {name: ThemeTopic((name,)) for name in islice(topics, 2 * TOPICS)}
        return plain(finder.run(kernels, 20, executor=executor))


def relations(index: Path, topics: dict[str, str], executor: Executor) -> Any:
    """Rank the sentences of pairs of the longest words of titles."""
    words = [max(title.split(), key=len).strip(".,:?()[]") for title in topics.values()]
    named = [word for word in words if word.isalpha()][: 2 * TOPICS]
    pairs = [*zip(named[::2], named[1::2], strict=False), ("treatment", "patients")]
    found = ranked_pairs(PairQuery(index, None, k=10).by_path(index, None), pairs, executor)
    return [(pair.group, plain(Run({"": pair.hits})), pair.probabilities) for pair in found]


def answers(index: Path, topics: dict[str, str], executor: Executor) -> Any:
    """Answer some titles as if they were questions."""
    return answer_topics(index, None, dict(islice(topics.items(), 40)), executor, depth=3)


@pytest.mark.parametrize("job", [matches, themes, relations, answers])
def test_job(
    job: Callable[..., Any],
    index: Path,
    topics: dict[str, str],
    deadly: Executor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is that of one process."""
    found = job(index, topics, deadly)
    assert found
    assert found == job(index, topics, SERIAL)


def test_shards(
    files: list[tuple[Path, str]], index: Path, tmp_path: Path, deadly: Executor
) -> None:
    """Shards that workers build give the runs of one index, and their moves are the same."""
    titles = {"1": "treatment of patients", "2": "randomised controlled trial", "3": "cells"}
    build_parts(files, tmp_path / "parts", 2, deadly)
    runs = []
    for folder in (index, tmp_path / "parts"):
        with Index(folder) as opened:
            runs.append(plain(Searcher(opened).search(titles, 100)))
    assert runs[0] == runs[1]


def test_moves(files: list[tuple[Path, str]], tmp_path: Path, deadly: Executor) -> None:
    """Sentences are tagged as one process tags them."""
    _, alone, there = tagged_twice(files[:1], tmp_path, deadly)
    assert alone == there
