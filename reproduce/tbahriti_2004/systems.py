"""The systems of Tbahriti et al. 2004 and ours, tuned on one set and measured on the others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from relsent_ir.citation.boost import FORMS
from relsent_ir.citation.documents import PARTS, record_segments
from relsent_ir.citation.learned import LinearCombination, average_precision
from relsent_ir.citation.similar import find_similar
from relsent_ir.feedback import Smart
from relsent_ir.moves import MOVES
from relsent_ir.typing import Floats
from reproduce.page import Steps
from reproduce.tbahriti_2004.study import HITS, PEER, Study

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Measured: TypeAlias = dict[str, Floats]
"""Each topic's value by measure."""

STEPS: Final = (0.164, 0.25, 0.4, 0.625, 1.0, 1.6, 2.5, 4.0, 8.0)
"""The values of k_c that are tried."""
BOTH: Final = ("PURPOSE", "CONCLUSION")
BASE: Final = ("ltc.atn",)
MOVED: Final = tuple(f"{part} of the {side}" for side in ("topic", "other") for part in PARTS)
WHOLE: Final = ("BM25", "pmra", "latent 50", "latent 100", "neighbours")
LEARNED: Final = {
    "Learned: moves": (*BASE, *MOVED),
    "Learned: Huber sentences": (*BASE, "sentences"),
    "Learned: whole articles": (*BASE, *WHOLE),
    "Learned: all": (*BASE, *MOVED, *WHOLE, "sentences"),
}
"""The features of each linear combination."""


def scores_of(queries: "csr_array", documents: "csr_array") -> Floats:
    """Score all articles; shape (topics, n)."""
    scores: Floats = (queries @ documents).toarray()
    return scores


def weighting(study: Study, scheme: str, thesaurus: bool) -> Measured:
    """Measure a SMART scheme."""
    scores = scores_of(*study.smart(scheme, thesaurus))
    return study.measure(study.run(scores, range(len(study.topics))))


def moves_alone(study: Study) -> dict[str, Measured]:
    """Query with the sentences of one move, by ltc.atn with the thesaurus."""
    c = study.collection
    smart = Smart.parse("ltc.atn")
    documents = smart.weigh_documents(c.extended).T.tocsr()
    found = {}
    segments = [
        record_segments(c.records[name], tagged, c.analysis, c.thesaurus)
        for name, tagged in zip(study.topics, c.indexes.moves(study.topics), strict=True)
    ]
    for move in MOVES:
        bags = []
        for some in segments:
            bag: Counter[str] = Counter()
            for segment in some:
                if segment.part == move:
                    bag.update(segment.terms)
            bags.append(bag)
        queries = smart.weigh_queries(c.extended, c.extended.bags(bags))
        run = study.run(scores_of(queries, documents), range(len(study.topics)))
        found[move] = study.measure(run)
    return found


def peers(study: Study) -> dict[str, Measured]:
    """Measure what users know, none of it tuned here."""
    names = {"BM25 (1.2, 0.75)": "bm25", "BM25, more like this": "more-like-this", "pmra": "pmra"}
    indexes = study.collection.indexes
    return {
        label: study.measure(find_similar(indexes, study.topics, method, HITS, bm25=PEER))
        for label, method in names.items()
    }


class Boosts:
    """All factors on a grid, for both forms.

    Attributes
    ----------
    settings : list of (str, dict of str to float)
        Form, and factor by move.
    precision : ndarray of float64, shape (settings, topics)
        Average precision.
    """

    def __init__(self, study: Study, progress: Steps) -> None:
        self._study = study
        self._table, self._documents = study.boosts()
        singles = [{move: k} for move in MOVES for k in STEPS]
        pairs = [dict(zip(BOTH, both, strict=True)) for both in product(STEPS, STEPS)]
        self.settings = [(form, factors) for form in FORMS for factors in (*singles, *pairs)]
        rows = []
        for form, factors in self.settings:
            scores = self._scores(form, factors)
            rows.append(average_precision(scores, study.targets, study.rows))
            progress()
        self.precision = np.array(rows)

    def _scores(self, form: str, factors: Mapping[str, float]) -> Floats:
        return scores_of(self._table.boosted(factors, form), self._documents)

    def _rows(self, form: str, moves: Sequence[str]) -> list[int]:
        wanted = (form, set(moves))
        return [n for n, (name, some) in enumerate(self.settings) if (name, set(some)) == wanted]

    def tuned(self, form: str, moves: Sequence[str]) -> tuple[Measured, list[dict[str, float]]]:
        """Take for each set the factors that are best on it; measure them on the others."""
        rows = self._rows(form, moves)
        chosen = []
        for places in self._study.sets:
            means = self.precision[rows][:, places].mean(axis=1)
            chosen.append(self.settings[rows[int(means.argmax())]][1])
        scored = [self._scores(form, factors) for factors in chosen]
        return self._study.rotated(scored), chosen

    def curve(self, form: str, move: str) -> list[float]:
        """Give the mean over all topics for each step of one move: to look at, not to tune."""
        wanted = [(form, {move: k}) for k in STEPS]
        return [float(self.precision[self.settings.index(one)].mean()) for one in wanted]

    def best(self, form: str, moves: Sequence[str]) -> tuple[float, dict[str, float]]:
        """Give the highest mean over all topics, and its factors: what no tuning can pass."""
        rows = self._rows(form, moves)
        means = self.precision[rows].mean(axis=1)
        return float(means.max()), self.settings[rows[int(means.argmax())]][1]


def learned(
    study: Study, features: Mapping[str, Floats], names: Sequence[str]
) -> tuple[Measured, list[LinearCombination]]:
    """Learn weights of features on each set; measure them on the others."""
    stacked = np.stack([features[name] for name in names], axis=-1)
    fitted = [
        LinearCombination.fit(
            stacked[places], study.targets[places], study.rows[places], features["ltc.atn"][places]
        )
        for places in study.sets
    ]
    return study.rotated([one.scores(stacked) for one in fitted]), fitted
