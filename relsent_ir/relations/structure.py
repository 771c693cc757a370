"""What a candidate's sentence looks like to the features: tokens, tags, phrases, entities."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.parsing import Parsed, Parser
from relsent_ir.text.phrases import Phrases, find_phrases
from relsent_ir.text.tokens import Span

BATCH: Final = 512
"""Candidates that are tagged at once."""


@dataclass(frozen=True, slots=True)
class Structure:
    """A candidate's sentence with its entities.

    Attributes
    ----------
    candidate : Candidate
    words, tags : list of str
        The tokens.
    first, second : (int, int) or None
        The tokens [start, end) of the entity that comes first and of the other; None for one that
        is not in the text.
    phrases : Phrases
        With the codes G for the phrase that holds `first`, I for `second`, B for both.
    """

    candidate: Candidate
    words: list[str]
    tags: list[str]
    first: Span | None
    second: Span | None
    phrases: Phrases

    @property
    def agent(self) -> str:
        """The code of the entity that must act, for a directed candidate; "" if either may."""
        if not self.candidate.directed:
            return ""
        return "G" if self.candidate.e1 < self.candidate.e2 else "I"


def structures(parser: Parser, candidates: Iterable[Candidate]) -> Iterator[Structure]:
    """Yield the structure of each candidate; a text that comes again soon is tagged once."""
    rest = iter(candidates)
    while batch := list(islice(rest, BATCH)):
        texts = list(dict.fromkeys(candidate.text for candidate in batch))
        parsed = dict(zip(texts, parser.parse(texts), strict=True))
        yield from (place(candidate, parsed[candidate.text]) for candidate in batch)


def place(candidate: Candidate, parsed: Parsed) -> Structure:
    """Put a candidate's entities into its tagged sentence."""
    places = sorted(
        (tokens, span)
        for span in (candidate.e1, candidate.e2)
        if (tokens := _tokens(parsed.spans, span)) is not None
    )
    entities = [tokens for tokens, _ in places]
    chunks = _with_entities(parsed, entities)
    phrases = find_phrases(parsed.words, parsed.tags, chunks)
    first, second = (*entities, None, None)[:2]
    return Structure(
        candidate, parsed.words, parsed.tags, first, second, _marked(phrases, first, second)
    )


def _tokens(spans: Sequence[Span], entity: Span) -> Span | None:
    """Find the tokens that an entity's characters are in; None if it has none in the text."""
    if entity[0] >= entity[1]:
        return None
    inside = [i for i, (start, end) in enumerate(spans) if start < entity[1] and end > entity[0]]
    return (inside[0], inside[-1] + 1) if inside else None


def _with_entities(parsed: Parsed, entities: Sequence[Span]) -> list[str]:
    """Make noun phrases of entities outside any, and cut a phrase with both at an "and"."""
    chunks = list(parsed.chunks)
    for start, end in entities:
        if chunks[end - 1] == "O":
            for i in range(start, end):
                if chunks[i] == "O":
                    chunks[i] = "I-NP" if i > start and chunks[i - 1] != "O" else "B-NP"
            if end < len(chunks) and chunks[end] == "I-NP":
                chunks[end] = "B-NP"
    if len(entities) == 2 and entities[0][1] <= entities[1][0]:
        between = range(entities[0][1], entities[1][0])
        if all(chunks[i] == "I-NP" for i in (*between, entities[1][0])):
            for i in between:
                if parsed.tags[i] in ("CC", ",", "-LRB-", "-RRB-"):
                    chunks[i] = "O"
                    chunks[i + 1] = "B-NP"
    return chunks


def _marked(phrases: Phrases, first: Span | None, second: Span | None) -> Phrases:
    """Give the phrases with the entities' last tokens their codes."""
    codes = list(phrases.codes)
    homes = [
        None if entity is None else _phrase(phrases, entity[1] - 1) for entity in (first, second)
    ]
    for home, code in zip(homes, "GI", strict=True):
        if home is not None:
            codes[home] = "B" if homes[0] == homes[1] else code
    return Phrases("".join(codes), phrases.starts, phrases.ends)


def _phrase(phrases: Phrases, token: int) -> int | None:
    """Find the phrase that a token is in."""
    for i, (start, end) in enumerate(zip(phrases.starts, phrases.ends, strict=True)):
        if start <= token < end:
            return i
    return None
