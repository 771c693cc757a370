"""One collection: its topics with features, and what learners make of them, fold by fold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.ranker.features import names_of
from relsent_ir.ranker.judgements import JudgedTopic
from relsent_ir.ranker.model import RankerModel
from relsent_ir.ranker.training import fit, folds_of
from relsent_ir.trec import holm, paired_t
from relsent_ir.typing import Floats
from reproduce.page import interval, paired, table

FOLDS: Final = 5
WITHOUT: Final = "linear without "
"""Prefix of the rows in which a group is left out."""
HELD: Final = 0.01
"""λ0 where a group is left out: it is not chosen again."""
Values = dict[str, float]


@dataclass(frozen=True, eq=False)
class Study:
    """Topics with features, and average precision by topic of what was learned.

    Attributes
    ----------
    name : str
    topics : list of JudgedTopic
        In the order in which candidates were found, so that the first stage can be measured.
    groups : tuple of str
    step : callable
        Is called after each model.
    blocks : mapping of str to str
        Topics of one block are learned from, or measured, together; each is its own if empty.
    """

    name: str
    topics: list[JudgedTopic]
    groups: tuple[str, ...]
    step: Callable[[], None] = field(default=lambda: None)
    blocks: Mapping[str, str] = field(default_factory=dict)

    def first_stage(self) -> Values:
        """Measure the candidates in the order in which they were found."""
        return {
            one.topic: one.average_precision(-np.arange(len(one.grades), dtype=np.float64))
            for one in self.topics
        }

    def crossed(
        self,
        groups: Sequence[str],
        strength: float | None = None,
        *,
        exact: Sequence[float] = (0.0,),
    ) -> Values:
        """Measure each topic by a model that was learned from the other folds with some groups.

        Its second part, the packaged one, counts as much as one of `exact`.
        """
        some = self.taken(groups)
        found: Values = {}
        fold = self._folds()
        for number in range(FOLDS):
            train = [one for one, of in zip(some, fold, strict=True) if of != number]
            model = fit(*(train, groups), whole=True, strength=strength, exact_strengths=exact)
            for place in np.flatnonzero(fold == number).tolist():
                one = some[place]
                scores = model.scores(one.features, groups)
                found[one.topic] = one.average_precision(scores)
            self.step()
        return {one.topic: found[one.topic] for one in some}

    def without_each(self, groups: Sequence[str]) -> dict[str, Values]:
        """Leave each of some groups out in turn, by the names of rows."""
        return {
            WITHOUT + one: self.crossed([name for name in groups if name != one], strength=HELD)
            for one in groups
        }

    def measured(self, model: RankerModel, some: Sequence[str] | None = None) -> Values:
        """Measure all topics by a model that was learned elsewhere, with some groups or all."""
        known = self.groups if some is None else some
        groups = [name for name in model.groups if name in known]
        columns = names_of(groups)
        place = {name: number for number, name in enumerate(names_of(self.groups))}
        own = names_of(model.groups)
        self.step()
        found: Values = {}
        for one in self.topics:
            values: Floats = np.zeros((len(one.grades), len(own)))
            for name in columns:
                values[:, own.index(name)] = one.features[:, place[name]]
            found[one.topic] = one.average_precision(model.scores(values, groups))
        return found

    def taken(self, groups: Sequence[str]) -> list[JudgedTopic]:
        """Return the topics with the features of some groups alone."""
        kept = self.columns(groups)
        return [
            JudgedTopic(one.topic, one.features[:, kept], one.grades, one.relevant)
            for one in self.topics
        ]

    def _folds(self) -> NDArray[np.int64]:
        """Deal the topics out to folds, those of a block together; shape (topics,)."""
        names = [self.blocks.get(one.topic, one.topic) for one in self.topics]
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        fold: NDArray[np.int64] = folds_of(len(place), FOLDS)[[place[name] for name in names]]
        return fold

    def columns(self, groups: Sequence[str]) -> NDArray[np.intp]:
        """Return the columns of some groups among those of all."""
        of = [name for name in self.groups for _ in names_of([name])]
        return np.flatnonzero([name in groups for name in of])


Rows = Mapping[str, Values]
"""Average precision by topic, by the row's name."""

CHANGED: Final = 0.05
"""p below which a group is said to be worth more, or less, among many records."""


def against(rows: Rows, base: str) -> str:
    """Set whole rankers against one of the rows, with intervals, and Holm over all rows."""
    others = [name for name in rows if name != base]
    corrected = dict(zip(others, holm([p_of(rows[o], rows[base]) for o in others]), strict=True))
    cells = []
    for name, values in rows.items():
        if name.startswith(WITHOUT):
            continue
        cells.append([name, *_beside(values, rows[base], corrected.get(name))])
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
    """Name the groups that are worth more, and those that are worth less, among many records."""
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
            told = _beside(values, rows[base], p.get((where, row)))
            cells.append([f"{where}: {row}", str(len(values)), *told])
    return table(["", "topics", "MAP", f"more than {base}", "95 %", "p (t, Holm)"], cells)


def _beside(values: Values, base: Values, p: float | None) -> list[str]:
    """Write a mean, and where `p` is given what it is more than the base's, the interval and p."""
    cells = [f"{mean_of(values):.4f}"]
    if p is None:
        return [*cells, "", "", ""]
    low, high = interval(*paired(values, base))  # 95 %, by Student's t
    more = f"{mean_of(values) - mean_of(base):+.4f}"
    return [*cells, more, f"{low:+.3f} to {high:+.3f}", f"{p:.2g}"]


def mean_of(values: Values) -> float:
    """Return the mean over topics."""
    return mean(values.values())


def p_of(a: Values, b: Values) -> float:
    """Return p of the paired t-test."""
    return paired_t(*paired(a, b))


def _worth(rows: Rows, name: str, whole: str) -> list[str]:
    """Return what is lost without a group, and p; dashes where it is not there."""
    if name not in rows:
        return ["–", "–"]
    worth = mean_of(rows[whole]) - mean_of(rows[name])
    return [f"{worth:+.4f}", f"{p_of(rows[whole], rows[name]):.2g}"]


def _whole(rows: Rows, base: str) -> list[str]:
    """Return the rows of all groups but the base."""
    return [name for name in rows if name != base and not name.startswith(WITHOUT)]


def _grown(small: Rows, large: Rows, name: str, whole: str) -> list[float]:
    """Return by topic how much more a group is worth among many records; empty where it is not."""
    if name not in large:
        return []
    worth = [{t: rows[whole][t] - of for t, of in rows[name].items()} for rows in (small, large)]
    return [worth[1][topic] - alone for topic, alone in worth[0].items()]


def _p_of_zero(values: list[float]) -> float:
    return paired_t(values, [0.0] * len(values))
