"""Themes (Shatkay & Wilbur 2000): ten kernels as in the paper, and what the paper does not measure.

Shatkay, Wilbur: Finding themes in Medline documents: probabilistic similarity search. IEEE Advances
in Digital Libraries, 2000.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final

from relsent_ir.experiments.indexes import collection_index
from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.request import Page, Request, data_path
from relsent_ir.experiments.tables import table
from relsent_ir.experiments.theme_kernels import (
    Groups,
    Kernels,
    cystic_fibrosis_groups,
    draw,
    halves,
    labelled_groups,
)
from relsent_ir.experiments.theme_runs import (
    OURS,
    PUBLISHED,
    VARIANTS,
    Found,
    Variant,
    find,
    peers,
)
from relsent_ir.hits import Run
from relsent_ir.lucene.index import Index
from relsent_ir.lucene.search import RM3, Searcher
from relsent_ir.themes import (
    Selection,
    Settings,
    Term,
    Terms,
    Theme,
    ThemeFinder,
    Topic,
    records_on_theme,
    terms_of_theme,
)
from relsent_ir.trec import Evaluation, compare, evaluate, holm, read_topics

COMPLICATIONS: Final = {
    "193": "pneumothorax",
    "314": "pancreatitis",
    "446": "cor pulmonale",
    "579": "osteoarthropathy",
    "594": "gallbladder disease",
    "659": "meconium ileus equivalent",
    "683": "nasal polyps",
    "804": "hemoptysis",
    "1005": "aspergillosis",
    "1235": "portal hypertension",
}
"""Records of the cystic fibrosis collection on a complication, chosen by their titles alone."""

MEASURES: Final = ("map", "P_10")
SETS: Final = ("cystic fibrosis", "drug reviews", "OHSUMED classes")
DEVELOPMENT: Final = (2, 5, 3)  # kernels a group, by set
TEST: Final = (3, 8, 5)
_PLOT: Final = "shatkay-wilbur-2000"
_WORDS: Final = 12  # of a title that are shown


def run(request: Request) -> Page:
    """Show ten themes, and measure kernels of the test half; with `full` also the ablation."""
    indexes = {n: collection_index(request, n) for n in ("cystic-fibrosis", "abstracts")}
    groups = _groups()
    steps = _Steps(request)
    plots: dict[str, bytes] = {}
    test = _kernels(groups, TEST, 1)
    parts = [_opening(request.full), *_examples(indexes["cystic-fibrosis"], plots)]
    measured = _measure(indexes, test, steps)
    parts += [_protocol(groups, test), _quality(test, measured, plots)]
    parts += [_sizes(indexes["cystic-fibrosis"], test[SETS[0]], measured)]
    parts += [_several(indexes["cystic-fibrosis"], groups[SETS[0]], steps)]
    parts += [_queries(indexes["cystic-fibrosis"], groups[SETS[0]])]
    if request.full:
        parts.append(_ablation(indexes, _kernels(groups, DEVELOPMENT, 0), steps))
    return Page("\n".join(parts), plots)


class _Steps:
    """Counts what is done."""

    def __init__(self, request: Request) -> None:
        self._progress, self._done = request.progress, 0

    def __call__(self) -> None:
        self._done += 1
        self._progress(self._done, None)


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


@contextmanager
def _finder(index: Path, variant: Variant) -> Iterator[ThemeFinder]:
    with ThemeFinder(index, variant.settings, variant.terms) as finder:
        yield finder


def _opening(full: bool) -> str:
    return f"""# Themes

Written by `relsent-ir reproduce shatkay-wilbur-2000{" --full" if full else ""}`; docs/themes.md
describes the method. "Published" is the paper's EM with the exact posterior and its start and
parameters (convergence at 1e-6 of the log-likelihood, 100 iterations at most); "ours" is
`relsent-ir themes --improved`.
"""


def _examples(index: Path, plots: dict[str, bytes]) -> Iterator[str]:
    """Set the ten kernels' records and terms side by side, as Figure 4 and Table 1 of the paper."""
    topics = {name: Topic((name,)) for name in COMPLICATIONS}
    themes = {}
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with _finder(index, variant) as finder:

            def read(_topic: Topic, theme: Theme, by: ThemeFinder = finder) -> _Example:
                return _Example(by, theme)

            themes[label] = finder.find(topics, read)
    with plot(plots, f"{_PLOT}-sizes", "iteration", "records on theme") as axes:
        for label, style in (("published", "-"), ("ours", ":")):
            for i, name in enumerate(COMPLICATIONS):
                sizes = themes[label][name].sizes
                tag = COMPLICATIONS[name] if style == "-" else None
                axes.plot(range(1, len(sizes) + 1), sizes, style, color=f"C{i}", label=tag)
        axes.set_yscale("log")
    yield f"""## Ten kernels on complications

Records of the cystic fibrosis collection, chosen by their titles alone, as the paper's ten were:
for each the four first records of its theme (Figure 4 of the paper; the kernel is one of them where
it is named in bold) and its ten terms by p / q (Table 1).

![Records on theme by iteration, published (lines) and ours (dots)]({_PLOT}-sizes.svg)
"""
    for name, complication in COMPLICATIONS.items():
        both = [themes[label][name] for label in ("published", "ours")]
        rows = [
            [str(rank + 1), *(theme.titles[rank] for theme in both)]
            for rank in range(len(both[0].titles))
        ]
        rows.append(["terms", *(", ".join(term.term for term in t.terms) for t in both)])
        header = [f"{name}: {complication}"]
        header += [
            f"{label}: {len(theme.sizes)} iterations, {theme.sizes[-1]:.0f} records on theme"
            for label, theme in zip(themes, both, strict=True)
        ]
        yield table(header, rows)


class _Example:
    """What is shown of a theme."""

    def __init__(self, finder: ThemeFinder, theme: Theme) -> None:
        hits = records_on_theme(finder.matrix, theme, 4, keep_kernel=True)
        kernels = {finder.matrix.ids[row] for row in theme.kernels.tolist()}
        self.sizes = theme.sizes
        self.terms: list[Term] = terms_of_theme(finder.matrix, theme)
        self.titles = [
            f"{f'**{record.id}**' if record.id in kernels else record.id} {_title(record.title)}"
            for record in finder.index.records(list(hits.ids))
        ]


def _title(title: str) -> str:
    words = title.split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


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
            with _finder(indexes[kernels.collection], variant) as finder:
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


def _quality(
    test: Mapping[str, Kernels],
    measured: Mapping[str, Mapping[str, Found | Run]],
    plots: dict[str, bytes],
) -> str:
    scores = _evaluations(test, measured)
    labels = list(next(iter(scores.values())))
    rows = [
        [label, *(f"{scores[name][label].summary[m]:.4f}" for name in SETS for m in MEASURES)]
        for label in labels
    ]
    header = ["", *(f"{name}: {m}" for name in SETS for m in ("MAP", "P@10"))]
    with plot(plots, f"{_PLOT}-map", "", "MAP") as axes:
        for i, label in enumerate(labels):
            heights = [scores[name][label].summary["map"] for name in SETS]
            axes.bar([j + 0.11 * (i - 3) for j in range(len(SETS))], heights, 0.1, label=label)
        axes.set_xticks(range(len(SETS)), SETS)
    pairs, losses = [], []
    for name in SETS:
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
![MAP of each method on each set]({_PLOT}-map.svg)

Ours against each of the others, kernel by kernel: paired t-test, and Holm's correction over the
whole table. Kernels of one topic are not independent, so the p are too small rather than too large.

{table(versus, body)}
Ours loses against: {lost}.
"""


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
        with _finder(index, Variant(Settings(), Terms(selection=selection))) as finder:
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


def _several(index: Path, groups: Groups, steps: Callable[[], None]) -> str:
    """Give each test topic one, two and five kernels; all five are left out of every run."""
    names = [name for name in halves(groups)[1] if len(groups[name]) > 5]
    drawn = draw("cystic-fibrosis", groups, names, 5)
    kernels: dict[str, list[str]] = {}
    for topic, kernel in drawn.kernel.items():
        kernels.setdefault(topic.partition("/")[0], []).append(kernel)
    qrels = {n: dict.fromkeys(sorted(groups[n] - set(kernels[n])), 1) for n in kernels}
    rows = []
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with _finder(index, variant) as finder:
            for count in (1, 2, 5):
                topics = {name: Topic(tuple(of[:count])) for name, of in kernels.items()}
                run = finder.run(topics, 1000 + 5)
                for name, hits in run.items():
                    for kernel in kernels[name]:
                        hits = hits.without(kernel)
                    run[name] = hits.head(1000)
                rows.append([f"{label}, {count} kernels", *_scores(evaluate(qrels, run, MEASURES))])
        steps()
    return f"""## Several kernels

{len(names)} test topics of the cystic fibrosis collection with more than five relevant records,
five of them drawn as kernels, which are left out of all runs.

{table(["", "MAP", "P@10"], rows)}"""


def _queries(index: Path, groups: Groups) -> str:
    """Let the queries' own first hits be the kernels."""
    names = halves(groups)[1]
    texts = read_topics(data_path("cystic-fibrosis", "cfquery"))
    asked = {name: texts[name] for name in names}
    qrels = {name: dict.fromkeys(sorted(groups[name]), 1) for name in names}
    with Index(index) as opened:
        runs = {
            "BM25": Searcher(opened).search(asked),
            "BM25 + RM3": Searcher(opened, rm3=RM3()).search(asked),
        }
    for label, variant in (("published", PUBLISHED), ("ours", OURS)):
        with _finder(index, variant) as finder:
            for count in (1, 5, 10):
                topics = finder.from_hits(asked, count)
                runs[f"{label}, {count} hits"] = finder.run(topics, 1000)
    rows = [[label, *_scores(evaluate(qrels, run, MEASURES))] for label, run in runs.items()]
    return f"""## Themes from a query's first hits

The {len(names)} queries of the cystic fibrosis collection in the test half, as texts; the kernels
are the first hits of BM25 (`--from-hits`), and stay in the run. Nothing was tuned for this.

{table(["", "MAP", "P@10"], rows)}"""


def _scores(evaluation: Evaluation) -> list[str]:
    return [f"{evaluation.summary[measure]:.4f}" for measure in MEASURES]


def _ablation(
    indexes: Mapping[str, Path], development: Mapping[str, Kernels], steps: Callable[[], None]
) -> str:
    rows = []
    for label, variant in VARIANTS.items():
        row = [label]
        for kernels in development.values():
            with _finder(indexes[kernels.collection], variant) as finder:
                found = find(finder, kernels)
            row += _scores(evaluate(kernels.qrels, found.run, MEASURES))
            row.append(f"{100 * found.exploded:.0f} %")
            steps()
        rows.append(row)
    header = ["", *(f"{name}: {m}" for name in SETS for m in ("MAP", "P@10", "exploded"))]
    counts = ", ".join(f"{len(k.kernel)} of {name}" for name, k in development.items())
    return f"""## Options one by one, on the development half

Kernels: {counts}. "+" is an option of ours alone, "−" ours without it. Size 10, kernel weight 10,
similarity 100 and sharpness 0.3 were chosen here, for MAP and P@10 on all three sets.

{table(header, rows)}"""
