"""What the dense features of Huber+ mean, by their values for invented sentences."""

from functools import cache
from typing import Final

import numpy as np

from relsent_ir.models import Columns, figures
from relsent_ir.related.associations import Associations
from relsent_ir.related.features import Sentences
from relsent_ir.related.measures import MEASURES, Knowledge
from relsent_ir.related.parts import count_parts
from relsent_ir.related.scaling import Scaling
from relsent_ir.related.scoring import method_scores
from relsent_ir.related.statistics import Statistics

_PROBE: Final = (
    "Murinol lowers the glucose of diabetic mice",
    "Glucose, and insulin with glucose, in mice that were given murinol",
    "Diabetic rats without insulin",
    "Larvae of the mosquito feed on algae",
)


@cache
def columns() -> Columns:
    """Give the columns before they are scaled, and how logarithms are taken."""
    sentences = Sentences.from_texts(_PROBE, ("the", "of", "and", "in"))
    rows = np.arange(len(_PROBE))
    n = len(sentences.lexicon.words)
    word, other = np.divmod(np.flatnonzero(~np.eye(n, dtype=bool)), n)
    associations = Associations(
        np.arange(n + 1) * (n - 1),
        other.astype(np.int32),
        ((word + other) % 5 / 4).astype(np.float16),
    )
    vectors = ((np.arange(n)[:, None] * 7 + np.arange(4) * 3) % 11 - 4.5).astype(np.float16)
    parts = np.zeros((count_parts(sentences.lexicon), 4), dtype=np.float16)
    knowledge = Knowledge(Statistics.collect(sentences, rows), associations, vectors, parts)
    measures = knowledge.on(sentences.lexicon)
    a, b = np.array([0, 0, 1, 0]), np.array([1, 2, 2, 3])
    found = measures.of_pairs(method_scores(measures.formulas, sentences, a, b), sentences, a, b)
    one = np.ones(1)
    logarithm = Scaling(2 * one, np.zeros(2), np.ones(2)).apply(np.array([[-9.0], [0.5], [3.0]]))
    told = {name: figures(column) for name, column in zip(MEASURES, found.T, strict=True)}
    return {**told, "logarithm": figures(logarithm.ravel())}
