"""The measures that there are, under trec_eval's names and under those of ir_measures."""

import difflib
import re
from collections.abc import Iterable

from relsent_ir.errors import UsageError
from relsent_ir.trec.measure import Measure
from relsent_ir.trec.names import LARGEST, NAMES, read_name

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

_NUMBER = r"\d+(?:\.\d+)?"
_WITH_PARAMETERS = re.compile(rf"(\w+?)[._]({_NUMBER}(?:,{_NUMBER})*)", re.ASCII)
_LARGEST_FACTOR = 1000  # of Rprec_mult; trec_eval shortens the names of those above 99,999


def parse_measures(measures: Iterable[str]) -> list[Measure]:
    """Read measures as trec_eval's ``-m`` takes them, or as ir_measures names them.

    Parameters
    ----------
    measures : iterable of str
        trec_eval's names (``map``), names with parameters (``P.10``, ``P_10``, ``P.5,10``,
        ``ndcg_cut.10``, ``iprec_at_recall.0.25``), groups (``official``, ``set``, ``all_trec``); a
        name without parameters stands for trec_eval's own. Or names as ``nDCG@10``,
        ``P(rel=2)@10``, ``RBP(p=.8)``; see `relsent_ir.trec.names`.

    Returns
    -------
    list of Measure
        trec_eval's in its order, then the others as they were asked for; each once.

    Raises
    ------
    UsageError
        An unknown measure, with those that are spelled like it; a parameter out of range.
    """
    wanted: dict[str, set[float]] = {}
    others: dict[str, Measure] = {}
    for text in measures:
        for name in _GROUPS.get(text, (text,)):
            match = _WITH_PARAMETERS.fullmatch(name)
            if name in _MEASURES:
                wanted.setdefault(name, set()).update(_MEASURES[name])
            elif match and match[1] in _MEASURES:
                wanted.setdefault(match[1], set()).update(_parameters(name, match[1], match[2]))
            elif found := read_name(name):
                others[name] = found
            else:
                raise UsageError(f"no measure {_short(name)}", fix=_advice(name))
    listed = [m for base in _MEASURES if base in wanted for m in _spelled(base, wanted[base])]
    return listed + list(others.values())


def measure_names(measures: Iterable[str]) -> list[str]:
    """Give the names under which the measures are printed, in the order of `parse_measures`.

    Examples
    --------
    >>> measure_names(["nDCG@10", "P.10,5", "map"])
    ['map', 'P_5', 'P_10', 'nDCG@10']
    """
    return [measure.name for measure in parse_measures(measures)]


def _spelled(base: str, parameters: set[float]) -> list[Measure]:
    """Give one measure of trec_eval's with its parameters."""
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
    for known in (*_MEASURES, *_GROUPS, *NAMES):
        spelled.setdefault(known.lower(), []).append(known)
    stem = re.split(r"[@.,(]", name.lower())[0][:60]
    close = difflib.get_close_matches(stem, spelled, n=3, cutoff=0.5)
    close += [known for known in spelled if known.startswith(f"{stem}_") and known not in close]
    if not close:
        return "trec_eval's names are taken: map, P.10, ndcg_cut.10, official; or nDCG@10, AP, RBP"
    meant = [known for lowered in close for known in spelled[lowered]]
    return "did you mean " + ", ".join(meant[:5]) + "?"
