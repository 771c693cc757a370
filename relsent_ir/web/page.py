"""Pages: templates with their values, as a whole page or as a part of one."""

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from relsent_ir import __version__
from relsent_ir.records import Record
from relsent_ir.records.references import link, pmc
from relsent_ir.web.marking import marked, visible
from relsent_ir.web.measured import MEASURES
from relsent_ir.web.requests import address
from relsent_ir.web.views import place

STATIC: Final = Path(__file__).with_name("static")
MOVES: Final = {
    "PURPOSE": "Purpose",
    "METHODS": "Methods",
    "RESULTS": "Results",
    "CONCLUSION": "Conclusion",
}
ORDINARY: Final = "journal article"  # a publication type that says nothing


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Fill in a template; without the page around it, if the address has ``part``.

    Parameters
    ----------
    request : Request
    template : str
        The file's name, without its ending.
    status : int
    **values
        What it needs.
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


def static(name: str) -> str:
    """Return the address of a static file, with its version."""
    return f"/static/{name}?v={_digest(name)}"


@cache
def _digest(name: str) -> str:
    return blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()


def source(record: Record) -> str:
    """Return journal, year and kinds of publication, as a line."""
    kinds = [name for name in record.publication_types if name.lower() != ORDINARY]
    return ", ".join(filter(None, (record.journal, record.year, "; ".join(kinds))))


def title(record: Record) -> str:
    """Return a record's title, or a substitute."""
    return record.title or record.vernacular_title or "(without a title)"


def doi(record: Record) -> str:
    """Return the address of a record's DOI, "" if it has none."""
    return f"https://doi.org/{quote(record.doi, safe='/:;().-_')}" if record.doi else ""


def citation(record: Record, sentence: str = "", name: str = "") -> str:
    """Write a sentence, or nothing, with the citation of its record, in a line."""
    number = f"({record.issue})" if record.issue else ""
    place = ":".join(filter(None, (f"{record.volume}{number}", record.pages)))
    authors = ", ".join(record.authors[:6]) + (", et al" if len(record.authors) > 6 else "")
    parts = [authors, title(record).rstrip("."), record.journal]
    parts.append(";".join(filter(None, (record.year, place))))
    parts += [
        f"doi:{record.doi}" if record.doi else "",
        f"PMID {record.pmid}" if record.pmid else "",
    ]
    text = ". ".join(filter(None, parts)) + f". [{name or record.id}]"
    return f"“{sentence}” {text}" if sentence else text


def chance(probability: float) -> str:
    """Write a probability by two digits, never as 0 or 1."""
    if probability >= 0.995:
        return "> 0.99"
    return f"{probability:.2f}" if probability >= 0.005 else "< 0.01"


def bars(features: Any) -> list[Mapping[str, Any]]:
    """Return features with the width of their bars, the largest 100."""
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
