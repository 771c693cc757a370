"""Explanations for the effect of feedback from one move: amount and place of its text."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Final

import numpy as np

from relsent_ir.feedback.sources import DOCUMENT, MESH, NAMES, TITLE
from relsent_ir.methods import FromAssociations, Rocchio
from relsent_ir.moves import MOVES
from relsent_ir.trec import paired_t, sign
from relsent_ir.trec.significance import differences
from relsent_ir.tuning import Setting, Tuned, ascend, folds, select
from relsent_ir.tuning.splits import Split
from relsent_ir.typing import Progress
from reproduce.page import compared, plot, prose, table
from reproduce.ruch_2006.systems import (
    LARGER,
    Bench,
    Ranker,
    System,
    crossed,
    gains,
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
    rows = [_row(first, label, list(tuned.values())) for label in SOURCES]
    engine = next(iter(tuned))
    conclusion, whole = (tuned[engine][name].held_out() for name in ("CONCLUSION", WHOLE))
    ordered = sorted(value - whole[topic] for topic, value in conclusion.items())
    with plot(plots, PLOT, "topics, by difference", "AP of CONCLUSION less AP of Rocchio") as axes:
        axes.bar(np.arange(1, len(ordered) + 1), ordered, width=0.8)
    header = ["terms from", "records with", "terms a record"]
    for name in engines:
        header += [f"{name}: MAP", "± sd", "p (sign)"]
    return {
        "claims": "\n".join(_claim(name, of) for name, of in tuned.items()),
        "sources": table(header, rows),
        "above": str(sum(gain > 0 for gain in ordered)),
        "under": str(sum(gain < 0 for gain in ordered)),
        "engine": engine,
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


SHARES: Final = (1.0, 0.0, 0.25, 0.5, 2.0, 4.0)
Grid = dict[str, tuple[float, ...]]
FEEDBACK: Final[Grid] = {
    "fb_terms": (50.0, 20.0, 100.0),
    "fb_docs": (20.0, 10.0, 30.0),
    "beta": (4.0, 1.0, 2.0, 8.0),
}
ASSOCIATIONS: Final[Grid] = {
    "association_weight": (0.5, 0.0, 0.25, 1.0, 2.0),
    "association_terms": (20.0, 10.0, 50.0, 100.0),
}
PARTS: Final[Grid] = dict.fromkeys(NAMES, SHARES)
WHOLE_RECORDS: Final = "whole records"
LEARNED: Final = "parts with learned weights"
WAYS: Final[dict[str, Grid]] = {
    WHOLE_RECORDS: FEEDBACK,
    LEARNED: {**PARTS, **FEEDBACK},
    "whole records and associations": {**FEEDBACK, **ASSOCIATIONS},
    "parts and associations": {**PARTS, **FEEDBACK, **ASSOCIATIONS},
}
ALONE: Final[dict[str, Grid]] = {
    "no feedback": {"association_weight": (0.0,), "association_terms": (20.0,)},
    "associations alone": ASSOCIATIONS,
}
"""Grids that are compared with the first one; those of `ALONE` read no documents."""
FOLDS: Final = 5


def parts(bench: Bench, associations: str, steps: Progress) -> dict[str, str]:
    """Tune the weights of the parts on training topics, and measure them on the others.

    Parameters
    ----------
    bench : Bench
    associations : str
        The source of the associations, as for `open_associations`.
    steps : callable
    """
    splits = folds(list(bench.topics), FOLDS)

    def score(setting: Setting) -> dict[str, float]:
        steps(0, None)
        return bench.score(system(setting, associations))

    def climb(ways: Mapping[str, Grid]) -> dict[str, Tuned[Setting]]:
        return {name: ascend(values, score, splits) for name, values in ways.items()}

    fed_back, alone = climb(WAYS), climb(ALONE)
    named = [*NAMES, *FEEDBACK, *ASSOCIATIONS]
    chosen = [
        [way, str(n), *(_told(fold.setting, name) for name in named)]
        for way, tuned in fed_back.items()
        for n, fold in enumerate(tuned.folds, 1)
    ]
    header = ["", "fold", *(name.replace("_", " ") for name in named)]
    return {
        "steps": ", ".join(f"{share:g}" for share in SHARES[1:]),
        "learned": _compared(fed_back),
        "alone": _compared(alone),
        "weights": table(header, chosen),
    }


def system(setting: Mapping[str, float | str], associations: str = "") -> System:
    """Return a setting's system, which reads whole records if no part has a weight."""
    beside = None
    if setting.get("association_weight"):
        weight = float(setting["association_weight"])
        beside = FromAssociations(associations, int(setting["association_terms"]), weight)
    if "fb_terms" not in setting:
        return System(LARGER, associations=beside)
    weights = {part: setting[part] for part in NAMES if setting.get(part)}
    source = ",".join(f"{part}={weight}" for part, weight in weights.items())
    return System(
        LARGER,
        Rocchio(
            int(setting["fb_terms"]),
            int(setting["fb_docs"]),
            1.0,
            float(setting["beta"]),
            weighting="ltn",
            documents="rank",
            max_df=0.2,
        ),
        "" if set(weights) == {DOCUMENT} else source,
        beside,
    )


def _told(setting: Mapping[str, float | str], name: str) -> str:
    return f"{float(setting[name]):g}" if name in setting else ""


def _compared(tuned: Mapping[str, Tuned[Setting]]) -> str:
    """Compare each with the first, topic by topic."""
    first = next(iter(tuned.values()))
    rows = []
    for name, way in tuned.items():
        row = [name, *crossed(way)]
        if way is first:
            rows.append([*row, *[""] * 4])
        else:
            rows.append([*row, *gains(way, first, (sign, paired_t))])
    header = ["", "MAP, 5 folds", "± sd"]
    header += [f"more than {next(iter(tuned))}", "95 %", "p (sign)", "p (t)"]
    return table(header, rows)
