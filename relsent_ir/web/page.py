"""Rendering pages: templates with values, as a whole page or as a part of one."""

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from relsent_ir import __version__
from relsent_ir.rank import Span
from relsent_ir.records import Record
from relsent_ir.records.headings import opening
from relsent_ir.records.references import link, pmc
from relsent_ir.web.requests import address
from relsent_ir.web.settings import MEASURES
from relsent_ir.web.views import place

STATIC: Final = Path(__file__).with_name("static")
MOVES: Final = {
    "PURPOSE": "Purpose",
    "METHODS": "Methods",
    "RESULTS": "Results",
    "CONCLUSION": "Conclusion",
}
ORDINARY: Final = "journal article"  # a publication type without information


_REPLACED: Final = "\ufffd"
_CONTROLS: Final = [
    *range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0),
    0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF,
]  # fmt: skip
_TABLE: Final = dict.fromkeys(_CONTROLS, _REPLACED)
_CLASSES: Final = {"associated": "associated"}


def visible(value: Any) -> Any:
    """Replace control characters, including those of text direction, by U+FFFD.

    All texts of templates pass here. Lengths do not change, so spans stay valid.
    """
    return value.translate(_TABLE) if isinstance(value, str) else value


def marked(
    text: str, spans: Iterable[Span] = (), classes: Mapping[str, str] | None = None
) -> Markup:
    """Return a text as HTML; each span becomes a ``mark`` with the reason.

    Parameters
    ----------
    text : str
    spans : iterable of Span
        Spans in ascending order.
    classes : mapping of str to str, optional
        The class of a ``mark`` by the label of its span.
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


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template; without the surrounding page if the URL has ``part``.

    Parameters
    ----------
    request : Request
    template : str
        The name of the file, without its extension.
    status : int
    **values
        The values of the template.
    """
    context = {
        "library": request.app.state.shelf.library,
        "here": request.url.path,
        "layout": "bare.html" if request.query_params.get("part") else "page.html",
        "problem": "",
        "fix": "",
    }
    text = _environment().get_template(f"{template}.html").render(context | values)
    return HTMLResponse(text, status)


@cache
def static(name: str) -> str:
    """Return the URL of a static file, with a digest of its content."""
    digest = blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{name}?v={digest}"


def source(record: Record) -> str:
    """Return journal, year and publication types in one line."""
    kinds = [name for name in record.publication_types if name.lower() != ORDINARY]
    return ", ".join(filter(None, (record.journal, record.year, "; ".join(kinds))))


def title(record: Record) -> str:
    """Return the title of a record, or else its first sentence."""
    return record.title or record.vernacular_title or opening(record) or "(without a title)"


def doi(record: Record) -> str:
    """Return the URL of a record's DOI; "" if it has none."""
    return f"https://doi.org/{quote(record.doi, safe='/:;().-_')}" if record.doi else ""


def citation(record: Record, sentence: str = "", name: str = "") -> str:
    """Write a sentence (if any) with the citation of its record, in one line."""
    number = f"({record.issue})" if record.issue else ""
    place = ":".join(filter(None, (f"{record.volume}{number}", record.pages)))
    authors = ", ".join(record.authors[:6]) + (", et al" if len(record.authors) > 6 else "")
    named = record.title or record.vernacular_title
    parts = [authors, named.rstrip("."), record.journal]
    parts.append(";".join(filter(None, (record.year, place))))
    parts += [
        f"doi:{record.doi}" if record.doi else "",
        f"PMID {record.pmid}" if record.pmid else "",
    ]
    text = ". ".join(filter(None, parts)) + f". [{name or record.id}]"
    return f"“{sentence}” {text}" if sentence else text


def chance(probability: float) -> str:
    """Write a probability with two digits, but never as 0 or 1."""
    if probability >= 0.995:
        return "> 0.99"
    return f"{probability:.2f}" if probability >= 0.005 else "< 0.01"


def bars(features: Any) -> list[Mapping[str, Any]]:
    """Return features with the widths of their bars; the largest is 100."""
    most = max((abs(weight) for _, weight in features), default=0.0) or 1.0
    return [
        {"name": name, "weight": weight, "width": round(100 * abs(weight) / most, 1)}
        for name, weight in features
    ]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("relsent_ir.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "address": address,
        "place": place,
        "static": static,
        "version": __version__,
    }
    environment.globals |= {"MOVES": MOVES, "MEASURES": MEASURES}
    environment.filters |= {
        "marked": marked, "link": link, "source": source, "heading": title, "bars": bars,
        "chance": chance, "doi": doi, "pmc": pmc, "citation": citation,
    }  # fmt: skip
    return environment
