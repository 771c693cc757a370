"""Builds the benchmark on each collection, and measures the paper's systems and ours."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from recipes.data import data_path
from relsent_ir import models
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import MOVES
from relsent_ir.records import read_records
from relsent_ir.related import Model
from relsent_ir.related.training.train import train
from relsent_ir.trec.significance import holm, paired_t
from relsent_ir.typing import Floats
from reproduce.coupling import Plan
from reproduce.data import FILES, collection_index
from reproduce.page import Page, Request, Steps, compared, plot, prose, table
from reproduce.tbahriti_2004.study import (
    BOTH,
    KEPT,
    LEARNED,
    PEER,
    STEPS,
    Boosts,
    Collection,
    Measured,
    Study,
    learned,
    moves_alone,
    peers,
    pruned,
    weighting,
    with_synonyms,
)
from reproduce.tbahriti_2004.thesaurus import Thesaurus

PAPER_3: Final = {
    ("atc.atn", False): 0.1433,
    ("atc.atn", True): 0.1452,
    ("ltc.atn", False): 0.1517,
    ("ltc.atn", True): 0.1532,
}
PAPER_4: Final = {"PURPOSE": 62.5, "METHODS": 16.4, "RESULTS": 17.6, "CONCLUSION": 56.0}
PAPER_5: Final = {
    "none": (0.1532, 0.2080, 0.1840),
    "PURPOSE": (0.1593, 0.2240, 0.1760),
    "CONCLUSION": (0.1584, 0.2160, 0.1920),
    "both": (0.1616, 0.2320, 0.1960),
}
CENSUS: Final = (
    *("records", "with_references", "references", "works", "inside"),
    *("duplicates", "to_itself"),
)
BASELINE: Final = "ltc.atn + T"
COMBINATION: Final = "PURPOSE and CONCLUSION, S·k"
ADDED: Final = COMBINATION.replace("S·k", "1 + S·k")
PAPERS: Final = "the paper's combination"
UNBOOSTED: Final = "the unboosted baseline"
UNSHOWN: Final = ("METHODS, ", "RESULTS, ")
"""Openings of the boosts that Table 5 leaves out: the paper has none of these moves alone."""

_Name = TypeVar("_Name")


@dataclass
class Found:
    """The measurements on a collection."""

    name: str
    study: Study
    weightings: dict[tuple[str, bool | str], Measured]
    moves: dict[str, Measured]
    systems: dict[str, Measured] = field(default_factory=dict)


def section(found: Found, wide: Found) -> str:
    """Write the results on a collection; of all candidates, the tests alone."""
    summary = found.study.benchmark.summary
    references, most = summary["references_of_a_record"], summary["most_shared_of_a_record"]
    partners, shared = summary["partners_of_a_topic"], summary["shared_of_a_target"]
    counts = [
        _spread("references of a record", references, "28.30 ± 24.15 (27.47 to 29.13)"),
        _spread(
            "most references shared with another record",
            most,
            "7.79 ± 6.99 (7.55 to 8.03): co-citations",
        ),
        _spread("records that share as much with a topic", partners, "15.70 ± 6.58: more than 9"),
        _spread("references shared with a target", shared, ""),
    ]
    return prose(
        __name__,
        "section.md",
        name=found.name,
        **{what: str(summary["census"][what]) for what in CENSUS},
        min_shared=str(summary["plan"]["min_shared"]),
        candidates=str(summary["candidates"]),
        counts=table(["", "mean", "sd", "95 % interval", "paper"], counts),
        table_3=_table_3(found),
        **_table_4(found),
        baseline=BASELINE,
        combination=COMBINATION,
        pruning=_pruning(found),
        table_5=_table_5(found),
        claims=_claims(found, {"Learned: all": "The learned combination of all",
                               "Learned: Huber sentences": "Huber sentence matching"}),
        set_size=str(len(wide.study.sets[0])),
        wide_claims=_claims(wide, {ADDED: "The same with 1 + S·k"}),
        plot=plot_name(found.name),
    )  # fmt: skip


def _spread(label: str, found: dict[str, float], paper: str) -> list[str]:
    interval = f"{found['low']:.2f} to {found['high']:.2f}"
    return [label, f"{found['mean']:.2f}", f"{found['sd']:.2f}", interval, paper]


def _means(values: Measured) -> list[str]:
    return [f"{float(some.mean()):.4f}" for some in values.values()]


def _table_3(found: Found) -> str:
    rows = []
    base = found.weightings["ltc.atn", False]["map"]
    others = [key for key in found.weightings if key != ("ltc.atn", False)]
    p = _corrected({key: found.weightings[key] for key in others}, base)
    for (scheme, thesaurus), values in found.weightings.items():
        label = f"{scheme} + {'T' if thesaurus is True else thesaurus}" if thesaurus else scheme
        paper = PAPER_3.get((scheme, bool(thesaurus)))
        ours = f"{values['map'].mean():.4f}"
        tested = f"{p[scheme, thesaurus]:.3f}" if (scheme, thesaurus) in p else ""
        rows.append([label, ours, tested, f"{paper:.4f}" if paper else "–"])
    return table(["", "mean", "p, ltc.atn", "paper: mean"], rows)


def _table_4(found: Found) -> dict[str, str]:
    base = found.systems[BASELINE]["map"].mean()
    order = sorted(MOVES, key=lambda move: -found.moves[move]["map"].mean())
    first = found.moves[order[0]]["map"]
    rows, told = [], []
    for move in order:
        values = found.moves[move]["map"]
        share = f"{100 * values.mean() / base:.1f} %"
        rows.append([move, f"{values.mean():.4f}", share, "", f"{PAPER_4[move]:.1f} %"])
        if move != order[0]:
            p = paired_t(values, first)
            rows[-1][3] = f"{p:.3f}"
            told.append(f"{move}, " + compared(first.mean(), values.mean(), p, ".3f"))
    header = ["", "MAP", f"of {BASELINE}", f"p, {order[0]}", "paper: of its baseline"]
    return {
        "table_4": table(header, rows),
        "order": ", ".join(order),
        "paper_order": ", ".join(sorted(MOVES, key=lambda move: -PAPER_4[move])),
        "first": order[0],
        "told": "; ".join(told),
    }


def _pruning(found: Found) -> str:
    """Compare the remaining share of the index with the remaining effectiveness."""
    measured = {moves: pruned(found.study, moves) for moves in KEPT}
    whole = measured[MOVES][1]["map"]
    p = _corrected({moves: of for moves, (_, of) in measured.items() if moves != MOVES}, whole)
    rows = []
    for moves, (share, values) in measured.items():
        remains = values["map"].mean() / whole.mean()
        tested = _p(p[moves]) if moves in p else ""
        name = "every move" if moves == MOVES else ", ".join(moves) or "none"
        row = [name, f"{share:.1%}", f"{remains:.1%}", tested]
        rows.append([row[0], row[1], *_means(values), *row[2:]])
    header = ["moves that are indexed", "postings kept", "MAP", "P@5", "P@10", "MAP kept", "p"]
    return table(header, rows)


def _table_5(found: Found) -> str:
    base = found.systems[BASELINE]
    against_base, against_both = (_against(found, other) for other in (BASELINE, COMBINATION))
    paper = {
        BASELINE: PAPER_5["none"],
        "PURPOSE, S·k": PAPER_5["PURPOSE"],
        "CONCLUSION, S·k": PAPER_5["CONCLUSION"],
        COMBINATION: PAPER_5["both"],
    }
    rows = []
    for name, values in found.systems.items():
        if name.startswith(UNSHOWN):
            continue
        change = 100 * (values["map"].mean() / base["map"].mean() - 1)
        theirs = paper.get(name)
        rows.append(
            [
                name,
                *_means(values),
                "" if name == BASELINE else f"{change:+.1f} %",
                *(_p(of[name]) if name in of else "" for of in (against_base, against_both)),
                " ".join(f"{x:.4f}" for x in theirs) if theirs else "",
            ]
        )
    header = ["", "MAP", "P@5", "P@10", "MAP ±", "p, base", "p, both", "paper: MAP P@5 P@10"]
    return table(header, rows)


def _against(found: Found, other: str) -> dict[str, float]:
    """Test all systems other than the baseline against another system."""
    systems = {name: of for name, of in found.systems.items() if name not in (BASELINE, other)}
    return _corrected(systems, found.systems[other]["map"])


def _corrected(systems: Mapping[_Name, Measured], base: Floats) -> dict[_Name, float]:
    """Test each system against a base; return Holm's p by name."""
    p = holm([paired_t(of["map"], base) for of in systems.values()])
    return dict(zip(systems, p, strict=True))


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _claims(found: Found, ours: Mapping[str, str]) -> str:
    """Describe the tests of the paper's combination, and of named systems of ours."""
    pairs = [(COMBINATION, "The paper's tuned combination", BASELINE, UNBOOSTED)]
    pairs += [(ADDED, ours[ADDED], BASELINE, UNBOOSTED)] if ADDED in ours else []
    pairs += [(name, label, COMBINATION, PAPERS) for name, label in ours.items()]
    lines = []
    for name, label, other, against in pairs:
        a, b = (found.systems[system]["map"].mean() for system in (name, other))
        result = compared(a, b, _against(found, other)[name], ".3f")
        lines.append(f"- {label} against {against}: {a:.4f} and {b:.4f}, {result}.")
    return "\n".join(lines)


def plot_name(name: str) -> str:
    """Return the name of a collection's plot."""
    return f"tbahriti-2004-{name}"


COLLECTIONS: Final = {"cystic-fibrosis": 2, "rct": 1}
"""The fewest references that a target shares with its topic, by collection."""
PAIRS: Final = 60_000
HUBER: Final = "huber-60000"
DESCRIPTORS: Final = Path("collections", "originals", "mesh")
"""The folder of `relsent-ir fetch mesh` for NLM's file, below the current folder."""
SCHEMES: Final = ("ltc.atn", "atc.atn", "atn.ltc", "atn.atc")


def run(request: Request) -> Page:
    """Build the benchmark on each collection, and measure every system on it."""
    steps = Steps(request)
    thesaurus = Thesaurus.of_headings(
        record
        for file in (*FILES["abstracts"], *FILES["cystic-fibrosis"])
        for record in read_records(data_path(file))
    )
    model = _huber(request)
    plots: dict[str, bytes] = {}
    sections = []
    for name, min_shared in COLLECTIONS.items():
        cited = [record for file in FILES[name] for record in read_records(data_path(file))]
        folder = collection_index(request, name)
        with Index(folder) as abstracts, Index(folder, "sentences") as sentences:
            collection = Collection.read(abstracts, sentences, thesaurus, cited)
            found, boosts = _measure(name, collection, min_shared, model, steps)
            wide = _wide(collection, min_shared, steps)
        sections.append(section(found, wide))
        _draw(plots, name, boosts)
    text = prose(
        __name__,
        phrases=f"{len(thesaurus.phrases):,}",
        sections="\n".join(sections),
        steps=", ".join(f"{k:g}" for k in STEPS),
        k1=str(PEER.k1),
        b=str(PEER.b),
        pairs=f"{PAIRS:,}",
    )
    return Page(text, plots)


def _huber(request: Request) -> Model:
    """Open the model of related sentences; train it on the abstracts collection if need be."""
    path: Path = request.indexes / HUBER
    if not (path / "model.json").exists():
        with Index(collection_index(request, "abstracts")) as index:
            trained = train(index, "huber", pairs=PAIRS, command="reproduce tbahriti-2004")
            models.save(path, trained)
    model: Model = models.load(path, "related")
    return model


def _measure(
    name: str, collection: Collection, min_shared: int, model: Model, steps: Steps
) -> tuple[Found, Boosts]:
    """Measure everything on four sets of 25 topics that have a sentence of every move."""
    study = Study.build(collection, Plan(min_shared=min_shared), all_moves=True)
    found = Found(
        name,
        study,
        {(scheme, t): weighting(study, scheme, t) for scheme in SCHEMES for t in (False, True)},
        moves_alone(study),
    )
    if descriptors := sorted(DESCRIPTORS.glob("desc*.gz")):
        synonyms = with_synonyms(study, Thesaurus.read(descriptors[-1]))
        found.weightings["ltc.atn", "T, synonyms"] = synonyms
    found.systems[BASELINE] = found.weightings["ltc.atn", True]
    boosts = Boosts(study, steps)
    _add_boosts(found, boosts)
    found.systems.update(peers(study))
    features = study.features(model)
    for label, names in LEARNED.items():
        found.systems[label] = learned(study, features, names)
    steps()
    return found, boosts


def _add_boosts(found: Found, boosts: Boosts) -> None:
    rows = [("PURPOSE",), ("CONCLUSION",), BOTH, ("METHODS",), ("RESULTS",)]
    for form, sign in (("product", "S·k"), ("sum", "1 + S·k")):
        for moves in rows:
            label = f"{' and '.join(moves)}, {sign}"
            found.systems[label] = boosts.tuned(form, moves)


def _wide(collection: Collection, min_shared: int, steps: Steps) -> Found:
    """Boost the topics of all candidates, cut into four sets."""
    plan = Plan(min_shared=min_shared)
    quarter = replace(plan, queries=_candidates(collection, plan) // 4)
    study = Study.build(collection, quarter, all_moves=False)
    found = Found("", study, {}, {})
    found.systems[BASELINE] = weighting(study, "ltc.atn", thesaurus=True)
    _add_boosts(found, Boosts(study, steps))
    return found


def _candidates(collection: Collection, plan: Plan) -> int:
    small = Study.build(collection, replace(plan, queries=1, sets=1), all_moves=False)
    return int(small.benchmark.summary["candidates"])


def _draw(plots: dict[str, bytes], name: str, boosts: Boosts) -> None:
    with plot(plots, plot_name(name), "k", "MAP over all four sets") as axes:
        for form, style in (("product", "-"), ("sum", "--")):
            for i, move in enumerate(MOVES):
                label = f"{move}, {'S·k' if form == 'product' else '1 + S·k'}"
                axes.plot(STEPS, boosts.curve(form, move), style, color=f"C{i}", label=label)
        axes.set(xscale="log")
