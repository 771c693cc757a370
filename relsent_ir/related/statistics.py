"""What the fixed formulas and other methods need to know of a collection's features."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relsent_ir.models import check_arrays, check_places
from relsent_ir.related.features import Lexicon, Sentences, chunks


@dataclass(frozen=True)
class Statistics:
    """Frequencies of features in the sentences of a collection.

    Attributes
    ----------
    lexicon : Lexicon
    sentences : int
        N, their number.
    frequency : ndarray of int32, shape (features,)
        n_t, the number of sentences that hold the feature.
    total : ndarray of int64, shape (features,)
        How often it occurs in all of them.
    mean_length : float
        The mean number of features of a sentence, repeated ones repeatedly.
    """

    lexicon: Lexicon
    sentences: int
    frequency: NDArray[np.int32]
    total: NDArray[np.int64]
    mean_length: float

    @classmethod
    def collect(cls, sentences: Sentences, rows: NDArray[np.integer]) -> "Statistics":
        """Count the features of some sentences."""
        lexicon = sentences.lexicon
        frequency = np.zeros(len(lexicon), dtype=np.int32)
        total = np.zeros(len(lexicon), dtype=np.int64)
        words = np.zeros(len(lexicon.words), dtype=np.int64)
        for part in chunks(len(rows)):
            some = rows[part]
            np.add.at(frequency, sentences.counts(some).indices, np.int32(1))
            own = sentences.words[some]
            np.add.at(words, own.indices, own.data.astype(np.int64))
        total += (lexicon.table.T.astype(np.int64) @ words).astype(np.int64)
        return cls(lexicon, len(rows), frequency, total, float(total.sum() / max(1, len(rows))))

    def on(self, lexicon: Lexicon) -> "Statistics":
        """Give the same figures for another lexicon's features; 0 for those that are new."""
        if lexicon is self.lexicon:
            return self
        where = self.lexicon.locate(lexicon)
        known = where >= 0
        frequency = np.zeros(len(lexicon), dtype=np.int32)
        total = np.zeros(len(lexicon), dtype=np.int64)
        frequency[known] = self.frequency[where[known]]
        total[known] = self.total[where[known]]
        return Statistics(lexicon, self.sentences, frequency, total, self.mean_length)

    @classmethod
    def none(cls, lexicon: Lexicon) -> "Statistics":
        """Give those of no sentence."""
        zeros = np.zeros(len(lexicon), dtype=np.int64)
        return cls(lexicon, 0, zeros.astype(np.int32), zeros, 0.0)

    def changed(self, gone: "Statistics", added: "Statistics") -> "Statistics":
        """Give those without some sentences and with others, on the lexicon of the latter."""
        lexicon = added.lexicon
        had, less = self.on(lexicon), gone.on(lexicon)
        sentences = self.sentences - gone.sentences + added.sentences
        frequency = had.frequency - less.frequency + added.frequency
        total = had.total - less.total + added.total
        return Statistics(
            lexicon, sentences, frequency, total, float(total.sum() / max(1, sentences))
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Give what `from_arrays` needs, without the lexicon."""
        return {
            "frequency": self.frequency,
            "total": self.total,
            "collection": np.array([self.sentences, self.mean_length], dtype=np.float64),
        }

    @classmethod
    def from_arrays(cls, lexicon: Lexicon, arrays: Mapping[str, NDArray[Any]]) -> "Statistics":
        """Read what `to_arrays` gave."""
        check_arrays(
            arrays,
            {"frequency": "int n", "total": "int n", "collection": "float 2"},
            n=len(lexicon),
        )
        sentences, mean_length = arrays["collection"].tolist()
        frequency, total = arrays["frequency"], arrays["total"]
        check_places(frequency, int(sentences) + 1)
        if (total < frequency).any() or mean_length < 0.0:
            raise ValueError("counts that cannot be")
        return cls(lexicon, int(sentences), frequency, total, mean_length)
