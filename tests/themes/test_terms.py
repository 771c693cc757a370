"""Words and phrases of texts."""

from relsent_ir.themes.matrix import NO_WORD, Words


def _read(text: str, *stopwords: str) -> list[str]:
    words = Words(stopwords)
    numbers = words.numbers([text]).tolist()
    names = words.names()
    return ["" if number == NO_WORD else names[number] for number in numbers]


def test_words_and_breaks() -> None:
    """Signs and stop words break phrases; hyphens and slashes do not."""
    assert _read("Ring-enhanced lesions, in the brain/cord.", "in", "the") == [
        "ring", "enhanced", "lesions", "", "", "", "brain", "cord", "", "",
    ]  # fmt: skip


def test_apostrophes_and_numbers() -> None:
    """An apostrophe inside a word belongs to it; a number is no word, a name with one is."""
    assert _read("Mouse’s IL-2 at 23 mg; HHV8 'new'") == [
        "mouse's", "il", "", "at", "", "mg", "", "hhv8", "", "new", "", "",
    ]  # fmt: skip


def test_numbers_go_on_over_texts() -> None:
    """A word has one number in all texts, and each text ends in a break."""
    words = Words(["of"])
    assert words.numbers(["a of b", "b"]).tolist() == [0, NO_WORD, 1, NO_WORD, 1, NO_WORD]
    assert words.numbers(["c a"]).tolist() == [2, 0, NO_WORD]
    assert words.numbers([]).tolist() == []
    assert words.names() == ["a", "b", "c"]
