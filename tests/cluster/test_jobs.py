"""Every kind of work: two workers of a cluster give what one process gives, one of them killed."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.answers import default_model, searching
from relsent_ir.dense.encoder import open_encoder
from relsent_ir.dense.rows import Source, encode_index
from relsent_ir.errors import MismatchError
from relsent_ir.executor import SERIAL, Executor
from relsent_ir.files import set_cache
from relsent_ir.hits import Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.changing import model_tagger, tag_index
from relsent_ir.lucene.write.indexing import build_index, build_parts
from relsent_ir.models import save
from relsent_ir.related import building as store_build
from relsent_ir.related.matching import matcher as matching
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.store import open_store
from relsent_ir.related.training.train import train
from relsent_ir.relations import open_ranker
from relsent_ir.relations.pairs import PairQuery, ranked_pairs
from relsent_ir.themes import finding
from relsent_ir.themes.finding import ThemeFinder, ThemeTopic
from relsent_ir.trec import write_run
from tests.dense.tiny import write_model

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, str]]:
    """Invented abstracts about one of three subjects each, in four files."""
    folder, chance = tmp_path_factory.mktemp("files"), random.Random(1)
    subjects = [
        [a + b + c for b in "aeiou" for c in ("nol", "lin", "tex")] for a in ("mur", "rat", "cat")
    ]
    made = []
    for file in range(4):
        path = folder / f"{file}.jsonl"
        with path.open("w") as lines:
            for number in range(30):
                words = chance.choice(subjects)
                text = [
                    f"{' '.join(chance.choices(words, k=6)).capitalize()} in patients."
                    for _ in range(5)
                ]
                text.append(f"{words[0]} inhibits {words[1]} strongly.")
                record = {
                    "id": f"{file * 100 + number}",
                    "title": f"On {words[2]}.",
                    "abstract": " ".join(text),
                }
                lines.write(json.dumps(record) + "\n")
        made.append((path, "jsonl"))
    return made


@pytest.fixture(scope="module")
def index(files: list[tuple[Path, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them in one index."""
    folder = tmp_path_factory.mktemp("index") / "index"
    build_index(files, folder)
    return folder


def same(one: Run, other: Run, folder: Path) -> bool:
    """Whether two runs are the same bytes."""
    for name, run in (("one", one), ("other", other)):
        write_run(folder / name, run)
    return (folder / "one").read_bytes() == (folder / "other").read_bytes()


def test_shards(files, index, tmp_path, deadly):
    """One process, two, shards and a cluster give the same run; so do their moves."""
    topics = {"1": "murnol rattex", "2": "cattex patients", "3": "inhibits strongly"}
    build_parts(files, tmp_path / "spread", 2, deadly)
    build_index(files, tmp_path / "two", threads=2)
    runs = []
    for folder in (index, tmp_path / "two", tmp_path / "spread"):
        with Index(folder) as opened:
            runs.append(Searcher(opened).search(topics, 50))
    assert all(same(runs[0], run, tmp_path) for run in runs[1:])
    with pytest.raises(MismatchError, match=r"in this shard and|from other inputs"):
        build_parts(files, tmp_path / "spread", 3, deadly)


def test_tagging(files: list[tuple[Path, str]], tmp_path: Path, deadly: Executor) -> None:
    """Sentences that were tagged by workers have the moves of those that were tagged here."""
    tagger, found = model_tagger(), []
    build_index(files[:1], tmp_path / "here", tagger=tagger)
    build_index(files[:1], tmp_path / "there")
    assert tag_index(tmp_path / "there", tagger, executor=deadly) == 30 * 7
    for name in ("here", "there"):
        with Index(tmp_path / name, "sentences") as opened:
            found.append(opened.raw(sorted(opened.ids())))
    assert found[0] == found[1]


def test_vectors(index: Path, tmp_path: Path, deadly: Executor) -> None:
    """Texts that were encoded by workers have the bytes of those that were encoded here."""
    model, found = write_model(tmp_path / "tiny"), []
    for executor in (SERIAL, deadly):
        with Index(index) as opened:
            source = Source(open_encoder(model, compute="numpy"))
            rows = encode_index(opened, source, executor=executor).rows
        found.append((rows.rows.tobytes(), rows.scales.tobytes(), rows.ids.text.tobytes()))
        shutil.rmtree(index / "derived" / "dense")
    assert found[0] == found[1]


def test_store(index, tmp_path, deadly, monkeypatch):
    """What matching and training read is the same."""
    monkeypatch.setattr(store_build, "BATCH", 100)
    with Index(index, "sentences") as opened:
        stores = []
        for number, executor in enumerate((SERIAL, deadly)):
            set_cache(tmp_path / str(number))
            stores.append(open_store(opened, (), executor=executor))
        set_cache(None)
    for path in stores[0].path.iterdir():
        if path.name != "model.json":
            assert path.read_bytes() == (stores[1].path / path.name).read_bytes(), path.name


def test_matches(index: Path, tmp_path: Path, deadly: Executor, monkeypatch: Any) -> None:
    """Many exact matches, of a formula and of a model, are those of one process."""
    monkeypatch.setattr(matching, "TOGETHER", 7)
    with Index(index) as opened:
        model = train(opened, "huber", pairs=100, content_share=1.0, lambda0=1e-3)
    save(tmp_path / "model", model)
    with Index(index, "sentences") as opened:
        ids = sorted(opened.ids())[::20]
        lines = opened.raw(ids)
    topics = {n: json.loads(line)["contents"] for n, line in zip(ids, lines, strict=True)}
    for name in (str(tmp_path / "model"), "I2"):
        settings: dict[str, Any] = {"candidates": "exact", "without_own": True}
        with Indexes(index) as collection:
            matcher = Matcher(collection, name)
            wanted = matcher.related(topics, 20, **settings)
            found = matcher.related(topics, 20, executor=deadly, **settings)
        assert same(wanted, found, tmp_path)


def test_themes(index: Path, tmp_path: Path, deadly: Executor, monkeypatch: Any) -> None:
    """Themes of many kernels are those of one process."""
    monkeypatch.setattr(finding, "TOGETHER", 3)
    with Indexes(index) as collection:
        finder = ThemeFinder(collection)
        topics = {name: ThemeTopic((name,)) for name in list(finder.matrix.ids)[::12]}
        wanted = finder.run(topics, 30)
        assert same(wanted, finder.run(topics, 30, executor=deadly), tmp_path)


def test_relations(index: Path, tmp_path: Path, deadly: Executor, monkeypatch: Any) -> None:
    """Relations of many pairs are those of one process."""
    monkeypatch.setattr("relsent_ir.relations.pairs.BATCH", 2)
    pairs = [(f"{a}anol", f"{a}alin") for a in ("mur", "rat", "cat")]
    pairs += [(b, a) for a, b in pairs] + [("murtex", "nobody")]
    asked = PairQuery(index, None, k=10)
    with Indexes(index) as collection:
        local = PairQuery(collection, open_ranker(None), k=10)
        wanted = list(ranked_pairs(local, pairs, SERIAL))
    found = list(ranked_pairs(asked.by_path(index, None), pairs, deadly))
    assert [pair.group for pair in found] == [str(n) for n in range(1, 8)]
    assert found[0].sentences
    one, other = (Run((pair.group, pair.hits) for pair in some) for some in (wanted, found))
    assert same(one, other, tmp_path)
    assert [p.probabilities for p in wanted] == [p.probabilities for p in found]
    assert [p.best for p in wanted] == [p.best for p in found]


def test_answers(index: Path, deadly: Executor, monkeypatch: Any) -> None:
    """Answers to many questions are those of one process, with all that is told of them."""
    monkeypatch.setattr(searching, "TOGETHER", 2)
    topics = {f"{a}{b}": f"Does {a}nol inhibit {b}lin?" for a in ("mur", "rat") for b in "aeiou"}
    with Indexes(index) as collection:
        wanted = searching.search(collection, topics, default_model(), depth=5)
    found = searching.answer_topics(index, None, topics, deadly, depth=5)
    assert list(found) == list(topics)
    assert any(wanted.values())
    assert found == wanted
