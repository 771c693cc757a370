"""Explanations for the effect of feedback from one move: amount and place of its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Final

import numpy as np

from relsent_ir.feedback.sources import MESH, TITLE
from relsent_ir.methods import Rocchio
from relsent_ir.moves import MOVES
from relsent_ir.trec import sign
from relsent_ir.trec.significance import differences
from relsent_ir.tuning import Tuned, select
from relsent_ir.tuning.selection import Split
from relsent_ir.typing import Progress
from reproduce.page import compared, plot, prose
from reproduce.ruch_2006.systems import Bench, Ranker, System, paired, paper_splits, systems

PLOT: Final = "ruch-2006-topics"
ALL: Final = ",".join(MOVES)
WHOLE: Final = "whole records"
CONTROL: Final = "title and MeSH, no sentence"
SOURCES: Final = {
    WHOLE: "",
    "title and abstract": f"{TITLE},{ALL}",
    "title": TITLE,
    CONTROL: f"{TITLE},{MESH}",
    **{f"{move}, title and MeSH": f"{move},{TITLE},{MESH}" for move in MOVES},
    **{move: move for move in MOVES},
    **{f"{move}, shuffled": f"shuffled:{move}" for move in MOVES},
    **{f"{WHOLE}, {move} twice": f"DOCUMENT,{move}" for move in ("PURPOSE", "CONCLUSION")},
}
"""Sources of terms."""


@dataclass(frozen=True)
class Engine:
    """A collection under one analysis, a ranker, and Rocchio's settings with it."""

    bench: Bench
    ranker: Ranker
    grid: list[Rocchio]

    def tune(self, source: str, splits: list[Split], steps: Progress) -> Tuned[System]:
        """Choose m and k for terms from a source."""
        settings = systems([self.ranker], self.grid, source)
        return select(settings, self.bench.score, splits, progress=steps)


def analysis(
    engines: Mapping[str, Engine], plots: dict[str, bytes], steps: Progress
) -> dict[str, str]:
    """Compare sources of terms, real moves with shuffled ones, and CONCLUSION by topic.

    The engines search the same topics; the plot is that of the first engine.
    """
    first = next(iter(engines.values())).bench
    splits = paper_splits(first.topics)
    tuned = {
        name: {label: engine.tune(source, splits, steps) for label, source in SOURCES.items()}
        for name, engine in engines.items()
    }
    engine = next(iter(tuned))
    conclusion, whole = (tuned[engine][name].held_out() for name in ("CONCLUSION", WHOLE))
    ordered = sorted(value - whole[topic] for topic, value in conclusion.items())
    with plot(plots, PLOT, "topics, by difference", "AP of CONCLUSION less AP of Rocchio") as axes:
        axes.bar(np.arange(1, len(ordered) + 1), ordered, width=0.8)
    return {
        "claims": "\n".join(_claim(name, of) for name, of in tuned.items()),
        "above": str(sum(gain > 0 for gain in ordered)),
        "under": str(sum(gain < 0 for gain in ordered)),
        "engine": engine,
    }


def _p(a: Tuned[System], b: Tuned[System]) -> float:
    return sign(*paired(a, b))


def _versus(a: Tuned[System], b: Tuned[System]) -> str:
    """State which of two is ahead on more topics."""
    d = differences(*paired(a, b))
    return compared(int((d > 0).sum()), int((d < 0).sum()), _p(a, b))


def _claim(engine: str, tuned: dict[str, Tuned[System]]) -> str:
    """Compare the moves with whole records, and state which differences are significant."""
    order = sorted(MOVES, key=lambda move: -tuned[move].mean)
    points = {name: f"{of.mean:.3f}" for name, of in tuned.items()}
    dealt = {move: f"{move}, shuffled" for move in MOVES}
    best = {name: mean(_best_on_test(tuned[name])) for name in (WHOLE, "PURPOSE", "CONCLUSION")}
    return prose(
        __name__,
        "claim.md",
        engine=engine,
        whole=points[WHOLE],
        moves="; ".join(
            f"{move} {points[move]}, {_versus(tuned[move], tuned[WHOLE])}" for move in order
        ),
        second=order[1],
        third=order[2],
        told=_versus(tuned[order[1]], tuned[order[2]]),
        no_mesh=points["title and abstract"],
        title=points["title"],
        control=points[CONTROL],
        with_mesh="; ".join(
            f"{move} {points[both]}, {_versus(tuned[both], tuned[CONTROL])}"
            for move, both in sorted(
                ((move, f"{move}, title and MeSH") for move in MOVES),
                key=lambda pair: -tuned[pair[1]].mean,
            )
        ),
        shuffled="; ".join(
            f"{move} {points[move]} and {points[other]}, {_versus(tuned[move], tuned[other])}"
            for move, other in dealt.items()
        ),
        purpose_twice=points[f"{WHOLE}, PURPOSE twice"],
        conclusion_twice=points[f"{WHOLE}, CONCLUSION twice"],
        best=", ".join(f"{name} {value:.3f}" for name, value in best.items()),
    )


def _best_on_test(tuned: Tuned[System]) -> list[float]:
    """Return the highest mean over each split's test topics, with a setting chosen on them."""
    place = {topic: column for column, topic in enumerate(tuned.topics)}
    return [
        float(tuned.scores[:, [place[topic] for topic in fold.split.test]].mean(axis=1).max())
        for fold in tuned.folds
    ]
