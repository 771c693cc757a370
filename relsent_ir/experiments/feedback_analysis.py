"""Why feedback from one move does what it does: how much text there is, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from textwrap import fill
from typing import Final

import numpy as np

from relsent_ir.experiments.feedback_systems import Bench, Ranker, System, paper_splits, systems
from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.tables import table
from relsent_ir.feedback import Rocchio
from relsent_ir.feedback.move_sentences import TITLE
from relsent_ir.moves import MOVES
from relsent_ir.trec import sign
from relsent_ir.tuning import Split, Tuned, select
from relsent_ir.typing import Progress

PLOT: Final = "ruch-2006-topics"
ALL: Final = ",".join(MOVES)
WHOLE: Final = "whole records"
SOURCES: Final = {
    WHOLE: "",
    "title and abstract": f"{TITLE},{ALL}",
    "abstract": ALL,
    "title": TITLE,
    "PURPOSE and CONCLUSION": "PURPOSE,CONCLUSION",
    **{move: move for move in MOVES},
    **{f"{move}, by score": f"soft:{move}" for move in ("PURPOSE", "CONCLUSION")},
    **{f"{move}, shuffled": f"shuffled:{move}" for move in MOVES},
    **{f"{WHOLE}, {move} twice": f"DOCUMENT,{move}" for move in ("PURPOSE", "CONCLUSION")},
}
"""Where terms are taken from."""


@dataclass(frozen=True)
class Engine:
    """What searches: a collection under one analysis, a ranker, and Rocchio's settings with it."""

    bench: Bench
    ranker: Ranker
    grid: list[Rocchio]

    def tune(self, source: str, splits: list[Split], steps: Progress) -> Tuned[System]:
        """Choose m and k for terms from a source."""
        settings = systems([self.ranker], self.grid, source)
        return select(settings, self.bench.score, splits, progress=steps)


def analysis(
    engines: Mapping[str, Engine],
    plots: dict[str, bytes],
    steps: Progress,
) -> str:
    """Compare sources of terms, real moves and shuffled ones, and show CONCLUSION by topic.

    The engines search the same topics; the plot is the first one's.
    """
    first = next(iter(engines.values())).bench
    splits = paper_splits(first.topics)
    tuned = {
        name: {label: engine.tune(source, splits, steps) for label, source in SOURCES.items()}
        for name, engine in engines.items()
    }
    rows = [_row(first, label, list(tuned.values())) for label in SOURCES]
    found = tuned[next(iter(tuned))]
    ours, theirs = found["CONCLUSION"].held_out(), found[WHOLE].held_out()
    gains = sorted(ours[topic] - theirs[topic] for topic in ours)
    with plot(plots, PLOT, "topics, by difference", "AP of CONCLUSION less AP of Rocchio") as axes:
        axes.bar(np.arange(1, len(gains) + 1), gains, width=0.8)
    header = ["terms from", "records with", "terms a record"]
    for name in engines:
        header += [f"{name}: MAP", "± sd", "p (sign)"]
    claims = "\n\n".join(f"{_claim(name, of)}\n\n{_reasons(of)}" for name, of in tuned.items())
    counts = (
        f"CONCLUSION is above Rocchio on {sum(g > 0 for g in gains)} topics, under it on "
        f"{sum(g < 0 for g in gains)} ({next(iter(engines))})."
    )
    return f"""## Does the paper's claim hold here?

{claims}

The protocol is that above. "Records with" is the share of the records that have such a text, "terms
a record" how many occurrences of terms it has in a record on average. "Shuffled" deals the moves of
each abstract's sentences out at random among them: as much text, from anywhere. p compares with
whole records; for the shuffled, with the real move.

{table(header, rows)}
![CONCLUSION less Rocchio, by topic]({PLOT}.svg)

{counts}
"""


def _row(bench: Bench, name: str, engines: list[dict[str, Tuned[System]]]) -> list[str]:
    base = name.removesuffix(", shuffled") if name.endswith("shuffled") else WHOLE
    records, terms = bench.size(SOURCES[name])
    row = [name, f"{records:.0%}", f"{terms:.0f}"]
    for tuned in engines:
        p = "" if name == base else f"{_p(tuned[name], tuned[base]):.2g}"
        row += [f"{tuned[name].mean:.4f}", f"{tuned[name].spread:.3f}", p]
    return row


def _p(a: Tuned[System], b: Tuned[System]) -> float:
    ours, theirs = a.held_out(), b.held_out()
    return sign(list(ours.values()), [theirs[topic] for topic in ours])


def _claim(engine: str, tuned: dict[str, Tuned[System]]) -> str:
    """Say which moves gain over Rocchio, and whether their order is the paper's."""
    whole = tuned[WHOLE].mean
    order = sorted(MOVES, key=lambda move: -tuned[move].mean)
    ranking = ", ".join(f"{move} {tuned[move].mean:.3f}" for move in order)
    gaining = [move for move in order if tuned[move].mean > whole]
    answer = (
        f"{' and '.join(gaining)} gain over Rocchio from whole records ({whole:.3f}): {ranking}."
        if gaining
        else f"No: no move comes up to Rocchio from whole records ({whole:.3f}): {ranking}."
    )
    upper = {"PURPOSE", "CONCLUSION"} == set(order[:2])
    p = _p(tuned[order[1]], tuned[order[2]])
    return fill(
        f"{engine}. {answer} The paper's better two, PURPOSE and CONCLUSION, are "
        f"{'' if upper else 'not '}the better two here; {order[1]} against {order[2]}: p {p:.2g} "
        "(sign).",
        100,
    )


def _reasons(tuned: dict[str, Tuned[System]]) -> str:
    """Say what the differences between the rows are worth."""
    points = {name: f"{found.mean:.3f}" for name, found in tuned.items()}
    values = {move: _p(tuned[f"{move}, shuffled"], tuned[move]) for move in MOVES}
    shuffled = ", ".join(
        f"{move} {points[move]} and {points[f'{move}, shuffled']} (p {p:.2g})"
        for move, p in values.items()
    )
    best = ", ".join(
        f"{name} {mean(_best_on_test(tuned[name])):.3f}"
        for name in (WHOLE, "PURPOSE", "CONCLUSION")
    )
    none = min(values.values()) > 0.05
    reasons = (
        f"Less text: whole records {points[WHOLE]}; without their MeSH headings and chemicals "
        f"{points['title and abstract']}; the title's few words alone {points['title']}.",
        f"Which sentences have the move {'hardly matters' if none else 'matters'}: with the moves, "
        f"and with the same moves dealt out at random, {shuffled}.",
        f"Emphasis instead of restriction, a move's sentences twice in whole records: PURPOSE "
        f"{points[f'{WHOLE}, PURPOSE twice']}, CONCLUSION {points[f'{WHOLE}, CONCLUSION twice']}.",
        "The paper says that the moves' k was found on the test topics. With m and k chosen there: "
        f"{best}.",
    )
    return "\n".join(
        fill(reason, 100, initial_indent="- ", subsequent_indent="  ") for reason in reasons
    )


def _best_on_test(tuned: Tuned[System]) -> list[float]:
    """The highest mean over each split's test topics, had they chosen themselves."""
    place = {topic: column for column, topic in enumerate(tuned.topics)}
    return [
        float(tuned.scores[:, [place[topic] for topic in fold.split.test]].mean(axis=1).max())
        for fold in tuned.folds
    ]
