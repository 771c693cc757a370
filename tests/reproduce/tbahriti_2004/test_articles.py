"""The parts of articles as term matrices, and features of them."""

from collections import Counter

import numpy as np

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.moves import default_model, tag_record
from relsent_ir.records import Record, Section
from reproduce.tbahriti_2004.articles import MESH, PARTS, TITLE, Parts, record_segments
from reproduce.tbahriti_2004.features import move_features, scaled, whole_features


def test_parts_add_up(folder, records):
    """Every term of an article is in a part, as often; the parts are where they should be."""
    with Indexes(folder) as collection:
        parts = Parts.read(collection)
        analysis = collection.facts.analysis
    total = sum(parts.counts[part] for part in PARTS)
    assert (total.toarray() == parts.matrix.counts.toarray()).all()
    for record in records[:5]:
        row = parts.matrix.ids.index(record.id)
        texts = {TITLE: record.title, MESH: record.mesh[0].heading}
        texts["METHODS"] = record.sections[1].text
        texts["CONCLUSION"] = record.sections[3].text
        for part, text in texts.items():
            counts = parts.counts[part].toarray()[row]
            found = {parts.matrix.terms[i]: counts[i] for i in np.flatnonzero(counts)}
            terms = analysis.terms(text)
            assert found == {term: terms.count(term) for term in terms}


def test_features(folder, records):
    """Each is 1 for the best other article at most, and articles on one subject are near."""
    with Indexes(folder) as collection:
        parts = Parts.read(collection)
    rows = parts.matrix.rows(["000", "001"])
    features = move_features(parts, rows) | whole_features(parts.matrix, rows)
    assert len(features) == 2 * len(PARTS) + 5
    subject = np.array([int(name) % 3 for name in parts.matrix.ids])
    for name in ("ltc.atn", "pmra", "neighbours", "latent 50", f"{MESH} of the topic"):
        scores = features[name]
        for i, row in enumerate(rows):
            others = np.delete(np.arange(len(subject)), row)
            assert scores[i, others].max() <= 1 + 1e-12
            same = subject[others] == i
            assert scores[i, others[same]].mean() > scores[i, others[~same]].mean()


def test_moves_that_the_index_stores(tagged_folders):
    """They decide which part a sentence belongs to."""
    found = {}
    for name, place in tagged_folders.items():
        with Indexes(place) as collection:
            found[name] = Parts.read(collection)
    for part in PARTS:
        one, same = (found[name].counts[part] for name in ("none", "packaged"))
        assert (one != same).nnz == 0
    assert found["other"].counts["RESULTS"].nnz == 0
    assert found["none"].counts["RESULTS"].nnz > 0


def test_scaled():
    """Divided by the largest of the others; a topic without any stays as it is."""
    scores = np.array([[9.0, 2.0, 4.0], [0.0, 5.0, 0.0]])
    assert scaled(scores, np.array([0, 1])).tolist() == [[2.25, 0.5, 1.0], [0.0, 5.0, 0.0]]


RECORD = Record(
    "1",
    title="Ants at work.",
    sections=(
        Section("We study ants.", "OBJECTIVE", "OBJECTIVE"),
        Section("Ants sleep.", "RESULTS", "RESULTS"),
    ),
    chemicals=("Formic acid",),
)
ANALYSIS = Analysis("none", ())
TAGGED = (*RECORD.title_sentence(), *tag_record(default_model(), RECORD))


def test_segments():
    """Labels give the moves, with score 1."""
    found = record_segments(RECORD, TAGGED, ANALYSIS)
    assert [(s.part, s.score) for s in found] == [
        (TITLE, 1.0), ("PURPOSE", 1.0), ("RESULTS", 1.0), (MESH, 1.0),
    ]  # fmt: skip
    assert found[2].terms == Counter(["ants", "sleep"])
    assert record_segments(Record("2"), (), ANALYSIS) == []
