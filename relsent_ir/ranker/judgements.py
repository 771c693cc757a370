"""Topics with judgements for training, made by people or derived from the records.

Titles serve as topics. Relevant records are those whose reference lists are most similar to that of
the title's record (Tbahriti et al. 2004), or, if there are no references, its own record and the
nearest neighbours by MeSH. Data from which labels are derived are not used as features.

The likeness of references, as of headings, is the cosine of lists weighted by ln(N/df), since a
review shares some references with everybody.
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
"""Number of pairs drawn for each topic."""


@dataclass(frozen=True, eq=False)
class JudgedTopic:
    """The candidates of a topic with their grades.

    Attributes
    ----------
    topic : str
    features : ndarray of float64, shape (n, features)
    grades : ndarray of int, shape (n,)
        0 for a record without a judgement.
    relevant : int
        Number of records judged relevant, including those that are no candidates.
    ids : sequence of str, length n
        The ids of the candidates, if they are needed.
    """

    topic: str
    features: Floats
    grades: NDArray[np.integer]
    relevant: int
    ids: Sequence[str] = ()

    @property
    def usable(self) -> bool:
        """Whether the topic has a relevant candidate, and one that is not."""
        return bool((self.grades > 0).any() and (self.grades <= 0).any())

    def average_precision(self, scores: Floats) -> float:
        """Compute the average precision of the order by scores; ties keep the candidates' order."""
        ranks = np.flatnonzero(self.grades[np.argsort(-scores, kind="stable")] > 0)
        if not self.relevant:
            return 0.0
        return float((np.arange(1, len(ranks) + 1) / (ranks + 1)).sum() / self.relevant)


def draw_pairs(topics: Sequence[JudgedTopic], seed: int, count: int = PAIRS) -> Floats:
    """Draw pairs of a relevant candidate and another; each topic gives the same number.

    The pairs of a topic only depend on its place, its grades and the seed.

    Returns
    -------
    ndarray of float64, shape (pairs, features)
        The features of the first, minus those of the second.
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
"""Number of titles that are used as topics."""
RELEVANT: Final = 15
"""Number of records that are relevant to a title."""
LEAST: Final = 5
"""Least number of similar records of a title that is a topic."""
MIN_SHARED: Final = 2
"""Least number of references, or headings, shared by a relevant record and the title's record."""
WORDS: Final = 4
"""Least number of terms of a title that is a topic."""


@dataclass(frozen=True)
class Judgements:
    """Topics with judgements, and which features may be learned from them.

    Attributes
    ----------
    topics : dict of str to str
    qrels : Qrels
    left_out : tuple of str
        The groups of features that the labels depend on.
    field : str
        The field that represents the whole record.
    without_own : bool
        Whether a topic's id is that of a record, to be left out of its hits.
    source : str
        The origin of the judgements, for the facts of the model.
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
        """Combine topics and qrels, and check that they match each other and an index.

        Raises
        ------
        MismatchError
            If no topic is judged, or no relevant record is in the index; the error names `where`.
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
    """Derive judgements from records: titles are topics, similar records are relevant.

    Parameters
    ----------
    collection : Indexes
    store : CountStore
    source : {"references", "titles"}
        With ``references``, records with similar references are relevant, and the title's own
        record is excluded; references and links between records are no features. With ``titles``,
        the title's record and its nearest neighbours by MeSH are relevant; MeSH and titles are no
        features, and only the abstract represents a record, since its whole text contains both.
    count : int
        Largest number of titles.
    seed : int

    Raises
    ------
    MismatchError
        If no record, or too few, share references, or have both headings and an abstract.
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
    """Draw titles whose records have enough similar records.

    Parameters
    ----------
    collection : Indexes
    store : CountStore
    shared : {"references", "headings"}
        The data by which records are similar.
    count : int
    seed : int
    own : bool
        Whether the record of the title is relevant too.

    Returns
    -------
    list of int
        The rows of the records of the titles.
    Qrels

    Raises
    ------
    MismatchError
        If there are fewer than two titles.
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
        similar = np.flatnonzero(likeness > 0)  # ties in the order of ids
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
    """Return the titles of records given as rows, keyed by the records' ids."""
    names = [store.ids[row] for row in rows]
    records = collection.records(names)
    return {record.id: record.title or record.vernacular_title for record in records}
