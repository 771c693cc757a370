"""``--min-score auto``: how good the best matches are in one index, by one model.

A model's scores mean something else in another collection, so this is measured in the index that is
searched, once, and kept beside it.
"""

import hashlib
import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.lucene.derived import open_derived
from relsent_ir.related.matching import Matcher
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.related.scoring import TrainedModel
from relsent_ir.typing import Floats

NAME: Final = "related-best"
SAMPLE: Final = 200  # sentences
SEED: Final = 0


def best_scores(matcher: Matcher) -> Floats:
    """Give the scores of the best matches of sampled sentences in other records, ascending.

    Exactly where the model allows it, else as `Matcher.related` finds them by default.
    """
    model = matcher.model
    facts = model.to_stored()[0] if isinstance(model, TrainedModel) else {}
    digest = hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=8)
    settings = {"model": model.name, "facts": digest.hexdigest(), "sample": SAMPLE}
    return open_derived(
        matcher.index,
        NAME,
        settings,
        lambda: _search(matcher),
        lambda stored: np.asarray(stored.arrays["best"]),
    )


def _search(matcher: Matcher) -> dict[str, NDArray[Any]]:
    store = matcher.store
    rows = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
    rows = np.sort(np.random.default_rng(SEED).permutation(rows)[:SAMPLE])
    ids = [store.ids[row] for row in rows.tolist()]
    texts = [json.loads(line)["contents"] for line in matcher.index.raw(ids)]
    found = matcher.related(
        dict(zip(ids, texts, strict=True)),
        1,
        candidates="bm25" if matcher.scorer is None else "exact",
        without_own=True,
    )
    best = [hits.scores[0] for hits in found.values() if len(hits)]
    return {"best": np.sort(np.array(best, dtype=np.float64))}
