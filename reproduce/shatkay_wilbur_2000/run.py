"""Draws the kernels, finds their themes and what the peers find, and makes the page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from relsent_ir.hits import Run
from relsent_ir.lucene.memory.postings import open_postings
from relsent_ir.lucene.read.index import Index
from reproduce.indexes import collection_index
from reproduce.page import Page, Request, Steps, prose
from reproduce.shatkay_wilbur_2000 import kernels as known
from reproduce.shatkay_wilbur_2000 import systems, tables
from reproduce.shatkay_wilbur_2000.examples import examples
from reproduce.shatkay_wilbur_2000.kernels import SETS, Groups, Kernels, draw, halves
from reproduce.shatkay_wilbur_2000.systems import Found, find, peers

DEVELOPMENT: Final = (2, 5, 3)  # kernels a group, by set
TEST: Final = (3, 8, 5)


def run(request: Request) -> Page:
    """Show ten themes, and measure kernels of the test half; with `full` also the ablation."""
    indexes = {n: collection_index(request, n) for n in ("cystic-fibrosis", "abstracts")}
    found = (known.cystic_fibrosis_groups(), *known.labelled_groups())
    groups = dict(zip(SETS, found, strict=True))
    steps = Steps(request)
    plots: dict[str, bytes] = {}
    development, test = _kernels(groups, DEVELOPMENT, 0), _kernels(groups, TEST, 1)
    shown = examples(indexes["cystic-fibrosis"], plots)
    measured = _measure(indexes, test, steps)
    text = prose(
        __name__,
        command=request.command("shatkay-wilbur-2000"),
        **shown,
        judged=f"{len(test[SETS[2]].judged):,}",
        protocol=tables.protocol(groups, test),
        **tables.quality(test, measured, plots),
        sizes=tables.sizes(indexes["cystic-fibrosis"], test[SETS[0]], measured),
        **tables.several(indexes["cystic-fibrosis"], groups[SETS[0]], steps),
        **tables.queries(indexes["cystic-fibrosis"], groups[SETS[0]]),
        full=tables.ablation(indexes, development, steps) if request.full else "",
    )
    return Page(text, plots)


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


def _measure(
    indexes: Mapping[str, Path], test: Mapping[str, Kernels], steps: Steps
) -> dict[str, dict[str, Found | Run]]:
    """Run everything on the kernels of each set."""
    found: dict[str, dict[str, Found | Run]] = {}
    for name, kernels in test.items():
        with Index(indexes[kernels.collection]) as index:
            open_postings(index)
            found[name] = dict(peers(index, kernels))
        steps()
        for label, variant in (
            ("themes, published", systems.PUBLISHED),
            ("themes, published + MeSH", systems.PAPER_OPTIONS["published + MeSH"]),
            ("themes, ours", systems.OURS),
        ):
            with variant.open(indexes[kernels.collection]) as finder:
                found[name][label] = find(finder, kernels)
            steps()
    return found
