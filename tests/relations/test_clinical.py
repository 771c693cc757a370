"""What clinical sentences say of two names."""

import pytest

from relsent_ir.relations.clinical import (
    _SWAPPED,
    _clause,
    _parts,
    direction,
    is_aim,
    is_hedged,
    is_molecule,
)
from relsent_ir.text.tokens import Span

DIRECTIONS: list[tuple[str, str, str, str, int | None]] = [
    ("Zorbin significantly reduced the risk of gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Gallows was less frequent with zorbin.", "Gallows", "zorbin", "", None),
    ("Gallows was less frequent with zorbin than with placebo.", "Gallows", "zorbin", "lowers", 1),
    ("Gallows was induced by zorbin.", "Gallows", "zorbin", "raises", 1),
    ("We saw zorbin-induced gallows.", "zorbin", "gallows", "raises", 0),
    ("Zorbin may increase gallows.", "Zorbin", "gallows", "raises", 0),
    ("Gallows was lower with quine than with zorbin.", "Gallows", "zorbin", "", None),
    ("Gallows was similar with zorbin and placebo.", "Gallows", "zorbin", "no difference", None),
    (
        "There was no difference in gallows between zorbin and placebo.",
        "gallows",
        "zorbin",
        "no difference",
        None,
    ),
    ("There was no difference in gallows between zorbin and quine.", "gallows", "zorbin", "", None),
    ("Zorbin did not affect gallows.", "Zorbin", "gallows", "no difference", None),
    ("Gallows in association with zorbin.", "Gallows", "zorbin", "associated", None),
    (
        "Zorbin was not associated with a rise in gallows.",
        "Zorbin",
        "gallows",
        "no difference",
        None,
    ),
    ("We studied whether zorbin lowers gallows.", "zorbin", "gallows", "", None),
    ("Does zorbin reduce gallows?", "zorbin", "gallows", "", None),
    ("Effect of zorbin on gallows.", "zorbin", "gallows", "", None),
    ("Zorbin in gallows was quantitated.", "Zorbin", "gallows", "", None),
    ("Low zorbin increased gallows.", "zorbin", "gallows", "", None),
    ("Zorbin receptors increased gallows.", "Zorbin", "gallows", "", None),
    (
        "The gallows is increased in the presence of drugs that inhibit zorbin metabolism.",
        "gallows",
        "zorbin",
        "",
        None,
    ),
    ("Zorbin was given; quine reduced gallows.", "Zorbin", "gallows", "", None),
    ("The gallows lowering effect of zorbin.", "gallows", "zorbin", "", None),
    ("Zorbin-binding factor increased gallows.", "Zorbin", "gallows", "", None),
    ("Quine/zorbin reduced gallows.", "zorbin", "gallows", "", None),
    (
        "Patients with zorbin and quine had less gallows than placebo.",
        "zorbin",
        "gallows",
        "",
        None,
    ),
    ("In rats with gallows reduced zorbin was seen.", "gallows", "zorbin", "", None),
    ("Gallows was more frequent with quine than with zorbin.", "Gallows", "quine", "", None),
    ("Gallows was higher with zorbin than with placebo.", "Gallows", "zorbin", "raises", 1),
    ("The level of gallows was increased in zorbin.", "gallows", "zorbin", "", None),
    ("Side effects of zorbin were gallows and fever.", "zorbin", "gallows", "raises", 0),
    ("Zorbin and quine reduced gallows.", "Zorbin", "gallows", "", None),
    ("Gallows was reduced after zorbin.", "Gallows", "zorbin", "", None),
    ("Quine lowered zorbin-induced gallows in patients.", "Quine", "gallows", "", None),
    ("Gallows increased in quine-induced fever with zorbin.", "Gallows", "zorbin", "", None),
    ("The time to gallows was increased by zorbin.", "gallows", "zorbin", "", None),
    ("Zorbin improved survival.", "Zorbin", "survival", "raises", 0),
    ("Zorbin improved gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin blunted the rise in gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced the gallows of fever.", "Zorbin", "gallows", "", None),
    ("Gallows decreased in the zorbin and quine groups.", "Gallows", "zorbin", "", None),
    ("Gallows associated with zorbin was seen.", "Gallows", "zorbin", "associated", None),
    ("Zorbin-induced gallows was not seen.", "Zorbin", "gallows", "", None),
    ("We saw loss of gallows caused by zorbin.", "gallows", "zorbin", "", None),
    ("We saw fever and gallows caused by zorbin.", "gallows", "zorbin", "raises", 1),
    ("Gallows did not change with zorbin.", "Gallows", "zorbin", "no difference", None),
    ("Zorbin was associated with better sleep.", "Zorbin", "sleep", "", None),
    ("Zorbin improved fever and attenuated gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin was shown to raise fever and improve sleep.", "Zorbin", "sleep", "raises", 0),
    ("Zorbin reduced winter gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced gallows threshold.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced gallows or death.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced fever and gallows by 30 %.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin reduced gallows (p = 0.3).", "Zorbin", "gallows", "", None),
    ("Zorbin reduced gallows in the control group.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced gallows in women with fever.", "Zorbin", "gallows", "lowers", 0),
    ("High zorbin reduced gallows.", "zorbin", "gallows", "", None),
    ("Zorbin caused more gallows.", "Zorbin", "gallows", "", None),
    ("Compared with placebo, zorbin caused more gallows.", "zorbin", "gallows", "raises", 0),
    ("Compared with quine, zorbin caused more gallows.", "zorbin", "gallows", "", None),
    ("It is believed that zorbin reduces gallows.", "zorbin", "gallows", "", None),
    ("Both quine and zorbin reduced gallows.", "zorbin", "gallows", "lowers", 0),
    ("Zorbin impaired memory and gallows deficits.", "Zorbin", "memory", "", None),
    ("Zorbin produced a marked fall in gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin correlated with gallows.", "Zorbin", "gallows", "associated", None),
    ("Gallows in the zorbin group was lower than in controls.", "Gallows", "zorbin", "lowers", 1),
    ("Zorbin was associated with a lower risk of gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin was associated with a lower rate of gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin pain relief was seen; gallows relief increased.", "Zorbin", "gallows", "", None),
    ("Zorbin reduced gallows before and during exercise.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin reduced gallows in response to quine.", "Zorbin", "gallows", "", None),
    ("Zorbin at 400 mg daily for 12 weeks cut gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin at 400 mg daily for 12 weeks cured fever.", "Zorbin", "fever", "", None),
    ("Zorbin 400 mg for 12 weeks reduced gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin is an old drug that reduces gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin is better than placebo in reducing gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin was superior to placebo in reducing gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin was superior to quine in reducing gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin or quine reduces gallows.", "Zorbin", "gallows", "lowers", 0),
    ("A drop in gallows was seen with zorbin.", "gallows", "zorbin", "lowers", 1),
    ("Zorbin had a protective effect against gallows.", "Zorbin", "gallows", "lowers", 0),
    ("Zorbin had a positive effect on sleep.", "Zorbin", "sleep", "raises", 0),
    ("Zorbin had a positive effect on gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin blunted the effects of quine and gallows.", "Zorbin", "gallows", "", None),
    ("Quine delays zorbin, which causes gallows.", "zorbin", "gallows", "", None),
    ("Zorbin did not adversely affect gallows.", "Zorbin", "gallows", "", None),
    ("Zorbin predicted gallows.", "Zorbin", "gallows", "associated", None),
    ("Zesty orbin (ZO) reduced gallows.", "ZO", "gallows", "lowers", 0),
    ("Fever of rats (ZO) reduced gallows.", "ZO", "gallows", "", None),
    ("Zorbin-induced gallows remains a problem.", "Zorbin", "gallows", "raises", 0),
]


def _place(text: str, name: str) -> Span:
    """Return where a name stands."""
    return (at := text.index(name)), at + len(name)


@pytest.mark.parametrize(("text", "first", "second", "says", "actor"), DIRECTIONS)
def test_direction(text: str, first: str, second: str, says: str, actor: int | None) -> None:
    """A direction is told where a pattern says it; an aim, a lack and another thing say nothing."""
    one, two = _place(text, first), _place(text, second)
    told, agent = direction(text, one, two)
    assert told == says
    assert actor in (None, agent)
    swapped, other = direction(text, two, one)
    assert swapped == says
    assert actor is None or other == 1 - agent


def test_patterns_are_near() -> None:
    """A clause that a pattern matches is near it: else the pattern would not be compiled."""
    patterns = [(pattern.compile(), pattern.near, says) for says, pattern in _parts()[1]]
    met = set()
    for text, first, second, *_ in DIRECTIONS:
        clause = _clause(text, _place(text, first), _place(text, second))[0]
        for either in (clause, clause.translate(_SWAPPED)):
            for whole, near, says in patterns:
                if whole.search(either):
                    assert near.search(either), (says, text)
                    met.add(whole.pattern)
    assert len(met) > len(patterns) / 2


@pytest.mark.parametrize(
    ("text", "hedged"),
    [
        ("Zorbin may reduce gallows.", True),
        ("It is likely that zorbin reduces gallows.", True),
        ("Zorbin reduces gallows and may cause fever.", False),
        ("Zorbin reduces gallows.", False),
        ("Quine may relieve zorbin-induced gallows.", False),
        ("Fever may need drugs like zorbin, which reduces gallows.", False),
        ("Zorbin, which may reduce gallows, is old.", True),
        ("Patients with zorbin were less likely to have gallows.", False),
    ],
)
def test_hedges(text: str, hedged: bool) -> None:
    """A possibility is told from what is asserted, by the words before the second name."""
    at, to = text.lower().index("zorbin"), text.index("gallows")
    assert is_hedged(text, (at, at + 6), (to, to + 7)) is hedged


def test_aims() -> None:
    """Aims and questions are told from what is asserted."""
    assert is_aim("The aim was to read zorbin.")
    assert is_aim("Is zorbin read?")
    assert not is_aim("Zorbin was read.")


def test_molecules() -> None:
    """Names with digits or capitals inside, and words as proteins have, are of molecules."""
    assert all(map(is_molecule, ("IL-6", "TNF-alpha", "protein kinase", "albumin", "NF-kappa B")))
    assert not any(map(is_molecule, ("mortality", "simvastatin", "breast cancer")))
