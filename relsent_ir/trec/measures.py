"""Measures under the names of trec_eval (``P.10``) and of ir_measures (``P(rel=2)@10``).

MacAvaney, Macdonald, Ounis: Streamlining evaluation with ir-measures. ECIR 2022.

A name of ir_measures has parameters in brackets and a cut-off. ``rel`` is the lowest grade that
counts as relevant, in the place of the evaluation's (trec_eval's ``-l``). The names mean:

- ``AP@k`` is trec_eval's ``map_cut``: divided by *all* relevant documents, not by k of them.
- ``RR@k`` is ``recip_rank`` over the first k hits; trec_eval has no cut-off for it.
- ``nDCG`` and ``nDCG@k`` take the grades themselves as gains, not 2 to their power, whatever
  ``rel`` says; the ideal ranking of ``nDCG@k`` ends at k too.
- ``RBP``, ``ERR``, ``Judged`` are measures of our own; each says how in its docstring.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from relsent_ir.errors import UsageError
from relsent_ir.trec.own_measures import err, judged, rbp, rbp_residual

Own: TypeAlias = Callable[[Sequence[str], Mapping[str, int], int], float]
"""A measure beside trec_eval's: takes the ids of a topic's hits, in their order, the topic's grades
by id, and the lowest grade that counts as relevant."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, and the name under which it is printed.

    Attributes
    ----------
    name : str
        As in the request, or as trec_eval prints it.
    base, parameter : str
        trec_eval's measure, and its parameter as trec_eval prints it; "" for none.
    own : callable, optional
        In the place of trec_eval's.
    level : int, optional
        The lowest grade that counts as relevant; None for that of the evaluation.
    depth : int, optional
        How many hits of a topic are looked at; None for all.
    """

    name: str
    base: str = ""
    parameter: str = ""
    own: Own | None = None
    level: int | None = None
    depth: int | None = None

    @property
    def trec(self) -> str:
        """The name by which trec_eval prints it."""
        return f"{self.base}_{self.parameter}" if self.parameter else self.base

    @property
    def is_count(self) -> bool:
        """Whether it is summed up over topics."""
        return self.base.startswith("num_")

    @property
    def has_topics(self) -> bool:
        """Whether it says something about a single topic."""
        return self.base != "num_q" and not self.base.startswith("gm_")


LARGEST: Final = 10**9
"""The largest number that a name may hold."""

_IR_MEASURES: Final[dict[str, tuple[str, str]]] = {
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

NAMES: Final = (*_IR_MEASURES, *_OWN)
"""All names, in ir_measures' spelling."""

_UNGRADED: Final = ("ERR", "Judged", "nDCG", "NumQ")  # a lowest grade means nothing to them
_NAME_FORM: Final = re.compile(r"(\w+)(?:\(([^()]*)\))?(?:@([\w.]+))?", re.ASCII)
_PARAMETER: Final = re.compile(r"\s*(\w+)\s*=\s*([-\w.]+)\s*", re.ASCII)


def read_name(text: str) -> Measure | None:
    """Read a measure as ir_measures spells it; None if there is none of that name.

    Raises
    ------
    UsageError
        A parameter that the measure does not take or that is out of range, a cut-off too many or
        too few.
    """
    match = _NAME_FORM.fullmatch(text)
    name = _ALIASES.get(match[1], match[1]) if match else ""
    if not match or name not in NAMES:
        return None
    where = f"measure {text[:60]}"
    parameters: dict[str, str] = {}
    for part in match[2].split(",") if match[2] else ():
        parameter = _PARAMETER.fullmatch(part)
        if not parameter:
            raise UsageError(f"cannot read {part!r}", where=where, fix="write rel=2")
        parameters[parameter[1]] = parameter[2]
    level = None
    if "rel" in parameters and name not in _UNGRADED:
        level = _whole(parameters.pop("rel"), "rel", where)
    cut = match[3] or ""
    if name in _OWN:
        own = _with_parameter(name, parameters, where)
        depth = _whole(cut, "the cut-off", where) if cut else None
        return Measure(text, own=own, level=level, depth=depth)
    _nothing_left(parameters, name, where)
    plain, limited = _IR_MEASURES[name]
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


def _with_parameter(name: str, parameters: dict[str, str], where: str) -> Own:
    """Bind its parameter, if one is given, to one of our measures."""
    own, parameter, kind = _OWN[name]
    value = parameters.pop(parameter, None)
    _nothing_left(parameters, name, where)
    if value is None:
        return own
    read = _share if kind == "share" else _whole
    return partial(own, **{parameter: read(value, parameter, where)})


def _nothing_left(parameters: dict[str, str], name: str, where: str) -> None:
    if parameters:
        raise UsageError(f"{name} takes no parameter {next(iter(parameters))}", where=where)


def _whole(text: str, subject: str, where: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,9}", text) or int(text) > LARGEST:
        raise UsageError(f"{subject} is a whole number from 1 to {LARGEST}", where=where)
    return int(text)


def _share(text: str, subject: str, where: str) -> float:
    if not re.fullmatch(r"0*\.?\d{1,15}|1\.0*", text) or not 0 <= float(text) <= 1:
        raise UsageError(f"{subject} goes from 0 to 1", where=where)
    return float(text)


_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(i / 10 for i in range(11))
_FIFTHS = tuple(i / 5 for i in range(1, 11))

# In the order in which trec_eval prints them, with the parameters that it takes if none are given.
# Left out are runid and relstring, which are strings.
_MEASURES: dict[str, tuple[float, ...]] = {
    "num_q": (),
    "num_ret": (),
    "num_rel": (),
    "num_rel_ret": (),
    "map": (),
    "gm_map": (),
    "Rprec": (),
    "bpref": (),
    "recip_rank": (),
    "iprec_at_recall": _TENTHS,
    "P": _CUTOFFS,
    "recall": _CUTOFFS,
    "infAP": (),
    "gm_bpref": (),
    "Rprec_mult": _FIFTHS,
    "utility": (),
    "11pt_avg": (),
    "binG": (),
    "G": (),
    "ndcg": (),
    "ndcg_rel": (),
    "Rndcg": (),
    "ndcg_cut": _CUTOFFS,
    "map_cut": _CUTOFFS,
    "relative_P": _CUTOFFS,
    "success": (1, 5, 10),
    "set_P": (),
    "set_relative_P": (),
    "set_recall": (),
    "set_map": (),
    "set_F": (),
    "num_nonrel_judged_ret": (),
}

_OFFICIAL = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
)  # fmt: skip
_SET = (
    "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_relative_P",
    "set_recall", "set_map", "set_F",
)  # fmt: skip
_GROUPS = {"official": _OFFICIAL, "set": _SET, "all_trec": tuple(_MEASURES)}

_DECIMAL = r"\d+(?:\.\d+)?"
_WITH_PARAMETERS = re.compile(rf"(\w+?)[._]({_DECIMAL}(?:,{_DECIMAL})*)", re.ASCII)
_LARGEST_FACTOR = 1000  # of Rprec_mult; trec_eval shortens the names of those above 99,999


def parse_measures(measures: Iterable[str]) -> list[Measure]:
    """Read measures as trec_eval's ``-m`` takes them, or as ir_measures names them.

    Parameters
    ----------
    measures : iterable of str
        trec_eval's names (``map``), names with parameters (``P.10``, ``P_10``, ``P.5,10``,
        ``ndcg_cut.10``, ``iprec_at_recall.0.25``), groups (``official``, ``set``, ``all_trec``); a
        name without parameters stands for trec_eval's own. Or names as ``nDCG@10``,
        ``P(rel=2)@10``, ``RBP(p=.8)``; see `relsent_ir.trec.measures`.

    Returns
    -------
    list of Measure
        trec_eval's in its order, then the others in the order of the request; each once.

    Raises
    ------
    UsageError
        An unknown measure, with those that are spelled like it; a parameter out of range.
    """
    values: dict[str, set[float]] = {}
    named: dict[str, Measure] = {}
    for text in measures:
        for name in _GROUPS.get(text, (text,)):
            match = _WITH_PARAMETERS.fullmatch(name)
            if name in _MEASURES:
                values.setdefault(name, set()).update(_MEASURES[name])
            elif match and match[1] in _MEASURES:
                values.setdefault(match[1], set()).update(_parameters(name, match[1], match[2]))
            elif measure := read_name(name):
                named[name] = measure
            else:
                raise UsageError(f"no measure {_short(name)}", fix=_advice(name))
    listed = [m for base in _MEASURES if base in values for m in _spelled(base, values[base])]
    return listed + list(named.values())


def measure_names(measures: Iterable[str]) -> list[str]:
    """Return the names under which the measures are printed, in the order of `parse_measures`.

    Examples
    --------
    >>> measure_names(["nDCG@10", "P.10,5", "map"])
    ['map', 'P_5', 'P_10', 'nDCG@10']
    """
    return [measure.name for measure in parse_measures(measures)]


def _spelled(base: str, parameters: set[float]) -> list[Measure]:
    """Return one measure of trec_eval's with its parameters."""
    if not parameters:
        return [Measure(base, base)]
    form = "d" if isinstance(_MEASURES[base][0], int) else ".2f"
    return [Measure(f"{base}_{v:{form}}", base, f"{v:{form}}") for v in sorted(parameters)]


def _parameters(name: str, base: str, listed: str) -> list[float]:
    """Read the parameters of one of trec_eval's measures."""
    defaults, where = _MEASURES[base], f"measure {_short(name)}"
    if not defaults:
        raise UsageError(f"{base} takes no parameters", where=where)
    texts = listed.split(",")
    if isinstance(defaults[0], int):
        if any(not re.fullmatch(r"0*[1-9]\d{0,9}", text) for text in texts) or (
            max(map(int, texts)) > LARGEST
        ):
            raise UsageError(f"cut-offs are whole numbers from 1 to {LARGEST}", where=where)
        return [int(text) for text in texts]
    values = [round(float(text), 2) for text in texts]
    if base == "iprec_at_recall" and max(values) > 1:
        raise UsageError("recall levels go from 0 to 1", where=where)
    if max(values) > _LARGEST_FACTOR:
        raise UsageError(f"factors go from 0 to {_LARGEST_FACTOR}", where=where)
    return values


def _short(name: str) -> str:
    return name if len(name) < 60 else f"{name[:40]}…"


def _advice(name: str) -> str:
    """Name measures that are spelled like this one; ``ndcg@10`` is like ``ndcg`` and ``nDCG``."""
    spelled: dict[str, list[str]] = {}
    for label in (*_MEASURES, *_GROUPS, *NAMES):
        spelled.setdefault(label.lower(), []).append(label)
    stem = re.split(r"[@.,(]", name.lower())[0][:60]
    close = difflib.get_close_matches(stem, spelled, n=3, cutoff=0.5)
    close += [label for label in spelled if label.startswith(f"{stem}_") and label not in close]
    if not close:
        return "trec_eval's names are taken: map, P.10, ndcg_cut.10, official; or nDCG@10, AP, RBP"
    meant = [label for lowered in close for label in spelled[lowered]]
    return "did you mean " + ", ".join(meant[:5]) + "?"
