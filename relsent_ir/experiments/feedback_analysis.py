"""Why feedback from one move does what it does: how much text there is, and where it stands."""

from collections import Counter
from collections.abc import Callable
from statistics import mean
from typing import Final

import numpy as np

from relsent_ir.experiments.feedback_systems import Bench, Ranker, System, paper_splits, systems
from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.tables import table
from relsent_ir.feedback import Rocchio
from relsent_ir.feedback.move_sentences import TITLE
from relsent_ir.moves import MOVES
from relsent_ir.trec import sign
from relsent_ir.tuning import Tuned, select

PLOT: Final = "ruch-2006-topics"
ALL: Final = ",".join(MOVES)


def analysis(
    bench: Bench,
    plots: dict[str, bytes],
    steps: Callable[[int, int | None], None],
    grid: list[Rocchio],
    ranker: Ranker,
) -> str:
    """Compare sources of terms, real moves and shuffled ones, and show CONCLUSION by topic."""
    splits = paper_splits(bench.topics)
    sources = {
        "whole records": "",
        "title and abstract": f"{TITLE},{ALL}",
        "abstract": ALL,
        "title": TITLE,
        "PURPOSE and CONCLUSION": "PURPOSE,CONCLUSION",
        **{move: move for move in MOVES},
        **{f"{move}, by score": f"soft:{move}" for move in ("PURPOSE", "CONCLUSION")},
        **{f"{move}, shuffled": f"shuffled:{move}" for move in MOVES},
    }
    tuned = {
        name: select(systems([ranker], grid, source), bench.score, splits, progress=steps)
        for name, source in sources.items()
    }
    rows = [_row(bench, name, sources[name], tuned) for name in sources]
    gains = _gains(tuned["CONCLUSION"], tuned["whole records"])
    _plot(plots, gains)
    header = ["terms from", "terms a record", "topics without", "MAP", "± sd", "p (sign)"]
    return f"""## Does the paper's claim hold here?

{_verdict(tuned)}

BM25 (0.9, 0.4), Porter's stemmer, the protocol above. "Terms a record" is how many occurrences of
terms the source has in a record on average; "topics without" had none in their first ten records
and took whole ones. "Shuffled" deals the moves of each abstract's sentences out at random among
them: as much text, from anywhere. p compares with whole records; for the shuffled, with the real
move.

{table(header, rows)}
![CONCLUSION less Rocchio, by topic]({PLOT}.svg)

CONCLUSION is above Rocchio on {sum(g > 0 for g in gains)} topics, under it on
{sum(g < 0 for g in gains)}. {_text(bench)}
"""


def _row(bench: Bench, name: str, source: str, tuned: dict[str, Tuned[System]]) -> list[str]:
    found = tuned[name]
    base = name.removesuffix(", shuffled") if name.endswith("shuffled") else "whole records"
    ours, theirs = found.held_out(), tuned[base].held_out()
    p = sign(list(ours.values()), [theirs[topic] for topic in ours])
    ids = bench.index.ids()
    length = bench.length(source)
    first = System(found.settings[0].ranker, Rocchio(10, 10), source)
    without = bench.fallbacks(first) if source else 0
    shown = "" if name == base else f"{p:.2g}"
    return [
        name,
        f"{length / len(ids):.0f}",
        str(without),
        f"{found.mean:.4f}",
        f"{found.spread:.3f}",
        shown,
    ]


def _gains(ours: Tuned[System], theirs: Tuned[System]) -> list[float]:
    a, b = ours.held_out(), theirs.held_out()
    return sorted(a[topic] - b[topic] for topic in a)


def _plot(plots: dict[str, bytes], gains: list[float]) -> None:
    with plot(plots, PLOT, "topics, by difference", "AP of CONCLUSION less AP of Rocchio") as axes:
        axes.bar(np.arange(1, len(gains) + 1), gains, width=0.8)


def _verdict(tuned: dict[str, Tuned[System]]) -> str:
    whole = tuned["whole records"].mean
    order = sorted(MOVES, key=lambda move: -tuned[move].mean)
    best = tuned[order[0]].mean
    ranking = ", ".join(f"{move} {tuned[move].mean:.3f}" for move in order)
    if best > whole:
        return f"{order[0]} gains over Rocchio ({best:.3f}, {whole:.3f}). The moves: {ranking}."
    upper = {"PURPOSE", "CONCLUSION"} == set(order[:2])
    return f"No: no move comes up to Rocchio over whole records ({whole:.3f}): {ranking}. " + (
        "But PURPOSE and CONCLUSION are the better two of the four, as the paper says."
        if upper
        else "Nor are PURPOSE and CONCLUSION the better two."
    )


def _text(bench: Bench) -> str:
    tagged = bench.tags()
    records = len(tagged)
    bare = sum(all(move == TITLE for _, move, _ in sentences) for sentences in tagged)
    having = Counter(move for sentences in tagged for move in {move for _, move, _ in sentences})
    shares = ", ".join(f"{having[move] / records:.0%} {move}" for move in MOVES)
    several = mean(len(sentences) for sentences in tagged)
    return (
        f"Of the {records:,} records, {bare / records:.0%} have no abstract to take sentences "
        f"from; {shares} have a sentence of the move; a record has {several:.1f} sentences, title "
        "included. Whole records hold MeSH headings besides, which sentences do not: that they, "
        "and the amount of text, make the difference is what the rows between show."
    )
