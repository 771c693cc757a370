"""How fields of each kind are indexed, without a cluster."""

from relsent_ir.lucene.documents import ABSTRACT_FIELDS
from relsent_ir.lucene.read.filters import FILTER_FIELDS
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.opensearch.mapping import mapping


def test_fields():
    """Each field is there, texts once more for each model, and words where they are here."""
    fields = {**ABSTRACT_FIELDS, **FILTER_FIELDS}
    models = [BM25(), QueryLikelihood()]
    made = mapping(fields, "porter", ["the"], models, 1, 0)["mappings"]["properties"]
    assert made.keys() == {*fields, "printed", "tokens", "distinct", "digest"}
    assert made["contents"]["fields"]["m1"]["similarity"] == "relsent1"
    assert made["title"]["fields"].keys() == made["keyword"]["fields"].keys() == {"words"}
    assert made["raw"] == {"type": "keyword", "index": False, "doc_values": False}
    assert (made["year"], made["heading"]) == ({"type": "integer"}, {"type": "keyword"})
    assert made["printed"]["properties"].keys() == {
        name for name, kind in fields.items() if kind == "facet"
    }
