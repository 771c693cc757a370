"""Hits as they are shown: text, JSON, CSV, RIS and the web page all render this class."""

import csv
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TextIO

from relsent_ir.errors import Advising
from relsent_ir.hits import Hits
from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.read.collection import Indexes, Passage
from relsent_ir.rank import Evidence, Explains, Span, opened
from relsent_ir.records import Record, Sentence
from relsent_ir.records.headings import opening
from relsent_ir.records.references import link

if TYPE_CHECKING:
    from relsent_ir.rank import Collection

COLUMNS: Final = (
    "rank", "id", "score", "record", "title", "journal", "year", "publication_types", "pmid",
    "link", "move", "text",
)  # fmt: skip
"""The columns of a table of hits."""

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # also full width


@dataclass(eq=False)
class WordEvidence:
    """Find the words that a hit shares with the topic: the evidence for BM25 and similar methods.

    For a record, the evidence is the sentence of its abstract whose shared words weigh most: the
    sum of log(1 + N / n) over its different shared words, n of the N records having the word. Of
    equal sentences the last is taken, since abstracts end with their findings.

    Parameters
    ----------
    analysis : Analysis
        Turns words into terms.
    """

    analysis: Analysis
    _cached: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)

    def spans(self, topic: str, text: str) -> tuple[Span, ...]:
        """Return the words of a text that the topic shares, each labelled with its term."""
        terms = set(self.analysis.terms(topic))
        return self._spans(terms, text) if terms else ()

    def evidence(self, collection: "Collection", topic: str, hits: Hits) -> list[Evidence]:
        """Return the evidence for each hit: its best sentence, with the topic's words marked."""
        passages = collection.indexes.read(hits.ids.tolist(), moves=False)
        return self.of_passages(collection.indexes, topic, passages)

    def of_passages(
        self, collection: Indexes, topic: str, passages: Sequence[Passage]
    ) -> list[Evidence]:
        """Return the same as `evidence`, for hits that are already read."""
        terms = list(dict.fromkeys(self.analysis.terms(topic)))
        counts = collection.abstracts.frequencies(terms) if terms else ()
        total = len(collection.abstracts)
        weights = {term: math.log1p(total / n) for term, n in zip(terms, counts, strict=True) if n}
        return [self._decide(passage, weights) for passage in passages]

    def _decide(self, passage: Passage, weights: Mapping[str, float]) -> Evidence:
        best, most = Evidence(), 0.0
        for sentence in passage.sentences:
            spans = self._spans(set(weights), sentence.text)
            # fsum is exact: the order of a set, which differs between runs, must not break ties.
            weight = math.fsum(weights[term] for term in {span.label for span in spans})
            if not passage.whole:
                return Evidence(sentence.id, sentence.text, spans)
            if sentence.n and spans and weight >= most:
                best, most = Evidence(sentence.id, sentence.text, spans), weight
        return best

    def _spans(self, terms: set[str], text: str) -> tuple[Span, ...]:
        spans = []
        for match in _WORD.finditer(text):
            word = match.group().lower()
            if word not in self._cached:
                self._cached[word] = tuple(self.analysis.terms(word))
            common = next((term for term in self._cached[word] if term in terms), None)
            if common:
                spans.append(Span(*match.span(), common))
        return tuple(spans)


@dataclass(frozen=True)
class Hit(Advising):
    """A hit with all its parts that can be shown.

    Attributes
    ----------
    rank : int
        Counted from 1.
    id : str
        The id of the record or of the sentence.
    score : float
    record : Record
        The hit itself, or the record that contains the sentence.
    sentence : Sentence or None
        The sentence that is the evidence, with its move; for a sentence, the sentence itself. None
        for a record without evidence.
    evidence : Evidence
        The text of this sentence with its marks, and the features of the score.
    values : mapping of str to any
        Further values that the method gives the hit.
    marks : tuple of Span
        The topic's words in `text`.
    star : bool
        Whether the method marks the hit: as an answer, or as a kernel.
    sentences : tuple of (str, Hit)
        If there are several sentences to show in place of the one in `sentence`: each with a label.
    """

    rank: int
    id: str
    score: float
    record: Record
    sentence: Sentence | None = None
    evidence: Evidence = field(default_factory=Evidence)
    values: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[Span, ...] = ()
    star: bool = False
    sentences: tuple[tuple[str, "Hit"], ...] = ()

    @property
    def is_sentence(self) -> bool:
        """Whether the hit is a sentence."""
        return self.sentence is not None and self.sentence.id == self.id

    @property
    def title(self) -> str:
        """The record's title."""
        return self.record.title or self.record.vernacular_title

    @property
    def text(self) -> str:
        """The sentence if the hit is one; else the record's title, or its first sentence."""
        if self.is_sentence and self.sentence:
            return self.sentence.text
        return self.title or opening(self.record)

    @property
    def move(self) -> str:
        """The argumentative move of `sentence`; "" without a sentence, and for a title."""
        return self.sentence.move if self.sentence else ""

    def to_dict(self) -> dict[str, Any]:
        """Return all parts for JSON; the method's values cannot replace other parts."""
        record = self.record
        shown: dict[str, Any] = {
            "rank": self.rank,
            "id": self.id,
            "score": float(f"{self.score:.6g}"),
            "text": self.text,
            "record": record.id,
            "title": self.title,
            "authors": list(record.authors),
            "journal": record.journal,
            "year": record.year,
            "publication_types": list(record.publication_types),
            "pmid": record.pmid,
            "link": link(record),
            "sentence": None,
        }
        if self.evidence.sentence:
            shown["sentence"] = self._decided()
        if self.sentences:
            shown["sentences"] = [{**hit._decided(), **hit.values} for _, hit in self.sentences]
        return shown | {name: value for name, value in self.values.items() if name not in shown}

    def to_row(self) -> list[Any]:
        """Return the row of a table with `COLUMNS`; its text is that of the evidence sentence."""
        row = self.to_dict()
        row["publication_types"] = "; ".join(row["publication_types"])
        row["move"] = self.move
        row["text"] = self.evidence.text or self.text
        return [row[name] for name in COLUMNS]

    def _decided(self) -> dict[str, Any]:
        evidence = self.evidence
        marks = [[span.start, span.end, span.label] for span in evidence.spans]
        return {"id": evidence.sentence, "move": self.move, "text": evidence.text, "marks": marks}


def write_csv(file: TextIO, rows: Iterable[Sequence[Any]]) -> None:
    """Write rows as CSV, with ``'`` before a text that a spreadsheet would take for a formula."""
    csv.writer(file, lineterminator="\n").writerows(
        [f"'{x}" if isinstance(x, str) and x.startswith(_FORMULA) else x for x in row]
        for row in rows
    )


def read_hits(
    collection: Indexes,
    hits: Hits,
    topic: str = "",
    words: WordEvidence | None = None,
    explains: Explains | None = None,
    values: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[Hit]:
    """Read the records and sentences of hits; each record is read once.

    Parameters
    ----------
    collection : Indexes
    hits : Hits
        Sentences, records or both.
    topic : str
        The topic's text, whose words are marked.
    words : WordEvidence, optional
        If None, no words are marked and no evidence is looked for.
    explains : Explains, optional
        The reranker whose evidence is shown; if None, the shared words are the evidence.
    values : mapping of hit id to values, optional
        Further values by name, from the method; a true ``star`` sets the hit's star.

    Raises
    ------
    MismatchError
        If a hit is not in the collection.
    """
    ids: list[str] = hits.ids.tolist()
    if not ids:
        return []
    passages = collection.read(ids)
    if explains:
        evidence = explains.evidence(opened(collection), topic, hits)
    elif words:
        evidence = words.of_passages(collection, topic, passages)
    else:
        evidence = [
            Evidence() if passage.whole else Evidence(passage.id, passage.sentences[0].text)
            for passage in passages
        ]
    read = []
    for rank, (passage, score, account) in enumerate(
        zip(passages, hits.scores.tolist(), evidence, strict=True), 1
    ):
        shown = {**(account.values or {}), **(values or {}).get(passage.id, {})}
        star = bool(shown.pop("star", False))
        deciding = account.sentence if passage.whole else passage.id
        sentence = next((s for s in passage.sentences if s.id == deciding), None)
        hit = Hit(
            rank, passage.id, score, passage.record, sentence, account, shown, account.spans, star
        )
        if words and not hit.is_sentence:
            hit = replace(hit, marks=words.spans(topic, hit.text))
        read.append(hit)
    return read
