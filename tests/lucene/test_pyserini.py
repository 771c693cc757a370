"""Pyserini's own searcher and reader open our indexes, and rank as we do."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from relsent_ir.lucene.documents import abstract_document
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import BM25
from relsent_ir.records import list_inputs
from relsent_ir.trec import evaluate, read_cystic_fibrosis_qrels, read_topics
from tests.anserini import assert_same_run, searched

Python = Callable[..., "CompletedProcess[str]"]

# Reads jobs (index, topics, RM3 or not, k) and an index to describe; writes what Pyserini says.
PYSERINI = """
import json, sys
from relsent_ir.lucene.jvm import java
java("java.lang.Object")  # our Java: Pyserini accepts one that runs
from pyserini.index.lucene import LuceneIndexReader
from pyserini.search.lucene import LuceneSearcher

asked = json.load(open(sys.argv[1], encoding="utf-8"))
said = {"runs": []}
for folder, topics, rm3, k in asked["jobs"]:
    searcher = LuceneSearcher(folder)
    searcher.set_bm25(0.9, 0.4)
    if rm3:
        searcher.set_rm3(10, 10, 0.5)
    run = {}
    for qid, text in topics.items():
        hits = searcher.search(text, k)
        run[qid] = [[hit.docid for hit in hits], [hit.score for hit in hits]]
    said["runs"].append(run)
reader = LuceneIndexReader(asked["index"])
searcher = LuceneSearcher(asked["index"])
said["stats"] = reader.stats()
said["counts"] = {word: list(reader.get_term_counts(word)) for word in asked["words"]}
said["vectors"] = {name: reader.get_document_vector(name) for name in asked["ids"]}
said["raw"] = {name: searcher.doc(name).raw() for name in asked["ids"]}
json.dump(said, open(sys.argv[2], "w", encoding="utf-8"))
"""


Job = tuple[Path, str, dict[str, str], bool, int]
"""The collection's folder, the unit, topics, RM3 or not, hits."""


def ask_pyserini(
    run_python: Python, folder: Path, jobs: list[Job], index: Path, ids: list[str], words: list[str]
) -> dict[str, Any]:
    """Have a process of its own search and read with Pyserini."""
    asked = {
        "jobs": [(str(path / unit), *rest) for path, unit, *rest in jobs],
        "index": str(index / "abstracts"),
        "ids": ids,
        "words": words,
    }
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    ran = run_python(
        PYSERINI,
        folder / "asked.json",
        folder / "said.json",
        OPENAI_API_KEY="dummy",  # without one Pyserini cannot be imported
        PYTHONWARNINGS="ignore",
    )
    if "prebuilt_index_info" in ran.stderr and "urllib.error.URLError" in ran.stderr:
        pytest.skip("this Pyserini opens the network when it is imported, and there is none")
    if "ModuleNotFoundError" in ran.stderr:
        pytest.skip("Pyserini's own Python is not installed: pip install 'relsent-ir[pyserini]'")
    assert ran.returncode == 0, ran.stderr
    said: dict[str, Any] = json.loads((folder / "said.json").read_text(encoding="utf-8"))
    return said


def test_sample(tmp_path, run_python, sample_index, topics):
    """Searches of both indexes agree; Pyserini's reader sees our texts, counts and vectors."""
    jobs = [
        (sample_index, unit, topics, rm3, k)
        for unit in ("abstracts", "sentences")
        for rm3 in (False, True)
        for k in (7, 1000)
    ]
    with Index(sample_index) as index:
        ids = index.ids()
        raw = index.raw(ids)
        counts = index.statistics()
        terms = index.facts.analysis.terms
        bags = [Counter(terms(abstract_document(r)[1])) for r in index.records(ids)]
    words = ["infection", "children", "mice"]
    said = ask_pyserini(run_python, tmp_path, jobs, sample_index, ids, words)
    for (folder, unit, asked, rm3, k), theirs in zip(jobs, said["runs"], strict=True):
        with Index(folder, unit) as index:
            assert_same_run(searched(index, asked, k, rm3=rm3), theirs)
    assert said["raw"] == dict(zip(ids, raw, strict=True))
    assert said["vectors"] == dict(zip(ids, map(dict, bags), strict=True))
    for word, found in said["counts"].items():
        (term,) = terms(word)
        assert found == [sum(term in bag for bag in bags), sum(bag[term] for bag in bags)]
    names = ("documents", "non_empty_documents", "unique_terms", "total_terms")
    assert {name: said["stats"][name] for name in names} == {name: counts[name] for name in names}


def test_cystic_fibrosis(data: Path, tmp_path: Path, run_python: Python) -> None:
    """All 100 topics, 1,000 hits each, with and without RM3; and MAP is where it should be."""
    source = data / "cystic-fibrosis"
    folder = tmp_path / "index"
    build_index(list_inputs([source])[0], folder)
    topics = read_topics(source / "cfquery")
    assert len(topics) == 100
    jobs = [(folder, "abstracts", topics, rm3, 1000) for rm3 in (False, True)]
    said = ask_pyserini(run_python, tmp_path, jobs, folder, [], [])
    with Index(folder) as index:
        assert len(index) == 1239
        run = Searcher(index, BM25(0.9, 0.4)).search(topics, 1000)
        assert_same_run(run, said["runs"][0])
        assert_same_run(searched(index, topics, 1000, rm3=True), said["runs"][1])
    qrels = read_cystic_fibrosis_qrels(source / "cfquery")
    assert evaluate(qrels, run, ["map"]).summary["map"] == pytest.approx(0.291, abs=0.003)
