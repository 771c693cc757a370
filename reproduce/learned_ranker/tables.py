"""The tables of the page, from average precision by topic."""

from collections.abc import Mapping
from statistics import mean
from typing import Final

from relsent_ir.trec import holm, paired_t
from reproduce.learned_ranker.study import WITHOUT, Values
from reproduce.page import interval, table

Rows = Mapping[str, Values]
"""Average precision by topic, by the row's name."""

CHANGED: Final = 0.05
"""p below which a group is said to be worth more, or less, among many records."""


def against(rows: Rows, base: str) -> str:
    """Set all rows against one of them, with intervals, and Holm over the table."""
    others = [name for name in rows if name != base]
    corrected = dict(zip(others, holm([p_of(rows[o], rows[base]) for o in others]), strict=True))
    cells = []
    for name, values in rows.items():
        row = [name, f"{mean_of(values):.4f}"]
        if name == base:
            cells.append([*row, "", "", ""])
            continue
        low, high = interval_of(values, rows[base])
        more = f"{mean_of(values) - mean_of(rows[base]):+.4f}"
        cells.append([*row, more, f"{low:+.3f} to {high:+.3f}", f"{corrected[name]:.2g}"])
    return table(["", "MAP", f"more than {base}", "95 %", "p (t, Holm)"], cells)


def worths(small: Rows, large: Rows, whole: str) -> str:
    """Set what each group is worth beside each other: alone, and among many records."""
    cells = []
    for name in small:
        if not name.startswith(WITHOUT):
            continue
        row = [name.removeprefix(WITHOUT)]
        for rows in (small, large):
            row += _worth(rows, name, whole)
        grown = _grown(small, large, name, whole)
        told = [f"{mean(grown):+.4f}", f"{_p_of_zero(grown):.2g}"] if grown else ["–", "–"]
        cells.append([*row, *told])
    return table(
        ["group", "alone", "p (t)", "among the abstracts", "p (t)", "more among them", "p (t)"],
        cells,
    )


def changed(small: Rows, large: Rows, whole: str) -> str:
    """Say in words which groups are worth more, and which less, among many records."""
    told: dict[bool, list[str]] = {True: [], False: []}
    for name in small:
        grown = _grown(small, large, name, whole) if name.startswith(WITHOUT) else []
        if grown and _p_of_zero(grown) < CHANGED:
            told[mean(grown) > 0].append(name.removeprefix(WITHOUT))
    return "; ".join(
        f"{how}: {', '.join(told[up]) or 'none'}" for up, how in ((True, "more"), (False, "less"))
    )


def beside(found: Mapping[str, Rows], base: str) -> str:
    """Set rows of several collections against the first stage of each, with Holm over all."""
    compared = [(where, row) for where, rows in found.items() for row in _whole(rows, base)]
    corrected = holm([p_of(found[where][row], found[where][base]) for where, row in compared])
    p = dict(zip(compared, corrected, strict=True))
    cells = []
    for where, rows in found.items():
        for row in (base, *_whole(rows, base)):
            values = rows[row]
            cell = [f"{where}: {row}", str(len(values)), f"{mean_of(values):.4f}"]
            if row == base:
                cells.append([*cell, "", "", ""])
                continue
            low, high = interval_of(values, rows[base])
            more = f"{mean_of(values) - mean_of(rows[base]):+.4f}"
            told = f"{low:+.3f} to {high:+.3f}", f"{p[where, row]:.2g}"
            cells.append([*cell, more, *told])
    return table(["", "topics", "MAP", f"more than {base}", "95 %", "p (t, Holm)"], cells)


def elsewhere(found: Mapping[str, Rows], whole: str) -> str:
    """Say what each group is worth on each of several collections."""
    names = dict.fromkeys(one for rows in found.values() for one in rows if one.startswith(WITHOUT))
    cells = []
    for name in names:
        row = [name.removeprefix(WITHOUT)]
        for rows in found.values():
            row += _worth(rows, name, whole)
        cells.append(row)
    return table(["group", *(head for where in found for head in (where, "p (t)"))], cells)


def mean_of(values: Values) -> float:
    """Give the mean over topics."""
    return mean(values.values())


def interval_of(a: Values, b: Values) -> tuple[float, float]:
    """Give the 95 % interval of the mean difference, by Student's t."""
    return interval(*_paired(a, b))


def p_of(a: Values, b: Values) -> float:
    """Give p of the paired t-test."""
    return paired_t(*_paired(a, b))


def _worth(rows: Rows, name: str, whole: str) -> list[str]:
    """Give what is lost without a group, and p; dashes where it is not there."""
    if name not in rows:
        return ["–", "–"]
    worth = mean_of(rows[whole]) - mean_of(rows[name])
    return [f"{worth:+.4f}", f"{p_of(rows[whole], rows[name]):.2g}"]


def _whole(rows: Rows, base: str) -> list[str]:
    """Give the rows of all groups but the base."""
    return [name for name in rows if name != base and not name.startswith(WITHOUT)]


def _grown(small: Rows, large: Rows, name: str, whole: str) -> list[float]:
    """Give by topic how much more a group is worth among many records; empty where it is not."""
    if name not in large:
        return []
    worth = [{t: rows[whole][t] - of for t, of in rows[name].items()} for rows in (small, large)]
    return [worth[1][topic] - alone for topic, alone in worth[0].items()]


def _p_of_zero(values: list[float]) -> float:
    return paired_t(values, [0.0] * len(values))


def _paired(a: Values, b: Values) -> tuple[list[float], list[float]]:
    return list(a.values()), [b[topic] for topic in a]
