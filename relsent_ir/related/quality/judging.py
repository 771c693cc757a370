"""Blind judging of best matches (Smith & Wilbur 2010, sections 3.2 and 3.3, Figures 1 to 3).

Several methods each name the best match of the same sentences. The matches are shuffled and put on
a sheet without method or score; a match that several methods name is there once. Judges rate each;
a key, which they do not see, has each method's matches and scores.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from relsent_ir.drawing import aligned, figure
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.files import atomic_writer, table_rows
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.typing import NDArray, Progress

SHEET: Final = ("item", "sentence", "match", "rating")
LARGEST: Final = 10**9
"""The greatest distance of a rating or score from 0."""

Matches = Mapping[str, Mapping[str, tuple[str, float]]]
"""By method and sentence id: the id of the best match, and its score."""


class Named(NamedTuple):
    """A match as a method named it: a row of the key.

    Attributes
    ----------
    item : str
        Its number on the sheet.
    sentence, match : str
        Ids.
    method : str
    score : float
        By that method.
    """

    item: str
    sentence: str
    match: str
    method: str
    score: float


def shuffle_matches(matches: Matches, seed: int = 0) -> list[Named]:
    """Assign numbers to the distinct pairs of sentence and match, in a random order.

    Returns
    -------
    list of Named
        By item; several entries for an item that several methods named.
    """
    pairs = sorted(
        {(sentence, hit) for best in matches.values() for sentence, (hit, _) in best.items()}
    )
    order = np.random.default_rng(seed).permutation(len(pairs))
    number = {pairs[place]: i for i, place in enumerate(order.tolist(), 1)}
    named = [
        Named(str(number[sentence, hit]), sentence, hit, method, score)
        for method, best in matches.items()
        for sentence, (hit, score) in best.items()
    ]
    return sorted(named, key=lambda entry: (int(entry.item), entry.method))


def write_sheet(path: Path, key: Path, named: Sequence[Named], texts: Mapping[str, str]) -> int:
    """Write the judges' sheet, with an empty column for ratings, and the key, which they don't see.

    Both files appear, or neither.

    Returns
    -------
    int
        The number of items.

    Raises
    ------
    OutputError
        If one cannot be written.
    """
    items = {entry.item: entry for entry in named}.values()
    sheet = [[of.item, texts[of.sentence], texts[of.match], ""] for of in items]
    with atomic_writer(path) as file, atomic_writer(key) as key_file:
        for target, rows in ((file, [SHEET, *sheet]), (key_file, [Named._fields, *named])):
            csv.writer(target, delimiter="\t", lineterminator="\n").writerows(rows)
    return len(items)


def read_key(path: Path) -> list[Named]:
    """Read the key that `write_sheet` wrote.

    Raises
    ------
    InputError
        If a column or a number is missing, or a score is not finite, or too large to be added up.
    """
    named = []
    for place, row in _rows(path, Named._fields):
        try:
            score = float(row["score"])
            if not abs(score) <= LARGEST:
                raise ValueError(score)
        except ValueError as error:
            raise InputError(f"no score: {row['score']!r}", where=place) from error
        named.append(Named(row["item"], row["sentence"], row["match"], row["method"], score))
    if not named:
        raise InputError("the key is empty", where=path)
    return named


def read_ratings(path: Path) -> dict[str, int]:
    """Read the rating of each item on a judge's sheet, without the items that have none.

    Raises
    ------
    InputError
        If a column is missing, a rating is no whole number, or an item occurs twice.
    """
    ratings: dict[str, int] = {}
    for place, row in _rows(path, ("item", "rating")):
        text = row["rating"].strip()
        if row["item"] in ratings:
            raise InputError(f"item {row['item']} is rated twice", where=place)
        if text:
            try:
                ratings[row["item"]] = int(text)
                if abs(ratings[row["item"]]) > LARGEST:
                    raise ValueError(text)
            except ValueError as error:
                raise InputError(f"no whole number: {text!r}", where=place) from error
    if not ratings:
        raise InputError("no item is rated", where=path, fix="fill the column rating")
    return ratings


def kappa(first: Mapping[str, int], second: Mapping[str, int]) -> tuple[float, int]:
    """Return the agreement of two judges beyond chance (Cohen 1960), and the number of items.

    Raises
    ------
    MismatchError
        If they have no rated item in common.
    """
    both = sorted(first.keys() & second.keys())
    if not both:
        raise MismatchError("two judges have no rated item in common")
    a, b = (np.array([ratings[item] for item in both]) for ratings in (first, second))
    grades = np.union1d(a, b)
    chance = sum(float((a == grade).mean() * (b == grade).mean()) for grade in grades)
    agreed = float((a == b).mean())
    return (1.0 if chance >= 1.0 else (agreed - chance) / (1.0 - chance)), len(both)


def mean_kappa(judges: Sequence[Mapping[str, int]]) -> float | None:
    """Return the mean over all pairs of judges (Light 1971); None for a single judge."""
    kappas = [kappa(a, b)[0] for a, b in combinations(judges, 2)]
    return float(np.mean(kappas)) if kappas else None


Rule = Callable[[Sequence[int]], float]
"""Maps the ratings of a match to its value: its mean rating, or how far it counts as related."""


def mean_rating(ratings: Sequence[int]) -> float:
    """Return the mean of a match's ratings."""
    return float(np.mean(ratings))


def share_at(level: int) -> Rule:
    """Return the rule that a match is related by the share of ratings at `level` or above."""
    return lambda ratings: float(np.mean([rating >= level for rating in ratings]))


def mean_above(limit: float) -> Rule:
    """Return the paper's rule, of section 3.3: a match is related if its mean rating is above 2."""
    return lambda ratings: float(mean_rating(ratings) > limit)


def rated_items(
    key: Sequence[Named], judges: Sequence[Mapping[str, int]], rule: Rule = mean_rating
) -> dict[str, dict[str, tuple[float, float]]]:
    """Return each method's rated matches by sentence, as (score, value).

    Parameters
    ----------
    key : sequence of Named
    judges : sequence of mapping of item to rating
    rule : callable
        Maps the ratings of a match to its value.

    Raises
    ------
    MismatchError
        If a rated item is not in the key.
    """
    unknown = {item for judge in judges for item in judge} - {entry.item for entry in key}
    if unknown:
        raise MismatchError(
            f"{len(unknown)} rated items, such as {min(unknown)}, are not in the key",
            fix="give the key that was written with the sheet",
        )
    rated: dict[str, dict[str, tuple[float, float]]] = {}
    for entry in key:
        ratings = [judge[entry.item] for judge in judges if entry.item in judge]
        if ratings:
            rated.setdefault(entry.method, {})[entry.sentence] = entry.score, rule(ratings)
    return {method: rated[method] for method in sorted(rated)}


def rated_matches(
    key: Sequence[Named], judges: Sequence[Mapping[str, int]], rule: Rule = mean_rating
) -> dict[str, list[tuple[float, float]]]:
    """Return each method's rated matches as (score, value), ascending by score: `rated_items`."""
    return {name: sorted(of.values()) for name, of in rated_items(key, judges, rule).items()}


def by_score(
    scores: NDArray[np.float64], shares: NDArray[np.float64], bins: int = 5
) -> list[tuple[float, float, float]]:
    """Cut matches into equal parts by score: mean score, share that is related, share at or above.

    The last is the paper's Figure 3: the share of related ones among the matches of that part and
    of better parts.
    """
    parts = [part for part in np.array_split(np.arange(len(scores)), bins) if len(part)]
    return [
        (float(scores[p].mean()), float(shares[p].mean()), float(shares[p[0] :].mean()))
        for p in parts
    ]


@dataclass(frozen=True)
class Ratings:
    """The results of judges' sheets and their key.

    Attributes
    ----------
    judges : int
    kappa, kappa_related : float or None
        Their agreement, `mean_kappa`: on ratings, and on whether a match is related.
    methods : dict of str to dict
        Each method's number of ``matches``, the share that is ``related``, ``pearson`` and
        ``spearman`` of score and mean rating (None where either is constant), and ``by_score``.
    tests : list of dict
        Two ``methods`` on the sentences of which both have a rated match: the numbers of those
        where ``only_first`` and ``only_second`` has the more related one, and ``p`` by McNemar's
        test.
    """

    judges: int
    kappa: float | None
    kappa_related: float | None
    methods: dict[str, dict[str, Any]]
    tests: list[dict[str, Any]]

    @classmethod
    def of(
        cls, key: Sequence[Named], judges: Sequence[Mapping[str, int]], rule: Rule | None = None
    ) -> "Ratings":
        """Evaluate the ratings; `rule` decides what is related, `share_at` 1 if None."""
        rule = rule or share_at(1)
        names = ("score", "related", "and_better")
        means, rated = rated_matches(key, judges), rated_items(key, judges, rule)
        methods = {}
        for method, matches in rated.items():
            scores, shares = np.array(sorted(matches.values())).T
            methods[method] = {
                "matches": len(scores),
                "related": float(shares.mean()),
                **_correlations(means[method]),
                "by_score": [dict(zip(names, p, strict=True)) for p in by_score(scores, shares)],
            }
        tests = []
        for first, second in combinations(rated, 2):
            both = sorted(rated[first].keys() & rated[second].keys())
            values = ([rated[name][sentence][1] for sentence in both] for name in (first, second))
            b, c, p = mcnemar(*values)
            pair = {"methods": [first, second], "sentences": len(both)}
            tests.append({**pair, "only_first": b, "only_second": c, "p": p})
        related = [{item: int(rule([r]) > 0) for item, r in judge.items()} for judge in judges]
        return cls(len(judges), mean_kappa(judges), mean_kappa(related), methods, tests)

    def __str__(self) -> str:
        rows = [["method", "mean score", "matches", "related", "and better", "r", "rho"]]
        for method, of in self.methods.items():
            both = ["" if of[n] is None else f"{of[n]:.3f}" for n in ("pearson", "spearman")]
            rows.append([method, "all", str(of["matches"]), f"{of['related']:.3f}", "", *both])
            for part in of["by_score"]:
                shares = [f"{part[name]:.3f}" for name in ("related", "and_better")]
                rows.append(["", f"{part['score']:.4g}", "", *shares, "", ""])
        parts = [aligned(rows, right=True)]
        if self.kappa is not None:
            kappas = f"kappa {self.kappa:.3f}, of related or not {self.kappa_related:.3f}"
            parts.insert(0, f"{kappas} ({self.judges} judges)")
        if self.tests:
            rows = [["more related", "than", "sentences", "but less", "p (McNemar)"]]
            for test in self.tests:
                counts = str(test["only_first"]), str(test["only_second"])
                rows.append([*test["methods"], *counts, f"{test['p']:.3g}"])
            parts.append(aligned(rows, right=True))
        return "\n\n".join(parts)


def _correlations(rows: Sequence[tuple[float, float]]) -> dict[str, float | None]:
    """Correlate scores with mean ratings."""
    from scipy.stats import rankdata

    scores, means = np.array(rows).T
    if not scores.std() or not means.std():
        return {"pearson": None, "spearman": None}
    ranks = rankdata(scores), rankdata(means)
    pairs = {"pearson": (scores, means), "spearman": ranks}
    return {name: float(np.corrcoef(*pair)[0, 1]) for name, pair in pairs.items()}


def mcnemar(first: ArrayLike, second: ArrayLike) -> tuple[int, int, float]:
    """Compare two methods on the same items by McNemar's test (section 2.5).

    Parameters
    ----------
    first, second : array_like, shape (items,)
        The result of each method on each item: whether it was right, or a number.

    Returns
    -------
    b, c : int
        The numbers of items on which the first did better, and the second.
    p : float
        Of (b - c)² / (b + c) under χ² with 1 degree of freedom; 1 if there is no difference.
    """
    from scipy.special import chdtrc

    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    b, c = int((difference > 0).sum()), int((difference < 0).sum())
    return b, c, float(chdtrc(1, (b - c) ** 2 / (b + c))) if b + c else 1.0


def _rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    for place, row in table_rows(path, delimiter="\t", strict=True):
        missing = [name for name in columns if row.get(name) is None]
        if missing:
            raise InputError(f"no column {missing[0]}", where=place)
        yield place, row


PARTS: Final = 5
"""Equal parts of a method's matches by score: scores of methods have no common scale."""


def draw_ratings(key: Sequence[Named], judges: Sequence[Mapping[str, int]]) -> bytes:
    """Draw three plots a method, in a row, as SVG.

    They show the frequency of each mean rating (Figure 1), the distribution of scores (Figure 2),
    and the share of each mean rating in each fifth of the matches by score (Figure 3).

    Returns
    -------
    bytes
        The same data give the same bytes.

    Raises
    ------
    MismatchError
        If a rated item is not in the key.
    """
    rated = rated_matches(key, judges)
    grades = sorted({rating for rows in rated.values() for _, rating in rows})
    with figure("ratings", 9.6, 2.6 * len(rated)) as (drawn, file):
        grid = drawn.subplots(len(rated), 3, squeeze=False)
        for axes, (method, rows) in zip(grid, rated.items(), strict=True):
            scores, means = np.array(rows).T
            axes[0].bar([f"{g:g}" for g in grades], [int((means == g).sum()) for g in grades])
            axes[0].set(title=method, xlabel="mean rating", ylabel="matches")
            axes[1].hist(scores, bins=10)
            axes[1].set(xlabel="score", ylabel="matches")
            parts = [part for part in np.array_split(means, PARTS) if len(part)]
            names = [f"{part.mean():.3g}" for part in np.array_split(scores, PARTS) if len(part)]
            below = np.zeros(len(parts))
            for grade in grades:
                share = np.array([float((part == grade).mean()) for part in parts])
                axes[2].bar(range(len(parts)), share, bottom=below, label=f"{grade:g}")
                below += share
            axes[2].set_xticks(range(len(parts)), names)
            axes[2].set(xlabel="mean score of a fifth", ylabel="share of matches")
            axes[2].legend(title="mean rating", fontsize=6, frameon=False)
    return file.getvalue()


def best_matches(
    collection: Indexes,
    models: Sequence[str],
    sentences: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[dict[str, dict[str, tuple[str, float]]], dict[str, str]]:
    """Draw sentences, and match each with those of other records by each method.

    Titles are not drawn, nor are sentences of fewer than three words. The match is exact where the
    method allows it, else among the first candidates.

    Parameters
    ----------
    collection : Indexes
    models : sequence of str
        Formulas' names, and folders of trained models.
    sentences : int
        The number of sentences, or all if there are fewer.
    seed : int
    progress : callable, optional
        Called with the number of methods done, and of all.

    Returns
    -------
    matches : dict of method to dict of sentence id to (match id, score)
    texts : dict of sentence id to text
        Of the sentences and of their matches.

    Raises
    ------
    MismatchError
        If no sentence can be drawn.
    """
    matches: dict[str, dict[str, tuple[str, float]]] = {}
    topics: dict[str, str] = {}
    for done, name in enumerate(models, 1):
        matcher = Matcher(collection, name)
        if not topics:
            topics = _draw(matcher, sentences, seed)
        run = matcher.related(topics, 1, without_own=True)
        matches[name] = {t: (str(h.ids[0]), float(h.scores[0])) for t, h in run.items() if len(h)}
        if progress:
            progress(done, len(models))
    ids = sorted({hit for best in matches.values() for hit, _ in best.values()} - topics.keys())
    return matches, {**topics, **dict(zip(ids, collection.texts(ids), strict=True))}


def _draw(matcher: Matcher, sentences: int, seed: int) -> dict[str, str]:
    store = matcher.store
    long = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
    bodies = [row for row in long.tolist() if store.ids[row].rpartition(".")[2] != "0"]
    if not bodies:
        raise MismatchError(f"no sentence of {LEAST_WORDS} words or more can be drawn")
    drawn = np.random.default_rng(seed).permutation(bodies)[:sentences]
    ids = store.ids.take(drawn)
    return dict(zip(ids, matcher.collection.texts(ids), strict=True))
