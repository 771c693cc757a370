"""Training a ranker on topics with judgements."""

from collections.abc import Callable, Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from relsent_ir.dense.retrieval import Vectors
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.files import atomic_writer
from relsent_ir.hits import Hits, Run
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.ranker.candidates import BATCH, DEPTH, CandidateReader, check_runs
from relsent_ir.ranker.features import (
    EXACT,
    GROUPS,
    ONLY_EXACT,
    PREFIX,
    features,
    group,
    has,
    names_of,
)
from relsent_ir.ranker.judgements import JudgedTopic, Judgements
from relsent_ir.ranker.learning import PENALTIES, learn_exact, learn_linear
from relsent_ir.ranker.model import (
    STRENGTH,
    STRENGTHS,
    Missing,
    RankerModel,
    combined,
    fingerprint,
    load_ranker,
    missing_sets,
    one_thread,
)
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import Floats, NDArray, Progress

if TYPE_CHECKING:
    from relsent_ir.related import TrainedModel

FOLDS: Final = 5


def judged_topics(
    reader: CandidateReader,
    topics: Mapping[str, str],
    qrels: Qrels,
    groups: Sequence[str] | None = None,
    *,
    depth: int = DEPTH,
    progress: Progress | None = None,
) -> tuple[list[JudgedTopic], tuple[str, ...]]:
    """Compute the features of topics with judgements.

    Parameters
    ----------
    reader : CandidateReader
    topics : mapping of str to str
    qrels : Qrels
    groups : sequence of str, optional
        The groups to compute; by default all that the index has, and the reader's runs.
    depth : int
        Number of candidates of a topic.
    progress : callable, optional
        Called with the number of topics done and the total.

    Returns
    -------
    list of JudgedTopic
        The topics with judgements, in order.
    tuple of str
        The groups that were computed, in the order of the features.

    Raises
    ------
    MismatchError
        If another system's run has none of the topics, or has a score that is not a number.
    """
    texts = {topic: text for topic, text in topics.items() if topic in qrels}
    check_runs(reader.runs, texts)
    wanted = [*GROUPS, *(PREFIX + name for name in reader.runs)] if groups is None else list(groups)
    present: list[str] = []
    judged: list[JudgedTopic] = []
    names = list(texts)
    for start in range(0, len(names), BATCH):
        batch = {name: texts[name] for name in names[start : start + BATCH]}
        expanded = reader.expand(batch)
        hits = reader.search(expanded, depth)
        for topic, text in batch.items():
            ids = hits[topic].ids.tolist() if topic in hits else []
            candidates = reader.read(topic, text, ids, expanded)
            present = present or [name for name in wanted if has(candidates, name)]
            with one_thread():
                values = features(candidates, present)
            grades = qrels[topic]
            relevance = np.array([max(0, grades.get(name, 0)) for name in ids], dtype=np.int64)
            relevant = sum(grade > 0 for grade in grades.values())
            judged.append(JudgedTopic(topic, values, relevance, relevant, ids))
            if progress:
                progress(len(judged), len(names))
    return judged, tuple(present)


def learn(
    collection: Indexes,
    judged: Judgements,
    *,
    depth: int = DEPTH,
    runs: Mapping[str, Run] | None = None,
    related: "TrainedModel | None" = None,
    dense: str | None = None,
    seed: int = 0,
    facts: Mapping[str, Any] | None = None,
    stage: Callable[[str], Progress] = lambda _title: lambda _done, _total: None,
    folds: int | None = None,
    keep: Callable[[Run], object] = lambda _run: None,
) -> RankerModel:
    """Train on topics with judgements: compute their features, and call `fit`.

    With `folds`, the run of `crossed` is passed to `keep` first.

    Parameters
    ----------
    collection : Indexes
    judged : Judgements
    related, seed, facts
        As in `fit`; the facts of the data are added.
    depth : int
        Number of candidates of a topic.
    runs : mapping of str to Run, optional
        Other systems' runs, whose ranks and scores become features.
    dense : str, optional
        The folder of the encoder whose vectors the records have.
    stage : callable
        Called with the title of each stage of the work; returns a progress callback for it.
    folds : int, optional
    keep : callable, optional
        Called with the run of the folds.
    """
    reader = CandidateReader(
        collection,
        related=related,
        runs=runs or {},
        field=judged.field,
        without_own=judged.without_own,
        vectors=Vectors.open(collection.abstracts, dense) if dense else None,
    )
    groups = [name for name in GROUPS if name not in judged.left_out]
    groups += [PREFIX + name for name in runs or {}]
    read, kept = judged_topics(
        reader,
        judged.topics,
        judged.qrels,
        groups,
        depth=depth,
        progress=stage("Computing features"),
    )
    data = {
        "sources": [source.sha256 for source in collection.facts.sources],
        "records": len(collection.abstracts),
    }
    strengths = STRENGTHS if judged.source == "qrels" else (STRENGTH,)
    if folds:
        tick = stage("Learning fold by fold")
        keep(crossed(read, kept, folds=folds, seed=seed, exact_strengths=strengths, progress=tick))
    seen = sorted({fingerprint(text) for text in judged.topics.values()})
    told = {**(facts or {}), "judgements": judged.source, "data": data, "seen": seen}
    if reader.vectors:
        told["encoder"] = reader.vectors.rows.facts["weights"]
    tick = stage("Learning")
    return fit(
        read, kept, seed=seed, exact_strengths=strengths, related=related, facts=told, progress=tick
    )


def crossed(
    topics: Sequence[JudgedTopic],
    groups: Sequence[str],
    *,
    folds: int = FOLDS,
    seed: int = 0,
    exact_strengths: Sequence[float] = STRENGTHS,
    progress: Progress | None = None,
) -> Run:
    """Rank the candidates of each topic with a model that was trained on the other folds.

    Parameters
    ----------
    topics, groups, seed, exact_strengths
        As in `fit`.
    folds : int
        Number of folds into which the topics are divided at random.
    progress : callable, optional
        Called with the number of folds done and the total.

    Raises
    ------
    UsageError
        If there are fewer topics than folds.
    """
    if len(topics) < folds:
        raise UsageError(f"{folds} folds of {len(topics)} topics", fix="fewer --folds")
    run = Run((topic.topic, Hits.ranked([], [])) for topic in topics)
    dealt = folds_of(len(topics), folds, seed)
    for number in range(folds):
        others = [topic for topic, fold in zip(topics, dealt, strict=True) if fold != number]
        model = fit(others, groups, seed=seed, whole=True, exact_strengths=exact_strengths)
        for place in np.flatnonzero(dealt == number).tolist():
            topic = topics[place]
            run[topic.topic] = Hits.ranked(topic.ids, model.scores(topic.features, groups))
        if progress:
            progress(number + 1, folds)
    return run


def fit(
    topics: Sequence[JudgedTopic],
    groups: Sequence[str],
    *,
    seed: int = 0,
    whole: bool = False,
    strength: float | None = None,
    exact_strengths: Sequence[float] = (STRENGTH,),
    related: "TrainedModel | None" = None,
    questions: Sequence[JudgedTopic] | None = None,
    facts: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> RankerModel:
    """Train on topics with features.

    The regularisation is chosen by cross-validation over the topics, with all groups. The part for
    exact questions is that of the packaged ranker, if it has these groups, or is learned from
    `questions`.

    Parameters
    ----------
    topics : sequence of JudgedTopic
    groups : sequence of str
        The groups of the features.
    seed : int
    whole : bool
        Train with all groups only; otherwise also without each set of groups that may be missing.
    strength : float, optional
        The regularisation λ0; chosen if None.
    exact_strengths : sequence of float
        Factors of the part for exact questions to choose from; the first is preferred in a tie.
    related : TrainedModel, optional
        The model that computed the group ``related``; the ranker stores it.
    questions : sequence of JudgedTopic, optional
        Topics with one relevant record each, and the same features.
    facts : mapping of str to JSON value, optional
        The origin of the model.
    progress : callable, optional
        Called with the number of sets of groups done and the total.

    Raises
    ------
    MismatchError
        If no topic has both a relevant candidate and one that is not.
    """
    usable = [topic for topic in topics if topic.usable]
    if not usable:
        raise MismatchError(
            "no topic has a relevant candidate, and another, to learn from",
            fix="look whether qrels, topics and index belong together",
        )
    with one_thread():
        certainty = None if questions else _packaged(groups, Missing())
        chosen, exact_strength, validated = (
            _choose(usable, groups, seed, certainty, exact_strengths)
            if strength is None
            else (strength, exact_strengths[0], None)
        )
        sets = [Missing()] if whole else missing_sets(groups)
        learned: dict[Missing, Floats] = {}
        certain: dict[Missing, Floats] = {}
        asked: dict[bytes, Floats] = {}
        for missing in sets:
            if questions:
                telling = _weighted(groups, missing | {*groups} - {*EXACT})
                if telling.tobytes() not in asked:
                    asked[telling.tobytes()] = learn_exact(questions, telling)
                certainty = asked[telling.tobytes()]
            else:
                certainty = _packaged(groups, missing)
            if certainty is not None:
                certain[missing] = certainty
            weighing = _weighted(groups, missing | {*ONLY_EXACT})
            learned[missing] = learn_linear(usable, chosen, seed, weighing)
            if progress:
                progress(len(learned), len(sets))
    training = {
        "topics": len(topics),
        "usable": len(usable),
        "strength": chosen,
        "seed": seed,
        "validated_map": validated,
    }
    shown = dict(zip(names_of(groups), learned[Missing()].tolist(), strict=True))
    told = {**(facts or {}), "training": training, "weights": shown}
    held = related if "related" in groups else None
    return RankerModel(tuple(groups), learned, told, held, certain, exact_strength)


def _packaged(groups: Sequence[str], missing: Missing) -> Floats | None:
    """Return the packaged ranker's weights of exact questions for the groups' features, or None."""
    packaged = load_ranker()
    lacking = frozenset(packaged.groups) - (set(groups) - missing)
    if lacking not in packaged.exact:
        return None
    weights = dict(zip(packaged.features, packaged.exact[lacking].tolist(), strict=True))
    return np.array([weights.get(name, 0.0) for name in names_of(groups)])


def folds_of(count: int, folds: int = FOLDS, seed: int = 0) -> NDArray[np.int64]:
    """Assign numbers to folds at random, as `relsent_ir.tuning.folds` does for topics."""
    order = np.random.default_rng(seed).permutation(count)
    dealt = np.empty(count, dtype=np.int64)
    dealt[order] = np.arange(count) % folds
    return dealt


def _choose(
    topics: Sequence[JudgedTopic],
    groups: Sequence[str],
    seed: int,
    weights: Floats | None,
    exact_strengths: Sequence[float],
) -> tuple[float, float, float | None]:
    """Choose both strengths by average precision on topics that were not used for training.

    `weights` are the weights of the part for exact questions.
    """
    strengths = PENALTIES
    if len(topics) < 2 * FOLDS:
        return strengths[0], exact_strengths[0], None
    fold, weighing = folds_of(len(topics), seed=seed), _weighted(groups, ONLY_EXACT)
    precision = np.zeros((len(strengths), len(exact_strengths), len(topics)))
    for number in range(FOLDS):
        others = [topic for topic, own in zip(topics, fold, strict=True) if own != number]
        held = np.flatnonzero(fold == number).tolist()
        for row, strength in enumerate(strengths):
            model = learn_linear(others, strength, seed, weighing)
            for place in held:
                topic = topics[place]
                values = topic.features
                scores = values @ model
                precision[row, :, place] = [
                    topic.average_precision(combined(scores, values, weights, share))
                    for share in exact_strengths
                ]
    means = np.round(precision.mean(axis=2), 6)
    best, share = divmod(int(np.argmax(means)), len(exact_strengths))
    return strengths[best], exact_strengths[share], float(means[best, share])


def _weighted(groups: Sequence[str], missing: Container[str]) -> Floats:
    """Write 1 for the features of groups that are not missing, else 0; shape (features,)."""
    return np.array([float(name not in missing) for name in groups for _ in names_of([name])])


def write_features(path: Path, topics: Sequence[JudgedTopic], groups: Sequence[str]) -> int:
    """Write topics with features to a file, whole or not at all.

    Features that are 0 are left out, as readers of this format expect.

    Returns
    -------
    int
        The number of candidates written.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    count = 0
    with atomic_writer(path) as file:
        told = (item for name in groups for item in group(name).features.items())
        for number, (name, what) in enumerate(told, 1):
            file.write(f"# {number} {name}: {what}\n")
        for topic in topics:
            rows = zip(topic.ids, topic.grades.tolist(), topic.features.tolist(), strict=True)
            for record, grade, values in rows:
                filled = " ".join(f"{n}:{v:.6g}" for n, v in enumerate(values, 1) if v)
                file.write(f"{grade} qid:{topic.topic} {filled} # {record}\n")
                count += 1
    return count
