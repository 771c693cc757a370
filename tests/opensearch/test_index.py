"""A collection in a cluster answers as its index here does: the sample, and cystic fibrosis."""

from pathlib import Path

import numpy as np
import pytest

import relsent_ir as rir
from benchmarks.opensearch import METHODS
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.lucene.read.facets import count_facets
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.search import open_searcher
from relsent_ir.lucene.read.strategy import Strategy
from tests.opensearch.conftest import SAMPLE, export

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def here(sample):
    """The sample, in Lucene."""
    with rir.open_collection(sample) as collection:
        yield collection


@pytest.fixture(scope="module")
def there(sent):
    """The sample, in the cluster."""
    with rir.open_collection(sent) as collection:
        yield collection


def same(first, second, *, bits=False):
    """Whether two runs have the same hits in the same order, with the same scores."""
    for topic, hits in first.items():
        other = second[topic]
        assert hits.ids.tolist() == other.ids.tolist()
        if bits:
            assert hits.scores.tolist() == other.scores.tolist()
        np.testing.assert_allclose(hits.scores, other.scores, rtol=1e-6)


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
@pytest.mark.parametrize("name", METHODS)
def test_methods(here, there, unit, name):
    """Each way to rank finds the same; without feedback to the last bit."""
    topics = rir.read_topics(SAMPLE / "topics.tsv")
    runs = (of.search(topics, METHODS[name], 1000, unit=unit) for of in (here, there))
    same(*runs, bits=name in ("BM25", "query likelihood"))


@pytest.mark.parametrize(
    "filters",
    [
        Filters(years=(1990, 2010)),
        Filters(publication_types="Review"),
        Filters(moves="RESULTS"),
        Filters(mesh="Humans", languages="eng"),
        Filters(authors="A"),
        Filters(retracted=False),
    ],
)
def test_filters(here, there, filters):
    """Conditions let pass the same, and leave scores as they are."""
    unit = "sentences" if filters.moves else "abstracts"
    topics = {"1": "asthma in children", "2": "calcium"}
    runs = (of.search(topics, 50, unit=unit, filters=filters) for of in (here, there))
    same(*runs, bits=True)
    counts = [of.indexes.index(unit) for of in (here, there)]
    assert len({index.count(filters.query(index, warn=False)) for index in counts}) == 1


def test_reading(here, there):
    """Records, sentences, term vectors, frequencies and figures are those of the index here."""
    names = here.indexes.abstracts.ids()
    assert sorted(there.indexes.abstracts.ids()) == sorted(names)
    assert there.indexes.records(names) == here.indexes.records(names)
    assert there.sentences(names) == here.sentences(names)
    assert there.indexes.ambiguous() == here.indexes.ambiguous()
    for unit in ("abstracts", "sentences"):
        one, other = here.indexes.index(unit), there.indexes.index(unit)
        some = sorted(one.ids())[::3]
        vectors, others = one.vectors(some), other.vectors(some)
        assert others.terms == vectors.terms
        assert (others.counts != vectors.counts).nnz == 0
        terms = [*vectors.terms, "nowhere"]
        assert other.frequencies(terms).tolist() == one.frequencies(terms).tolist()
        assert (other.mean_length, other.mean_distinct) == (one.mean_length, one.mean_distinct)
        assert (len(other), other.without_year) == (len(one), one.without_year)
        figures, others = one.statistics(), other.statistics()
        for name in ("documents", "non_empty_documents", "postings", "total_terms"):
            assert others[name] == figures[name]
        assert other.values("publication_type") == one.values("publication_type")
        fields = ("year", "journal", "heading", *(["move"] if unit == "sentences" else []))
        assert count_facets(other, some[:20], fields) == count_facets(one, some[:20], fields)
    with pytest.raises(InputError, match="no document 'x'"):
        there.indexes.abstracts.raw(["x"])


@pytest.mark.parametrize("reranker", ["pmra", "answers", "huber-plus", "I1.5", "D"])
def test_rerankers(here, there, reranker):
    """Hits get the same order and scores behind either engine."""
    topics = {"1": "Does asthma of children respond to steroids?"}
    run = here.search(topics, 50)
    assert here.rerank(run, topics, reranker) == there.rerank(run, topics, reranker)


def test_function_and_verbs(here, there):
    """A function of one's own, similar records, answers and evidence are the same."""
    text = "asthma in children"
    run = here.search({"1": text}, 20)
    length = lambda _query, texts: [len(text) for text in texts]  # noqa: E731
    assert here.rerank(run, {"1": text}, length) == there.rerank(run, {"1": text}, length)
    name = run["1"].ids[0]
    for method in ("bm25", "more-like-this"):
        assert list(here.similar(name, method).hits) == list(there.similar(name, method).hits)
    answers = [str(of.answer("Do children have asthma?")) for of in (here, there)]
    assert answers[0] == answers[1]
    parts = [
        dict(open_searcher(of.indexes.abstracts).contributions(text, name)) for of in (here, there)
    ]
    assert parts[0] == pytest.approx(parts[1], rel=1e-6)


def strategies():
    """The fifty strategies that the index here is tested by, and some of other shapes."""
    path = Path(__file__).parents[1] / "lucene" / "read" / "strategies.txt"
    return [
        *path.read_text().splitlines(),
        '"air* hyper*"[tiab] OR "in child*"[tw]',
        '("vitamin d" OR asthma*) NEAR/4 child*[tiab]',
        "child*[tw] NEAR/2 adult*[tw] OR smith[1au] OR okafor[lastau]",
        '"drug therapy"[sh] OR vitamin*[nm] OR asthma[ot] OR hospital[ad]',
        "randomi*[tiab] NOT (asthma/*[mh] OR 1990:2000[dp])",
        'wom?n OR "randomi?ed contr*led"[tiab] OR child*n[ti] NEAR/3 a?thma[ti]',
        '"²"[ti] OR "IL-6"[tiab] OR "the"[ti] OR "Ärzte"[tiab]',
    ]


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_strategies(here, there, unit):
    """Each finds the same, ordered alike by BM25; so does each of its parts."""
    same_strategies(here, there, unit)


def same_strategies(here, there, unit):
    """Hold the hits of all strategies together, and the numbers of documents of their parts."""
    some = 0
    for text in strategies():
        text = text.replace("[ad]", "[tw]") if unit == "sentences" else text
        filters = Filters(strategy=text)
        runs = [
            of.search("asthma in children", 1000, unit=unit, filters=filters).hits
            for of in (here, there)
        ]
        assert list(runs[0]) == list(runs[1]), text
        one, other = (Strategy(text, of.indexes.index(unit)).described() for of in (here, there))
        assert other == one
        some += sum(not line.endswith(": 0") for line in one)
    assert some > 100


def test_refusals(here, there):
    """What reads all of an index is refused in a line that says where it is."""
    for ask in (
        lambda: there.similar(here.indexes.abstracts.ids()[0]),
        lambda: there.related("asthma in children"),
        lambda: there.search("asthma", "Smart('ltc.atn')"),
    ):
        with pytest.raises(MismatchError, match="over a cluster"):
            ask()
    with pytest.raises(MismatchError, match="export it with --rank-by"):
        there.search("asthma", rir.BM25(k1=1.7))
    with pytest.raises(UsageError, match="matrix"):
        open_searcher(there.indexes.abstracts, engine="matrix")


def test_no_collection(node):
    """A name that the cluster has not is one line."""
    with pytest.raises(InputError, match="such a collection"):
        rir.open_collection(f"{node.address}/nothing")


@pytest.fixture(scope="module")
def cystic(cystic_fibrosis, node):
    """Cystic fibrosis here, and in the cluster."""
    address = f"{node.address}/cf"
    assert export(cystic_fibrosis, address) == 0
    with rir.open_collection(cystic_fibrosis) as here, rir.open_collection(address) as there:
        yield here, there


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_cystic_fibrosis(cystic, data, unit):
    """All topics at a thousand hits, by each way to rank, in one shard."""
    topics = rir.read_topics(data / "cystic-fibrosis" / "cfquery")
    assert len(topics) == 100
    for name, method in METHODS.items():
        runs = (of.search(topics, method, 1000, unit=unit) for of in cystic)
        same(*runs, bits=name in ("BM25", "query likelihood"))
    same_strategies(*cystic, unit)
