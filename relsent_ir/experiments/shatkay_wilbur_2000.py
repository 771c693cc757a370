"""Themes (Shatkay & Wilbur 2000): ten kernels as in the paper, and what the paper does not measure.

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import Final

from relsent_ir.experiments.indexes import collection_index
from relsent_ir.experiments.request import Page, Request, Steps
from relsent_ir.experiments.tables import table
from relsent_ir.experiments.theme_examples import examples
from relsent_ir.experiments.theme_kernels import (
    Groups,
    Kernels,
    cystic_fibrosis_groups,
    draw,
    halves,
    labelled_groups,
)
from relsent_ir.experiments.theme_quality import quality
from relsent_ir.experiments.theme_runs import (
    MEASURES,
    OURS,
    PUBLISHED,
    VARIANTS,
    Found,
    Variant,
    find,
    peers,
    scores,
)
from relsent_ir.experiments.theme_topics import queries, several
from relsent_ir.hits import Run
from relsent_ir.lucene.index import Index
from relsent_ir.themes import (
    Selection,
    Settings,
    Terms,
)
from relsent_ir.trec import evaluate

SETS: Final = ("cystic fibrosis", "drug reviews", "OHSUMED classes")
DEVELOPMENT: Final = (2, 5, 3)  # kernels a group, by set
TEST: Final = (3, 8, 5)


def run(request: Request) -> Page:
    """Show ten themes, and measure kernels of the test half; with `full` also the ablation."""
    indexes = {n: collection_index(request, n) for n in ("cystic-fibrosis", "abstracts")}
    groups = _groups()
    steps = Steps(request)
    plots: dict[str, bytes] = {}
    test = _kernels(groups, TEST, 1)
    parts = [_opening(request.full), *examples(indexes["cystic-fibrosis"], plots)]
    measured = _measure(indexes, test, steps)
    parts += [_protocol(groups, test), quality(test, measured, plots)]
    parts += [_sizes(indexes["cystic-fibrosis"], test[SETS[0]], measured)]
    parts += [several(indexes["cystic-fibrosis"], groups[SETS[0]], steps)]
    parts += [queries(indexes["cystic-fibrosis"], groups[SETS[0]])]
    if request.full:
        parts.append(_ablation(indexes, _kernels(groups, DEVELOPMENT, 0), steps))
    return Page("\n".join(parts), plots)


def _groups() -> dict[str, Groups]:
    return dict(zip(SETS, (cystic_fibrosis_groups(), *labelled_groups()), strict=True))


def _kernels(
    groups: Mapping[str, Groups], counts: tuple[int, ...], half: int
) -> dict[str, Kernels]:
    return {
        name: draw(
            "cystic-fibrosis" if name == SETS[0] else "abstracts",
            groups[name],
            halves(groups[name])[half],
            count,
            condensed=name == SETS[2],
        )
        for name, count in zip(SETS, counts, strict=True)
    }


def _opening(full: bool) -> str:
    return f"""# Themes

Written by `relsent-ir reproduce shatkay-wilbur-2000{" --full" if full else ""}`; docs/themes.md
describes the method. "Published" is the paper's EM with the exact posterior and its start and
parameters (convergence at 1e-6 of the log-likelihood, 100 iterations at most); "ours" is
`relsent-ir themes --improved`.
"""


def _measure(
    indexes: Mapping[str, Path], test: Mapping[str, Kernels], steps: Callable[[], None]
) -> dict[str, dict[str, Found | Run]]:
    """Run everything on the kernels of each set."""
    found: dict[str, dict[str, Found | Run]] = {}
    for name, kernels in test.items():
        with Index(indexes[kernels.collection]) as index:
            found[name] = dict(peers(index, kernels))
        steps()
        for label, variant in (
            ("themes, published", PUBLISHED),
            ("themes, published + MeSH", VARIANTS["published + MeSH"]),
            ("themes, γ as printed", VARIANTS["published, γ as printed"]),
            ("themes, ours", OURS),
        ):
            with variant.open(indexes[kernels.collection]) as finder:
                found[name][label] = find(finder, kernels)
            steps()
    return found


def _protocol(groups: Mapping[str, Groups], test: Mapping[str, Kernels]) -> str:
    rows = []
    for name, kernels in test.items():
        used = {topic.partition("/")[0] for topic in kernels.kernel}
        sizes = [len(relevant) for relevant in kernels.qrels.values()]
        rows.append(
            [
                name,
                str(len(groups[name])),
                str(len(used)),
                str(len(kernels.kernel)),
                f"{median(sizes):.0f}",
            ]
        )
    header = ["", "topics", "in the test half", "kernels", "relevant records, median"]
    return f"""## Quality: the protocol

A kernel is a record that is relevant to a topic; all other records that are relevant to it are what
is to be found, and the kernel is left out. Topics: the 100 queries of the cystic fibrosis
collection (relevant: any judge above 0), 14 drug reviews (relevant: passed abstract screening) and
the OHSUMED classes C01 to C23, the last two in the abstracts collection. Of OHSUMED only 7,373
records have classes there, so runs are cut to these (the first 1,000 of them among 10,000 hits).
Every other topic (by name) is in the development half, on which our settings were chosen; all
figures of this section are of the test half. Kernels were drawn with seed 0. BM25 and pmra read
title, abstract, MeSH and chemicals, as ours does; published reads title and abstract.

{table(header, rows)}"""


def _sizes(index: Path, kernels: Kernels, measured: Mapping[str, Mapping[str, Found | Run]]) -> str:
    rows = []
    for name, by in measured.items():
        for label, found in by.items():
            if isinstance(found, Found):
                rows.append(_size_row(f"{name}: {label}", found))
    for label, selection in (
        ("all terms kept", Selection(1, 1.0)),
        ("terms of one record kept", Selection(1, 0.1)),
    ):
        with Variant(Settings(), Terms(selection=selection)).open(index) as finder:
            rows.append(_size_row(f"{SETS[0]}: published, {label}", find(finder, kernels)))
    header = ["", "alone", "over 10 %", "records on theme, median", "largest", "iterations, mean"]
    return f"""## Themes that collapse or explode

A kernel is alone when fewer than 1.5 records are expected on its theme; a theme has exploded when
more than a tenth of the collection is on it.

{table(header, rows)}"""


def _size_row(label: str, found: Found) -> list[str]:
    return [
        label,
        f"{100 * found.alone:.0f} %",
        f"{100 * found.exploded:.0f} %",
        f"{median(found.sizes):.0f}",
        f"{max(found.sizes):.0f}",
        f"{sum(found.iterations) / len(found.iterations):.0f}",
    ]


def _ablation(
    indexes: Mapping[str, Path], development: Mapping[str, Kernels], steps: Callable[[], None]
) -> str:
    rows = []
    for label, variant in VARIANTS.items():
        row = [label]
        for kernels in development.values():
            with variant.open(indexes[kernels.collection]) as finder:
                found = find(finder, kernels)
            row += scores(evaluate(kernels.qrels, found.run, MEASURES))
            row.append(f"{100 * found.exploded:.0f} %")
            steps()
        rows.append(row)
    header = ["", *(f"{name}: {m}" for name in SETS for m in ("MAP", "P@10", "exploded"))]
    counts = ", ".join(f"{len(k.kernel)} of {name}" for name, k in development.items())
    return f"""## Options one by one, on the development half

Kernels: {counts}.
"+" is an option of ours alone, "−" ours without it. Size 10, kernel weight 10, similarity 100 and
sharpness 0.3 were chosen here, for MAP and P@10 on all three sets.

{table(header, rows)}"""
