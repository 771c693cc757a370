"""Features of texts: the whole record, title and sentences, before and after feedback."""

from typing import Final

import numpy as np

from relsent_ir.counts.weighting import MU
from relsent_ir.ranker.candidates import FEEDBACKS, FeatureGroup, TopicCandidates
from relsent_ir.typing import Floats

BM25S: Final = {"bm25": (0.9, 0.4), "bm25-larger": (1.2, 0.75)}


def _first_stage(candidates: TopicCandidates) -> dict[str, Floats]:
    rows, query, store = candidates.contents, candidates.query, candidates.store
    shares = store.frequencies[query.columns] / max(1, int(store.frequencies.sum()))
    values = {name: rows.bm25(query, k1, b) for name, (k1, b) in BM25S.items()}
    values["likelihood"] = rows.likelihood(query, shares)
    values["smart"] = rows.smart(query)
    values["covered"] = rows.covered(query)
    if "abstract" in store.counts:
        values["abstract-bm25"] = candidates.of("abstract").bm25(query, *BM25S["bm25"])
    return values


FIRST_STAGE: Final = FeatureGroup(
    "first-stage",
    "Robertson & Zaragoza 2009; Zhai & Lafferty 2001; Salton & Buckley 1988",
    {
        **{name: f"BM25, k1 {k1}, b {b}" for name, (k1, b) in BM25S.items()},
        "likelihood": f"query likelihood, Dirichlet, mu {MU:g}",
        "smart": "ltc.atn",
        "covered": "share of the topic's idf in the record",
        "abstract-bm25": "BM25 of the abstract, k1 0.9, b 0.4",
    },
    _first_stage,
)


def _feedback(candidates: TopicCandidates) -> dict[str, Floats]:
    return {
        name: candidates.lead
        if name == "medline"
        else candidates.expansion(candidates.contents, name)
        for name in FEEDBACKS
    }


FEEDBACK: Final = FeatureGroup(
    "feedback",
    "Rocchio 1971; Abdul-Jaleel et al. 2004 (RM3)",
    {name: f"{ranker!r} after {feedback!r}" for name, (ranker, feedback) in FEEDBACKS.items()},
    _feedback,
)


def _titles(candidates: TopicCandidates) -> dict[str, Floats]:
    rows = candidates.of("title")
    return {
        "title-bm25": rows.bm25(candidates.query, 0.9, 0.4),
        "title-covered": np.asarray(rows.covered(candidates.query)),
        "title-expanded": candidates.expansion(rows),
    }


TITLES: Final = FeatureGroup(
    "titles",
    "Robertson, Zaragoza, Taylor 2004 (fields)",
    {
        "title-bm25": "BM25 of the title, k1 0.9, b 0.4",
        "title-covered": "share of the topic's idf in the title",
        "title-expanded": "BM25 of the title for the topic after feedback",
    },
    _titles,
    ("title",),
)


def _sentences(candidates: TopicCandidates) -> dict[str, Floats]:
    sentences = candidates.sentences
    body = ~sentences.title
    return {
        "sentence-best": sentences.best(sentences.own, body),
        "sentence-mean": sentences.mean_best(sentences.own, body),
        "sentence-covered": sentences.best(sentences.covered, body),
        "expanded-best": sentences.best(sentences.expanded, body),
        "expanded-mean": sentences.mean_best(sentences.expanded, body),
    }


SENTENCES: Final = FeatureGroup(
    "sentences",
    "Callan 1994 (passages); Yilmaz et al. 2019 (the best sentences of a document)",
    {
        "sentence-best": "BM25 of the best sentence",
        "sentence-mean": "mean BM25 of the best three sentences",
        "sentence-covered": "largest share of the topic's idf in a sentence",
        "expanded-best": "BM25 of the best sentence for the topic after feedback",
        "expanded-mean": "mean BM25 of the best three sentences for the topic after feedback",
    },
    _sentences,
    ("sentences",),
)
