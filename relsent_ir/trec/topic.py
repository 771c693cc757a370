"""A topic as the readers of each format give it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a file.

    Attributes
    ----------
    id : str
        As it is written.
    line : int
        The line where it begins, from 1.
    fields : dict of str to str
        Texts, white space not yet collapsed, by field: ``title``, ``desc``, ``narr``.
    """

    id: str
    line: int
    fields: dict[str, str]
