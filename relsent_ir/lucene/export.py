"""The documents of an index for OpenSearch, Elasticsearch and Solr, with the same fields.

Each engine is built on Lucene: with the mapping that stands here it analyses ``contents`` as the
index did, and scores by the same BM25. Its hits are reranked here, by ids.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from relsent_ir.lucene.analyzers import Analysis
from relsent_ir.lucene.documents import (
    ABSTRACT_FIELDS,
    FILTER_FIELDS,
    abstract_document,
    filter_values,
)
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.methods import BM25

FORMS: Final = ("opensearch", "solr")

FILTERS: Final = ("pmid", "year", "journal", "publication_type")
TEXTS: Final = ("id", "contents", "title", "abstract", "mesh")
_BATCH: Final = 500  # records that are read at a time
_STEMMERS: Final = {
    "porter": {"type": "stemmer", "language": "porter"},
    "krovetz": {"type": "kstem"},
    "s": {"type": "stemmer", "language": "minimal_english"},
}
_POSSESSIVE: Final = {"type": "stemmer", "language": "possessive_english"}

Document = dict[str, Any]


def documents(collection: Indexes, unit: str) -> Iterator[Document]:
    """Yield the documents of one index, each with the values that filters ask for.

    Parameters
    ----------
    collection : Indexes
    unit : {"abstracts", "sentences"}
        A sentence has its ``record`` and ``n``, and its ``move`` if the index has moves.
    """
    ids = sorted(collection.abstracts.ids())
    for start in range(0, len(ids), _BATCH):
        for record in collection.records(ids[start : start + _BATCH]):
            values = dict(zip(FILTER_FIELDS, filter_values(record), strict=True))
            shared: Document = {
                name: [value.partition("\t")[0] for value in values[name]]
                if name == "publication_type"
                else values[name][0].partition("\t")[0]
                for name in FILTERS
                if values[name]
            }
            if "year" in shared:
                shared["year"] = int(shared["year"])
            if unit == "abstracts":
                fields = zip(ABSTRACT_FIELDS, abstract_document(record), strict=True)
                texts = {name: text for name, text in fields if name in TEXTS}
                yield {**texts, **shared}
                continue
            names = [sentence.id for sentence in record.sentences()]
            for name, line in zip(names, collection.sentences.raw(names), strict=True):
                number = int(name.rpartition(".")[2])
                yield {**json.loads(line), "record": record.id, "n": number, **shared}


def entry(document: Document, form: str, name: str) -> str:
    """Write a document as an engine takes many at once.

    Parameters
    ----------
    document : Document
    form : {"opensearch", "solr"}
        ``_bulk`` of OpenSearch and Elasticsearch, two lines each; or ``update/json/docs`` of Solr.
    name : str
        The engine's index, for OpenSearch.
    """
    written = json.dumps(document, ensure_ascii=False) + "\n"
    if form != "opensearch":
        return written
    return json.dumps({"index": {"_index": name, "_id": document["id"]}}) + "\n" + written


def mapping(analysis: Analysis, form: str) -> Document:
    """Return the settings under which an engine analyses and scores as the index does.

    Parameters
    ----------
    analysis : Analysis
        Of the index.
    form : {"opensearch", "solr"}
        The body that creates an index; or that of Solr's Schema API.
    """
    return _opensearch(analysis) if form == "opensearch" else _solr(analysis)


def _opensearch(analysis: Analysis) -> Document:
    similarity = BM25()
    chain = ["relsent_possessive", "lowercase", "relsent_stop"]
    filters: Document = {
        "relsent_possessive": _POSSESSIVE,
        "relsent_stop": {"type": "stop", "stopwords": list(analysis.stopwords)},
    }
    if analysis.stemmer in _STEMMERS:
        filters["relsent_stem"] = _STEMMERS[analysis.stemmer]
        chain.append("relsent_stem")
    text = {"type": "text", "analyzer": "relsent", "similarity": "relsent"}
    keyword = {"type": "keyword"}
    return {
        "settings": {
            "index": {
                "similarity": {"relsent": {"type": "BM25", "k1": similarity.k1, "b": similarity.b}}
            },
            "analysis": {
                "filter": filters,
                "analyzer": {"relsent": {"tokenizer": "standard", "filter": chain}},
            },
        },
        "mappings": {
            "properties": {
                **dict.fromkeys(("contents", "title", "abstract", "mesh"), text),
                **dict.fromkeys(
                    ("id", "record", "move", "pmid", "journal", "publication_type"), keyword
                ),
                "n": {"type": "integer"},
                "year": {"type": "integer"},
                "score": {"type": "float", "index": False},
            }
        },
    }


def _solr(analysis: Analysis) -> Document:
    similarity = BM25()
    classes = {
        "porter": "solr.PorterStemFilterFactory",
        "krovetz": "solr.KStemFilterFactory",
        "s": "solr.EnglishMinimalStemFilterFactory",
    }
    chain = [
        {"class": "solr.EnglishPossessiveFilterFactory"},
        {"class": "solr.LowerCaseFilterFactory"},
        {"class": "solr.StopFilterFactory", "words": "relsent_stopwords.txt"},
    ]
    if analysis.stemmer in classes:
        chain.append({"class": classes[analysis.stemmer]})
    kinds = {
        **dict.fromkeys(("contents", "title", "abstract", "mesh"), "relsent"),
        **dict.fromkeys(("record", "move", "pmid", "journal"), "string"),
        "publication_type": "strings",
        "n": "pint",
        "year": "pint",
        "score": "pfloat",
    }
    return {
        "add-field-type": {
            "name": "relsent",
            "class": "solr.TextField",
            "positionIncrementGap": "100",
            "similarity": {
                "class": "solr.BM25SimilarityFactory",
                "k1": str(similarity.k1),
                "b": str(similarity.b),
            },
            "analyzer": {"tokenizer": {"class": "solr.StandardTokenizerFactory"}, "filters": chain},
        },
        "add-field": [{"name": name, "type": kind, "stored": True} for name, kind in kinds.items()],
    }
