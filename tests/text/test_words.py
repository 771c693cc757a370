"""Words and bigrams."""

from relsent_ir.text.words import bigrams, words


def test_words_are_small_and_numbers_are_one() -> None:
    """Numbers become 0, signs that count stay, the rest is dropped."""
    assert words("Mean pH rose by 0.4 (P<.05); 12,500 mice!") == [
        *["mean", "ph", "rose", "by", "0", "p", "<", "0", "0", "mice"]
    ]


def test_compounds_stay_together() -> None:
    """Hyphens and apostrophes join letters, not digits."""
    assert words("double-blind IL-6 didn't p53") == ["double-blind", "il", "0", "didn't", "p", "0"]


def test_letters_of_any_alphabet() -> None:
    """Greek and accented letters are letters."""
    assert words("TNF-α à Łódź") == ["tnf-α", "à", "łódź"]


def test_bigrams() -> None:
    """Each word with the next; none of fewer than two words."""
    assert bigrams(["we", "saw", "mice"]) == ["we_saw", "saw_mice"]
    assert bigrams(["we"]) == bigrams([]) == []
