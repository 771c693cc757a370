"""One collection: its topics with features, and what learners make of them, fold by fold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.ranker.features import names_of
from relsent_ir.ranker.judgements import Judged
from relsent_ir.ranker.model import RankerModel
from relsent_ir.ranker.training import fit, folds_of
from relsent_ir.typing import Floats

FOLDS: Final = 5
WITHOUT: Final = "linear without "
"""What the names of rows begin with where a group is left out."""
HELD: Final = 0.01
"""λ0 where a group is left out: it is not chosen again."""
TREES_HELD: Final = 100.0
"""Trees where they are not chosen."""
Values = dict[str, float]


@dataclass(frozen=True, eq=False)
class Study:
    """Topics with features, and average precision by topic of what was learned.

    Attributes
    ----------
    name : str
    topics : list of Judged
        In the order in which candidates were found, so that the first stage can be measured.
    groups : tuple of str
    step : callable
        Is called after each model.
    blocks : mapping of str to str
        Topics of one block are learned from, or measured, together; each is its own if empty.
    """

    name: str
    topics: list[Judged]
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
        self, groups: Sequence[str], learner: str = "linear", strength: float | None = None
    ) -> Values:
        """Measure each topic by a model that was learned from the other folds with some groups."""
        some = self.taken(groups)
        found: Values = {}
        fold = self._folds()
        for number in range(FOLDS):
            train = [one for one, of in zip(some, fold, strict=True) if of != number]
            model = fit(train, groups, learner, whole=True, strength=strength)
            for place in np.flatnonzero(fold == number).tolist():
                found[some[place].topic] = precision(model, some[place], groups)
            self.step()
        return {one.topic: found[one.topic] for one in some}

    def without_each(self, groups: Sequence[str]) -> dict[str, Values]:
        """Leave each of some groups out in turn, by the names of rows."""
        return {
            WITHOUT + one: self.crossed([name for name in groups if name != one], strength=HELD)
            for one in groups
        }

    def measured(self, model: RankerModel) -> Values:
        """Measure all topics by a model that was learned elsewhere."""
        groups = [name for name in model.groups if name in self.groups]
        columns = names_of(groups)
        place = {name: number for number, name in enumerate(names_of(self.groups))}
        learned = model.without(groups)
        own = names_of(model.groups)
        self.step()
        found: Values = {}
        for one in self.topics:
            values: Floats = np.zeros((len(one.grades), len(own)))
            for name in columns:
                values[:, own.index(name)] = one.features[:, place[name]]
            found[one.topic] = one.average_precision(learned.scores(values))
        return found

    def taken(self, groups: Sequence[str]) -> list[Judged]:
        """The topics with the features of some groups alone."""
        kept = self.columns(groups)
        return [
            Judged(one.topic, one.features[:, kept], one.grades, one.relevant)
            for one in self.topics
        ]

    def _folds(self) -> NDArray[np.int64]:
        """Deal the topics out to folds, those of a block together; shape (topics,)."""
        names = [self.blocks.get(one.topic, one.topic) for one in self.topics]
        place = {name: number for number, name in enumerate(dict.fromkeys(names))}
        fold: NDArray[np.int64] = folds_of(len(place), FOLDS)[[place[name] for name in names]]
        return fold

    def columns(self, groups: Sequence[str]) -> NDArray[np.intp]:
        """The columns of some groups among those of all."""
        of = [name for name in self.groups for _ in names_of([name])]
        return np.flatnonzero([name in groups for name in of])


def precision(model: RankerModel, topic: Judged, groups: Sequence[str]) -> float:
    """Give the average precision of a model's order of one topic's candidates."""
    return topic.average_precision(model.without(groups).scores(topic.features))
