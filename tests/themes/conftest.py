"""An index of invented records on four subjects."""

from pathlib import Path

import pytest

from relsent_ir.records import Mesh, Record, Section
from tests.invented import index_of

SUBJECTS = (
    "ant nest queen larva",
    "bee hive honey wax",
    "wasp sting venom paper",
    "fly egg wing eye",
)
FILLERS = ("cold", "warm", "small", "large", "old", "young", "early", "late")


def invent(count: int) -> list[Record]:
    """Records i0, i1, …; i0, i4, … are about ants, and so on."""
    records = []
    for n in range(count):
        filler = " ".join(FILLERS[(n // 4 + i) % 8] for i in range(2))
        subject = SUBJECTS[n % 4].split()
        title = f"{subject[n % 3].capitalize()} {subject[3]} {filler}."
        text = f"The {subject[0]} and {subject[1]}; {filler} {subject[2]}."
        records.append(
            Record(f"i{n}", title, sections=(Section(text),), mesh=(Mesh(f"INSECT-{n % 4}x"),))
        )
    records.append(Record("odd", "Unheard 12.", sections=()))
    return records


def write_index(records: list[Record], folder: Path) -> Path:
    """Index records below a folder."""
    return index_of(folder, records)


@pytest.fixture(scope="session")
def insects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The indexes of 40 invented records, and of one that shares no term with another."""
    return write_index(invent(40), tmp_path_factory.mktemp("insects"))
