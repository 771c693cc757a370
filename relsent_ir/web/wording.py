"""How a text in the search box is interpreted, and other ways to interpret or write it."""

import re
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Final, TypeVar

from pydantic import Field

from relsent_ir.answers import language
from relsent_ir.errors import StrategyError
from relsent_ir.text.strategy import looks_like_strategy, parse, positive_text, translated
from relsent_ir.web.library import Library
from relsent_ir.web.requests import SearchRequest
from relsent_ir.web.views import View

R = TypeVar("R", bound=SearchRequest)

ASKING: Final = ("yes/no", "how much", "what", "how")
BEGUN: Final = 3
"""Kinds of questions that need no question mark, if so many words follow the first."""


class OtherWording(View):
    """Another way to write a query, or a part of it."""

    written: str
    other: str
    kind: str = Field(
        description="`spelling`, `corrected` and `heeded` (a strategy) are searched; `meant`, "
        "`abbreviation`, `long form`, `MeSH`, `strategy` and `question` could be; `refused` tells "
        "what is wrong in a strategy, whose words are searched."
    )
    address: str = Field(description="Of what is searched, of the search without it; else, with.")


def is_question(text: str) -> bool:
    """Return whether a text ends or begins like a question, not a strategy with Ovid's "?"."""
    first, *others = text.split() or [""]
    if not text.rstrip().endswith("?"):  # WHO and IS are names, and a title may begin with "how"
        short = first.isupper() or len(others) < BEGUN
        return not short and not looks_like_strategy(text) and language.parse(text).kind in ASKING
    return bool(others) and not looks_like_strategy(text, quoted=False)


def understand(library: Library, request: R) -> tuple[R, list[OtherWording]]:
    """Return the text that is searched, and the links to search the words as they are written.

    Strategies are applied to abstracts; for a word without hits, a likely correction is searched.
    """
    if request.written:
        return request, []
    typed = request.strategy if request.whole else request.q
    if request.whole or (not request.strategy and looks_like_strategy(typed, quoted=False)):
        with suppress(StrategyError):
            changes = {"q": positive_text(parse(typed)), "strategy": typed}
            heeded = request.model_copy(
                update=changes if request.whole else changes | {"unit": "abstracts"}
            )
            back = request.address(None, q=typed, strategy="", written=True, page=1)
            other = translated(typed)
            return heeded, [OtherWording(written=typed, other=other, kind="heeded", address=back)]
    index, terms = library.indexes.index(request.unit), library.words.analysis.terms
    back, told = request.address(None, written=True, page=1), []
    for word, likely in library.meant(request.q, request.unit).items():
        if not index.frequencies(terms(word)).any():
            typed = _with(typed, word, likely)
            told.append(OtherWording(written=word, other=likely, kind="corrected", address=back))
    return request.model_copy(update={"q": typed}), told


def other_wordings(library: Library, request: SearchRequest) -> list[OtherWording]:
    """Return other ways to write a query, each with the URL of a search."""
    wordings: list[OtherWording] = []
    if request.written or request.whole or not request.q.strip():
        return wordings
    if language.parse(request.q).kind != "topic" and not request.strategy:
        asked = OtherWording(
            written=request.q, other=request.q, kind="question", address=request.question
        )
        wordings.append(asked)
    if looks_like_strategy(request.q):
        try:
            kind, other = "strategy", positive_text(parse(request.q))
            address = request.address(None, q=other, strategy=request.q, page=1)
        except StrategyError as error:
            kind, other = "refused", str(error)
            address = request.address(None, written=True, page=1)
        wordings.append(OtherWording(written=request.q, other=other, kind=kind, address=address))
    for wording in library.alternatives(request.q, request.unit).found:
        changes: dict[str, Any] = {"written": True}
        if wording.kind != "spelling":
            changes = {"q": f"{request.q} {wording.other}"}
        address = request.address(None, **changes, page=1)
        wordings.append(OtherWording(**asdict(wording), address=address))
    for word, likely in library.meant(request.q, request.unit).items():
        address = request.address(None, q=_with(request.q, word, likely), page=1)
        wordings.append(OtherWording(written=word, other=likely, kind="meant", address=address))
    return wordings


def _with(text: str, word: str, other: str) -> str:
    """Return a text with a word replaced by another, but not inside longer words."""
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda _: other, text)
