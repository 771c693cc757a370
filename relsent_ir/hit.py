"""Hits as a person reads them: the record, the sentence that decides, what in it does."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.rank import Evidence, Explains, Span
from relsent_ir.records import Record, Sentence
from relsent_ir.records.export import link

COLUMNS: Final = (
    "rank", "id", "score", "record", "title", "journal", "year", "publication_types", "pmid",
    "link", "move", "text",
)  # fmt: skip
"""What a table of hits has of each."""

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")


class WordEvidence:
    """What BM25 and its kin can say of a hit: the words that it shares with the topic.

    Of a record, the sentence of the abstract whose shared words weigh most decides: the sum of
    log(1 + N / n) over the different ones, n of N records having it; of equals the last, since
    abstracts end with what was found.

    Parameters
    ----------
    analysis : Analysis
        How words become terms.
    """

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._terms: dict[str, tuple[str, ...]] = {}

    def spans(self, topic: str, text: str) -> tuple[Span, ...]:
        """The words of a text that the topic has too, each with its term as label."""
        asked = set(self.analysis.terms(topic))
        return self._spans(asked, text) if asked else ()

    def evidence(self, collection: Indexes, topic: str, ids: Sequence[str]) -> list[Evidence]:
        """Give the sentence that decides each hit, and the topic's words in it."""
        asked = list(dict.fromkeys(self.analysis.terms(topic)))
        counts = collection.abstracts.frequencies(asked) if asked else ()
        total = len(collection.abstracts)
        weights = {term: math.log1p(total / n) for term, n in zip(asked, counts, strict=True) if n}
        parts = collection.parts(ids)
        found = []
        for name in ids:
            best, most = Evidence(), 0.0
            for sentence in parts[name]:
                spans = self._spans(set(weights), sentence.text)
                weight = sum(weights[term] for term in {span.label for span in spans})
                if sentence.id == name:
                    best = Evidence(name, sentence.text, spans)
                elif sentence.n and spans and weight >= most:
                    best, most = Evidence(sentence.id, sentence.text, spans), weight
            found.append(best)
        return found

    def _spans(self, asked: set[str], text: str) -> tuple[Span, ...]:
        spans = []
        for match in _WORD.finditer(text):
            word = match.group().lower()
            if word not in self._terms:
                self._terms[word] = tuple(self.analysis.terms(word))
            common = next((term for term in self._terms[word] if term in asked), None)
            if common:
                spans.append(Span(*match.span(), common))
        return tuple(spans)


@dataclass(frozen=True)
class Labelled:
    """One of several sentences of a hit.

    Attributes
    ----------
    label : str
        What stands before it on the screen.
    found : Evidence
        The sentence; its `values` are what JSON has of it.
    move : str
    """

    label: str
    found: Evidence
    move: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give everything, for JSON."""
        return {**_sentence(self.found, self.move), **(self.found.values or {})}


@dataclass(frozen=True)
class Shown:
    """A hit with all that is shown of it.

    Attributes
    ----------
    rank : int
        From 1.
    id : str
        Of the record, or of the sentence.
    score : float
    record : Record
    text : str
        The sentence's text, or the record's title.
    marks : tuple of Span
        The words of the topic in it.
    evidence : Evidence
        The sentence that decides; of a sentence, itself. Its `values` are the method's own.
    move : str
        That sentence's move, or "".
    star : bool
        Whether the method sets the hit apart: an answer, a kernel.
    sentences : tuple of Labelled
        Shown in the place of the sentence that decides, where there is more to show than that one.
    """

    rank: int
    id: str
    score: float
    record: Record
    text: str
    marks: tuple[Span, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    move: str = ""
    star: bool = False
    sentences: tuple[Labelled, ...] = ()

    @property
    def is_sentence(self) -> bool:
        """Whether the hit is a sentence."""
        return self.id == self.evidence.sentence

    def to_dict(self) -> dict[str, Any]:
        """Give everything, for JSON; of the method's own values those that a hit has not."""
        record, found = self.record, self.evidence
        shown: dict[str, Any] = {
            "rank": self.rank,
            "id": self.id,
            "score": float(f"{self.score:.6g}"),
            "text": self.text,
            "record": record.id,
            "title": record.title or record.vernacular_title,
            "authors": list(record.authors),
            "journal": record.journal,
            "year": record.year,
            "publication_types": list(record.publication_types),
            "pmid": record.pmid,
            "link": link(record),
            "sentence": None,
        }
        if found.sentence:
            shown["sentence"] = _sentence(found, self.move)
        if self.sentences:
            shown["sentences"] = [sentence.to_dict() for sentence in self.sentences]
        own = (found.values or {}).items()
        return shown | {name: value for name, value in own if name not in shown}

    def to_row(self) -> list[Any]:
        """Give what a table has in `COLUMNS`; the text is that of the sentence that decides."""
        row = self.to_dict()
        row["publication_types"] = "; ".join(row["publication_types"])
        row["move"] = self.move
        row["text"] = self.evidence.text or self.text
        return [row[name] for name in COLUMNS]


def describe(
    collection: Indexes,
    hits: Hits,
    topic: str,
    words: WordEvidence,
    explains: Explains | None = None,
    values: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Shown]:
    """Look up what is shown of the hits of a topic.

    Parameters
    ----------
    collection : Indexes
    hits : Hits
        Sentences or records, or both.
    topic : str
        Its text; its words are marked.
    words : WordEvidence
    explains : Explains, optional
        The reranker whose evidence is shown; the shared words if None.
    values : mapping of hit id to values, optional
        More of the method's own, by name; a true ``star`` is the hit's star.

    Raises
    ------
    MismatchError
        If a hit is not in the collection.
    """
    ids = hits.ids.tolist()
    if not ids:
        return []
    evidence = (explains or words).evidence(collection, topic, ids)
    sentence = {name: name == one.sentence for name, one in zip(ids, evidence, strict=True)}
    owners = [name.rpartition(".")[0] if sentence[name] else name for name in ids]
    records = dict(zip(owners, collection.records(owners), strict=True))
    tagged = dict(zip(owners, collection.moves(owners), strict=True))
    shown = []
    for rank, (name, owner, one) in enumerate(zip(ids, owners, evidence, strict=True), 1):
        record = records[owner]
        own = dict((values or {}).get(name, {}))
        star = bool(own.pop("star", False))
        found = Evidence(
            one.sentence, one.text, one.spans, {**(one.values or {}), **own}, one.features
        )
        title = record.title or record.vernacular_title or record.abstract
        text = one.text if sentence[name] else title
        marks = one.spans if sentence[name] else words.spans(topic, title)
        score, move = float(hits.scores[rank - 1]), _move(tagged[owner], one.sentence)
        shown.append(Shown(rank, name, score, record, text, marks, found, move, star))
    return shown


def _sentence(found: Evidence, move: str) -> dict[str, Any]:
    marks = [[span.start, span.end, span.label] for span in found.spans]
    return {"id": found.sentence, "move": move, "text": found.text, "marks": marks}


def _move(sentences: Sequence[Sentence], name: str) -> str:
    return next((sentence.move for sentence in sentences if sentence.id == name), "")
