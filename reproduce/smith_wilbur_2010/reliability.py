"""Does P mean what it says: the share of hits of the same abstract beside the P that they had."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.related.model import TrainedModel
from relsent_ir.related.training.train import HITS, first_hits
from relsent_ir.typing import Floats
from reproduce.page import plot, table
from reproduce.smith_wilbur_2010.protocol import SEED, Trainer

SENTENCES: Final = 1_000
BINS: Final = 10


@dataclass(frozen=True)
class Reliability:
    """P of hits, and what came of it.

    Attributes
    ----------
    p : ndarray of float64, shape (hits,)
    own : ndarray of bool, shape (hits,)
        Whether the hit is of the abstract of the sentence that was searched for.
    """

    p: Floats
    own: NDArray[np.bool_]

    @property
    def brier(self) -> float:
        """The mean squared difference of P and what came of it (Brier 1950)."""
        return float(np.mean((self.p - self.own) ** 2))

    @property
    def base(self) -> float:
        """What that would be, did P always say the share of hits of the same abstract."""
        share = float(self.own.mean())
        return share * (1.0 - share)

    def bins(self) -> list[tuple[int, float, float]]:
        """Of each tenth of the range of P that has hits: how many, their mean P, their share."""
        place = np.minimum((self.p * BINS).astype(int), BINS - 1)
        return [
            (int(some.sum()), float(self.p[some].mean()), float(self.own[some].mean()))
            for some in (place == i for i in range(BINS))
            if some.any()
        ]


def measure_reliability(model: TrainedModel, trainer: Trainer, share: float) -> Reliability:
    """Search for sentences that the model was neither trained nor calibrated on."""
    corpus, kept = trainer.corpus, trainer.kept(share)
    rows = np.flatnonzero(kept & trainer.unseen[corpus.record])
    sample = np.random.default_rng(SEED + 1).permutation(rows)[:SENTENCES]
    found = first_hits(model, corpus, kept, sample)
    if model.calibration is None or not len(found.scores):
        return Reliability(np.empty(0), np.empty(0, dtype=bool))
    return Reliability(model.calibration.probability(found.scores, int(kept.sum())), found.own)


def reliability_marks(found: Reliability, plots: dict[str, bytes]) -> dict[str, str]:
    """Give the page's figures, and plot them."""
    if not len(found.p):
        return {"reliability": "Not calibrated.", "brier": "–", "base": "–", "hits": "0"}
    rows = [[f"{p:.3f}", f"{share:.3f}", f"{count:,}"] for count, p, share in found.bins()]
    name = "smith-wilbur-2010-reliability"
    with plot(plots, name, "P", "share of the same abstract") as axes:
        points = np.array(found.bins())
        axes.plot([0, 1], [0, 1], color="0.7", label="P itself")
        axes.plot(points[:, 1], points[:, 2], marker="o", label=f"first {HITS} hits")
    shown = table(["mean P", "of the same abstract", "hits"], rows)
    return {
        "reliability": f"{shown}\n\n![Share of the same abstract by P]({name}.svg)",
        "brier": f"{found.brier:.4f}",
        "base": f"{found.base:.4f}",
        "hits": f"{len(found.p):,}",
    }
