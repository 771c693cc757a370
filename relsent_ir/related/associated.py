"""The words that a text's words are associated with, as a model or a collection has learned them.

How strongly a word v is associated with a text is the sum, over the text's words w, of
idf(w) a(w, v) (`relsent_ir.related.associations`): rare words of the text say more of what it is
about, and a word that goes with several of them comes before one that goes with one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import UsageError
from relsent_ir.lucene.derived import open_derived
from relsent_ir.lucene.index import Index
from relsent_ir.related.associations import Associations, learn_associations
from relsent_ir.related.corpus import read_corpus
from relsent_ir.related.model import load_related
from relsent_ir.related.words import words
from relsent_ir.text.stopwords import default_stopwords
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Floats, Progress

if TYPE_CHECKING:
    from relsent_ir.models import Stored
    from relsent_ir.related.huber_plus import HuberPlusModel

NAME: Final = "associations"


@dataclass(frozen=True, eq=False)
class WordAssociations:
    """Associations between words, with what is needed to apply them to a text.

    Attributes
    ----------
    words : Vocabulary
        Of length n.
    idf : ndarray of float64, shape (n,)
        ln(N/n_w) over the sentences that they were learned from.
    table : Associations
        Of those words.
    stopwords : tuple of str
        Words that are no words.
    """

    words: Vocabulary
    idf: Floats
    table: Associations
    stopwords: tuple[str, ...]

    def of(self, text: str, count: int) -> dict[str, tuple[float, list[str]]]:
        """Give the words that are most strongly associated with a text, none of its own.

        Parameters
        ----------
        text : str
        count : int
            How many at most.

        Returns
        -------
        dict of str to (float, list of str)
            From the strongest: how strongly, and with which of the text's words.
        """
        own = list(dict.fromkeys(words(text, self.stopwords)))
        places = self.words.locate(own)
        known = places >= 0
        rows = self.table.rows(places[known])[:, :-1] * self.idf[places[known], None]
        strength = rows.sum(axis=0)
        strength[places[known]] = 0
        count = min(count, int(np.count_nonzero(strength)))
        names = [word for word, there in zip(own, known, strict=True) if there]
        order = np.lexsort((np.arange(len(strength)), -strength))[:count]
        return {
            self.words[word]: (
                float(strength[word]),
                [name for name, value in zip(names, rows[:, word], strict=True) if value],
            )
            for word in order.tolist()
        }


def open_associations(path: str | Path, progress: Progress | None = None) -> WordAssociations:
    """Get the associations of a model of Huber+, or learn those of a collection.

    Parameters
    ----------
    path : str or Path
        The model's folder, or that of the collection's indexes, beside which they are then kept.
    progress : callable, optional
        Gets the number of records read, then of words counted, and of all, while they are learned.

    Raises
    ------
    InputError
        If it is neither.
    UsageError
        If the model has none: if it is not of Huber+.
    """
    if (Path(path) / "abstracts").is_dir():
        with Index(Path(path)) as index:
            return learned_associations(index, progress)
    model = load_related(path)
    if model.name != "huber-plus":
        raise UsageError(
            f"{path} is a model of {model.name}, which has no word associations",
            fix="one of huber-plus, or a collection's indexes",
        )
    return _of_model(model)  # type: ignore[arg-type]  # its name says which it is


def learned_associations(index: Index, progress: Progress | None = None) -> WordAssociations:
    """Learn the associations of the words of a collection once, titles among its sentences.

    Parameters
    ----------
    index : Index
        Its abstracts.
    progress : callable, optional
        Gets the number of records read, then of words counted, and of all.
    """
    stopwords = default_stopwords()

    def build() -> Mapping[str, NDArray[Any]]:
        corpus = read_corpus(index, stopwords, titles=True, progress=progress)
        held = corpus.sentences.words
        found = learn_associations(held, corpus.record, progress=progress)
        names = corpus.sentences.lexicon.words
        idf = np.log(len(corpus) / np.maximum(np.bincount(held.indices, minlength=len(names)), 1))
        return {"words": names.text, "word_ends": names.ends, "idf": idf, **found.to_arrays()}

    def read(stored: "Stored") -> WordAssociations:
        arrays = stored.arrays
        names = Vocabulary(arrays["words"], arrays["word_ends"])
        return WordAssociations(names, arrays["idf"], Associations.from_arrays(arrays), stopwords)

    return open_derived(index, NAME, {"stopwords": list(stopwords)}, build, read)


def _of_model(model: "HuberPlusModel") -> WordAssociations:
    statistics = model.knowledge.statistics
    names = statistics.lexicon.words
    frequency = np.maximum(statistics.frequency[: len(names)], 1)  # the first features are words
    idf = np.maximum(np.log(max(1, statistics.sentences) / frequency), 0.0)
    return WordAssociations(names, idf, model.knowledge.associations, model.stopwords)
