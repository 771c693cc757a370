"""Stock sentences: by learned words, and by counted names."""

import pytest

from relsent_ir.related import stock
from relsent_ir.related.stock import features, is_list_of_names, is_stock


def test_features():
    """Words in lower case, numbers as 0."""
    assert features("ISRCTN93732214 (2009), the ISRCTN registry") == {
        "isrctn0",
        "0",
        "the",
        "isrctn",
        "registry",
    }


def test_learned_words(monkeypatch: pytest.MonkeyPatch):
    """The weights of the words that a sentence has, each once, and of all."""
    monkeypatch.setattr(stock, "weights", lambda: {stock.BIAS: -1.0, "nct0": 0.6, "trial": 0.5})
    assert is_stock("Trial NCT0011, a trial")  # 0.1
    assert not is_stock("Trials and NCT0011 and NCT0012")  # -0.4
    assert not is_stock("")


def test_what_is_known():
    """Registrations are, results are not."""
    assert is_stock("ClinicalTrials.gov NCT00298142.")
    assert is_stock("The trial was registered at ISRCTN12345678.")
    assert not is_stock("Insulin lowers the glucose of diabetic mice.")
    assert not is_stock("Patients were randomised to insulin or placebo.")


def test_lists_of_names():
    """Seven of ten tokens, of six at least, are capitalised words or single letters."""
    assert is_list_of_names("Moe J, Roe B, Doe C and others")  # 6 of 8
    assert not is_list_of_names("Moe J, Roe B and two others")  # 4 of 7
    assert not is_list_of_names("Moe J, Roe B")
    assert not is_list_of_names("DNA and RNA of HIV and HBV")
    assert is_stock("Moe J, Roe B, Doe C, Poe D, Coe E, Noe F, et al.")
