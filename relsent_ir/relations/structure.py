"""The structure of a sentence with two entities: tokens, phrases, stems, verbs by kind."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Final

from relsent_ir.budget import check
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.parsing import Parsed, Parser
from relsent_ir.text.phrases import Phrases, find_phrases
from relsent_ir.text.tokens import Span
from relsent_ir.text.words import stem as snowball

NAME: Final = "NAME"
"""The common stem of words that look like names of genes, cell lines or compounds."""

NUMBER: Final = "0"
"""The common stem of numbers."""

_NAME: Final = re.compile(r"\d|[a-z][A-Z]|[A-Z]{2}")


@lru_cache(maxsize=5_000)
def stem(word: str) -> str:
    """Return the stem of a word; for a compound with hyphens, that of its last part."""
    last = word.rpartition("-")[2] or word
    if not any(map(str.isalpha, word)):
        return NUMBER if any(map(str.isdigit, word)) else word
    if is_name(last):
        return NAME
    return snowball(last.lower())


@lru_cache(maxsize=5_000)
def is_name(word: str) -> bool:
    """Return whether a word looks like a name: with a digit, or capitals after the first letter."""
    return bool(_NAME.search(word)) and any(map(str.isalpha, word))


OTHER: Final = "other"
_VOWELS: Final = "aeiou"
_IRREGULAR: Final = {
    "bind": "bound",
    "find": "found",
    "give": "gave given",
    "make": "made",
    "lead": "led",
    "show": "shown",
    "see": "saw seen",
    "know": "knew known",
    "think": "thought",
    "become": "became",
    "have": "has had",
    "be": "is are was were been am being",
    "drive": "drove driven",
    "cut": "cut",
    "underlie": "underlies underlying underlay underlain",
}


@cache
def _forms() -> dict[str, str]:
    """Return the kind for each form of the listed verbs; the first kind for a verb listed twice."""
    kinds: dict[str, str] = {}
    for kind, verb in listed():
        for form in inflect(verb):
            kinds.setdefault(form, kind)
    return kinds


def kind_of(verb: str) -> str:
    """Return the kind of a verb, given in lower case and in any inflection."""
    return _forms().get(verb, OTHER)


def inflect(verb: str) -> list[str]:
    """Return the forms of a verb, including its British spelling."""
    forms = [verb, *_IRREGULAR.get(verb, "").split()]
    british = [f"{verb[:-2]}se"] if verb.endswith(("ize", "yze")) else []
    for base in (verb, *british):
        forms.append(base)
        stem = base.removesuffix("e")
        if base.endswith("y") and base[-2] not in _VOWELS:
            forms += [f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
        else:
            end = "es" if base.endswith(("s", "x", "ch", "sh", "z")) else "s"
            forms += [f"{base}{end}", f"{stem}ed", f"{stem}ing"]
            if base[-1] not in f"{_VOWELS}wxyz" and base[-2] in _VOWELS:
                forms += [f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"]
    return list(dict.fromkeys(forms))


def listed() -> Iterator[tuple[str, str]]:
    """Yield each kind with each of its verbs, in the order of verbs.txt."""
    text = (files("relsent_ir") / "relations" / "verbs.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        kind, colon, verbs = line.partition("#")[0].partition(":")
        if colon:
            yield from ((kind.strip(), verb) for verb in verbs.split())


BATCH: Final = 128
"""Number of candidates that are tagged together."""


@dataclass(frozen=True, slots=True)
class Structure:
    """The sentence of a candidate, with its entities.

    Attributes
    ----------
    candidate : Candidate
    words, tags : list of str
        The tokens.
    first, second : (int, int) or None
        Token ranges [start, end) of the entities in text order; None for an entity that is missing
        in the text.
    phrases : Phrases
        The phrases; the code of the phrase with `first` is G, with `second` I, with both B.
    """

    candidate: Candidate
    words: list[str]
    tags: list[str]
    first: Span | None
    second: Span | None
    phrases: Phrases

    @property
    def agent(self) -> str:
        """The code of the entity that must act in a directed candidate; "" if both may."""
        if not self.candidate.directed:
            return ""
        return "G" if self.candidate.e1 < self.candidate.e2 else "I"


def structures(parser: Parser, candidates: Iterable[Candidate]) -> Iterator[Structure]:
    """Yield the structure of each candidate; texts repeated in a batch are tagged once."""
    rest = iter(candidates)
    while batch := list(islice(rest, BATCH)):
        texts = list(dict.fromkeys(candidate.text for candidate in batch))
        parsed = dict(zip(texts, parser.parse(texts), strict=True))
        for candidate in batch:
            check()
            yield place(candidate, parsed[candidate.text])


def place(candidate: Candidate, parsed: Parsed) -> Structure:
    """Add the entities of a candidate to its tagged sentence."""
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
    """Return the tokens of an entity's characters; None if there are none in the text."""
    if entity[0] >= entity[1]:
        return None
    inside = [i for i, (start, end) in enumerate(spans) if start < entity[1] and end > entity[0]]
    return (inside[0], inside[-1] + 1) if inside else None


def _with_entities(parsed: Parsed, entities: Sequence[Span]) -> list[str]:
    """Make noun phrases of entities outside noun phrases, and split a phrase with both at "and"."""
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
    """Return the phrases with new codes for those with the last token of an entity."""
    codes = list(phrases.codes)
    spans = list(zip(phrases.starts, phrases.ends, strict=True))
    homes = [
        next(
            (i for i, (start, end) in enumerate(spans) if entity and start < entity[1] <= end), None
        )
        for entity in (first, second)
    ]
    for home, code in zip(homes, "GI", strict=True):
        if home is not None:
            codes[home] = "B" if homes[0] == homes[1] else code
    return Phrases("".join(codes), phrases.starts, phrases.ends)
