"""Topics with judgements to learn from: by people, or from the records themselves.

A title is a topic, as authors would ask for their own subject; the records whose reference lists
are most like its record's are relevant (Tbahriti et al. 2004), or, where there are no references,
the title's own record and its nearest neighbours by MeSH. What a label is made of is no feature.

Likeness is the cosine of lists weighted by ln(N/df), of references as of headings: a review shares
some references with everybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.counts.store import CountStore
from relsent_ir.counts.weighting import Rows
from relsent_ir.errors import MismatchError
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.ranker.candidates import CONTENTS
from relsent_ir.trec.qrels import Qrels
from relsent_ir.typing import Floats, NDArray

PAIRS: Final = 300
"""Pairs to draw of each topic."""


@dataclass(frozen=True, eq=False)
class JudgedTopic:
    """The candidates of a topic with their grades.

    Attributes
    ----------
    topic : str
    features : ndarray of float64, shape (n, features)
    grades : ndarray of int, shape (n,)
        0 for a record that is not judged.
    relevant : int
        Records judged relevant, those that are no candidates among them.
    ids : sequence of str, length n
        The candidates, where they matter.
    """

    topic: str
    features: Floats
    grades: NDArray[np.integer]
    relevant: int
    ids: Sequence[str] = ()

    @property
    def usable(self) -> bool:
        """Whether it has a relevant candidate, and another."""
        return bool((self.grades > 0).any() and (self.grades <= 0).any())

    def average_precision(self, scores: Floats) -> float:
        """Compute the average precision of an order by scores; ties in the candidates' order."""
        ranks = np.flatnonzero(self.grades[np.argsort(-scores, kind="stable")] > 0)
        if not self.relevant:
            return 0.0
        return float((np.arange(1, len(ranks) + 1) / (ranks + 1)).sum() / self.relevant)


def draw_pairs(topics: Sequence[JudgedTopic], seed: int, count: int = PAIRS) -> Floats:
    """Draw pairs of a relevant candidate and another, as many of each topic.

    What is drawn of a topic depends on nothing but the topic's place, its grades and the seed.

    Returns
    -------
    ndarray of float64, shape (pairs, features)
        The first's features less the second's.
    """
    differences = []
    for place, topic in enumerate(topics):
        if not topic.usable:
            continue
        chance = np.random.default_rng((seed, place))
        better = chance.choice(np.flatnonzero(topic.grades > 0), count)
        worse = chance.choice(np.flatnonzero(topic.grades <= 0), count)
        differences.append(topic.features[better] - topic.features[worse])
    return np.concatenate(differences)


TOPICS: Final = 200
"""Titles that are topics."""
RELEVANT: Final = 15
"""Records that are relevant to a title."""
LEAST: Final = 5
"""Records that a title must have, at least, to be a topic."""
MIN_SHARED: Final = 2
"""References, or headings, that a relevant record shares with the title's own, at least."""
WORDS: Final = 4
"""Terms of a title that is a topic, at least."""


@dataclass(frozen=True)
class Judgements:
    """Topics with judgements, and the features that may learn from them.

    Attributes
    ----------
    topics : dict of str to str
    qrels : Qrels
    left_out : tuple of str
        The groups of features that the labels are made of.
    field : str
        What stands for the whole record.
    without_own : bool
        Whether a topic's id is that of a record which is no hit of its own.
    source : str
        Where they are from, for the model's facts.
    """

    topics: Mapping[str, str]
    qrels: Qrels
    left_out: tuple[str, ...] = ()
    field: str = CONTENTS
    without_own: bool = False
    source: str = "qrels"

    @classmethod
    def of(
        cls,
        collection: Indexes,
        topics: Mapping[str, str],
        qrels: Qrels,
        where: Path | str | None = None,
    ) -> "Judgements":
        """Take topics and qrels that belong together and to an index.

        Raises
        ------
        MismatchError
            If no topic is judged, or no relevant record is in the index; `where` names the qrels.
        """
        known = {topic: text for topic, text in topics.items() if topic in qrels}
        if not known:
            raise MismatchError("no topic is judged", where=where)
        relevant = {name for topic in known for name, grade in qrels[topic].items() if grade > 0}
        if not relevant:
            raise MismatchError("nothing is judged relevant", where=where, fix="grades above 0")
        if not (collection.abstracts.documents(sorted(relevant)) >= 0).any():
            problem = "no record that is judged relevant is in the index"
            raise MismatchError(problem, where=where, fix="another --index")
        return cls(known, qrels)


_LACKING: Final = {
    "references": ("no two records of the index share a reference", "--from-titles, or --qrels"),
    "titles": ("no records of the index have both MeSH headings and an abstract", "--qrels"),
}


def from_records(
    collection: Indexes, store: CountStore, source: str, count: int = TOPICS, seed: int = 0
) -> Judgements:
    """Take titles as topics, and the records that are like each one's as relevant.

    Parameters
    ----------
    collection : Indexes
    store : CountStore
    source : {"references", "titles"}
        ``references``: records with like references, without the title's own, which is no hit;
        references and links between records are left out. ``titles``: the title's record, and its
        nearest neighbours by MeSH; MeSH and titles are left out, and only the abstract stands for a
        record, whose whole text has both.
    count : int
        Titles, at most.
    seed : int

    Raises
    ------
    MismatchError
        If no record, or too few, share references, or have headings and an abstract.
    """
    own = source == "titles"
    shared = "headings" if own else "references"
    if shared not in store.counts or (own and "abstract" not in store.counts):
        problem, fix = _LACKING[source]
        raise MismatchError(problem, fix=fix)
    rows, qrels = draw(collection, store, shared, count, seed, own=own)
    topics = titles_of(collection, store, rows)
    if own:
        return Judgements(topics, qrels, ("mesh", "titles"), field="abstract", source=source)
    return Judgements(topics, qrels, ("references",), without_own=True, source=source)


def draw(
    collection: Indexes, store: CountStore, shared: str, count: int, seed: int, *, own: bool
) -> tuple[list[int], Qrels]:
    """Draw titles that have enough records like their own.

    Parameters
    ----------
    collection : Indexes
    store : CountStore
    shared : {"references", "headings"}
        What similar records share.
    count : int
    seed : int
    own : bool
        Whether the title's own record is relevant, too.

    Returns
    -------
    list of int
        The rows of the titles' records.
    Qrels

    Raises
    ------
    MismatchError
        If there are less than two.
    """
    order = np.random.default_rng(seed).permutation(len(store))
    long = store.counts["title"].matrix if "title" in store.counts else None
    if long is None:
        raise MismatchError("no record of the index has a title")
    kind = store.counts[shared]
    vectors = Rows(kind, np.arange(len(store))).cosine
    turned, there = vectors.T.tocsr(), kind.matrix.astype(bool)
    usable = np.diff(long.indptr) >= WORDS
    if own:
        usable &= store.counts["abstract"].matrix.sum(axis=1) > 0
    drawn: list[int] = []
    qrels: Qrels = {}
    for row in order[usable[order]].tolist():
        if len(drawn) == count:
            break
        likeness = (vectors[[row]] @ turned).toarray().ravel().astype(np.float64)
        likeness[row] = 0.0
        own_columns = np.zeros(kind.matrix.shape[1], dtype=np.int64)
        own_columns[kind.matrix[[row]].indices] = 1
        likeness[(there @ own_columns) < MIN_SHARED] = 0.0
        similar = np.flatnonzero(likeness > 0)  # ties in the order of the ids
        order_of = np.argsort(-np.round(likeness[similar], 6), kind="stable")
        nearest = similar[order_of][:RELEVANT]
        if len(nearest) < LEAST:
            continue
        drawn.append(row)
        relevant = [row, *nearest.tolist()] if own else nearest.tolist()
        qrels[store.ids[row]] = {store.ids[other]: 1 for other in relevant}
    if len(drawn) < 2:
        raise MismatchError(
            f"{len(drawn)} records of {collection.folder} have {LEAST} others that are alike",
            fix="index more records, or judge with --qrels",
        )
    return drawn, qrels


def titles_of(collection: Indexes, store: CountStore, rows: Sequence[int]) -> dict[str, str]:
    """Return the titles of rows, by their records' ids."""
    names = [store.ids[row] for row in rows]
    records = collection.records(names)
    return {record.id: record.title or record.vernacular_title for record in records}
