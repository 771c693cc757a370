"""Records that texts may cite, against loops and by hand."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from relsent_ir.citation.candidates import topic_text
from relsent_ir.citation.graph import read_graph
from relsent_ir.citation.similar import find_similar
from relsent_ir.citation.suggestions import CitationFinder, citing, open_graph
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.methods import Cite

WORDS = ("red", "green", "blue", "white", "black", "grey", "brown", "pink", "gold", "silver")


@pytest.fixture(scope="module")
def cited(records, tmp_path_factory):
    """The records, each of the year 2000 + its number, that refer to all earlier on their subject.

    013 refers to 002 besides, which is on another subject.
    """
    place = tmp_path_factory.mktemp("cited")
    source = place / "records.jsonl"
    with source.open("w") as file:
        for number, record in enumerate(records):
            earlier = [f"{n:03d}" for n in range(number % 3, number, 3)]
            earlier += ["002"] * (number == 13) + [f"work {number % 3}", f"own {number}"]
            words = random.Random(number).choices(WORDS, range(1, 11), k=6)  # so that none ties
            title = f"{record.title[:-1]}, {' '.join(words)}."
            made = replace(record, title=title, references=tuple(earlier), year=str(2000 + number))
            file.write(made.to_json() + "\n")
    build_index([(source, "jsonl")], place / "index")
    with Indexes(place / "index") as opened:
        yield opened


def _by_loops(collection, name, nearest, votes, *, known):
    """Score by the definition, from the hits of `similar` and the records' own references."""
    hits = dict(find_similar(collection, [name], "neighbours", 100)[name])
    records = {record.id: record for record in collection.records([name, *hits])}
    similar = {one: s for one, s in hits.items() if int(one) < int(name)}
    own = set() if known else set(records[name].references)
    best = max(s for one, s in similar.items() if one not in own)
    near = sorted(similar, key=lambda one: (-similar[one], one))[:nearest]
    total = sum(similar[one] for one in near)
    scores = {one: s / best for one, s in similar.items()}
    for one in near:
        for reference in records[one].references:
            if reference.isdigit():
                scores[reference] = scores.get(reference, 0) + votes * similar[one] / total
    return {one: score for one, score in scores.items() if one not in own}


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("method", [Cite(), Cite(3, 0.5), Cite(0)])
def test_definition(cited, method, known):
    """Similarity over the highest, and the share of the nearest records' votes."""
    (record,) = cited.records(["020"])
    (hits,) = (
        CitationFinder(cited).find({"020": topic_text(record)}, method, 100, known=known).values()
    )
    expected = _by_loops(cited, "020", method.nearest, method.votes, known=known)
    assert dict(hits) == pytest.approx(expected)
    assert all(int(one) < 20 for one in hits.ids)
    assert ("002" in hits) == known


def test_votes_bring_records_up(cited):
    """A record that the nearest refer to stands above those that are only alike."""
    (record,) = cited.records(["016"])
    text = {"x": topic_text(record)}  # not that article: everything may be cited
    finder = CitationFinder(cited)
    plain = finder.find(text, Cite(0), 100)["x"]
    voted = finder.find(text, Cite(8, 50.0), 100)["x"]
    near = plain.ids.tolist()[:8]
    citing_first = sum(int(one) % 3 == 1 and one != "001" for one in near)
    assert citing(voted)["001"] == {"cited_by_nearest": citing_first}
    assert voted.ids.tolist().index("001") < plain.ids.tolist().index("001")
    assert citing(plain)["001"] == {}


def test_outside(cited):
    """Works that two or more of the nearest refer to; not the article's own, nor records."""
    finder = CitationFinder(cited)
    (record,) = cited.records(["020"])
    hits = find_similar(cited, ["020"], "neighbours", 100)["020"].ids.tolist()
    near = [one for one in hits if int(one) < 20][:8]
    counts = Counter(f"work {int(one) % 3}" for one in near if int(one) % 3 != 2)
    several = sorted((-n, work) for work, n in counts.items() if n > 1)
    found = finder.outside({"020": topic_text(record)}, Cite(8))["020"]
    assert found == [(work, -n) for n, work in several]
    assert finder.outside({"x": "moths and lamps"}, Cite(5))["x"][0] == ("work 2", 5)
    assert finder.outside({"x": "nothing of these"}, Cite(5)) == {"x": []}


def test_nothing(cited):
    """A text without a known word has no hits, as the first article has none before it."""
    finder = CitationFinder(cited)
    (first,) = cited.records(["000"])
    run = finder.find({"x": "zzz", "000": topic_text(first)})
    assert [len(hits) for hits in run.values()] == [0, 0]


def test_stored_graph(cited):
    """The graph beside the index is the one that is built, and is built once."""
    built = read_graph(cited.abstracts)
    for graph in (open_graph(cited.abstracts), open_graph(cited.abstracts)):
        assert graph.ids == built.ids
        assert graph.census == built.census
        assert (graph.references != built.references).nnz == 0
        assert (graph.citations != built.citations).nnz == 0
        assert np.array_equal(graph.years, built.years)
        assert graph.cited("013") == ["001", "002", "004", "007", "010"]
