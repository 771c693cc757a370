"""Sentence boundaries of biomedical abstracts.

A regular expression finds the places where a sentence may end: a full stop, question or exclamation
mark with what belongs to it (closing brackets and quotes, a reference number). At each place, the
words before and after it decide; docs/sentences.md describes the rules. Each place is examined
once, in windows of fixed width, so the time is linear in the length of any text.
"""

import re

from relsent_ir.text.phrases import word_set

NEVER = word_set(
    """
    approx ca cf cit e.g eg fig figs i.e ie p pp ref refs ssp staph subsp v viz vs
    Co Dr Fig Figs Mr Mrs No Nos Prof Ref Refs St Ste
    Acad Adv Am Ann Appl Biochem Biol Biophys Br Chem Clin Endocrinol Environ Eur Exp Genet Hum
    Immunol Int Invest Med Metab Microbiol Mol Natl Neurol Neurosci Oncol Pathol Pharmacol Phys
    Physiol Proc Psychiatr Radiat Res Sci Soc Surg Toxicol Virol
    """
)
"""Abbreviations whose full stop never ends a sentence."""

SELDOM = word_set(
    """
    al etc gen hr hrs inj max mg min ml mo mos no nos nov resp sec sp spp var vol wt yr yrs
    Corp Inc Jr Ltd Vol
    """
)
"""Abbreviations and words whose full stop ends a sentence only if a capital letter follows."""

STARTERS = word_set(
    """
    A After All Also Although Among An Analysis And Another As At Because Before Between Both But By
    Compared Consequently Conversely Despite Due During Each Eight Either Even Finally First Five
    For Four From Further Furthermore Given Group Here How However If In Increased Indeed Instead
    Interestingly Is It Its Later Like Many Mean Moreover Most Neither Nevertheless Nine No None Nor
    Not Of On One Only Other Our Out Over Overall Patients Previous Rather Recent Recently Results
    Second Seven Several She Similar Similarly Since Six Some Studies Subjects Subsequently Such Ten
    That The Their Then There Therefore These They This Those Three Through Thus To Together
    Treatment Twelve Twenty Two Under Unlike Until Upon Using We What When Whereas Whether Which
    While Who Why With Within Without Yet
    AIM AIMS BACKGROUND CONCLUSION CONCLUSIONS DESIGN FINDINGS INTERPRETATION METHOD METHODS
    OBJECTIVE OBJECTIVES PURPOSE RESULT RESULTS SETTING
    """
)
"""Words that start sentences and are no names: even "B." or "U.S." before them is an end."""

NOTES = frozenset(["ABSTRACT", "References"])
"""How bracketed notes of NLM and publishers at the end of an abstract begin."""


_WINDOW = 48
"""Number of characters before a mark that are searched for words."""

_REACH = 400
"""Characters within which a bracket must close; otherwise it is taken for a misprint."""

_MARK = re.compile(
    r"""
    [.?!] (?<![.?!]{2}) [.?!]*+  # a row of marks is read once, from its first
    (?:
        ["')\]”’»]*+ (?: \[\d{1,3} (?:[,–-]\ ?\d{1,3}){0,20} \] )?+ (?=\s)
      | (?<=[a-z]{3}\.) \d{1,3} (?:[,–-]\d{1,3}){0,20} (?=\s[A-Z][a-z])  # cells.12 We
      | (?: (?<=[a-z]{3}\.) | (?<=[\d%][)\]]\.) ) (?=(?!Gov\b)[A-Z][a-z]{0,20}\s[A-Za-z])
    )   # the last: cells.We found
    """,
    re.VERBOSE,
)

_NEXT = re.compile(r"\s*([(\[\"'“‘«]{0,3})([^\s,;:]{0,40})")
"""White space, opening brackets and quotes, and the word; the pattern always matches."""

_DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
"""Abbreviations like i.v, U.S, b.i.d"""

_ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[IVXivx]{1,4}|[A-Za-z])\)?")
"""The number of a list item without its full stop: 2, (iii), B."""

_LABEL = re.compile(
    r"""
    (?: (?<![^\s(.-]) (?!(?:and|by|et|from|in|of|or|the|to|with|de|van|von)\s) [a-z]{2,}
      | \b(?:Child|Class|Factor|Grade|Groups?|Hepatitis|Phase|Protein|Site|Stage|Type|Vitamin)
      | \b[A-Z],?\s(?:and|or|to)
      | [\d°]
    ) \s[A-Z]$
    """,
    re.VERBOSE,
)
"""A single letter that names a thing, not a person: kappa B, Group C, A and B, 30 J."""

_SYMBOL = re.compile(
    r"[a-z]{1,5}-?[A-Z\d]|(?:[a-z]|alpha|beta|gamma|delta|sigma|cis|trans)-[A-Za-z]|[^\W\d_a-z]"
)
"""Names that keep a small letter at the start of a sentence: p53, cDNA, c-jun, α-actin."""

_FACTOR = re.compile(r"[A-Za-z]{1,4}(?:\(-|-1\b)")
"""A unit after a full stop that means multiplication: kg(-1), min-1."""

_COUNT = re.compile(r"\d[\d,.]*%?(?:/\d+)?")
"""A number that may start a sentence: 68%, 1,239, 17/19."""

_LAST_NUMBER = re.compile(r"(.?)([\d.,]{1,8})$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of an abstract, or of one of its sections.

    Parameters
    ----------
    text : str
        Any text; white space of any kind and length separates words.

    Returns
    -------
    list of (int, int)
        Character offsets [start, end) in order. Spans do not overlap, have no white space at their
        ends, and cover all other characters.
    """
    spans = []
    start = len(text) - len(text.lstrip())
    for mark in _MARK.finditer(text, start):
        follows = _NEXT.match(text, mark.end())
        assert follows
        opening, after = follows.groups()
        before = text[max(start, mark.start() - _WINDOW) : mark.start()]
        if _ends(before, mark.group(), opening, after) and not _inside(text, start, mark.end()):
            spans.append((start, mark.end()))
            start = follows.start(1)
    end = len(text.rstrip())
    if start < end:
        spans.append((start, end))
    return spans


def _inside(text: str, start: int, end: int) -> bool:
    """Return whether text[end] is in a bracket that opened after `start` and closes soon."""
    near = max(start, end - _REACH)
    for opening, closing in ("()", "[]"):
        opened = text.rfind(opening, near, end)
        if opened >= 0 and text.find(closing, opened, end) < 0:
            closes = text.find(closing, end, end + _REACH)
            if closes >= 0 and text.find(opening, end, closes) < 0:
                return True
    return False


def _ends(before: str, mark: str, opening: str, after: str) -> bool:
    """Return whether `mark` ends a sentence.

    Parameters
    ----------
    before : str
        The sentence up to the mark, or its last `_WINDOW` characters.
    mark : str
        The punctuation mark with the brackets and quotes that close after it.
    opening, after : str
        The brackets and quotes that open after the mark, and the word that follows.
    """
    words = before.rsplit(None, 1)
    if not words:
        return False
    if before[-1].isspace():  # in tokenized text, marks are words: "in sweat . the others"
        word = words[-1]
        short = len(word) < 3 and not word.isdigit() and word not in (")", "%")  # mg . per kg
        if short or any(form in NEVER or form in SELDOM for form in (word, word.capitalize())):
            return False
        return mark == "." and after.isalpha() and (len(after) > 1 or after == "a")
    word = words[-1].lstrip("([\"'“‘«")
    if not word or word in NEVER:
        return False
    capital = after[:1].isupper()
    if mark[0] != ".":
        return _ends_question(word, opening, after)
    if mark[1:2] == ".":
        return after in STARTERS
    if len(words) == 1 and len(before) < _WINDOW and _ENUMERATOR.fullmatch(word):
        return False
    closed = ")" in mark
    if len(word) == 1 and word.isupper():
        return not closed and _ends_letter(before, opening, after)
    if _DOTTED.fullmatch(word):
        if closed or (opening and after not in NOTES):
            return False
        if after in STARTERS or after in NOTES:
            return True
        return capital and word.islower() and after[1:2].islower()
    if word in SELDOM:
        return capital and not closed and (not opening or after in NOTES)
    if capital:
        listed = word.isdigit() and len(word) < 3 and len(words) == 2 and words[0][-1] in ",;:"
        return not listed
    return not closed and _ends_before_small(word, opening, after)


def _ends_question(word: str, opening: str, after: str) -> bool:
    """Return whether a question or exclamation mark after `word` ends a sentence.

    Many of these marks replace a character that was lost: "42.1? 3.5", "interferon-?".
    """
    if len(word) < 2 or not (word[-1].isalpha() or word[-1] in ")]'\""):
        return False
    if after[-1:] in (".", ")") and _ENUMERATOR.fullmatch(after[:-1]):
        return True
    return after[:1].isupper() and not (opening and (len(after) == 1 or after[-1] == ")"))


def _ends_letter(before: str, opening: str, after: str) -> bool:
    """Return whether a single capital ends a sentence, as in "kappa B." but not "by S. Smith"."""
    if after in STARTERS or after in NOTES:
        return True
    if after[:1].isupper():
        return after[-1] not in ".)]" and bool(_LABEL.search(before))
    return not opening and bool(re.match(r"[a-z]{1,4}[\dA-Z]|\d+%", after))


def _ends_before_small(word: str, opening: str, after: str) -> bool:
    """Return whether `word` ends a sentence if no capital letter follows."""
    if word[-1].isalpha() and (len(word) < 3 or (word.istitle() and len(word) < 7)):
        return False
    if opening:
        return True
    if after[:1].isdigit():
        number = _LAST_NUMBER.search(word[-8:])  # two digits are enough
        if number:  # "0. 05" is one number, "in 1998. 14 papers" is two
            alone = len(number[2]) < 3 and not number[1].isalpha()
            return not alone and bool(_COUNT.fullmatch(after))
        return not word.istitle() or bool(_COUNT.fullmatch(after))
    if after[:1].islower():
        if _SYMBOL.match(after):
            return not _FACTOR.match(after)
        if word[-1] in ")%":
            return not _ENUMERATOR.fullmatch(word)
        return len(word) > 4 and word.islower() and "." not in word and not _FACTOR.match(after)
    return True
