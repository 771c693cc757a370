"""Measures under the names of trec_eval (``P.10``) and of ir_measures (``P(rel=2)@10``).

MacAvaney, Macdonald, Ounis: Streamlining evaluation with ir-measures. ECIR 2022.

A name of ir_measures has parameters in brackets and a cut-off. ``rel`` is the lowest grade that
counts as relevant; it replaces that of the evaluation (trec_eval's ``-l``). The names mean:

- ``AP@k`` is trec_eval's ``map_cut``: divided by the number of *all* relevant documents, not by k.
- ``RR@k`` is ``recip_rank`` over the first k hits; trec_eval has no such cut-off.
- ``nDCG`` and ``nDCG@k`` use the grades themselves as gains, not 2 to their power, and ignore
  ``rel``; the ideal ranking of ``nDCG@k`` also ends at k.
- ``RBP``, ``ERR``, ``Judged`` are computed here; their docstrings describe how.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from relsent_ir.errors import MismatchError, UsageError

MAX_REL = 4
P = 0.8


def average_precision(ids: Sequence[str], grades: Mapping[str, int], level: int = 1) -> float:
    """Return the mean precision at the relevant documents, 0 at those missing; trec_eval's map.

    It uses trec_eval's arithmetic, but saves time over thousands of runs: pytrec_eval copies and
    sorts the ids of each run again, which takes longer than the search.
    """
    relevant = {id_ for id_, grade in grades.items() if grade >= level}
    retrieved, total = 0, 0.0
    for rank, id_ in enumerate(ids, 1):
        if id_ in relevant:
            retrieved += 1
            total += retrieved / rank
            if retrieved == len(relevant):
                break
    return total / len(relevant) if relevant else 0.0


def err(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
    *,
    max_rel: int = MAX_REL,
) -> float:
    """Return the expected reciprocal rank of one topic's hits.

    Chapelle, Metzler, Zhang, Grinspan: Expected reciprocal rank for graded relevance. CIKM 2009.

    A reader stops at a hit of grade g with probability ``(2^g - 1) / 2^max_rel``, else goes on; the
    measure is the mean of one over the rank of the stop. As in TREC's gdeval, the highest grade is
    4 by default; the value depends on it. Negative grades count as 0.

    Parameters
    ----------
    ids, grades, level
        As in the other measures.
    max_rel : int
        The highest grade of the judgements' scale.

    Raises
    ------
    MismatchError
        If a grade is above `max_rel`.
    """
    highest = max(grades.values(), default=0)
    if highest > max_rel:
        raise MismatchError(
            f"ERR expects grades up to {max_rel}, and the qrels have {highest}",
            fix=f"as ERR(max_rel={highest})@20",
        )
    value, going_on = 0.0, 1.0
    for rank, id_ in enumerate(ids, 1):
        # 2^g / 2^max_rel in one step, since neither power needs to fit into a double.
        grade = max(0, grades.get(id_, 0))
        stops = 2.0 ** (grade - max_rel) - 2.0**-max_rel
        value += going_on * stops / rank
        going_on *= 1 - stops
    return value


def judged(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
) -> float:
    """Return the share of the hits that have a judgement, of any grade; 0 if there are no hits.

    It shows how reliable other measures are: Büttcher, Clarke, Yeung, Soboroff: Reliable
    information retrieval evaluation with incomplete and biased judgements. SIGIR 2007. Only hits up
    to the cut-off count; if there are fewer, all.
    """
    return sum(id_ in grades for id_ in ids) / len(ids) if ids else 0.0


def rbp(ids: Sequence[str], grades: Mapping[str, int], level: int = 1, *, p: float = P) -> float:
    """Return the rank-biased precision of one topic's hits.

    Moffat, Zobel: Rank-biased precision for measurement of retrieval effectiveness. ACM
    Transactions on Information Systems 27, 2008.

    A reader, as persistent as `p` from 0 to 1, looks at the first hit, and goes on from each hit to
    the next with probability p::

        RBP = (1 - p) sum over the relevant hits of p^(rank - 1)

    Hits without judgement, and ranks after the last hit, count as not relevant.
    """
    return (1 - p) * sum(p**i for i, id_ in enumerate(ids) if grades.get(id_, level - 1) >= level)


def rbp_residual(
    ids: Sequence[str],
    grades: Mapping[str, int],
    level: int = 1,  # noqa: ARG001 - all measures are called alike
    *,
    p: float = P,
) -> float:
    """Return the largest amount that the hits without judgement could add to `rbp`.

    It is the same sum over these hits and all ranks after the last hit: the true value is between
    RBP and RBP + residual.
    """
    unknown = sum(p**i for i, id_ in enumerate(ids) if id_ not in grades)
    return float((1 - p) * unknown + p ** len(ids))


Own: TypeAlias = Callable[[Sequence[str], Mapping[str, int], int], float]
"""A measure of our own: gets the ids of a topic's hits in order, the topic's grades by id, and the
lowest grade that counts as relevant."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, with the name under which it is printed.

    Attributes
    ----------
    name : str
        The name in the request, or the name that trec_eval prints.
    base, parameter : str
        trec_eval's measure, and its parameter as trec_eval prints it; "" for none.
    own : callable, optional
        The function that computes the measure, if trec_eval does not.
    level : int, optional
        The lowest grade that counts as relevant; None for that of the evaluation.
    depth : int, optional
        Number of hits of a topic that are used; None for all.
    """

    name: str
    base: str = ""
    parameter: str = ""
    own: Own | None = None
    level: int | None = None
    depth: int | None = None

    @property
    def trec(self) -> str:
        """The name under which trec_eval prints the measure."""
        return f"{self.base}_{self.parameter}" if self.parameter else self.base

    @property
    def has_topics(self) -> bool:
        """Whether the measure has a value for a single topic."""
        return self.base != "num_q" and not self.base.startswith("gm_")


LARGEST: Final = 10**9
"""The largest number that may be in a name."""

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
"""trec_eval's measure without a cut-off, and with one; "" if there is none."""

OWN: Final[dict[str, tuple[Callable[..., float], str, str]]] = {
    "ERR": (err, "max_rel", "whole"),
    "Judged": (judged, "", ""),
    "RBP": (rbp, "p", "share"),
    "RBPresidual": (rbp_residual, "p", "share"),
}
"""Our own measures, with the parameter of each, and its kind: a share or a whole number."""

_ALIASES: Final = {
    "BPref": "Bpref",
    "hit_rate": "Success",
    "map": "AP",
    "MAP": "AP",
    "mrr": "RR",
    "MRR": "RR",
    "ndcg": "nDCG",
    "NDCG": "nDCG",
    "precision": "P",
    "Precision": "P",
    "r_precision": "Rprec",
    "rbp": "RBP",
    "rbp_residual": "RBPresidual",
    "recall": "R",
    "Recall": "R",
    "RPrec": "Rprec",
    "success": "Success",
}
"""Other spellings, ranx's among them: ``ndcg@10``."""

NAMES: Final = (*_IR_MEASURES, *OWN)
"""All names, in the spelling of ir_measures."""

_UNGRADED: Final = ("ERR", "Judged", "nDCG", "NumQ")  # measures without a lowest relevant grade
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
    taken = OWN[name][1] if name in OWN else ""
    if extra := next((one for one in parameters if one != taken), None):
        raise UsageError(f"{name} takes no parameter {extra}", where=where)
    cut = match[3] or ""
    if name in OWN:
        own, parameter_name, kind = OWN[name]
        value = parameters.get(parameter_name)
        if value is not None:
            read = _share if kind == "share" else _whole
            own = partial(own, **{parameter_name: read(value, parameter_name, where)})
        depth = _whole(cut, "the cut-off", where) if cut else None
        return Measure(text, own=own, level=level, depth=depth)
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
# runid and relstring are left out, since they are strings
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
_LARGEST_FACTOR = 1000  # of Rprec_mult; trec_eval shortens the names of factors above 99,999


def parse_measures(measures: Iterable[str]) -> list[Measure]:
    """Read measures, named as in trec_eval's ``-m`` or as in ir_measures.

    Parameters
    ----------
    measures : iterable of str
        trec_eval's names (``map``), names with parameters (``P.10``, ``P_10``, ``P.5,10``,
        ``ndcg_cut.10``, ``iprec_at_recall.0.25``) or groups (``official``, ``set``, ``all_trec``);
        a name without parameters gets trec_eval's defaults. Or names such as ``nDCG@10``,
        ``P(rel=2)@10``, ``RBP(p=.8)``; see `relsent_ir.trec.measures`.

    Returns
    -------
    list of Measure
        trec_eval's measures in its order, then the others in the requested order; each once.

    Raises
    ------
    UsageError
        If a measure is unknown (the error names similar ones) or a parameter out of range.
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
    """Return the names under which measures are printed, in the order of `parse_measures`.

    Examples
    --------
    >>> measure_names(["nDCG@10", "P.10,5", "map"])
    ['map', 'P_5', 'P_10', 'nDCG@10']
    """
    return [measure.name for measure in parse_measures(measures)]


def _spelled(base: str, parameters: set[float]) -> list[Measure]:
    """Return one of trec_eval's measures with its parameters."""
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
    """Return measures with a similar spelling; ``ndcg@10`` resembles ``ndcg`` and ``nDCG``."""
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
