"""Topics, qrels and runs belong together when they share topic ids."""

from collections.abc import Collection

from relsent_ir.errors import MismatchError


def check_common_topics(
    first: Collection[str], second: Collection[str], first_name: str, second_name: str
) -> None:
    """Refuse two sets of topic ids that have no id in common.

    Parameters
    ----------
    first, second : collection of str
        Topic ids.
    first_name, second_name : str
        What they come from, usually the files' names.

    Raises
    ------
    MismatchError
        It names both, with an example id of each.
    """
    if set(first).isdisjoint(second):
        raise MismatchError(
            f"{_example(first_name, first)} and {_example(second_name, second)}"
            " have no topic id in common",
            fix="ids are compared as written: 1, 01 and MED1 are three ids",
        )


def _example(name: str, ids: Collection[str]) -> str:
    return f"{name} (such as topic {next(iter(ids))})" if ids else f"{name} (no topics)"
