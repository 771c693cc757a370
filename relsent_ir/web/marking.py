"""Texts of records and users as HTML: escaped, their marks put in, no character that reorders."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from markupsafe import Markup, escape

from relsent_ir.rank import Span

_REPLACED: Final = "\ufffd"
_CONTROLS: Final = [
    *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0),
    0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF,
]  # fmt: skip
_TABLE: Final = dict.fromkeys(_CONTROLS, _REPLACED)
_CLASSES: Final = {"associated": "associated"}


def visible(value: Any) -> Any:
    """Put U+FFFD in the place of control characters, those of the text's direction among them.

    Every text that a template writes passes here. Lengths stay, so spans do.
    """
    return value.translate(_TABLE) if isinstance(value, str) else value


def marked(
    text: str, spans: Iterable[Span] = (), classes: Mapping[str, str] | None = None
) -> Markup:
    """Return a text as HTML, each span in a ``mark`` that says why.

    Parameters
    ----------
    text : str
    spans : iterable of Span
        In their order.
    classes : mapping of str to str, optional
        The class of a ``mark``, by the label of its span.
    """
    pieces, at = [], 0
    text = visible(text)
    for span in spans:
        start = max(span.start, at)
        held, label = text[start : span.end], visible(span.label)
        plain = label in ("", "shared", "question") or label.lower() == held.lower()
        title = Markup("") if plain else Markup(' title="{}"').format(label)
        kind = (classes or _CLASSES).get(span.label, "")
        css = Markup(' class="{}"').format(kind) if kind else Markup("")
        pieces += [escape(text[at:start]), Markup("<mark{}{}>{}</mark>").format(css, title, held)]
        at = max(span.end, at)
    return Markup("").join([*pieces, escape(text[at:])])
