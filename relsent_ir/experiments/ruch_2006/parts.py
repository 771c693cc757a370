"""Feedback from parts of records with learned weights, beside whole records."""

from collections.abc import Mapping
from statistics import mean, stdev
from typing import Final

from relsent_ir.experiments.page import interval, table
from relsent_ir.experiments.ruch_2006.systems import LARGER, Bench, System, paired, paper_splits
from relsent_ir.feedback import Rocchio
from relsent_ir.feedback.move_sentences import DOCUMENT, NAMES
from relsent_ir.trec import paired_t, sign
from relsent_ir.tuning import Setting, Tuned, ascend, folds
from relsent_ir.typing import Progress

SHARES: Final = (1.0, 0.0, 0.25, 0.5, 2.0, 4.0)
FEEDBACK: Final = {
    "fb_terms": (50.0, 20.0, 100.0),
    "fb_docs": (20.0, 10.0, 30.0),
    "beta": (4.0, 1.0, 2.0, 8.0),
}
WAYS: Final[dict[str, dict[str, tuple[float, ...]]]] = {
    "whole records": FEEDBACK,
    "parts with learned weights": {**dict.fromkeys(NAMES, SHARES), **FEEDBACK},
}
FOLDS: Final = 5


def parts(bench: Bench, steps: Progress) -> dict[str, str]:
    """Climb to the weights of the parts on training topics, and measure them on the others."""

    def score(setting: Setting) -> dict[str, float]:
        return bench.score(system(setting))

    topics = list(bench.topics)
    several, five = paper_splits(topics), folds(topics, FOLDS)
    tuned = {
        name: (ascend(values, score, several, progress=steps), ascend(values, score, five))
        for name, values in WAYS.items()
    }
    first, second = (of[1] for of in tuned.values())
    a, b = paired(second, first)
    low, high = interval(a, b)
    rows = [_row(name, *of) for name, of in tuned.items()]
    rows[0] += [""] * 4
    rows[1] += [f"{mean(a) - mean(b):+.4f}", f"{low:+.3f} to {high:+.3f}"]
    rows[1] += [f"{sign(a, b):.2g}", f"{paired_t(a, b):.2g}"]
    header = ["", "MAP, 10 splits", "± sd", "MAP, 5 folds", "± sd"]
    header += ["more than whole records", "95 %", "p (sign)", "p (t)"]
    chosen = [
        [str(n), *(f"{float(fold.setting[name]):g}" for name in WAYS["parts with learned weights"])]
        for n, fold in enumerate(second.folds, 1)
    ]
    return {
        "steps": ", ".join(f"{share:g}" for share in SHARES[1:]),
        "learned": table(header, rows),
        "weights": table(["fold", *NAMES, *(name.replace("_", " ") for name in FEEDBACK)], chosen),
    }


def system(setting: Mapping[str, float | str]) -> System:
    """Give what a setting searches with; without a part's weight it reads whole records."""
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
    )


def _row(name: str, repeated: Tuned[Setting], crossed: Tuned[Setting]) -> list[str]:
    row = [name, f"{repeated.mean:.4f}", f"{repeated.spread:.3f}"]
    row += [f"{mean(crossed.held_out().values()):.4f}"]
    return [*row, f"{stdev(fold.test for fold in crossed.folds):.3f}"]
