"""The patterns that a sentence matches, in its own words or simplified."""

from dataclasses import dataclass
from typing import Final

from relsent_ir.relations.patterns import Match, find_patterns
from relsent_ir.relations.simplification import IS, Simplified, simplify_between
from relsent_ir.relations.structure import Structure

LEVELS: Final = ("original", "simplified", "combined")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A match, and the form of the sentence that has it.

    Attributes
    ----------
    match : Match
    form : Simplified
        That of the sentence as it is has no rules.
    """

    match: Match
    form: Simplified

    @property
    def level(self) -> str:
        """One of `LEVELS`: the sentence as it is, after one rule, after several."""
        return LEVELS[min(2, len(self.form.rules))]

    def text(self, structure: Structure) -> str:
        """The form in the sentence's words."""
        return form_text(self.form, structure)


def form_text(form: Simplified, structure: Structure) -> str:
    """Write a form in the sentence's words, without adverbs."""
    phrases = structure.phrases
    words: list[str] = []
    for place in form.source:
        if place == IS:
            words.append("is")
        else:
            inside = range(phrases.starts[place], phrases.ends[place])
            words += [structure.words[i] for i in inside if _is_kept(structure, i)]
    return " ".join(words)


def _is_kept(structure: Structure, token: int) -> bool:
    """Tell whether a token is no adverb; "not" is kept."""
    return structure.tags[token] != "RB" or structure.words[token].lower() in ("not", "n't")


def original(structure: Structure) -> Simplified:
    """The sentence as it is."""
    codes = structure.phrases.codes
    return Simplified(codes, tuple(range(len(codes))), ())


def find_forms(structure: Structure, simplified: bool = True) -> list[Simplified]:
    """The sentence as it is, and its simplified forms that have both entities."""
    first = original(structure)
    if not simplified or "I" not in first.codes:
        return [first]
    return [first, *simplify_between(first.codes)]


def find_evidence(forms: list[Simplified], agent: str = "") -> list[Evidence]:
    """Find the patterns that any form of a sentence matches, the plainest forms first.

    Parameters
    ----------
    forms : list of Simplified
    agent : str
        The code of the entity that must act in patterns with an agent; "" if either may.
    """
    return [
        Evidence(match, form)
        for form in forms
        for match in find_patterns(form.codes)
        if not agent or match.pattern.agent in ("", agent)
    ]
