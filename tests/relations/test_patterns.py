"""The patterns over codes of phrases."""

from time import process_time

import pytest

from relsent_ir.relations.patterns import find_patterns, patterns


def _found(codes: str) -> list[tuple[str, str]]:
    return [(match.pattern.group, match.pattern.text) for match in find_patterns(codes)]


def test_the_file() -> None:
    """Eight groups, 25 patterns."""
    assert len(patterns()) == 25
    assert {pattern.group for pattern in patterns()} == {f"G{n}" for n in range(1, 9)}
    assert len({pattern.text for pattern in patterns()}) == 25


@pytest.mark.parametrize(
    ("codes", "group", "text"),
    [
        ("GVI", "G1", "X ACT Y"),
        ("GbatI", "G1", "X ACT Y"),
        ("NoGVNoI", "G1", "X ACT Y"),
        ("GiNVpI", "G1", "X ACT (PREP | of) Y"),
        ("GPyI", "G1", "X PASS by Y"),
        ("GbnyI", "G1", "X PASS by Y"),
        ("GVqyI", "G1", "X PASS by Y"),
        ("GPiI", "G1", "X PASS (PREP | of) Y"),
        ("GbI", "G1", "X BE Y"),
        ("GbapI", "G1", "X BE ADJ (PREP | of) Y"),
        ("GwI", "G2", "X via Y"),
        ("NoGyI", "G2", "X by Y"),
        ("GVNwI", "G2", "X VG+ (NP | PP)* via Y"),
        ("GVNpNygI", "G3", "X VG+ (NP | PP)* by VBG Y"),
        ("GVNigI", "G3", "X VG+ (NP | PP)* PREP VBG Y"),
        ("GygI", "G4", "X by VBG Y"),
        ("GpgI", "G4", "X PREP VBG Y"),
        ("NoGtI", "G5", "X VB Y"),
        ("GgI", "G5", "X VBG Y"),
        ("GnyI", "G5", "X VBN (by | of | PREP) Y"),
        ("GVNoI", "G1", "X ACT Y"),
        ("GV:I", "G1", "X ACT Y"),
        ("GVNI", "G1", "X ACT Y"),
        ("GVN,eI", "G1", "X ACT Y"),
        ("GVNtI", "G5", "X VG+ (NP | PP)* VB Y"),
        ("GoI", "G6", "X of Y"),
        ("NoGcI", "G6", "NP of X and Y"),
        ("NoGpI", "G7", "X PREP Y"),
        ("NpGcI", "G7", "NP PREP X and Y"),
        ("pG,IP", "G7", "PREP X , (Y VG+ | NP VG+ Y)"),
        ("pG,NVI", "G7", "PREP X , (Y VG+ | NP VG+ Y)"),
        ("NeN,G,I", "", ""),
        ("NeGcI", "G8", "such-as (NP ,)* X (, NP)* ,? and Y"),
        ("NeN,G,cI", "G8", "such-as (NP ,)* X (, NP)* ,? and Y"),
        ("G,N,cIV", "G8", "X (, NP)* ,? and Y"),
        ("G(I)", "G8", "X LRB Y RRB"),
    ],
)
def test_matches(codes: str, group: str, text: str) -> None:
    """Each pattern matches its example; another code between, and it does not."""
    if not text:
        assert _found(codes) == []
        return
    assert (group, text) in _found(codes)
    place = codes.index("G") + 1
    assert (group, text) not in _found(codes[:place] + "x" + codes[place:])


@pytest.mark.parametrize("codes", ["", "N", "GVN", "NVI", "B", "NVB"])
def test_without_both(codes: str) -> None:
    """Nothing matches without both entities, or with both in one phrase."""
    assert _found(codes) == []


def test_places() -> None:
    """A match has its phrases, however far into the sentence they are."""
    codes = "NVNoNiNyN,NVN," + "GVI" + ",NV"
    (match,) = (m for m in find_patterns(codes) if m.pattern.text == "X ACT Y")
    assert codes[match.start : match.end] == "GVI"


def test_agents() -> None:
    """In groups with an agent the subject acts, or who stands behind a passive's "by"."""
    agents = {pattern.text: pattern.agent for pattern in patterns()}
    assert agents["X ACT Y"] == agents["X VG+ (NP | PP)* by VBG Y"] == "G"
    assert agents["X PASS by Y"] == "I"
    assert agents["X by VBG Y"] == agents["X of Y"] == ""


@pytest.mark.parametrize(
    "fragment", ["wN", "Nw", "N", ",N", "N,", "yN", "iN", "oD", "t", "q", "nt"]
)
@pytest.mark.parametrize("start", ["G", "GV", "NoG", "eNG", "iG,"])
def test_linear(start: str, fragment: str) -> None:
    """A long row costs little, whatever is repeated in it."""
    started = process_time()
    find_patterns(start + fragment * (20_000 // len(fragment)) + "VI")
    assert process_time() - started < 1.0
