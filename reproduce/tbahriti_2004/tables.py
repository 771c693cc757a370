"""The tables of the page, of each collection."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from relsent_ir.moves import MOVES
from relsent_ir.trec.significance import holm, paired_t
from relsent_ir.typing import Floats
from reproduce.page import compared, prose, table
from reproduce.tbahriti_2004.study import Study, set_means
from reproduce.tbahriti_2004.systems import Measured

PAPER_3: Final = {
    ("atc.atn", False): (0.1402, 0.1417, 0.1438, 0.1476, 0.1433),
    ("atc.atn", True): (0.1440, 0.1431, 0.1477, 0.1465, 0.1452),
    ("ltc.atn", False): (0.1505, 0.1528, 0.1506, 0.1529, 0.1517),
    ("ltc.atn", True): (0.1524, 0.1534, 0.1530, 0.1539, 0.1532),
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

_Name = TypeVar("_Name")


@dataclass
class Found:
    """What was measured on a collection."""

    name: str
    study: Study
    weightings: dict[tuple[str, bool], Measured]
    moves: dict[str, Measured]
    systems: dict[str, Measured] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    fields: dict[str, Measured] = field(default_factory=dict)


def section(found: Found, wide: Found) -> str:
    """Write what was found on a collection, on the paper's sets and on all candidates."""
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
    fields = [[name, *_means(values)] for name, values in found.fields.items()]
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
        table_5=_table_5(found),
        tuned=_tuned(found),
        claims=_claims(found, {"Learned: all": "The learned combination of all",
                               "Learned: Huber sentences": "Huber sentence matching"}),
        set_size=str(len(wide.study.sets[0])),
        wide_table_5=_table_5(wide),
        wide_tuned=_tuned(wide),
        wide_claims=_claims(wide, {ADDED: "The same with 1 + S·k"}),
        plot=plot_name(found.name),
        fields_topics=str(len(next(iter(found.fields.values()))["map"])),
        fields=table(["", "MAP", "P@5", "P@10"], fields),
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
        label = f"{scheme} + T" if thesaurus else scheme
        paper = PAPER_3.get((scheme, thesaurus))
        ours = [f"{x:.4f}" for x in (*set_means(found.study, values), values["map"].mean())]
        told = f"{p[scheme, thesaurus]:.3f}" if (scheme, thesaurus) in p else ""
        theirs = [f"{x:.4f}" for x in paper] if paper else ["–"] * 5
        rows.append([label, *ours, told, *theirs])
    sets = ["1", "2", "3", "4", "mean"]
    header = ["", *sets, "p, ltc.atn", *(f"paper: {name}" for name in sets)]
    return table(header, rows)


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
        change = 100 * (values["map"].mean() / base["map"].mean() - 1)
        theirs = paper.get(name) if found.name else None
        rows.append(
            [
                name,
                *_means(values),
                *(f"{x:.4f}" for x in set_means(found.study, values)),
                "" if name == BASELINE else f"{change:+.1f} %",
                *(_p(of[name]) if name in of else "" for of in (against_base, against_both)),
                " ".join(f"{x:.4f}" for x in theirs) if theirs else "",
            ]
        )
    header = ["", "MAP", "P@5", "P@10", "1", "2", "3", "4", "MAP ±", "p, base", "p, both"]
    if not found.name:
        return table(header, [row[:-1] for row in rows])
    return table([*header, "paper: MAP P@5 P@10"], rows)


def _against(found: Found, other: str) -> dict[str, float]:
    """Test all systems but the baseline against another."""
    some = {name: of for name, of in found.systems.items() if name not in (BASELINE, other)}
    return _corrected(some, found.systems[other]["map"])


def _corrected(some: Mapping[_Name, Measured], base: Floats) -> dict[_Name, float]:
    """Test each against a base; Holm's p, by name."""
    return dict(zip(some, holm([paired_t(of["map"], base) for of in some.values()]), strict=True))


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.0001 else "< 0.0001"


def _tuned(found: Found) -> str:
    return "\n".join(f"- {label}: {note}" for label, note in found.notes.items())


def _claims(found: Found, ours: Mapping[str, str]) -> str:
    """Say what the tests say of the paper's combination, and of ours by their names."""
    pairs = [(COMBINATION, "The paper's tuned combination", BASELINE, UNBOOSTED)]
    pairs += [(ADDED, ours[ADDED], BASELINE, UNBOOSTED)] if ADDED in ours else []
    pairs += [(name, label, COMBINATION, PAPERS) for name, label in ours.items()]
    lines = []
    for name, label, other, against in pairs:
        a, b = (found.systems[one]["map"].mean() for one in (name, other))
        told = compared(a, b, _against(found, other)[name], ".3f")
        lines.append(f"- {label} against {against}: {a:.4f} and {b:.4f}, {told}.")
    return "\n".join(lines)


def plot_name(name: str) -> str:
    """Name a collection's plot."""
    return f"tbahriti-2004-{name}"
