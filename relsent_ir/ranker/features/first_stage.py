"""First stage: the topic's own words in the whole record, in its abstract, and how many of them."""

from typing import Final

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.ranker.weighting import MU
from relsent_ir.typing import Floats

BM25S: Final = {"bm25": (0.9, 0.4), "bm25-larger": (1.2, 0.75)}


def _compute(candidates: Candidates) -> dict[str, Floats]:
    rows, query, store = candidates.contents, candidates.query, candidates.store
    shares = store.frequencies[query.columns] / max(1, int(store.frequencies.sum()))
    found = {name: rows.bm25(query, k1, b) for name, (k1, b) in BM25S.items()}
    found["likelihood"] = rows.likelihood(query, shares)
    found["smart"] = rows.smart(query)
    found["covered"] = rows.covered(query)
    if "abstract" in store.counts:
        found["abstract-bm25"] = candidates.of("abstract").bm25(query, *BM25S["bm25"])
    return found


GROUP: Final = Group(
    "first-stage",
    "Robertson & Zaragoza 2009; Zhai & Lafferty 2001; Salton & Buckley 1988",
    {
        **{name: f"BM25, k1 {k1}, b {b}" for name, (k1, b) in BM25S.items()},
        "likelihood": f"query likelihood, Dirichlet, mu {MU:g}",
        "smart": "ltc.atn",
        "covered": "share of the topic's idf in the record",
        "abstract-bm25": "BM25 of the abstract, k1 0.9, b 0.4",
    },
    _compute,
)
