"""Measures by the names of ir_measures: ``nDCG@10``, ``P(rel=2)@10``, ``RBP(p=.8)``.

MacAvaney, Macdonald, Ounis: Streamlining evaluation with ir-measures. ECIR 2022.

A name, parameters in brackets, a cut-off. ``rel`` is the lowest grade that counts as relevant, in
the place of the evaluation's (trec_eval's ``-l``). What a name means here:

- ``AP@k`` is trec_eval's ``map_cut``: divided by *all* relevant documents, not by k of them.
- ``RR@k`` is ``recip_rank`` over the first k hits; trec_eval has no cut-off for it.
- ``nDCG`` and ``nDCG@k`` have the grades themselves for gains, not 2 to their power, whatever
  ``rel`` says; the ideal ranking of ``nDCG@k`` ends at k too.
- ``RBP``, ``ERR``, ``Judged`` are measures of our own; each says how in its module.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from relsent_ir.errors import UsageError
from relsent_ir.trec.err import err
from relsent_ir.trec.judged import judged
from relsent_ir.trec.measure import Measure, Own
from relsent_ir.trec.rbp import rbp, rbp_residual

LARGEST: Final = 10**9
"""The largest number that a name may hold."""

_TREC: Final[dict[str, tuple[str, str]]] = {
    "AP": ("map", "map_cut"),
    "Bpref": ("bpref", ""),
    "infAP": ("infAP", ""),
    "IPrec": ("", "iprec_at_recall"),
    "nDCG": ("ndcg", "ndcg_cut"),
    "NumQ": ("num_q", ""),
    "NumRel": ("num_rel", ""),
    "NumRelRet": ("num_rel_ret", ""),
    "NumRet": ("num_ret", ""),
    "P": ("", "P"),
    "R": ("", "recall"),
    "Rprec": ("Rprec", ""),
    "RR": ("recip_rank", "recip_rank"),
    "SetAP": ("set_map", ""),
    "SetF": ("set_F", ""),
    "SetP": ("set_P", ""),
    "SetR": ("set_recall", ""),
    "Success": ("", "success"),
}
"""trec_eval's measure without a cut-off, and with one; "" where there is none."""

_OWN: Final[dict[str, tuple[Callable[..., float], str, str]]] = {
    "ERR": (err, "max_rel", "whole"),
    "Judged": (judged, "", ""),
    "RBP": (rbp, "p", "share"),
    "RBPresidual": (rbp_residual, "p", "share"),
}
"""Measures beside trec_eval's, the parameter of each, and what that is: a share or whole."""

_ALIASES: Final = {
    "BPref": "Bpref",
    "MAP": "AP",
    "MRR": "RR",
    "NDCG": "nDCG",
    "Precision": "P",
    "rbp": "RBP",
    "rbp_residual": "RBPresidual",
    "Recall": "R",
    "RPrec": "Rprec",
}
"""Other spellings."""

NAMES: Final = (*_TREC, *_OWN)
"""All names, in ir_measures' spelling."""

_UNGRADED: Final = ("ERR", "Judged", "nDCG", "NumQ")  # a lowest grade means nothing to them
_FORM: Final = re.compile(r"(\w+)(?:\(([^()]*)\))?(?:@([\w.]+))?", re.ASCII)
_PARAMETER: Final = re.compile(r"\s*(\w+)\s*=\s*([-\w.]+)\s*", re.ASCII)


def read_name(text: str) -> Measure | None:
    """Read a measure as ir_measures spells it; None if there is none of that name.

    Raises
    ------
    UsageError
        A parameter that the measure does not take or that is out of range, a cut-off too many or
        too few.
    """
    match = _FORM.fullmatch(text)
    name = _ALIASES.get(match[1], match[1]) if match else ""
    if not match or name not in NAMES:
        return None
    where = f"measure {text[:60]}"
    given: dict[str, str] = {}
    for part in match[2].split(",") if match[2] else ():
        found = _PARAMETER.fullmatch(part)
        if not found:
            raise UsageError(f"cannot read {part!r}", where=where, fix="write rel=2")
        given[found[1]] = found[2]
    level = None
    if "rel" in given and name not in _UNGRADED:
        level = _whole(given.pop("rel"), "rel", where)
    cut = match[3] or ""
    if name in _OWN:
        own = _with_parameter(name, given, where)
        depth = _whole(cut, "the cut-off", where) if cut else None
        return Measure(text, own=own, level=level, depth=depth)
    _nothing_left(given, name, where)
    plain, limited = _TREC[name]
    if not (limited if cut else plain):
        fix = f"write {name}" if cut else f"as {name}@{0.1 if name == 'IPrec' else 10}"
        raise UsageError(f"{name} {'has no' if cut else 'needs a'} cut-off", where=where, fix=fix)
    if name == "NumRet" and level:
        plain = "num_rel_ret"
    if not cut:
        return Measure(text, plain, level=level)
    if name == "IPrec":
        return Measure(text, limited, f"{_share(cut, 'the recall', where):.2f}", level=level)
    k = _whole(cut, "the cut-off", where)
    if name == "RR":
        return Measure(text, limited, level=level, depth=k)
    return Measure(text, limited, str(k), level=level)


def _with_parameter(name: str, given: dict[str, str], where: str) -> Own:
    """Give one of our measures the parameter that was asked for."""
    own, known, kind = _OWN[name]
    value = given.pop(known, None)
    _nothing_left(given, name, where)
    if value is None:
        return own
    read = _share if kind == "share" else _whole
    return partial(own, **{known: read(value, known, where)})


def _nothing_left(given: dict[str, str], name: str, where: str) -> None:
    if given:
        raise UsageError(f"{name} takes no parameter {next(iter(given))}", where=where)


def _whole(text: str, what: str, where: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,9}", text) or int(text) > LARGEST:
        raise UsageError(f"{what} is a whole number from 1 to {LARGEST}", where=where)
    return int(text)


def _share(text: str, what: str, where: str) -> float:
    if not re.fullmatch(r"0*\.?\d{1,15}|1\.0*", text) or not 0 <= float(text) <= 1:
        raise UsageError(f"{what} goes from 0 to 1", where=where)
    return float(text)
