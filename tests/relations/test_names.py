"""Names of entities: spellings and abbreviations."""

import random
from collections.abc import Iterator

import pytest

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.records import Record, Section
from relsent_ir.relations.finding import Finder
from relsent_ir.relations.names import Form, Species, abbreviations, is_molecule, turned
from relsent_ir.text.names import Names, is_common
from tests.invented import index_of


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("IL-2", "IL-2, il2 and IL 2 but not IL-20 or MIL-2", ["IL-2", "il2", "IL 2"]),
        ("TNF-alpha", "TNF-α or TNFalpha", ["TNF-α", "TNFalpha"]),
        ("wrpw motif", "WRPW motifs, a wrpw-motif", ["WRPW motifs", "wrpw-motif"]),
        ("AR", "AR is not ar, nor ARs", ["AR"]),
        ("p53", "p53-dependent P53", ["p53", "P53"]),
        ("kinase", "kinases and kinase", ["kinases", "kinase"]),
    ],
)
def test_find(name: str, text: str, found: list[str]) -> None:
    """Hyphens, spaces, Greek letters, plurals; capitals count in short names only."""
    assert [text[start:end] for start, end in Names([name]).find(text)] == found


def test_longest() -> None:
    """Of names that overlap, the longest."""
    text = "interleukin 2 receptor and IL-2"
    names = Names(["interleukin 2", "interleukin 2 receptor", "IL-2"])
    assert [text[i:j] for i, j in names.find(text)] == ["interleukin 2 receptor", "IL-2"]


def _texts(*texts: str) -> list[tuple[str, str]]:
    return [(str(n), text) for n, text in enumerate(texts)]


def test_abbreviations() -> None:
    """Short forms of a long name, the commonest long form of a short one; of one record a name."""
    texts = _texts(
        "The large tail protein (LTP) binds.",
        "A large tail protein (LTP) was seen.",
        "Late tape pieces (LTP) were cut.",
    )
    assert abbreviations("large tail protein", texts) == [Form("LTP", "short form", 2)]
    assert abbreviations("LTP", texts) == [Form("large tail protein", "long form", 2)]
    assert abbreviations("nothing", texts) == []
    texts = _texts("A new odd factor (NOF) grew.")
    assert abbreviations("new odd factor", texts) == [Form("NOF", "short form", 1)]
    assert abbreviations("old cats", _texts("The old cats (oc) sat.")) == []


def test_words_are_no_abbreviations() -> None:
    """Words, and forms that are none, are no abbreviations."""
    texts = _texts("The Slow Mouse Trial (Mouse) began.", "A Slow Mouse Trial (Mouse).")
    assert abbreviations("mouse", texts) == []
    texts = _texts("Cisplatin (C) kills.", "Cisplatin (C) heals.", "Inflammation (IL6) and heat.")
    assert abbreviations("cisplatin", texts) == []
    assert abbreviations("IL6", texts) == []


EPITHETS = [
    "Zorba aerilis and Z. aerilis were cultured.",
    "Zo. aerilis from Zorba aerilis; Z.aerilis grew.",
]


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Z. aerilis", ["Zorba aerilis", "Z aerilis", "Z. aerilis", "Zo. aerilis"]),
        ("zorba aerilis infection", [f"{g} aerilis infection" for g in ("Zorba", "Z.", "Zo.")]),
    ],
)
def test_a_genus_and_its_initial(name: str, forms: list[str]) -> None:
    """The genus is found for an initial, and the initials that texts have for a genus."""
    species = Species.of(name)
    assert species
    found = [form.name for form in species.forms(EPITHETS)]
    assert set(found) <= set(forms)
    assert found[0] == forms[0]
    assert len(found) == 3


def test_genera() -> None:
    """No genus is no species; of two genera the initial counts beside the genus alone."""
    assert [
        n for n in ("B cells", "B lymphoma", "heart failure", "IL aerilis") if Species.of(n)
    ] == []
    species = Species.of("Z. cells")
    assert species
    assert species.forms(["Zebra cells and zebra cells"]) == []
    species = Species.of("Zorba aerilis")
    assert species
    texts = ["Zorba aerilis, Zygon aerilis, Z. aerilis"]
    assert [(f.name, f.origin != "short form") for f in species.forms(texts)] == [
        ("Zorba aerilis", True),
        ("Z. aerilis", False),
    ]


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("mucin secretion", ["secretion of mucin", "secretion of the mucin"]),
        ("secretion of the mucin", ["mucin secretion"]),
        ("IL-2", []),
        ("T cells", []),
    ],
)
def test_turned_round(name: str, others: list[str]) -> None:
    """Two words are also looked for the other way round, with "of"."""
    assert turned(name) == others


def test_molecules() -> None:
    """Names with digits or capitals inside, and words as proteins have, are of molecules."""
    assert all(map(is_molecule, ("IL-6", "TNF-alpha", "protein kinase", "albumin", "NF-kappa B")))
    assert not any(map(is_molecule, ("mortality", "simvastatin", "breast cancer")))


WORDS = (
    *(
        "Zorbase",
        "quinex",
        "T",
        "K",
        "Na",
        "B12",
        "p53",
        "α",
        "β2",
        "3",
        "25",
        "0.5",
        "Müller",
        "Q",
    ),
    *("cells", "channel", "acid", "disease", "levels", "Xy-9", "NF-κB", "U.S.", "vitamin", "mRNA"),
)
JOINTS = (
    *(" ", " ", " ", "-", "–", "/", ", ", ",", "+ ", "(+) ", "'s ", "’ ", " (", ") ", ": ", "."),
    *("=", " ± ", "% ", "; ", " & ", " of ", " the ", "*", "™ "[1:], "_", "[", "] "),
)


def phrases(number: int) -> list[str]:
    """Return noun phrases of invented words, joined by any marks."""
    draw = random.Random(38)
    made: dict[str, None] = {}
    while len(made) < number:
        phrase = draw.choice(WORDS)
        for _ in range(draw.randint(0, 4)):
            phrase += draw.choice(JOINTS) + draw.choice(WORDS)
        if not is_common(phrase):
            made[phrase] = None
    return list(made)


PHRASES = phrases(300)


@pytest.fixture(scope="module")
def finder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finder]:
    """Over one record for each phrase, in a sentence."""
    folder = tmp_path_factory.mktemp("phrases")
    records = [
        Record(f"r{n}", f"We studied {phrase} in rats", sections=(Section("Nothing."),))
        for n, phrase in enumerate(PHRASES)
    ]
    with Indexes(index_of(folder, records)) as collection:
        yield Finder(collection, literal=True)


def test_every_phrase_finds_its_sentence(finder: Finder) -> None:
    """Each is found in its own sentence, and there as it stands."""
    lost = []
    for n, phrase in enumerate(PHRASES):
        found = finder.mentions(phrase)
        if f"r{n}.0" not in found:
            lost.append(phrase)
    assert lost == []
