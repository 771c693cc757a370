"""How documents are analysed, scored and stored in a cluster: as the index on this machine."""

from collections.abc import Sequence
from typing import Any, Final

from relsent_ir.method import Method
from relsent_ir.methods import BM25, MEDLINE, QueryLikelihood

FORMAT: Final = 1
MODELS: Final[tuple[Method, ...]] = (BM25(), MEDLINE[0], QueryLikelihood())
"""The models that every collection can be ranked by: a field each, as engines score by fields."""
HITS_MOST: Final = 10_000
"""Hits of one request; more are asked for in pieces."""
_STEMMERS: Final = {
    "porter": {"type": "stemmer", "language": "porter"},
    "krovetz": {"type": "kstem"},
    "s": {"type": "stemmer", "language": "minimal_english"},
}
_POSSESSIVE: Final = {"type": "stemmer", "language": "possessive_english"}
_TEXTS: Final = ("contents", "title", "abstract", "mesh")
_VALUES: Final = (
    *("id", "record", "n", "move", "pmid", "journal", "publication_type", "doi"),
    *("heading", "major", "author", "language", "own"),
)


def fields_of(models: Sequence[Method]) -> dict[str, str]:
    """Name the field that each model scores by."""
    return {
        str(model): "contents" if place == 0 else f"contents.m{place}"
        for place, model in enumerate(models)
    }


def mapping(
    stemmer: str, stopwords: Sequence[str], models: Sequence[Method], shards: int, replicas: int
) -> dict[str, Any]:
    """Return the body that creates an index.

    Parameters
    ----------
    stemmer, stopwords
        Of the analysis of the index on this machine.
    models : sequence of BM25 or QueryLikelihood
        The first one scores all fields with text, the others `contents` alone.
    shards, replicas : int
    """
    filters: dict[str, Any] = {
        "relsent_possessive": _POSSESSIVE,
        "relsent_stop": {"type": "stop", "stopwords": list(stopwords) or "_none_"},
    }
    chain = ["relsent_possessive", "lowercase", "relsent_stop"]
    if stemmer in _STEMMERS:
        filters["relsent_stem"] = _STEMMERS[stemmer]
        chain.append("relsent_stem")
    names = fields_of(models)
    similarities = {f"relsent{place}": _similarity(model) for place, model in enumerate(models)}
    text = {"type": "text", "analyzer": "relsent", "similarity": "relsent0"}
    others = {
        field.partition(".")[2]: {**text, "similarity": f"relsent{n}", "index_options": "freqs"}
        for n, field in enumerate(names.values())
        if n
    }
    keyword = {"type": "keyword"}
    number = {"type": "integer"}
    printed = ("journal", "publication_type", "heading", "language")
    return {
        "settings": {
            "index": {
                "number_of_shards": shards,
                "number_of_replicas": replicas,
                "refresh_interval": -1,
                "codec": "best_compression",
                "merge.policy.expunge_deletes_allowed": 0,
                "similarity": similarities,
            },
            "analysis": {
                "filter": filters,
                "analyzer": {"relsent": {"tokenizer": "standard", "filter": chain}},
            },
        },
        "mappings": {
            "dynamic": False,
            "_source": {"excludes": ["title", "abstract", "mesh", "printed"]},
            "properties": {
                **dict.fromkeys(_TEXTS, text),
                "contents": {**text, "fields": others},
                **dict.fromkeys(_VALUES, keyword),
                "printed": {"properties": dict.fromkeys(printed, keyword)},
                "year": number,
                "raw": {"type": "keyword", "index": False, "doc_values": False},
                "score": {"type": "float", "index": False},
                **{name: {**number, "index": False} for name in ("tokens", "distinct", "digest")},
            },
        },
    }


def _similarity(model: Method) -> dict[str, Any]:
    if isinstance(model, BM25):
        return {"type": "BM25", "k1": model.k1, "b": model.b}
    assert isinstance(model, QueryLikelihood)
    return {"type": "LMDirichlet", "mu": model.mu}
