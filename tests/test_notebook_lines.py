"""Lines that a user of notebooks tries: each works, or is refused with the fix."""

import copy
import inspect
import json
import pickle
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import relsent_ir as rir
from relsent_ir.datasets.bundled import SAMPLE
from relsent_ir.errors import RelsentError

Q = "antibiotics against urinary tract infection"


class Encoder:
    """A cross-encoder, as other packages have it."""

    def predict(self, pairs: list[tuple[str, str]], size: int = 32) -> list[float]:
        """Score pairs of texts."""
        return [float(size)] * len(pairs)


class Words:
    """A reranker of texts, as other packages have it."""

    def rerank(self, query: str, texts: list[str]) -> list[int]:
        """Score texts by their length."""
        return [len(text) for text in texts]


class Judged(NamedTuple):
    """A judgement, as ir_measures reads it."""

    query_id: str
    doc_id: str
    relevance: int


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the lines name: the sample, its topics, a run."""
    pd = pytest.importorskip("pandas")
    folder = tmp_path_factory.mktemp("notebook")
    with rir.index(SAMPLE / "sample.xml", folder / "cf") as cf:
        topics = rir.read_topics(SAMPLE / "topics.tsv")
        run = cf.search(topics)
        qrels = rir.read_qrels(SAMPLE / "qrels.txt")
        run.write(folder / "run.txt")
        named = {"qid": "query_id", "docno": "doc_id"}
        rows = [Judged(t, d, grade) for t, of in qrels.items() for d, grade in of.items()]
        frame = run.to_dataframe()
        forms = [run.to_dict(), frame, frame.rename(columns=named), list(run.itertuples())]
        forms += [folder / "run.txt", str(folder / "run.txt"), {"run": frame}]
        yield {
            "ir": pytest.importorskip("ir_measures"), "json": json, "forms": forms, "Words": Words,
            "judged": [pd.DataFrame(rows), iter(rows), SAMPLE / "qrels.txt"],
            "m": lambda *given: rir.evaluate(*given).evaluations[0].summary,
            "rir": rir, "pd": pd, "cf": cf, "topics": topics, "run": run, "q": Q, "folder": folder,
            "qrels": qrels, "runs": {"a": run, "b": run.head(9)},
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
        "== ['run', 'qid', 'map']",
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
        "list(cf.search(q).to_dataframe()['docno']) == [hit.id for hit in cf.search(q)]",
        "rir.Collection.search.__doc__.count('>>>') == 2",
        "rir.evaluate(qrels, run, 'map P.10')['run'].summary.keys() == {'map', 'P_10'}",
        "[m(qrels, n, 'map') == m(qrels, run, 'map') for n in forms] == [True] * len(forms)",
        "[m(n, run, 'map') == m(qrels, run, 'map') for n in judged] == [True] * len(judged)",
        "m(qrels, run, [ir.AP, ir.nDCG @ 10]) == m(qrels, run, 'AP nDCG@10')",
        "m(qrels, run, ir.AP) == m(qrels, run, 'AP')",
        "'k : int\\n            Number of hits' in rir.Collection.search.__doc__",
        "list(rir.evaluate(qrels, [run, run.head(3)]).names) == ['run 1', 'run 2']",
        "rir.evaluate({1: {13: 1}}, {1: {13: 1.0, 14: 2.0}}, 'RR')['run'].summary == {'RR': 0.5}",
        "rir.evaluate({'1': ['13']}, {'1': ['14', '13']}, 'RR')['run'].summary == {'RR': 0.5}",
        "rir.compare(qrels, [run, run.head(3)], 'map', 't').names == ('run 2',)",
        "rir.fuse({'a': run, 'b': run.to_dict()}) == rir.fuse([run, run])",
        "rir.Run({1: {13: 1.0}})['1'][0] == ('13', 1.0) and rir.Run({1: {13: 1.0}})[1]",
        "rir.write_run(folder / 'd', run.to_dict()) or len(rir.read_run(folder / 'd')) == 8",
        "rir.write_topics(folder / 't', frame) or rir.read_topics(folder / 't') == topics",
        "cf.search(list(topics.values())).keys() == set(map(str, range(1, len(topics) + 1)))",
        "cf.search(q, filters={'years': (2009, 2010)}) == "
        "cf.search(q, filters=rir.Filters(years=(2009, 2010)))",
        "cf.search(topics, rir.BM25() >> Words()) == cf.rerank(cf.search(topics), topics, Words())",
        "cf.search(q, rir.BM25() >> (lambda query, texts: range(len(texts))))[0].id != "
        "cf.search(q)[0].id",
        "cf.rerank(['90000003', '90000037'], 'vitamin D', lambda query, texts: [1, 2]).ids[0] "
        "== '90000037'",
        "len(cf.answer(q, 3)) == len(cf.similar('90000002', 3)) == 3",
        "cf.get('nope') is None and cf.get('90000002') == cf['90000002']",
        "cf['90000002'].to_dict()['title'] == cf['90000002'].title",
        "cf.stats()['abstracts']['documents'] == 58",
        "json.loads(cf.search(q).to_json())[0]['id'] == cf.search(q)[0].id",
        "run.write(folder / 'w') or list(rir.read_run(folder / 'w')) == list(run)",
        "len(rir.index([{'id': 7, 'title': 'Falls', 'abstract': 'Often.'}], folder / 'i1')) == 1",
        "rir.index(pd.DataFrame([{'id': 'a', 'abstract': 'Often.'}]), folder / 'i2')['a'].abstract",
        "len(rir.index([{'id': '8', 'title': 'Colds'}], folder / 'i1', append=True)) == 2",
        "rir.index(pd.DataFrame([{'id': '1', 'title': 'Falls', 'year': 2001}, {'id': '2'}]), "
        "folder / 'i4')['1'].year == '2001'",
        "rir.index([cf['90000002']], folder / 'i3')['90000002'] == cf['90000002']",
        "rir.tune(cf, topics, qrels, rir.BM25(), {'k1': [0.5, 1.2]}, splits=2).mean",
        "m(qrels, run, 'ndcg@10 mrr precision@5 recall@9').keys() "
        "== {'ndcg@10', 'mrr', 'precision@5', 'recall@9'}",
        "m(qrels, run, 'ndcg@10')['ndcg@10'] == m(qrels, run, 'nDCG@10')['nDCG@10']",
        "rir.compare(qrels, [folder / 'run.txt', folder / 'run.txt']).names[0].endswith('(2)')",
        "cf.rerank(folder / 'run.txt', topics, 'I1.5') == cf.rerank(run, topics, 'I1.5')",
        "cf.rerank(run.to_dict(), topics, 'I1.5').keys() == run.keys()",
        "cf.search(topics, 'medline') == cf.search(topics, rir.BM25(1.2, 0.75) >> rir.Rocchio("
        "50, 20, 1.0, 4.0, weighting='ltn', documents='rank', max_df=0.2, selective=True))",
        "cf.related('90000003.7', 2)[0].record.id != '90000003'",
        "rir.index({'docno': '1', 'body': 'Falls are frequent.'}, folder / 'i5')['1'].abstract",
        "cf[90000002]['title'] == cf['90000002'].title and 90000002 in cf and cf.similar(90000002)",
        "run['001'][run['001'].ids[1]] == run['001'].scores[1] and cf.search(q)[0]['score']",
        "cf.search(q)[cf.search(q).ids[1]].rank == 2",
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
        (
            "rir.Filters(heading='Child')",
            "it takes years, journals, publication_types, moves, mesh",
        ),
        ("rir.Filters(years='1975')", r"\(1975, 1977\)"),
        ("rir.Filters(years=(1975,))", r"\(1975, 1977\)"),
        ("cf[cf['90000002']]", '"90000002"'),
        ("cf.search(topics, rir.load_model('ranker'))", r"rir.Ranker\(\)"),
        ("rir.load_model('huber')", "relsent-ir train makes one"),
        ("cf.rerank(run, topics, rir)", r"\(query, texts\) -> scores"),
        ("cf.rerank(run, topics, type('E', (), {'predict': 1})())", "lambda query, texts"),
        ("cf.rerank(run, topics, Encoder().predict)", "lambda query, texts"),
        ("cf.rerank(run, topics, 'I1.5', dept=3)", "did you mean depth"),
        ("cf.rerank(run, q, 'I1.5')", "a run and its topics"),
        ("cf.search([q, 5])", "the text"),
        ("rir.evaluate(run, qrels, 'map')", "the qrels come first"),
        ("rir.compare([run, run], qrels)", "the qrels come first"),
        ("rir.compare(runs, qrels)", "the qrels come first"),
        ("rir.evaluate(qrels, None)", "frame"),
        ("rir.evaluate({'1': {'a': 1}}, {'1': {'b': None}}, 'map')", "a finite score"),
        ("rir.evaluate(None, run)", "path"),
        ("rir.evaluate(qrels, run, 'mapp')", "map"),
        ("rir.evaluate(qrels, {}, 'map')", "there is no run"),
        ("rir.evaluate(qrels, runs)['c']", "one of a, b"),
        ("rir.evaluate({'1': {'13': '1'}}, {'1': {'13': 1.0}}, 'map')", "whole numbers"),
        ("rir.evaluate({'1': {'13': 1}}, {'1': {'13': float('nan')}}, 'map')", "finite score"),
        ("rir.compare(qrels, runs, depths=['map'])", "complete, relevance_level, max_docs"),
        ("rir.compare(qrels, runs).to_csv()", "to_"),
        ("rir.Run({'1': None})", "{document: score}"),
        ("rir.Run({None: {'1': 1.0}})", "ids are texts"),
        ("run['nope']", "no topic 'nope'"),
        ("run.store('r.txt')", "it has"),
        ("rir.fuse([run, run], 'rrf', k='10')", "a whole number"),
        ("rir.fuse([run, run], 'rrf', m=1)", "rrf_k"),
        ("cf.search(q, k='5')", "a whole number"),
        ("cf.search(q, k=-1)", "0 or more"),
        ("cf.search(q, threads='2')", "a whole number"),
        ("cf.search({'1': None})", "a text, or terms"),
        ("cf.search({'1': {'title': 'falls'}})", "a text, or terms"),
        ("cf.search(q, filters={'year': 2009})", "did you mean years"),
        ("cf.search(q, filters='2009')", "years"),
        ("cf.search(q, rir.BM25(k=3))", "k1, b"),
        ("rir.BM25() >> 5", "a function"),
        ("cf.search(q, rir.BM25() >> Words)", r"Words\(...\), its object"),
        ("cf.rerank(run, topics, lambda query: 1)", r"\(query, texts\) -> scores"),
        ("cf.rerank(run, topics, lambda query, texts: ['x'] * len(texts))", "a number for each"),
        ("cf.answer(topics)", "one text"),
        ("cf.answer(None)", "one text"),
        ("cf.similar(['90000002'])", "ids are texts"),
        ("cf.entity(['women'])", "one text"),
        ("cf['nope']", "no record 'nope'"),
        ("cf.serach", "did you mean search"),
        ("cf.search(q)[0].docid", "id"),
        ("cf['90000002'].headline", "title"),
        ("rir.open_collection(None)", "the folder of"),
        ("rir.index([{'id': '1'}, 5], folder / 'd')", "paths, dicts, a frame"),
        ("rir.index([{'id': '1'}, {'id': {2}}], folder / 'd')", "record 2: Object of type set"),
        ("rir.Run(pd.DataFrame({'qid': [1], 'docno': [2], 'score': ['x']}))", "no numbers"),
        ("rir.tune(cf, topics, qrels, rir.BM25())", "grid"),
        ("rir.tune(topics, qrels, cf, ['BM25', 'RM3'])", "the collection comes first"),
        ("cf.search(q, rir.Related())", "Rerank orders hits"),
        ("rir.tune(cf, topics, qrels, ['BM25'], 'official')", "name one"),
        ("rir.train_ranker(cf, folder / 'model', topics)", "topics and qrels"),
        ("rir.train_ranker(cf, folder / 'model', runs=runs)", "topics and qrels"),
        ("rir.fuse([run, run], 'best')", "one of rrf"),
        ("rir.evaluate(qrels)", "it takes qrels, runs, measures, complete"),
        ("rir.compare(qrels, runs, test='fisher')", "did you mean tests"),
        ("rir.tune(cf, topics, qrels, ['BM25', 'RM3'], folds=2)", "splits"),
        ("rir.tune(cf, topics, qrels, rir.BM25, {'k1': [0.5]})", "one method leaves nothing"),
        ("cf.search(q, weighting=5)", "it takes topics, method, k, unit"),
        ("cf.search('topics.tsv')", "read_topics"),
        ("cf.related(sentence=q)", "it takes topics, method, k"),
        ("rir.Run([('1', 'a', 1.0)])", "{document: score}"),
        ("rir.read_run(None)", "pathlib"),
        ("cf.search(q, rir.RM3)", r"RM3\(\), with brackets"),
        ("cf.search(q, lambda query, texts: texts)", ">> FUNCTION"),
        ("cf.rerank(run, topics, lambda query, texts: [float('nan')] * len(texts))", "finite"),
        ("cf.related(q, rir.Related(without_own=True))", "give its id"),
        ("rir.load_model(5)", "its name, or its folder"),
        ("cf.search(q)[0].docno", "write id"),
    ],
)
def test_refused(line: str, fix: str, names: dict[str, Any]) -> None:
    """It raises a mistake of use that names the fix."""
    with pytest.raises(RelsentError, match=fix):
        eval(line, names)


@pytest.mark.parametrize(
    ("lines", "fix"),
    [
        (
            "a|b a&b a+b a-b a*2 2*a 0.3*a a%10 a**b a^b a/2 a@b a<<b 'rm3'>>a -a ~a a(frame) "
            "(a>>b)+a r|r r+r r%5 r*0.5 r**r (a>>b)(frame)",
            ">> joins methods, cf.search",
        ),
        ("run+run -run run*2", r"rir\.fuse"),
        ("cf(frame)", r"cf\.search\(topics, METHOD"),
        ("list(cf['90000002']) dict(cf.search(q)[0])", r"to_dict\(\)"),
        ("a.transform cf.transform a.search (a>>b).transform", r"write cf\.search"),
        ("rir.LuceneSearcher rir.IndexReader", r"rir\.open_collection\(folder\)"),
        ("rir.Experiment rir.plot", r"rir\.compare\("),
        ("rir.Run.from_dict rir.Run.from_file rir.Run.from_df", r"rir\.(read_r|R)un"),
        ("rir.nope a.nope rir.BM25.nope run['001'].nope", "has no nope .*it has "),
        ("rir.Qrels rir.get_qrels", r"rir\.read_qrels\(path\)"),
        (
            "rir.read_topics() rir.read_run() rir.read_qrels() rir.fetch() rir.write_run('x')",
            "missing",
        ),
        ("rir.Rerank() rir.Record() rir.load_model() rir.run_scores() rir.Hits()", "missing a req"),
        (
            "rir.BM25(0.9,0.4,3) rir.read_run('a','b') rir.Collection('a','b')",
            "too many positional",
        ),
        ("rir.evaluate(qrels,run,metrics=3) rir.compare(qrels,runs,metric=3)", "write measures"),
        ("cf.search(q,num_results=5) rir.Run({},name='x') cf.search(query=q)", r"\(write "),
        ("run['001']['nope'] cf.search(q)['nope']", "no hit 'nope'"),
        ("rir.BM25>>rir.RM3 rir.RM3>>a", r"is a class \((BM25|RM3)\(\.\.\.\) >> "),
        ("rir.compare(qrels,run,run) rir.evaluate(qrels,run,{})", r"runs in one list, \[a, b\]"),
        ("rir.fuse(run,run)", "the runs are one list"),
        ("cf.rerank(run,topics,'I1.5',top_k=3)", "it takes run, topics, reranker, depth"),
    ],
)
def test_neighbours(lines: str, fix: str, names: dict[str, Any]) -> None:
    """What users of other packages type raises what to write here."""
    own = names | {"a": rir.BM25(), "b": rir.RM3(), "r": rir.Rerank("I1.5")}
    for line in lines.split():
        with pytest.raises(RelsentError, match=fix):
            eval(line, own)


def test_protocols() -> None:
    """The advice does not stand in the way of Python's own questions."""
    assert [hasattr(of, "nope") for of in (rir, rir.BM25, rir.BM25(), rir.Run())] == [False] * 4
    assert list(inspect.signature(rir.BM25).parameters) == ["k1", "b"]
    assert copy.deepcopy(rir.BM25()) == pickle.loads(pickle.dumps(rir.BM25())) == rir.BM25()


def test_ranker(names: dict[str, Any]) -> None:
    """A ranker is trained from judgements, or from titles, and is a method then."""
    cf, folder = names["cf"], names["folder"]
    by_people = rir.train_ranker(cf, folder / "people", names["topics"], names["qrels"])
    by_titles = rir.train_ranker(cf, folder / "titles")
    assert [len(cf.search(Q, method, 3)) for method in (by_people, by_titles)] == [3, 3]


def test_closed(names: dict[str, Any]) -> None:
    """A collection that was closed says so; an id that an open one lacks is a key, too."""
    with pytest.raises(KeyError, match="no record 'nope'"):
        names["cf"]["nope"]
    with rir.open_collection(names["folder"] / "cf") as closed:
        assert closed.search(Q)
    with pytest.raises(RelsentError, match="is closed"):
        closed.search(Q)
