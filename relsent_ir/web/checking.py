"""Checking quotes against the collection, word for word."""

import re
from difflib import SequenceMatcher
from typing import Annotated

from pydantic import Field

from relsent_ir.records import Sentence
from relsent_ir.web.library import Library
from relsent_ir.web.requests import Name, PageRequest, Text
from relsent_ir.web.views import Line, View

QUOTES = 50
NEAREST = 10
"""Number of sentences searched for the nearest if no id is given."""


class Quote(View):
    """A text that is claimed to be in the collection."""

    text: Text = Field(min_length=1)
    id: Name = Field(default="", description="Of the sentence or the record; any if it is empty.")


class CheckRequest(PageRequest):
    """Texts that are claimed to be in the collection."""

    quotes: Annotated[list[Quote], Field(min_length=1, max_length=QUOTES)]


class Checked(View):
    """Whether a quote is in the collection, word for word."""

    text: str
    id: str
    verbatim: bool = Field(description="White space aside, the very words stand in that place.")
    problem: str = Field(default="", description="Why not.")
    nearest: Line | None = Field(default=None, description="The sentence that is most like it.")
    likeness: float = Field(default=0.0, description="Of that sentence, from 0 to 1.")


class CheckPage(View):
    """The result of checking each quote."""

    quotes: list[Checked]


def check(library: Library, request: CheckRequest) -> CheckPage:
    """Check whether each quote is there word for word; if not, return the nearest sentence."""
    return CheckPage(quotes=[_checked(library, quote) for quote in request.quotes])


def _checked(library: Library, quote: Quote) -> Checked:
    words = " ".join(quote.text.split())
    sentences: list[Sentence] = []
    if sentence := library.sentence(quote.id):
        sentences = [sentence]
    elif quote.id and library.has(quote.id):
        sentences = list(library.indexes.moves([quote.id])[0])
    exists = not quote.id or bool(sentences)
    if not sentences:
        hits = library.collection.search(words, NEAREST, unit="sentences", threads=1).hits
        parts = library.indexes.among("sentences").parts(hits.ids.tolist())
        sentences = [sentence for part in parts.values() for sentence in part]
    texts = [" ".join(sentence.text.split()) for sentence in sentences]
    whole = " ".join(texts)
    inside = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    verbatim = exists and bool(inside.search(whole) if quote.id else any(map(inside.search, texts)))
    likeness = [SequenceMatcher(None, words, text, autojunk=False).ratio() for text in texts]
    best = max(
        range(len(texts)), key=lambda n: (bool(inside.search(texts[n])), likeness[n]), default=None
    )
    problem = "" if verbatim else "these are not the words that stand there"
    return Checked(
        text=quote.text,
        id=quote.id,
        verbatim=verbatim,
        problem=problem if exists else "there is no record or sentence with this id",
        nearest=None if best is None else Line.of(sentences[best]),
        likeness=0.0 if best is None else round(likeness[best], 3),
    )
