"""What sentences are said to state: how often that is right, and how often nothing is said.

Run ``RELSENT_DATA=... python -m benchmarks.statements``: on the devel part of BioNLP-ST 2011 GE.
"""

import numpy as np

from benchmarks.common import print_table
from recipes.data import data_path
from recipes.relations.corpora import PLACES, read_statements
from relsent_ir.relations.describing import FeatureSettings, describe
from relsent_ir.relations.statements import packaged_statements


def events() -> None:
    """Print the table of the devel part."""
    stated = list(read_statements(data_path(*PLACES["ge"]), "devel", unrelated=1))
    model = packaged_statements()
    assert model
    rows = describe([one.candidate for one in stated], model.parser, FeatureSettings())
    told = np.array([model.read(row).direction for row in rows])
    true = np.array([one.polarity for one in stated])
    related = np.array([bool(one.status) for one in stated])
    lines = []
    for name, kept in (
        ("related", related),
        ("one direction", true != ""),
        ("unrelated", ~related),
    ):
        shown = kept & (told != "")
        right = f"{(told == true)[shown].mean():.3f}" if name != "unrelated" else ""
        lines.append([name, str(kept.sum()), f"{shown.sum() / kept.sum():.3f}", right])
    print_table(["pairs of proteins", "number", "told", "right"], lines)


if __name__ == "__main__":
    events()
