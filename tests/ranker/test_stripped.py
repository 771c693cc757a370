"""A ranker that was learned with everything, on a copy that lacks most of it (real data)."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.ranker.candidates import CandidateReader
from relsent_ir.ranker.training import fit, judged_topics
from relsent_ir.records import list_inputs, read_records
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics

DEPTH = 150
TOPICS = 60


@pytest.mark.slow
def test_stripped_copy(data: Path, tmp_path: Path) -> None:
    """Its weights for what is missing are at most .01 of MAP below those learned on the copy."""
    folder = data / "cystic-fibrosis"
    files = [folder / f"cf{year}" for year in range(74, 80)]
    build_index(list_inputs(files)[0], tmp_path / "whole")
    with (tmp_path / "stripped.jsonl").open("w") as file:
        for path in files:
            for record in read_records(path):
                bare = replace(record, title="", vernacular_title="", mesh=(), chemicals=())
                bare = replace(bare, references=(), citations=(), printed_in="")
                file.write(bare.to_json() + "\n")
    build_index(list_inputs([tmp_path / "stripped.jsonl"])[0], tmp_path / "stripped")
    topics = dict(list(read_topics(folder / "cfquery").items())[:TOPICS])
    qrels = read_cystic_fibrosis_qrels(folder / "cfquery")
    read = {}
    for name in ("whole", "stripped"):
        with Indexes(tmp_path / name) as collection:
            read[name] = judged_topics(CandidateReader(collection), topics, qrels, depth=DEPTH)
    (whole, groups), (stripped, left) = read["whole"], read["stripped"]
    assert set(groups) - set(left) == {"titles", "references", "mesh"}
    means = []
    for fold in range(2):
        train, test = slice(fold, None, 2), slice(1 - fold, None, 2)
        carried = fit(whole[train], groups).without(left)
        own = fit(stripped[train], left, whole=True).without(left)
        kept = np.isin([g for g in groups for _ in range(_size(g))], left)
        for one in stripped[test]:
            values = np.zeros((len(one.grades), len(kept)))
            values[:, kept] = one.features
            means.append(
                one.average_precision(values @ carried) - one.average_precision(one.features @ own)
            )
    assert np.mean(means) >= -0.01


def _size(group: str) -> int:
    from relsent_ir.ranker.features import names_of

    return len(names_of([group]))
