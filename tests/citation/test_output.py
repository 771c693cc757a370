"""Benchmarks as files."""

import json

import pytest

from relsent_ir.citation.benchmark import Plan, benchmark_index
from relsent_ir.citation.documents import topic_text
from relsent_ir.errors import MismatchError, OutputError
from relsent_ir.lucene.read.index import Index
from relsent_ir.trec import read_qrels, read_topics

PLAN = Plan(queries=3, sets=2, relevant=4)


def test_files(folder, records, tmp_path):
    """Topics and qrels of each set that our readers read, and the summary."""
    with Index(folder) as index:
        made = benchmark_index(index, PLAN, tmp_path / "b")
    names = {path.name for path in (tmp_path / "b").iterdir()}
    assert names == {
        "topics.set1.tsv", "qrels.set1.txt", "topics.set2.tsv", "qrels.set2.txt", "summary.json",
    }  # fmt: skip
    texts = {record.id: topic_text(record) for record in records}
    for number, qrels in enumerate(made.sets, 1):
        assert read_qrels(tmp_path / "b" / f"qrels.set{number}.txt") == qrels
        topics = read_topics(tmp_path / "b" / f"topics.set{number}.tsv")
        assert topics == {name: texts[name] for name in qrels}
        for topic, grades in qrels.items():
            assert topic not in grades
            assert {int(other) % 3 for other in grades} == {int(topic) % 3}
    assert json.loads((tmp_path / "b" / "summary.json").read_text()) == made.summary


def test_all_moves(folder, tmp_path):
    """Every record here has all moves; the summary tells that they were asked for."""
    with Index(folder) as index:
        plain = benchmark_index(index, PLAN, tmp_path / "a")
        made = benchmark_index(index, PLAN, tmp_path / "b", all_moves=True)
    assert made.sets == plain.sets
    assert made.summary["plan"]["all_moves"]


def test_co_citation_and_links_without_any(folder, tmp_path):
    """No record is cited here: a clear line, and nothing is written."""
    for variant in ("co-citation", "links"):
        with Index(folder) as index, pytest.raises(MismatchError, match="no two of the 30"):
            benchmark_index(index, Plan(variant=variant), tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_another_benchmark_in_the_way(folder, tmp_path):
    """Fewer sets than the folder holds are not written into it; as many are."""
    with Index(folder) as index:
        benchmark_index(index, PLAN, tmp_path)
        with pytest.raises(OutputError, match=r"qrels\.set2\.txt"):
            benchmark_index(index, Plan(queries=3, sets=1, relevant=4), tmp_path)
        benchmark_index(index, PLAN, tmp_path)
        with pytest.raises(OutputError, match="this is a file"):
            benchmark_index(index, PLAN, tmp_path / "summary.json")
