"""Parts of records with learned weights, and word associations, beside whole records."""

from collections.abc import Mapping
from statistics import mean, stdev
from typing import Final

from relsent_ir.feedback import FromAssociations, Rocchio
from relsent_ir.feedback.sources import DOCUMENT, NAMES
from relsent_ir.trec import paired_t, sign
from relsent_ir.tuning import Setting, Tuned, ascend, folds
from relsent_ir.typing import Progress
from reproduce.page import interval, table
from reproduce.ruch_2006.systems import LARGER, Bench, System, paired

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
WHOLE: Final = "whole records"
LEARNED: Final = "parts with learned weights"
WAYS: Final[dict[str, Grid]] = {
    WHOLE: FEEDBACK,
    LEARNED: {**PARTS, **FEEDBACK},
    "whole records and associations": {**FEEDBACK, **ASSOCIATIONS},
    "parts and associations": {**PARTS, **FEEDBACK, **ASSOCIATIONS},
}
ALONE: Final[dict[str, Grid]] = {
    "no feedback": {"association_weight": (0.0,), "association_terms": (20.0,)},
    "associations alone": ASSOCIATIONS,
}
"""What is compared with its first; those of `ALONE` read no documents."""
FOLDS: Final = 5


def parts(bench: Bench, associations: str, steps: Progress) -> dict[str, str]:
    """Climb to the weights of the parts on training topics, and measure them on the others.

    Parameters
    ----------
    bench : Bench
    associations : str
        What teaches the associations, as `open_associations` takes it.
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
    """Give what a setting searches with; without a part's weight it reads whole records."""
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
    """Set each beside the first, topic by topic."""
    first = next(iter(tuned.values()))
    rows = []
    for name, found in tuned.items():
        row = [name, f"{mean(found.held_out().values()):.4f}"]
        row += [f"{stdev(fold.test for fold in found.folds):.3f}"]
        if found is first:
            rows.append([*row, *[""] * 4])
            continue
        a, b = paired(found, first)
        low, high = interval(a, b)
        told = [f"{mean(a) - mean(b):+.4f}", f"{low:+.3f} to {high:+.3f}"]
        rows.append([*row, *told, f"{sign(a, b):.2g}", f"{paired_t(a, b):.2g}"])
    header = ["", "MAP, 5 folds", "± sd"]
    header += [f"more than {next(iter(tuned))}", "95 %", "p (sign)", "p (t)"]
    return table(header, rows)
