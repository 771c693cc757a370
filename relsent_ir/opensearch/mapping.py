"""How documents are analysed, scored and stored in a cluster: as in the local index."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from relsent_ir.method import Method
from relsent_ir.methods import BM25, MEDLINE, QueryLikelihood

FORMAT: Final = 2  # format 1 split unstemmed words at "_"
MODELS: Final[tuple[Method, ...]] = (BM25(), MEDLINE[0], QueryLikelihood())
"""The models for ranking any collection; each has a field, since fields determine the scoring."""
_STEMMERS: Final = {
    "porter": {"type": "stemmer", "language": "porter"},
    "krovetz": {"type": "kstem"},
    "s": {"type": "stemmer", "language": "minimal_english"},
}
_POSSESSIVE: Final = {"type": "stemmer", "language": "possessive_english"}
_WORDS: Final = {
    "type": "text",
    "analyzer": "relsent_words",
    "position_increment_gap": 1000,  # phrases do not span two values
    "norms": False,
}
_STORED: Final = {"type": "keyword", "index": False, "doc_values": False}
_COUNT: Final = {"type": "integer", "index": False}
_READ: Final = ("id", "contents", "raw", "move", "score")
"""The fields that are read back; the source of other fields is not stored."""


def fields_of(models: Sequence[Method]) -> dict[str, str]:
    """Return the name of the field for each model's scores."""
    return {
        str(model): "contents" if place == 0 else f"contents.m{place}"
        for place, model in enumerate(models)
    }


def mapping(
    fields: Mapping[str, str],
    stemmer: str,
    stopwords: Sequence[str],
    models: Sequence[Method],
    shards: int,
    replicas: int,
) -> dict[str, Any]:
    """Return the body that creates an index.

    Parameters
    ----------
    fields : mapping of str to str
        The kind of each field, as in `relsent_ir.lucene.documents`.
    stemmer, stopwords
        The analysis of the local index.
    models : sequence of BM25 or QueryLikelihood
        Models; the first scores all text fields, the others score `contents` only.
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
    similarities = {f"relsent{place}": _similarity(model) for place, model in enumerate(models)}
    printed = {name: {"type": "keyword"} for name, kind in fields.items() if kind == "facet"}
    # like Lucene's tokenizer for runs of letters, digits and "_", which splits words after 255
    runs = {"type": "pattern", "pattern": r"[\p{L}\p{Nd}_]{1,255}", "group": 0}
    words = {"tokenizer": "relsent_runs", "filter": ["lowercase"]}
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
                "tokenizer": {"relsent_runs": runs},
                "analyzer": {
                    "relsent": {"tokenizer": "standard", "filter": chain},
                    "relsent_words": words,
                },
            },
        },
        "mappings": {
            "dynamic": False,
            "_source": {"includes": _READ},
            "properties": {
                **{name: _property(kind, models) for name, kind in fields.items()},
                "printed": {"properties": printed},
                **dict.fromkeys(("tokens", "distinct", "digest"), _COUNT),
            },
        },
    }


def _property(kind: str, models: Sequence[Method]) -> dict[str, Any]:
    """Return how a field of a kind is indexed; texts once for each model, and as words."""
    made: dict[str, Any] = {"type": "keyword"}
    below: dict[str, Any] = {"words": _WORDS} if kind.endswith("words") else {}
    if "text" in kind or "vectors" in kind:
        made = {"type": "text", "analyzer": "relsent", "similarity": "relsent0"}
    elif kind == "number":
        made = {"type": "integer"}
    elif kind in ("stored", "json", "words"):
        made = _STORED
    if "vectors" in kind:
        below |= {
            field.partition(".")[2]: {**made, "similarity": f"relsent{n}", "index_options": "freqs"}
            for n, field in enumerate(fields_of(models).values())
            if n
        }
    return {**made, "fields": below} if below else made


def _similarity(model: Method) -> dict[str, Any]:
    if isinstance(model, BM25):
        return {"type": "BM25", "k1": model.k1, "b": model.b}
    assert isinstance(model, QueryLikelihood)
    return {"type": "LMDirichlet", "mu": model.mu}
