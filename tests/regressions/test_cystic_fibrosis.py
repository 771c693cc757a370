"""Cystic fibrosis: statistics, measures and first hits are what they were.

``python -m tests.regressions.test_cystic_fibrosis DATA`` writes the expectations again; a change of
theirs says in its commit why.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import relsent_ir as rir
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs
from relsent_ir.trec import read_cystic_fibrosis_qrels

EXPECTED = Path(__file__).with_name("cystic-fibrosis.json")
MEASURES = ("map", "P.10", "ndcg_cut.10")
TOPICS = ("1", "50", "100")


def measured(folder: Path, index: Path) -> dict[str, Any]:
    """Build the index and give its statistics, and each run's measures and first hits."""
    files, _ = list_inputs(sorted(folder.glob("cf7?")))
    build_index(files, index)
    topics = rir.read_topics(folder / "cfquery")
    qrels = read_cystic_fibrosis_qrels(folder / "cfquery")
    with rir.open_collection(index) as cf:
        bm25 = cf.search(topics)
        runs = {
            "BM25 (0.9, 0.4)": bm25,
            "BM25 (1.2, 0.75)": cf.search(topics, rir.BM25(1.2, 0.75)),
            "query likelihood": cf.search(topics, rir.QueryLikelihood()),
            "title 2, abstract 1": cf.search(topics, rir.Fields({"title": 2.0, "abstract": 1.0})),
            "sentences, best": rir.Run(
                (topic, hits.max_passage())
                for topic, hits in cf.search(topics, unit="sentences").items()
            ),
            "RM3": cf.search(topics, rir.RM3()),
            "Rocchio": cf.search(topics, rir.Rocchio()),
            "ltc.atn": cf.search(topics, rir.Smart("ltc.atn")),
            "I1.5 over BM25": cf.rerank(bm25, topics, "I1.5", depth=100),
        }
        units = {unit: cf.indexes.index(unit).statistics() for unit in ("abstracts", "sentences")}
    table = rir.evaluate(qrels, runs, MEASURES)
    return {
        "statistics": {unit: {**found, "segments": None} for unit, found in units.items()},
        "runs": {
            name: {
                **{m: round(value, 4) for m, value in table[name].summary.items()},
                "first": {topic: run[topic].ids[:10].tolist() for topic in TOPICS},
            }
            for name, run in runs.items()
        },
    }


def test_as_it_was(data: Path, tmp_path: Path) -> None:
    """Every figure and every first hit is the recorded one."""
    found = measured(data / "cystic-fibrosis", tmp_path / "index")
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    assert found["statistics"] == expected["statistics"]
    for name, run in expected["runs"].items():
        assert found["runs"][name] == run, name


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        values = measured(Path(sys.argv[1]), Path(scratch, "index"))
    EXPECTED.write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
