"""Inline headings of an abstract: ``METHODS: We …`` starts a section.

Text formats and tables print a structured abstract in one piece. A heading is at the start or after
the end of a sentence, and ends with a colon. It is in capitals, or it is one of the most frequent
headings of structured abstracts. A text must have two or more, the first at its start.
"""

import re
from typing import Final

from relsent_ir.records.record import Record, Section

_COMMON: Final = """
    Background Introduction Context Rationale Aim Aims Goal Goals Objective Objectives Purpose
    Hypothesis Importance Design Setting Settings Participants Patients Subjects Population
    Interventions Intervention Measurements Method Methods Methodology Procedures Materials
    Result Results Findings Observations Conclusion Conclusions Interpretation Discussion
    Significance Implications Limitations Summary
"""
_WORDS: Final = "|".join(_COMMON.split())
_HEADING: Final = re.compile(
    rf"""
    (?:^|(?<=[.?!)\]]\ )|(?<=[.?!]['"”]\ ))
    ( (?:[A-Z][A-Z0-9&/,()’'-]*\ )*[A-Z][A-Z0-9&/,()’'-]{{2,}}
    | (?:Study\ |Main\ |Key\ )?(?:{_WORDS})(?:\ (?:and|&)\ [A-Za-z]{{3,20}}){{0,2}}
    )\ ?:\ +(?=\S)
    """,
    re.VERBOSE,
)
_LONGEST: Final = 60  # characters of a heading
_BEFORE: Final = re.compile(
    rf"(?:(?:UNLABELLED|ABSTRACT|(?:STUDY |MAIN |KEY )?(?:{_WORDS.upper()}))"
    r"(?:(?: AND| &|,|/) ?[A-Z]+){0,2} ?:? ){1,2}(?=(?:\S+ )?\S*[a-z])"
)
"""A heading before a sentence, in capitals and with or without a colon."""


def inline_sections(text: str) -> tuple[Section, ...]:
    """Split an abstract that was printed in one piece at its headings.

    Parameters
    ----------
    text : str
        A text with collapsed white space.

    Returns
    -------
    tuple of Section
        One section without a label if there are no headings; none for an empty text. A heading that
        repeats the one before it ("CONCLUSION CONCLUSIONS: …") is merged with it.
    """
    matches = [match for match in _HEADING.finditer(text) if len(match[1]) <= _LONGEST]
    if len(matches) < 2 or matches[0].start():
        return (Section(text),) if text else ()
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return tuple(
        Section(body, _once(match[1]))
        for match, end in zip(matches, ends, strict=True)
        if (body := text[match.end() : end].rstrip())
    )


def opening(record: Record) -> str:
    """Return a record's first sentence without a heading before it; "" if it has none."""
    first = next((text for _, text in record.body()), "")
    match = _BEFORE.match(first)
    return first[match.end() if match else 0 :]


def printed(sections: tuple[Section, ...]) -> str:
    """Write the sections as one text that `inline_sections` can read."""
    return " ".join(f"{s.label}: {s.text}" if s.label else s.text for s in sections)


def _once(label: str) -> str:
    first, _, second = label.partition(" ")
    same = second and first.rstrip("Ss") == second.rstrip("Ss")
    return second if same else label
