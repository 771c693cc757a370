"""Build indexes, tune methods and train rankers from Python."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from relsent_ir.api import AnyMethod, Collection, open_collection
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.hits import Run
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.method import Pipeline
from relsent_ir.methods import Ranker, as_pipeline
from relsent_ir.records import list_inputs
from relsent_ir.trec import evaluate, measure_names
from relsent_ir.trec.qrels import Qrels
from relsent_ir.tuning import Tuned, folds, select
from relsent_ir.typing import Progress


def index(
    files: str | Path | Iterable[str | Path],
    folder: str | Path,
    *,
    moves: bool | str | Path = False,
    append: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Build the indexes of files of records, as ``relsent-ir index`` does, and open them.

    Parameters
    ----------
    files : str, Path, or several
        Files and folders of records, in any mixture of formats.
    folder : str or Path
        The folder of the indexes; if they hold the files already, they are opened as they are.
    moves : bool, str or Path
        Whether each sentence's argumentative move is stored; or by which model.
    append : bool
        Add to an index that holds other files.
    progress : callable, optional
        Gets the bytes read, and of all.
    """
    paths = [files] if isinstance(files, str | Path) else files
    tagger = model_tagger(None if moves is True else Path(moves)) if moves else None
    inputs = list_inputs([Path(path) for path in paths])[0]
    build_index(inputs, Path(folder), tagger=tagger, append=append, progress=progress)
    return open_collection(folder)


def tune(
    collection: Collection,
    topics: Mapping[str, str],
    qrels: Qrels,
    methods: Iterable[AnyMethod],
    measure: str = "map",
    *,
    k: int = 1000,
    splits: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> Tuned[Pipeline]:
    """Choose among methods by cross-validation over the topics; each is searched with once.

    The methods share the open index, the rerankers and their scores.

    Parameters
    ----------
    collection : Collection
    topics : mapping of topic id to text
        Those without judgements are left out.
    qrels : dict of str to dict of str to int
    methods : iterable of Method, Pipeline or str
        Such as ``[RM3(fb_docs=n) for n in (5, 10, 20)]``, all different.
    measure : str
        As `evaluate` takes it; one.
    k : int
        Hits a topic.
    splits, seed : int
        How many folds, and how they are drawn.
    progress : callable, optional
        Gets the number of methods tried, and of all.

    Returns
    -------
    Tuned
        ``mean`` is over the topics held out; ``folds`` tell what each chose.
    """
    pipelines = list({str(method): method for method in map(as_pipeline, methods)}.values())
    names = measure_names([measure])
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


def train_ranker(
    collection: Collection,
    folder: str | Path,
    topics: Mapping[str, str] | None = None,
    qrels: Qrels | None = None,
    *,
    related: str | Path | None = None,
    runs: Mapping[str, Run] | None = None,
    seed: int = 0,
) -> Ranker:
    """Learn how all the evidence is weighed, and write the model, as ``train ranker`` does.

    Parameters
    ----------
    collection : Collection
    folder : str or Path
        The model's.
    topics, qrels
        What to learn from. Without them titles are topics, whose relevant records are their own
        and the nearest by MeSH.
    related : str or Path, optional
        A trained model of related sentences, whose scores are features.
    runs : mapping of str to Run, optional
        From elsewhere, as evidence.
    seed : int
        Draws titles and pairs.

    Returns
    -------
    Ranker
        The method that ranks by it.
    """
    from relsent_ir.models import check_target, save
    from relsent_ir.ranker.judgements import Judgements, from_titles
    from relsent_ir.ranker.store import open_store
    from relsent_ir.ranker.training import learn
    from relsent_ir.related.opening import load_related

    if (topics is None) != (qrels is None):
        raise UsageError("judgements need topics", fix="give topics and qrels, or neither")
    if runs and topics is None:
        raise UsageError("runs need topics and qrels: titles are in no run of yours")
    check_target(Path(folder))
    indexes = collection.indexes
    if topics is None or qrels is None:
        judged = from_titles(indexes, open_store(indexes), seed=seed)
    else:
        judged = Judgements.of(indexes, topics, qrels)
    trained = load_related(related) if related else None
    model = learn(indexes, judged, runs=runs, related=trained, seed=seed)
    save(Path(folder), model)
    return Ranker(str(folder))
