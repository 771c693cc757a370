"""Ours against published and peers: MAP and P@10 on each set of kernels, with significance."""

from collections.abc import Mapping

from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.tables import table
from relsent_ir.experiments.theme_kernels import Kernels
from relsent_ir.experiments.theme_runs import MEASURES, PLOT, Found
from relsent_ir.hits import Run
from relsent_ir.trec import Evaluation, compare, evaluate, holm


def _evaluations(
    test: Mapping[str, Kernels], measured: Mapping[str, Mapping[str, Found | Run]]
) -> dict[str, dict[str, Evaluation]]:
    return {
        name: {
            label: evaluate(
                test[name].qrels, found.run if isinstance(found, Found) else found, MEASURES
            )
            for label, found in by.items()
        }
        for name, by in measured.items()
    }


def quality(
    test: Mapping[str, Kernels],
    measured: Mapping[str, Mapping[str, Found | Run]],
    plots: dict[str, bytes],
) -> str:
    """Set the methods side by side, and ours against each of the others."""
    scores = _evaluations(test, measured)
    labels = list(next(iter(scores.values())))
    rows = [
        [label, *(f"{scores[name][label].summary[m]:.4f}" for name in test for m in MEASURES)]
        for label in labels
    ]
    header = ["", *(f"{name}: {m}" for name in test for m in ("MAP", "P@10"))]
    with plot(plots, f"{PLOT}-map", "", "MAP") as axes:
        for i, label in enumerate(labels):
            heights = [scores[name][label].summary["map"] for name in test]
            axes.bar([j + 0.11 * (i - 3) for j in range(len(test))], heights, 0.1, label=label)
        axes.set_xticks(range(len(test)), test)
    pairs, losses = [], []
    for name in test:
        ours = scores[name]["themes, ours"]
        others = [label for label in labels if label != "themes, ours"]
        for label, peer in zip(others, (scores[name][label] for label in others), strict=True):
            pairs += [(name, label, one) for one in compare(peer, [ours], MEASURES)]
    corrected = holm([one.p["t"] for *_, one in pairs])
    body = []
    for (name, label, one), p in zip(pairs, corrected, strict=True):
        measure = {"map": "MAP", "P_10": "P@10"}[one.measure]
        body.append(
            [f"{name}: {label}", measure, f"{one.difference:+.4f}",
             f"{one.wins}/{one.losses}/{one.ties}", f"{one.p['t']:.2g}", f"{p:.2g}"]
        )  # fmt: skip
        if one.difference < 0:
            sure = "significantly" if p < 0.05 else "not significantly"
            losses.append(f"{label} by {-one.difference:.4f} {measure} on {name} ({sure})")
    lost = "; ".join(losses) if losses else "nothing"
    versus = ["ours against", "", "difference", "won/lost/tied", "p (t)", "Holm"]
    return f"""## Quality: results

{table(header, rows)}
![MAP of each method on each set]({PLOT}-map.svg)

Ours against each of the others, kernel by kernel: paired t-test, and Holm's correction over the
whole table. Kernels of one topic are not independent, so the p are too small rather than too large.

{table(versus, body)}
Ours loses against: {lost}.
"""
