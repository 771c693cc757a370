"""The measures that trec_eval knows for ranked documents, and its names for them."""

import difflib
import re
from collections.abc import Iterable

from relsent_ir.errors import UsageError

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

Parameters = dict[str, tuple[float, ...]]
"""The wanted parameters of each wanted measure, both in trec_eval's order."""


def parse_measures(measures: Iterable[str]) -> Parameters:
    """Read measures as trec_eval's ``-m`` takes them.

    Parameters
    ----------
    measures : iterable of str
        Names (``map``), names with parameters (``P.10``, ``P_10``, ``P.5,10``, ``ndcg_cut.10``,
        ``iprec_at_recall.0.25``), groups (``official``, ``set``, ``all_trec``). A name without
        parameters stands for trec_eval's own. What is asked for twice is given once.

    Raises
    ------
    UsageError
        An unknown measure, with those that are spelled like it; a parameter out of range.
    """
    wanted: dict[str, set[float]] = {}
    for text in measures:
        for name in _GROUPS.get(text, (text,)):
            base, parameters = _parse(name)
            wanted.setdefault(base, set()).update(parameters)
    return {base: tuple(sorted(wanted[base])) for base in _MEASURES if base in wanted}


def measure_names(measures: Iterable[str]) -> list[str]:
    """Give the names under which trec_eval prints the measures, in its order.

    Examples
    --------
    >>> measure_names(["P.10,5", "map"])
    ['map', 'P_5', 'P_10']
    """
    return [
        name for base, values in parse_measures(measures).items() for name in named(base, values)
    ]


def named(base: str, parameters: tuple[float, ...]) -> list[str]:
    """Give the printed names of one measure with its parameters."""
    if not parameters:
        return [base]
    if isinstance(_MEASURES[base][0], int):
        return [f"{base}_{value}" for value in parameters]
    return [f"{base}_{value:.2f}" for value in parameters]


def _parse(name: str) -> tuple[str, tuple[float, ...]]:
    if name in _MEASURES:
        return name, _MEASURES[name]
    match = _WITH_PARAMETERS.fullmatch(name)
    if match is None or match[1] not in _MEASURES:
        raise UsageError(f"no measure {name}", fix=_advice(name))
    base, defaults = match[1], _MEASURES[match[1]]
    if not defaults:
        raise UsageError(f"{base} takes no parameters", where=f"measure {name}")
    texts = match[2].split(",")
    if isinstance(defaults[0], int):
        if any("." in text or int(text) == 0 for text in texts):
            raise UsageError("cut-offs are whole numbers from 1", where=f"measure {name}")
        return base, tuple(int(text) for text in texts)
    values = tuple(round(float(text), 2) for text in texts)
    if base == "iprec_at_recall" and max(values) > 1:
        raise UsageError("recall levels go from 0 to 1", where=f"measure {name}")
    return base, values


def _advice(name: str) -> str:
    """Name measures that are spelled like this one; ``NDCG@10`` is like ``ndcg``."""
    spelled = {known.lower(): known for known in (*_MEASURES, *_GROUPS)}
    stem = re.split(r"[@.,]", name.lower())[0]
    close = difflib.get_close_matches(stem, spelled, n=3, cutoff=0.5)
    close += [known for known in spelled if known.startswith(f"{stem}_") and known not in close]
    if not close:
        return "trec_eval's names are taken: map, P.10, ndcg_cut.10, official, all_trec"
    return "did you mean " + ", ".join(spelled[known] for known in close[:4]) + "?"
