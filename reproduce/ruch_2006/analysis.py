"""Why feedback from one move does what it does: how much text there is, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Final

import numpy as np

from relsent_ir.feedback import Rocchio
from relsent_ir.feedback.sources import MESH, TITLE
from relsent_ir.moves import MOVES
from relsent_ir.trec import sign
from relsent_ir.trec.significance import differences
from relsent_ir.tuning import Split, Tuned, select
from relsent_ir.typing import Progress
from reproduce.page import compared, plot, prose, table
from reproduce.ruch_2006.systems import (
    Bench,
    Ranker,
    System,
    paired,
    paper_splits,
    systems,
)

PLOT: Final = "ruch-2006-topics"
ALL: Final = ",".join(MOVES)
WHOLE: Final = "whole records"
CONTROL: Final = "title and MeSH, no sentence"
SOURCES: Final = {
    WHOLE: "",
    "title and abstract": f"{TITLE},{ALL}",
    "abstract": ALL,
    "title": TITLE,
    "MeSH": MESH,
    CONTROL: f"{TITLE},{MESH}",
    **{f"{move}, title and MeSH": f"{move},{TITLE},{MESH}" for move in MOVES},
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
    engines: Mapping[str, Engine], plots: dict[str, bytes], steps: Progress
) -> dict[str, str]:
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
    return {
        "claims": "\n".join(_claim(name, of) for name, of in tuned.items()),
        "sources": table(header, rows),
        "above": str(sum(gain > 0 for gain in gains)),
        "under": str(sum(gain < 0 for gain in gains)),
        "engine": next(iter(engines)),
    }


def _row(bench: Bench, name: str, engines: list[dict[str, Tuned[System]]]) -> list[str]:
    base = name.removesuffix(", shuffled") if name.endswith("shuffled") else WHOLE
    base = CONTROL if name.endswith("title and MeSH") else base
    records, terms = bench.size(SOURCES[name])
    row = [name, f"{records:.0%}", f"{terms:.0f}"]
    for tuned in engines:
        p = "" if name == base else f"{_p(tuned[name], tuned[base]):.2g}"
        row += [f"{tuned[name].mean:.4f}", f"{tuned[name].spread:.3f}", p]
    return row


def _p(a: Tuned[System], b: Tuned[System]) -> float:
    return sign(*paired(a, b))


def _versus(a: Tuned[System], b: Tuned[System]) -> str:
    """Say which is ahead on more topics."""
    d = differences(*paired(a, b))
    return compared(int((d > 0).sum()), int((d < 0).sum()), _p(a, b))


def _claim(engine: str, tuned: dict[str, Tuned[System]]) -> str:
    """Set the moves against whole records, and say what the rows' differences are worth."""
    order = sorted(MOVES, key=lambda move: -tuned[move].mean)
    points = {name: f"{found.mean:.3f}" for name, found in tuned.items()}
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
    """The highest mean over each split's test topics, had they chosen themselves."""
    place = {topic: column for column, topic in enumerate(tuned.topics)}
    return [
        float(tuned.scores[:, [place[topic] for topic in fold.split.test]].mean(axis=1).max())
        for fold in tuned.folds
    ]
