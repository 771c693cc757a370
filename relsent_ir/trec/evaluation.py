"""Measure a run with trec_eval, through pytrec_eval, and with measures of our own."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from relsent_ir.errors import UsageError
from relsent_ir.hits import Hits
from relsent_ir.trec.columns import check_common_topics
from relsent_ir.trec.measures import Measure, average_precision, parse_measures
from relsent_ir.trec.qrels import Qrels

_LEAST_MEAN = 0.00001  # trec_eval's replacement of 0 in a geometric mean


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The measures of a run.

    Attributes
    ----------
    summary : dict of str to float
        Values over all topics by the measures' names, those of trec_eval first in its order: sums
        for counts (``num_...``, int), the geometric mean for ``gm_...``, the mean for all others.
    topics : dict of str to dict of str to float
        Values by topic, in trec_eval's order of topics (by their bytes); without ``num_q`` and
        ``gm_...``, which have no value for a single topic.
    missing : tuple of str
        Topics with judgements but without hits.
    unjudged : tuple of str
        Topics with hits but without judgements, which are ignored.
    """

    summary: dict[str, float]
    topics: dict[str, dict[str, float]]
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]


def evaluate(
    qrels: Qrels,
    run: Mapping[str, Hits],
    measures: Iterable[str] = ("official",),
    *,
    complete: bool = True,
    relevance_level: int = 1,
    max_docs: int | None = None,
) -> Evaluation:
    """Measure a run.

    The given order of the hits is measured: scores are not compared again.

    Parameters
    ----------
    qrels : dict of str to dict of str to int
        Judgements.
    run : Run or mapping of str to Hits
        The hits of each topic.
    measures : iterable of str
        Names as in trec_eval's ``-m``, or those of ir_measures; see `parse_measures`.
    complete : bool
        Count topics that are missing in the run as 0 (``-c``); otherwise leave them out.
    relevance_level : int
        The lowest grade that counts as relevant, from 1 (``-l``).
    max_docs : int, optional
        Use only this number of hits for each topic, at least 1 (``-M``).

    Raises
    ------
    UsageError
        If a measure is unknown, or a number is under 1.
    MismatchError
        If no topic has both judgements and hits.
    """
    parsed = parse_measures(measures)
    if relevance_level < 1:
        raise UsageError(f"relevance level {relevance_level}", fix="it is at least 1")
    if max_docs is not None and max_docs < 1:
        raise UsageError(f"{max_docs} documents a topic", fix="take at least 1")
    judged = {topic: grades for topic, grades in qrels.items() if grades}
    hits = {
        topic: retrieved.head(max_docs or len(retrieved))
        for topic, retrieved in run.items()
        if len(retrieved)
    }
    check_common_topics(judged, hits, "the qrels", "the run")
    order = sorted(judged, key=str.encode)
    missing = tuple(topic for topic in order if topic not in hits)
    groups: dict[tuple[int, int | None], list[Measure]] = {}
    for measure in parsed:
        key = measure.level or relevance_level, measure.depth
        groups.setdefault(key, []).append(measure)
    topics = order if complete else [topic for topic in order if topic in hits]
    values: dict[str, dict[str, float]] = {topic: {} for topic in topics}
    for (level, depth), group in groups.items():
        retrieved = {t: hits[t].head(depth or len(hits[t])) for t in order if t in hits}
        external = [m for m in group if not m.own]
        if all(m.trec == "map" for m in external):  # then pytrec_eval does not need the run
            group = [replace(m, own=m.own or average_precision) for m in group]
            external = []
        measured = _measured(judged, retrieved, external, level) if external and retrieved else {}
        for topic in topics:
            ids = retrieved[topic].ids.tolist() if topic in retrieved else []
            row = measured.get(topic, {}) if ids else _nothing_found(judged[topic], level)
            for m in group:
                own = m.own and m.own(ids, judged[topic], level)
                values[topic][m.name] = row.get(m.trec, 0.0) if own is None else own
    import pytrec_eval

    return Evaluation(
        summary={
            m.name: _number(
                m,
                pytrec_eval.compute_aggregated_measure(
                    m.trec, [values[topic][m.name] for topic in topics]
                ),
            )
            for m in parsed
        },
        topics={
            topic: {m.name: _number(m, values[topic][m.name]) for m in parsed if m.has_topics}
            for topic in topics
        },
        missing=missing,
        unjudged=tuple(topic for topic in hits if topic not in judged),
    )


def _measured(
    qrels: Qrels, run: Mapping[str, Hits], measures: Sequence[Measure], relevance_level: int
) -> dict[str, dict[str, float]]:
    """Measure topics that all have judgements and hits with pytrec_eval."""
    import pytrec_eval

    parameters: dict[str, set[str]] = {}
    for measure in measures:
        parameters.setdefault(measure.base, set()).update(filter(None, [measure.parameter]))
    spelled = {f"{base}.{','.join(v)}" if v else base for base, v in parameters.items()}
    # Create an evaluator for each call: used twice, older versions lose cut-offs. All parameters
    # are written out; otherwise "P" beside "P.10" gives P_10 only.
    evaluator = pytrec_eval.RelevanceEvaluator(
        # Add a document that is in no run if no grade reaches 0: trec_eval would crash.
        {t: qrels[t] if max(qrels[t].values()) >= 0 else {**qrels[t], "": 0} for t in run},
        spelled,
        # trec_eval reads past the end of an array if the level is far above all grades.
        relevance_level=min(relevance_level, 1 + max(1, *(max(qrels[t].values()) for t in run))),
    )
    # Strictly decreasing scores leave no ties for trec_eval to break.
    scores = {
        t: dict(zip(h.ids.tolist(), range(len(h), 0, -1), strict=True)) for t, h in run.items()
    }
    measured: dict[str, dict[str, float]] = evaluator.evaluate(scores)
    return measured


def _nothing_found(grades: dict[str, int], level: int) -> dict[str, float]:
    """Return the non-zero values of a topic without hits: pytrec_eval gives NaN, or crashes."""
    return {
        "num_q": 1.0,
        "num_rel": float(sum(grade >= level for grade in grades.values())),
        "gm_map": math.log(_LEAST_MEAN),
        "gm_bpref": math.log(_LEAST_MEAN),
    }


def _number(measure: Measure, value: float) -> float:
    """Return a value; counts become whole numbers."""
    return int(value) if measure.base.startswith("num_") else float(value)
