"""Sentences: the best of the abstract and the mean of the best three, by BM25."""

from typing import Final

from relsent_ir.ranker.candidates import Candidates
from relsent_ir.ranker.features.group import Group
from relsent_ir.typing import Floats


def _compute(candidates: Candidates) -> dict[str, Floats]:
    sentences = candidates.sentences
    body = ~sentences.title
    return {
        "sentence-best": sentences.best(sentences.own, body),
        "sentence-mean": sentences.mean_best(sentences.own, body),
        "sentence-covered": sentences.best(sentences.covered, body),
        "expanded-best": sentences.best(sentences.expanded, body),
        "expanded-mean": sentences.mean_best(sentences.expanded, body),
    }


GROUP: Final = Group(
    "sentences",
    "Callan 1994 (passages); Yilmaz et al. 2019 (the best sentences of a document)",
    {
        "sentence-best": "BM25 of the best sentence",
        "sentence-mean": "mean BM25 of the best three sentences",
        "sentence-covered": "largest share of the topic's idf in a sentence",
        "expanded-best": "BM25 of the best sentence for the topic after feedback",
        "expanded-mean": "mean BM25 of the best three sentences for the topic after feedback",
    },
    _compute,
    ("sentences",),
)
