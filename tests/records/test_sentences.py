"""Sentence boundaries: one case a rule, the invariants on any text, and the figure on GENIA."""

import gzip
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from relsent_ir.records.sentences import split_sentences

TEXT = (
    st.text(alphabet=st.sampled_from("aBc0. ?!()[]\"'\n,;:%-1αΓ\u00a0”"), max_size=80) | st.text()
)


def sentences(text):
    """Give the sentences themselves."""
    return [text[start:end] for start, end in split_sentences(text)]


@settings(derandomize=True, deadline=None)
@given(TEXT)
@example("...")
@example(" . . .  ")
@example("Cells died.\u00a0\u2009It ended.")
def test_spans_cover_everything_but_white_space_once(text):
    """Spans are in order, trimmed, apart, and between them lies only white space."""
    end = 0
    for start, stop in split_sentences(text):
        assert end <= start < stop
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert not text[end:].strip()


@pytest.mark.parametrize("text", ["", " ", "\n\t \u00a0"])
def test_blank_text_has_no_sentences(text):
    """Nothing in, nothing out."""
    assert split_sentences(text) == []


def test_offsets_and_prepared_texts():
    """Offsets count characters; where marks are words, a stop before a small letter ends."""
    assert split_sentences("  Mice ran.  Rats\n slept. ") == [(2, 11), (13, 25)]
    text = "chloride in sweat was high . the others had p < . 05 . staph . a was found ."
    assert sentences(text) == [
        "chloride in sweat was high .",
        "the others had p < . 05 .",
        "staph . a was found .",
    ]
    text = "dr . low gave 2 mg . per kg . to dogs ( in 1959 ) . a dog fell . it rose ."
    assert [len(one.split()) for one in sentences(text)] == [17, 4, 3]


@pytest.mark.parametrize(
    "text",
    [
        # marks and what closes with them
        "Mice ran.|Rats slept.",
        "Did mice run?|They did!|Rats slept.",
        "It was called “rest.”|Rats slept.",
        "Mice ran (rats did not.)|Cats sat.",
        "This holds in vivo.[12]|The rest does not.",
        "We saw it before [3].|Others did not.",
        "Tumours grew in cells.12|We cut them.",
        "Tumours grew in cells.3,4–6|We cut them.",
        "Mice ran...|The rats slept.",
        "The motif AAT ... CCA is rare.",
        # numbers
        "The rate was 0.5 and 1.25 of it.",
        "It fell (P < .05).|The rest rose (p = 0.3).",
        "It fell, P < .05.|The rest rose.",
        "It fell (p = 0. 04) in mice.",
        "We asked in 1998.|14 papers answered.",
        "Mice had p27.|30 rats did not.",
        "Mice slept.|12% of rats ran.",
        # abbreviations
        "Fig. 2 shows mice vs. Rats and Dr. Lee, i.e. Three groups.",
        "Mice of St. John's and no. 5 weighed approx. 5 g, cf. Table 2.",
        "Lee et al. saw mice.|Roe et al. (1999) did not.",
        "It was seen by Lee et al.|The rats slept.",
        "The answer is no.|The rest is not.",
        "They had rice, tea etc. and slept.|They had rice, etc.|Rats ate.",
        "Doses were i.v. or b.i.d. in the U.S. Army.",
        "Doses were given b.i.d.|The rats slept.",
        "Mice came from the U.S.|They slept.",
        "Mice were dosed (5 mg/kg, i.p.) and slept.",
        "Candida spp. were found.|Candida spp.|Were found.",
        "Proc. Natl. Acad. Sci. USA printed it.",
        # single letters
        "E. coli and S. Aureus grew in B. subtilis medium.",
        "Mice were sent by S. Smith, J. K. Roe and P. Doe to us.",
        "It binds NF-kappa B.|Deletion stops it.",
        "They have hepatitis B.|Elderly men do not.",
        "Group A slept more than Group B.|Nine ran.",
        "It needs both domains, A and B.|Part B is long.",
        "Water boiled at 100 degrees C.|However, ice did not.",
        "They lacked vitamin D.|p53 was there.",
        # small letters
        "Mice ran.|p53 was there.|cDNA was not.|mRNA rose.|c-jun fell.|beta-Catenin stayed.",
        "Cells (ABC).|bcl-2 was there.|α-Actin fell.|Δ9-THC rose.",
        "We saw no regimen.|these results stand.",
        "It rose by 4.0 microg. kg(-1). min-1 in all.",
        "Doses of 5 mg. were given.",
        "It was found in Staph. aureus and Ps. aeruginosa.",
        # lists, headings, notes, titles
        "1. Mice ran.|2. Rats slept.|3. Cats sat.",
        "We asked: 1) Do mice run?|2) Do rats sleep?|3) Do cats sit?",
        "(1) Mice ran.|(2) Rats slept; (3) cats sat; dogs barked.",
        "METHODS: We ran mice.|RESULTS: They slept.",
        "Mice ran.|(ABSTRACT TRUNCATED AT 250 WORDS)",
        "They lacked vitamin D.|[References: 12]",
        "[Do mice run? A study of sleep.]",
        "Do mice run?",
        # signs that were lost on the way
        "It was 42.1? 3.5 in mice and interferon-? in rats (IFN-?) at p? 0.05.",
        # brackets
        "Mice (called D. Mix. in this. And that) ran.|Rats (n = 5) slept.",
        "Mice (5 of 6 ran.|Rats (n = 5) slept.",
    ],
)
def test_boundaries(text):
    """A bar stands where a sentence ends; elsewhere none does."""
    expected = text.split("|")
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We treated patients.|The results held.",
        "It fell (12%).|The results held.",
        "It is NCT1 at ClinicalTrials.Gov and elsewhere.",
        "See N.Engl.J.Med and p50.c-Rel there.",
    ],
)
def test_a_lost_space_is_no_obstacle(text):
    """A full stop may have lost its space, if a word and a sentence follow."""
    expected = text.split("|")
    assert sentences("".join(expected)) == expected


@pytest.mark.parametrize("gap", ["  ", "\n", "\u00a0", " \n "])
def test_any_white_space_separates(gap):
    """Records of the 1970s have two spaces after a full stop."""
    assert sentences(f"Mice ran.{gap}Rats slept.") == ["Mice ran.", "Rats slept."]


@pytest.mark.parametrize(
    "text",
    [
        "." * 100_000,
        "a" * 1_000_000,
        "(" * 50_000 + "Aa. Bb" + ")" * 50_000,
        "Aa. (" * 20_000,
        '."' * 50_000,
        "aaa.1," * 20_000,
        "Aaaa." + " " * 100_000 + "B",
        "1. " * 30_000,
    ],
    ids=["dots", "letters", "nested", "open", "quotes", "references", "spaces", "numbers"],
)
def test_odd_texts_end(text):
    """Texts on which a careless expression would take quadratic time or worse."""
    spans = split_sentences(text)
    assert sum(end - start for start, end in spans) >= len(text) - text.count(" ")


def test_genia(data):
    """The boundary F1 on GENIA's development part is at least 0.995."""
    gold, found = set(), set()
    with gzip.open(data / "genia/sentences-dev.jsonl.gz", "rt") as lines:
        for n, line in enumerate(lines):
            document = json.loads(line)
            gold |= {(n, end) for _, end in document["sentences"][:-1]}
            found |= {(n, end) for _, end in split_sentences(document["text"])[:-1]}
    assert len(gold) == 1213 - 148
    assert 2 * len(gold & found) / (len(gold) + len(found)) >= 0.995
