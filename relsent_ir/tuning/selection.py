"""Choose settings on training topics, and measure them on held-out topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, Final, Generic, TypeVar

import numpy as np

from relsent_ir.drawing import aligned
from relsent_ir.errors import MismatchError, UsageError
from relsent_ir.tuning.grid import Setting, Value, described
from relsent_ir.typing import NDArray, Progress


@dataclass(frozen=True)
class Split:
    """Topics on which settings are chosen, and topics on which they are measured.

    Attributes
    ----------
    train, test : tuple of str
        Topic ids in their given order; the two sets are disjoint.
    """

    train: tuple[str, ...]
    test: tuple[str, ...]


def folds(topics: Sequence[str], k: int, *, seed: int = 0) -> list[Split]:
    """Split topics for k-fold cross-validation: each topic is in one test part.

    Parameters
    ----------
    topics : sequence of str
    k : int
        From 2 to the number of topics; the sizes of the parts differ by at most one.
    seed : int
        Seed for shuffling: the same seed gives the same folds.
    """
    if not 2 <= k <= len(topics):
        raise UsageError(f"{k} folds of {len(topics)} topics", fix=f"from 2 to {len(topics)}")
    order = np.random.default_rng(seed).permutation(len(topics))
    fold_of = np.empty(len(topics), dtype=np.int64)
    fold_of[order] = np.arange(len(topics)) % k
    return [_split(topics, fold_of == fold) for fold in range(k)]


def random_splits(
    topics: Sequence[str], train: int, *, repeats: int = 1, seed: int = 0
) -> list[Split]:
    """Split at random, several times: a topic may be in several test parts or in none.

    Parameters
    ----------
    topics : sequence of str
    train : int
        Number of training topics, at least 1; at least one topic is left for the test.
    repeats : int
    seed : int
        The same seed gives the same splits.
    """
    if not 1 <= train < len(topics) or repeats < 1:
        raise UsageError(
            f"{repeats} splits with {train} of {len(topics)} topics to choose on",
            fix=f"from 1 to {len(topics) - 1} topics, and at least one split",
        )
    chance = np.random.default_rng(seed)
    splits = []
    for _ in range(repeats):
        test = np.ones(len(topics), dtype=bool)
        test[chance.permutation(len(topics))[:train]] = False
        splits.append(_split(topics, test))
    return splits


def _split(topics: Sequence[str], test: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Split:
    return Split(
        tuple(topic for topic, held in zip(topics, test, strict=True) if not held),
        tuple(topic for topic, held in zip(topics, test, strict=True) if held),
    )


S = TypeVar("S")


@dataclass(frozen=True)
class Fold(Generic[S]):
    """The setting that one split chose.

    Attributes
    ----------
    split : Split
    setting
        The setting with the highest mean over the training topics; the first in a tie.
    train, test : float
        The means of this setting over the training and the test topics.
    """

    split: Split
    setting: S
    train: float
    test: float


@dataclass(frozen=True, eq=False, repr=False)
class Tuned(Generic[S]):
    """Settings that were tried on all topics, and the choice of each split.

    Attributes
    ----------
    settings : list, length s
    topics : list of str, length t
    scores : ndarray of float, shape (s, t)
    folds : list of Fold
    """

    settings: list[S]
    topics: list[str]
    scores: NDArray[np.float64]
    folds: list[Fold[S]]

    def __repr__(self) -> str:
        """Return a line for the mean, and one for each split with its scores and choice."""
        counts = f"{len(self.settings)} settings, {len(self.topics)} topics"
        head = f"{counts}; held out: mean {self.mean:.4f}, standard deviation {self.spread:.4f}"
        folds = [f"{of.train:.4f}  {of.test:.4f}  {of.setting}" for of in self.folds]
        return "\n".join([head, "train   test    chosen", *folds])

    @property
    def mean(self) -> float:
        """The mean of the splits' test scores."""
        return float(np.mean([fold.test for fold in self.folds]))

    @property
    def spread(self) -> float:
        """The standard deviation of the splits' test scores; 0 for one split."""
        several = len(self.folds) > 1
        return float(np.std([fold.test for fold in self.folds], ddof=1)) if several else 0.0

    def held_out(self) -> dict[str, float]:
        """Return each topic's score under settings chosen without it, a mean over splits."""
        values: dict[str, list[float]] = {}
        place = {topic: column for column, topic in enumerate(self.topics)}
        for fold in self.folds:
            row = self.settings.index(fold.setting)
            for topic in fold.split.test:
                values.setdefault(topic, []).append(float(self.scores[row, place[topic]]))
        return {t: float(np.mean(values[t])) for t in self.topics if t in values}


@dataclass(frozen=True)
class Report:
    """The choice of each split with its test scores; training scores are never shown alone.

    Attributes
    ----------
    tuned : Tuned of Setting
    untuned : mapping of topic to float
        The scores without tuned settings.
    measure : str
    """

    tuned: Tuned[Setting]
    untuned: Mapping[str, float]
    measure: str

    @property
    def _before(self) -> list[float]:
        """The mean of the untuned scores over each split's test topics."""
        return [mean(self.untuned[topic] for topic in fold.split.test) for fold in self.tuned.folds]

    def to_json(self) -> dict[str, Any]:
        """Return the report for JSON."""
        tuned = self.tuned
        folds = [
            {"topics": of.split.test, "setting": of.setting, "train": of.train, "test": of.test}
            | {"untuned": before}
            for of, before in zip(tuned.folds, self._before, strict=True)
        ]
        counts = {"settings": len(tuned.settings), "topics": len(tuned.topics)}
        values = {"mean": tuned.mean, "spread": tuned.spread, "untuned": mean(self._before)}
        return {"measure": self.measure, **counts, **values, "folds": folds}

    def __str__(self) -> str:
        tuned = self.tuned
        rows = [
            [str(n), f"{f.train:.4f}", f"{f.test:.4f}", f"{before:.4f}", described(f.setting)]
            for n, (f, before) in enumerate(zip(tuned.folds, self._before, strict=True), 1)
        ]
        head = ["split", "train", "test", "untuned", "chosen"]
        return (
            f"{self.measure}, {len(tuned.settings)} settings, {len(tuned.topics)} topics\n\n"
            f"{aligned([head, *rows], right=True)}\n\n"
            f"test: mean {tuned.mean:.4f}, standard deviation {tuned.spread:.4f} "
            f"(untuned {mean(self._before):.4f})"
        )


def select(
    settings: Sequence[S],
    score: Callable[[S], Mapping[str, float]],
    splits: Sequence[Split],
    *,
    progress: Progress | None = None,
) -> Tuned[S]:
    """Try all settings, and let each split choose by its training topics only.

    Parameters
    ----------
    settings : sequence
        Settings that are all different.
    score : callable
        Returns each topic's score under a setting.
    splits : sequence of Split
    progress : callable, optional
        Called with the number of settings tried and the total.

    Raises
    ------
    MismatchError
        If a topic of a split was not scored.
    """
    if not settings or not splits:
        raise UsageError("nothing to tune: there are no settings, or no splits")
    topics = list(dict.fromkeys(t for split in splits for t in (*split.train, *split.test)))
    scores = np.empty((len(settings), len(topics)))
    for row, setting in enumerate(settings):
        found = score(setting)
        missing = [topic for topic in topics if topic not in found]
        if missing:
            raise MismatchError(f"topic {missing[0]} was not scored")
        scores[row] = [found[topic] for topic in topics]
        if progress:
            progress(row + 1, len(settings))
    place = {topic: column for column, topic in enumerate(topics)}
    chosen = []
    for split in splits:
        train = scores[:, [place[topic] for topic in split.train]].mean(axis=1)
        test = scores[:, [place[topic] for topic in split.test]].mean(axis=1)
        row = int(np.argmax(np.round(train, 12)))
        chosen.append(Fold(split, settings[row], float(train[row]), float(test[row])))
    return Tuned(list(settings), topics, scores, chosen)


ROUNDS: Final = 3


def ascend(
    values: Mapping[str, Sequence[Value]],
    score: Callable[[Setting], Mapping[str, float]],
    splits: Sequence[Split],
    *,
    progress: Progress | None = None,
) -> Tuned[Setting]:
    """Optimise one flag after another for each split, starting from the first values.

    For grids that are too large: each flag in turn gets the value that is best on the training
    topics with the others fixed, in at most three rounds, or until nothing changes (Metzler, Croft:
    Linear feature-based models for information retrieval. Information Retrieval 10, 2007).

    Parameters
    ----------
    values : mapping of str to sequence
        The values of each flag; the search starts at the first values.
    score, splits
        As in `select`; a setting is scored once for all splits.
    progress : callable, optional
        Called with the number of splits done and the total.
    """
    if not values or not splits:
        raise UsageError("nothing to tune: there are no settings, or no splits")
    tried: dict[tuple[Value, ...], Mapping[str, float]] = {}

    def scored(setting: Setting) -> Mapping[str, float]:
        key = tuple(setting.values())  # all settings have the same flags in the same order
        if key not in tried:
            tried[key] = score(setting)
        return tried[key]

    def training(setting: Setting, split: Split) -> float:
        found = scored(setting)
        return round(float(np.mean([found[topic] for topic in split.train])), 12)

    chosen = []
    for number, split in enumerate(splits, 1):
        setting: Setting = {flag: of[0] for flag, of in values.items()}
        for _ in range(ROUNDS):
            before = setting
            for flag, of in values.items():
                setting = max(
                    (setting, *({**setting, flag: value} for value in of)),
                    key=lambda one, split=split: training(one, split),  # type: ignore[misc]
                )
            if setting == before:
                break
        chosen.append(setting)
        if progress:
            progress(number, len(splits))
    topics = list(dict.fromkeys(t for split in splits for t in (*split.train, *split.test)))
    scores = np.array([[found[topic] for topic in topics] for found in tried.values()])
    folds = [
        Fold(
            split,
            setting,
            float(np.mean([scored(setting)[t] for t in split.train])),
            float(np.mean([scored(setting)[t] for t in split.test])),
        )
        for split, setting in zip(splits, chosen, strict=True)
    ]
    settings = [dict(zip(values, key, strict=True)) for key in tried]
    return Tuned(settings, topics, scores, folds)
