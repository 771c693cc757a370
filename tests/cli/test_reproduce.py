"""``relsent-ir reproduce`` tells where the experiments went."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "name"), [(("moves", "--full", "--json"), "moves"), ((), "NAME")]
)
def test_reproduce(relsent, arguments, name):
    """One line with the command of today and exit code 2, whatever else was asked for."""
    ran = relsent("reproduce", *arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err == (
        "relsent-ir: error: the papers' experiments are no part of the package "
        f"(in its repository: python -m reproduce {name})\n"
    )
