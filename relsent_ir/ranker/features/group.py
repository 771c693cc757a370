"""What a group of features is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.typing import Floats


@dataclass(frozen=True)
class Group:
    """Features that come and go together.

    Attributes
    ----------
    name : str
    source : str
        Where they are from in the literature.
    features : dict of str to str
        What each is, by its name.
    compute : callable
        Gives them for candidates: arrays of float64 of shape (n,) by name.
    needs : tuple of str
        The counts of the store that they are made of; where one is not there, the group is
        missing.
    """

    name: str
    source: str
    features: Mapping[str, str]
    compute: Callable[[Candidates], dict[str, Floats]]
    needs: tuple[str, ...] = ()
