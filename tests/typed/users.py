"""Lines of users, which `mypy --strict` accepts: what a type checker sees of the face."""

from collections.abc import Mapping, Sequence

import relsent_ir as rir


def search(folder: str) -> None:
    """One text gives results, topics give a run; a method is a value."""
    with rir.open_collection(folder) as cf:
        topics: Mapping[str, str] = rir.read_topics("topics.tsv")
        run: rir.Run = cf.search(topics, rir.BM25(k1=1.2) >> rir.RM3(fb_terms=20))
        one: rir.Results = cf.search("calcium in mucus", rir.Ranker(), 10)
        number: rir.Results = cf.search("calcium", 10, unit="sentences")
        narrow = cf.search("calcium", filters=rir.Filters(years=1975, journals="Pediatrics"))
        for hit in one:
            line: tuple[int, str, str, str, str] = (
                hit.rank, hit.id, hit.title, hit.record.year, hit.move,
            )  # fmt: skip
            print(line)
        first: rir.Hit = one[0]
        print(first.text, len(number), narrow[:2].facts, len(run["1"]), "533" in cf, len(cf))
        records: list[rir.Record] = list(cf)
        print(records[0].title)


def read(cf: rir.Collection) -> list[rir.Results]:
    """What a reader asks of a collection gives results."""
    return [
        cf.answer("Does calcium rise?", rir.Answers(slot="finding")),
        cf.related("Calcium rose.", rir.Related("I1.5"), 3),
        cf.related("Calcium rose.", 3, filters=rir.Filters(moves="RESULTS")),
        cf.similar("533", rir.Similar("pmra")),
        cf.themes("533", rir.Themes(published=True)),
        cf.relate("calcium", "mucus", rir.Relations(literal=True)),
        cf.moves("533"),
    ]


def facts(cf: rir.Collection) -> tuple[str, float, list[list[str]]]:
    """What is said of all hits together has types too."""
    theme = cf.themes("533").facts
    for term in theme["terms"]:
        print(term["term"], round(term["lift"], 1), theme["kernels"][0])
    answer, pair = cf.answer("Does calcium rise?").facts, cf.relate("calcium", "mucus").facts
    print(answer["pooled"]["counts"].get("yes", 0), pair["sentences"] + pair["records"])
    return answer["slot"], theme["size"], pair["names"]


def lengths(query: str, texts: Sequence[str]) -> list[float]:
    """Score texts, as a reranker of one's own."""
    return [float(len(text) - len(query)) for text in texts]


def rerank(cf: rir.Collection, topics: dict[str, str]) -> tuple[rir.Run, rir.Results]:
    """A method, a name, a model and a function are rerankers."""
    run = cf.search(topics)
    run = cf.rerank(run, topics, rir.Rerank("I1.5", depth=100, interpolate=0.3))
    run = cf.rerank(run, topics, rir.load_model("answers"), depth=10, aggregate="mean:2")
    run = cf.rerank(run, topics, lengths)
    return run, cf.rerank(cf.search("calcium"), "calcium", "I1.5")


def measure(qrels: dict[str, dict[str, int]], runs: dict[str, rir.Run]) -> None:
    """Tables print themselves; fusion takes a list."""
    print(rir.evaluate(qrels, runs, ["map"], relevance_level=2))
    print(rir.compare(qrels, runs, ["map"], complete=False).rows())
    rir.write_run("runs/fused.txt", rir.fuse(list(runs.values()), "rrf", k=100))


def make(topics: dict[str, str], qrels: dict[str, dict[str, int]]) -> rir.Results:
    """Indexes, settings and rankers are made in Python too."""
    cf: rir.Collection = rir.index("records.xml", "indexes/mine", moves=True)
    tuned = rir.tune(cf, topics, qrels, [rir.RM3(fb_docs=n) for n in (5, 10)], "nDCG@10")
    print(f"{tuned.mean:.4f}", tuned.folds[0].setting)
    ranker: rir.Ranker = rir.train_ranker(cf, "models/ranker", topics, qrels)
    return cf.search("calcium", ranker)
