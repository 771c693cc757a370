"""The recipes of the packaged models: a module for each, which trains it and writes its folder.

A recipe's module has a function ``main(arguments: list[str]) -> None``; ``python -m recipes NAME``
calls it. Recipes import the package, and the package imports no recipe.
"""

from typing import Final, NamedTuple


class Recipe(NamedTuple):
    """What a recipe needs.

    Attributes
    ----------
    inputs : str
        What it learns from.
    licence : str
        That of the model it makes.
    minutes : int
        How long it takes on two cores, about.
    """

    inputs: str
    licence: str
    minutes: int


# One line each.
RECIPES: Final = {
    "answers": Recipe(
        "answers-train.jsonl, rct-train.xml.gz, abstracts.jsonl.gz and its index, qrels/reader",
        "Apache 2.0",
        15,
    ),
    "chunker": Recipe("genia/", "Apache 2.0; annotations CC BY 3.0", 2),
    "related": Recipe("abstracts.jsonl.gz, its index, grades in qrels/reader", "Apache 2.0", 6),
    "relations": Recipe(
        "relations/bionlp-st-2011-ge.tar.gz, relations/ddi-2013", "LICENSE beside the weights", 5
    ),
    "statements": Recipe("relations/bionlp-st-2011-ge.tar.gz", "LICENSE beside the weights", 2),
    "tagger": Recipe("genia/", "Apache 2.0; annotations CC BY 3.0", 10),
}
"""The recipes by their names, which are those of their modules with ``_`` in place of ``-``."""
