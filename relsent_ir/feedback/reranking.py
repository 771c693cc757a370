"""Reranking by SMART weights: hits in the order of a scheme such as ``ltc.atn``."""

from collections.abc import Mapping

from relsent_ir.errors import MismatchError
from relsent_ir.feedback.smart import Smart
from relsent_ir.feedback.smart_search import SmartSearcher
from relsent_ir.feedback.terms import TermMatrix
from relsent_ir.hits import Run
from relsent_ir.lucene.collection import Collection
from relsent_ir.lucene.index import Index
from relsent_ir.rank import check_topics
from relsent_ir.typing import Progress


class SmartReranker:
    """Scores hits, all sentences or all records, by SMART weights (`relsent_ir.feedback.smart`).

    Parameters
    ----------
    scheme : str or Smart
        As ``ltc.atn``.
    """

    def __init__(self, scheme: str | Smart) -> None:
        self.smart = scheme if isinstance(scheme, Smart) else Smart.parse(scheme)
        self._read: tuple[Index, SmartSearcher] | None = None

    def rerank(
        self,
        collection: Collection,
        run: Run,
        topics: Mapping[str, str],
        *,
        progress: Progress | None = None,
    ) -> Run:
        """Score all hits of a run; see `relsent_ir.rank.Reranker`."""
        check_topics(run, topics)
        index = index_of(collection, run)
        read = self._read
        if read is None or read[0] is not index:
            matrix = TermMatrix.read(index)
            read = self._read = index, SmartSearcher(matrix, self.smart, index.facts.analysis)
        found = read[1].rerank(run, topics)
        if progress:
            progress(len(run), len(run))
        return found


def index_of(collection: Collection, run: Run) -> Index:
    """Give the index that holds all hits of a run, of sentences or of records.

    Raises
    ------
    MismatchError
        If neither does.
    """
    names = list(dict.fromkeys(name for hits in run.values() for name in hits.ids))
    by_sentence = collection.sentences.documents(names) >= 0
    if len(names) and by_sentence.all():
        return collection.sentences
    lacking = [
        name
        for name, there in zip(names, collection.abstracts.documents(names) >= 0, strict=True)
        if not there
    ]
    if lacking:
        what = "neither a record nor, as others of the run, a sentence of the index"
        raise MismatchError(f"{lacking[0]} is {what}", where=collection.folder)
    return collection.abstracts
