"""Texts of records and users as HTML: escaped, their marks put in, no character that reorders."""

from collections.abc import Iterable
from typing import Any, Final

from markupsafe import Markup, escape

from relsent_ir.rank import Span

_REPLACED: Final = "\ufffd"
_CONTROLS: Final = [
    *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0),
    0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF,
]  # fmt: skip
_TABLE: Final = dict.fromkeys(_CONTROLS, _REPLACED)


def visible(value: Any) -> Any:
    """Put U+FFFD in the place of control characters, those of the text's direction among them.

    Every text that a template writes passes here. Lengths stay, so spans do.
    """
    return value.translate(_TABLE) if isinstance(value, str) else value


def marked(text: str, spans: Iterable[Span] = ()) -> Markup:
    """Give a text as HTML, each span in a ``mark`` whose class and title say why."""
    pieces, at = [], 0
    shown = visible(text)
    for span in spans:
        pieces += [escape(shown[at : span.start]), _mark(shown[span.start : span.end], span.label)]
        at = span.end
    return Markup("").join([*pieces, escape(shown[at:])])


def _mark(text: str, label: str) -> Markup:
    if label == "associated":
        return Markup('<mark class="associated" title="associated">{}</mark>').format(text)
    if label in ("", "shared", "question") or label == text.lower():
        return Markup("<mark>{}</mark>").format(text)
    return Markup('<mark title="{}">{}</mark>').format(visible(label), text)
