"""Drug reviews: titles of records that passed screening as topics, the others as relevant.

Cohen et al.: Reducing workload in systematic review preparation using automated citation
classification. JAMIA 13, 2006.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Final

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.trec import Qrels
from reproduce.learned_ranker.study import Values
from reproduce.shatkay_wilbur_2000.kernels import Groups, draw

TITLES: Final = 10
"""Titles of each review that are topics."""


@dataclass(frozen=True)
class Reviews:
    """Topics of several reviews.

    Attributes
    ----------
    topics : dict of str to str
        Titles, by their records' ids.
    qrels : Qrels
        The other records that passed the same review's screening of abstracts.
    review : dict of str to str
        The review of each topic.
    """

    topics: dict[str, str]
    qrels: Qrels
    review: dict[str, str]

    def means(self, values: Mapping[str, float]) -> Values:
        """Average over the titles of each review: they are not independent of each other."""
        found: dict[str, list[float]] = {}
        for topic, value in values.items():
            found.setdefault(self.review[topic], []).append(value)
        return {review: mean(of) for review, of in found.items()}


def drug_reviews(collection: Indexes, groups: Groups) -> Reviews:
    """Draw titles of each review; one that two reviews draw is the first's."""
    drawn = draw("", groups, sorted(groups), TITLES)
    review: dict[str, str] = {}
    qrels: Qrels = {}
    for topic, record in drawn.kernel.items():
        if record not in review:
            review[record] = topic.partition("/")[0]
            qrels[record] = drawn.qrels[topic]
    titles = {one.id: one.title for one in collection.records(list(review))}
    return Reviews({record: titles[record] for record in review}, qrels, review)
