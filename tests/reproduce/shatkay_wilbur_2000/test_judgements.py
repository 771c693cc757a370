"""What the developers say of the labels."""

import pytest

from reproduce.shatkay_wilbur_2000 import examples
from reproduce.shatkay_wilbur_2000.examples import COMPLICATIONS, judgements, read_judged


def test_only_what_was_read_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label that has changed since has no judgement."""
    judged = {"hemoptysis": ("ant, bee", "2", "right")}
    monkeypatch.setattr(examples, "read_judged", lambda: judged)
    lines = judgements({"hemoptysis": ["ant", "bee"]}).splitlines()
    assert lines[2] == "| hemoptysis | ant, bee | 2 | right |"
    lines = judgements({"hemoptysis": ["bee", "ant"]}).splitlines()
    assert lines[2] == "| hemoptysis | bee, ant | – | – |"


def test_all_ten_have_a_word() -> None:
    """Ten terms each; right is only what has seven of them."""
    assert list(read_judged()) == list(COMPLICATIONS.values())
    for label, belong, word in read_judged().values():
        assert len(label.split(", ")) == 10
        assert word in ("right", "partly", "wrong")
        assert word != "right" or int(belong) >= 7
