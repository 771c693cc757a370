"""Build indexes, tune methods and train rankers from Python."""

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

from relsent_ir.api import AnyMethod, Collection, open_collection
from relsent_ir.errors import MismatchError, UsageError, checked
from relsent_ir.hits import Frame, Run
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.method import Method, Pipeline
from relsent_ir.methods import Ranker, as_pipeline
from relsent_ir.records import Record, list_inputs
from relsent_ir.trec import evaluate, measure_names
from relsent_ir.trec.accepted import AnyQrels, measures_of, qrels_of
from relsent_ir.trec.topics import AnyTopics, topics_of
from relsent_ir.tuning import Tuned, folds, select
from relsent_ir.typing import Progress


@checked
def index(
    files: str | Path | Frame | Record | Iterable[str | Path | Record | Mapping[str, Any]],
    folder: str | Path,
    *,
    moves: bool | str | Path = False,
    append: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Build the indexes of files of records, as ``relsent-ir index`` does, and open them.

    Parameters
    ----------
    files : str, Path, several, or records
        Files and folders of records, of any formats; or the records themselves, as `Record`, as
        dicts or as a data frame with the names of JSON. Records are saved in the folder ``given``
        of `folder`, in a file named by a digest of its content.
    folder : str or Path
        The folder for the indexes; indexes that already hold these files are opened unchanged.
    moves : bool, str or Path
        Whether to store each sentence's argumentative move, or the model that labels moves.
    append : bool
        Add to an index that holds other files.
    progress : callable, optional
        Called with the number of bytes read and the total.
    """
    paths = [files] if isinstance(files, str | Path) else _written(files, Path(folder))
    tagger = model_tagger(None if moves is True else Path(moves)) if moves else None
    inputs = list_inputs([Path(path) for path in paths])[0]
    build_index(inputs, Path(folder), tagger=tagger, append=append, progress=progress)
    return open_collection(folder)


def _written(given: Any, folder: Path) -> Iterable[str | Path]:
    """Return paths; records are first written to a file."""
    if hasattr(given, "to_dict"):  # a data frame, whose missing values become null in JSON
        given = given.astype(object).where(given.notna(), None).to_dict("records")
    rows: list[Any] = [given] if isinstance(given, Record | Mapping) else list(given)
    if not rows or not all(isinstance(row, Record | Mapping) for row in rows):
        if odd := next((row for row in rows if not isinstance(row, str | Path)), None):
            raise UsageError(f"no records: {odd!r:.60}", fix="paths, dicts, a frame, or Records")
        return rows
    lines = "".join(f"{_line(row, number)}\n" for number, row in enumerate(rows, 1)).encode()
    # Different records need a different name: an index refuses a file that has changed.
    path = folder / "given" / f"{blake2b(lines, digest_size=6).hexdigest()}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines)
    return [path]


def _line(row: Record | Mapping[str, Any], number: int) -> str:
    """Write a record as JSON; NumPy numbers become Python's, and whole ones lose their point."""
    if isinstance(row, Record):
        return row.to_json()
    plain = {name: v.tolist() if hasattr(v, "tolist") else v for name, v in row.items()}
    whole = {n: int(v) if isinstance(v, float) and v.is_integer() else v for n, v in plain.items()}
    try:
        return json.dumps({n: v for n, v in whole.items() if v is not None}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"record {number}: {error}", fix="give texts, numbers and lists") from None


@checked
def tune(
    collection: Collection,
    topics: AnyTopics,
    qrels: AnyQrels,
    methods: AnyMethod | Iterable[AnyMethod],
    measure: object = "map",
    *,
    grid: Mapping[str, Iterable[object]] | None = None,
    k: int = 1000,
    splits: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tuned[Pipeline]:
    """Choose among methods by cross-validation over topics; each method searches them once.

    All methods share the open index, the rerankers and the rerankers' scores.

    Parameters
    ----------
    collection : Collection
    topics : mapping of topic id to text, DataFrame or Path
        Topics without judgements are left out.
    qrels : mapping, DataFrame or path
    methods : iterable of Method, Pipeline or str
        Such as ``[RM3(fb_docs=n) for n in (5, 10, 20)]``, all different; or one, with a grid.
    measure : str or measure of ir_measures
        A single measure, in any form that `evaluate` accepts.
    grid : mapping of str to iterable, optional
        Values for parameters of the method, by name; all combinations are tried.
    k : int
        Number of hits for each topic.
    splits, seed : int
        The number of folds, and the seed for drawing them.
    progress : callable, optional
        Called with the number of methods tried and the total.

    Returns
    -------
    Tuned
        ``mean`` is over the held-out topics; ``folds`` lists the method that each fold chose.
    """
    if not isinstance(collection, Collection):
        raise UsageError("the collection comes first", fix="tune(collection, topics, qrels, …)")
    if isinstance(measure, Mapping):  # given in place of the grid
        grid, measure = measure, "map"
    if isinstance(methods, Method) and grid:
        listed = [of if isinstance(of, Iterable) else [of] for of in grid.values()]
        tried = [dict(zip(grid, values, strict=True)) for values in product(*listed)]
        methods = [methods.changed(**values) for values in tried]
    if isinstance(methods, Method | Pipeline | str) or not isinstance(methods, Iterable):
        fix = "[RM3(fb_docs=n) for n in (5, 10)], or a method with grid={'fb_docs': [5, 10]}"
        raise UsageError("one method leaves nothing to choose", fix=fix)
    topics, qrels = topics_of(topics), qrels_of(qrels)
    pipelines = list({str(method): method for method in map(as_pipeline, methods)}.values())
    names = measure_names(measures_of(measure))
    if len(names) != 1:
        raise UsageError(f"{measure} is {len(names)} measures", fix="name one, as ndcg_cut.10")
    judged = {topic: qrels[topic] for topic in topics if topic in qrels}
    if not judged:
        raise MismatchError("no topic has judgements")
    texts = {topic: topics[topic] for topic in judged}

    def score(pipeline: Pipeline) -> dict[str, float]:
        run = collection.search(texts, pipeline, k)
        values = evaluate(judged, run, names).topics
        return {topic: of[names[0]] for topic, of in values.items()}

    return select(pipelines, score, folds(list(judged), splits, seed=seed), progress=progress)


@checked
def train_ranker(
    collection: Collection,
    folder: str | Path,
    topics: AnyTopics | None = None,
    qrels: AnyQrels | None = None,
    *,
    related: str | Path | None = None,
    runs: Mapping[str, Run] | None = None,
    seed: int = 0,
) -> Ranker:
    """Train a ranker that weighs all evidence, and write the model, like ``train ranker``.

    Parameters
    ----------
    collection : Collection
    folder : str or Path
        The folder for the model.
    topics, qrels
        The training data. Without them, titles serve as topics, and the relevant records are the
        title's own record and its nearest neighbours by MeSH.
    related : str or Path, optional
        A trained model of related sentences, whose scores become features.
    runs : mapping of str to Run, optional
        Other systems' runs, whose scores and ranks become features.
    seed : int
        Seed for drawing titles and pairs.

    Returns
    -------
    Ranker
        The method that ranks with the model.
    """
    from relsent_ir.models import check_target, save
    from relsent_ir.ranker.judgements import Judgements, from_records
    from relsent_ir.ranker.store import open_store
    from relsent_ir.ranker.training import learn
    from relsent_ir.related.store import load_related

    if (topics is None) != (qrels is None):
        raise UsageError("judgements need topics", fix="give topics and qrels, or neither")
    if runs and topics is None:
        raise UsageError("runs need topics and qrels: titles are in no run of yours")
    check_target(Path(folder))
    indexes = collection.indexes
    if topics is None or qrels is None:
        judged = from_records(indexes, open_store(indexes), "titles", seed=seed)
    else:
        judged = Judgements.of(indexes, topics_of(topics), qrels_of(qrels))
    trained = load_related(related) if related else None
    model = learn(indexes, judged, runs=runs, related=trained, seed=seed)
    save(Path(folder), model)
    return Ranker(str(folder))
