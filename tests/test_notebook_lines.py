"""Lines that a user of notebooks tries: each works, or is refused with the fix."""

from collections.abc import Iterator
from typing import Any

import pytest

import relsent_ir as rir
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.errors import UsageError

Q = "antibiotics against urinary tract infection"


class Encoder:
    """A cross-encoder, as other packages have it."""

    def predict(self, pairs: list[tuple[str, str]], size: int = 32) -> list[float]:
        """Score pairs of texts."""
        return [float(size)] * len(pairs)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the lines name: the sample, its topics, a run."""
    pd = pytest.importorskip("pandas")
    folder = tmp_path_factory.mktemp("notebook")
    with rir.index(SAMPLE / "sample.xml", folder / "cf") as cf:
        topics = rir.read_topics(SAMPLE / "topics.tsv")
        run = cf.search(topics)
        yield {
            "rir": rir, "pd": pd, "cf": cf, "topics": topics, "run": run, "q": Q, "folder": folder,
            "qrels": rir.read_qrels(SAMPLE / "qrels.txt"), "runs": {"a": run, "b": run.head(9)},
            "Encoder": Encoder,
            "frame": pd.DataFrame({"qid": list(topics), "query": list(topics.values())}),
        }  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "len(cf) == 58 == len(list(cf)) and '90000002' in cf and 'no' not in cf and 5 not in cf",
        "next(record.title for record in cf) == cf['90000001'].title",
        "len(cf.search(topics, rir.Ranker(), 5)) == len(topics)",
        "cf.answer(q)[0].sentence.text",
        "cf.similar('90000002') and cf.moves('90000002') and cf.relate('cefomarin', 'infection')",
        "cf.themes('90000002').facts['terms']",
        "all('women' in term.text.lower() for term in cf.entity('women')) and cf.entity('women')",
        "[t.name for t in cf.entity('women', terms=['placebo'])] == ['placebo']",
        "{t: list(of) for t, of in rir.run_scores(run).items()} "
        "== {t: of.ids.tolist() for t, of in run.items()}",
        "[rir.fetch('sample', output=folder), (folder / 'topics' / 'sample.tsv').exists()][1]",
        "0 < rir.tune(cf, topics, qrels, ['BM25', rir.BM25() >> rir.RM3()], splits=2).mean < 1",
        "rir.tune(cf, topics, qrels, [rir.Rerank('I1.5', d) for d in (5, 9)], splits=2).settings",
        "'chosen' in str(rir.tune(cf, topics, qrels, ['BM25', 'RM3'], splits=2))",
        "list(rir.evaluate(qrels, runs, ['map']).to_dataframe(per_topic=True)) "
        "== ['run', 'topic', 'map']",
        "list(rir.evaluate(qrels, runs, ['map']).to_dataframe()['run']) == ['a', 'b']",
        "len(rir.compare(qrels, runs).to_dataframe(per_topic=True)) == 2 * len(qrels)",
        "'p(t)' in rir.compare(qrels, runs).to_dataframe()",
        "str(rir.evaluate(qrels, runs, ['map'])).splitlines()[0].split() == ['run', 'map']",
        "cf.rerank(cf.search(q, 10), q, 'I1.5')[0].title",
        "rir.Filters(journals='Pediatrics') == rir.Filters(journals=('Pediatrics',))",
        "rir.Filters(years=1975) == rir.Filters(years=(1975, 1975))",
        "len(cf.search(q, filters=rir.Filters(years=(2009, 2010))))",
        "rir.write_run(folder / 'r', run) or list(rir.read_run(folder / 'r')) == list(run)",
        "cf.rerank(run, topics, lambda query, texts: [len(text) for text in texts])",
        "cf.search(frame) == run and cf.rerank(run, frame, 'I1.5') and cf.related(frame, 3)",
        "'<th>title</th>' in cf.search(q)._repr_html_() and 'year' in str(cf.search(q))",
        "list(cf.search(q).to_dataframe()['id']) == [hit.id for hit in cf.search(q)]",
        "rir.Collection.search.__doc__.count('>>>') == 2",
    ],
)
def test_works(line: str, names: dict[str, Any]) -> None:
    """It gives something that is true."""
    value = eval(line, names)
    assert value if isinstance(value, bool) else len(value) if hasattr(value, "__len__") else value


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("rir.write_run(run, folder / 'run.txt')", r"write_run\(path, run\)"),
        ("rir.Filters(heading='Child')", "one of years, journals, publication_types, moves, mesh"),
        ("rir.Filters(years='1975')", r"\(1975, 1977\)"),
        ("rir.Filters(years=(1975,))", r"\(1975, 1977\)"),
        ("cf[90000002]", '"90000002"'),
        ("cf.search(topics, rir.load_model('ranker'))", r"rir.Ranker\(\)"),
        ("rir.load_model('huber')", "relsent-ir train makes one"),
        ("cf.rerank(run, topics, rir)", r"\(query, texts\) -> scores"),
        ("cf.rerank(run, topics, type('E', (), {'predict': 1})())", "lambda query, texts"),
        ("cf.rerank(run, topics, Encoder().predict)", "lambda query, texts"),
        ("cf.rerank(run, topics, 'I1.5', dept=3)", "one of depth, interpolate, aggregate"),
        ("cf.rerank(run, q, 'I1.5')", "a run and its topics"),
        ("cf.search([q])", "the text"),
        ("cf.search(q, rir.Related())", "Rerank orders hits"),
        ("rir.tune(cf, topics, qrels, ['BM25'], 'official')", "name one"),
        ("rir.train_ranker(cf, folder / 'model', topics)", "topics and qrels"),
        ("rir.train_ranker(cf, folder / 'model', runs=runs)", "topics and qrels"),
        ("rir.fuse([run, run], 'best')", "one of rrf"),
    ],
)
def test_refused(line: str, fix: str, names: dict[str, Any]) -> None:
    """It raises a mistake of use that names the fix."""
    with pytest.raises(UsageError, match=fix):
        eval(line, names)


def test_ranker(names: dict[str, Any]) -> None:
    """A ranker is trained from judgements, or from titles, and is a method then."""
    cf, folder = names["cf"], names["folder"]
    by_people = rir.train_ranker(cf, folder / "people", names["topics"], names["qrels"])
    by_titles = rir.train_ranker(cf, folder / "titles")
    assert [len(cf.search(Q, method, 3)) for method in (by_people, by_titles)] == [3, 3]
