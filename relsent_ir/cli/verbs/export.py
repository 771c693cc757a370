"""``relsent-ir export``: send a collection to an OpenSearch cluster."""

from contextlib import ExitStack
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, progress
from relsent_ir.errors import UsageError


@options.verb()
def command(
    index: Path = options.index,
    to: str = options.option(
        "The cluster, and the collection's name there: opensearch://host:9200/medline.",
        required=True,
        metavar="URL",
    ),
    shards: int = options.count("Shards of each index there.", default=1),
    replicas: int | None = options.count(
        "Copies of each shard.  [default: 1 if there are several nodes, else 0]", least=0
    ),
    rank_by: tuple[str, ...] = options.option(
        "Rank by this too: BM25(k1=1.5, b=0.6), QueryLikelihood(mu=500).",
        metavar="MODEL...",
        multiple=True,
    ),
    plain: bool = options.flag(
        "Without what formulas and Huber+ read of all sentences, which are then refused there."
    ),
) -> Outcome:
    """Send a collection to a cluster of OpenSearch, to be searched there by --index URL.

    Readers there see the old collection until the new one is whole. The same command goes on after
    it was stopped; after a change of the index it sends the difference.
    """
    from relsent_ir.lucene.documents import ABSTRACT_FIELDS, TAGGED_FIELDS
    from relsent_ir.lucene.export import documents
    from relsent_ir.lucene.read.collection import Indexes
    from relsent_ir.lucene.read.filters import FILTER_FIELDS
    from relsent_ir.methods import BM25, QueryLikelihood, as_pipeline
    from relsent_ir.opensearch.client import Address, Client
    from relsent_ir.opensearch.mapping import FORMAT, MODELS
    from relsent_ir.opensearch.sending import Content, send
    from relsent_ir.related.reranker import knowledge

    models = [*MODELS, *(as_pipeline(text).stages[0] for text in rank_by)]
    for model in models:
        if not isinstance(model, BM25 | QueryLikelihood):
            raise UsageError(f"a cluster cannot rank by {model}", fix="BM25() or QueryLikelihood()")
    address = Address.parse(to)
    with ExitStack() as opened:
        collection = opened.enter_context(Indexes(index))
        sentences, ways = collection.sentences, [str(model) for model in models]
        made = f"{FORMAT} {collection.content} {ways} {plain}"
        content = Content(
            blake2b(made.encode(), digest_size=6).hexdigest(),
            collection.facts.to_json(),
            collection.facts.analysis,
            {
                "abstracts": {**ABSTRACT_FIELDS, **FILTER_FIELDS},
                "sentences": {**TAGGED_FIELDS, **FILTER_FIELDS},
            },
            lambda unit: documents(collection, unit),
            lambda unit, ids: (collection.index(unit).documents(ids) >= 0).tolist(),
            {unit: len(collection.index(unit)) for unit in ("abstracts", "sentences")},
            lambda: {} if plain or not len(sentences) else {"related": knowledge(sentences)},
        )
        client = Client(address)
        opened.callback(client.close)
        done = send(
            client,
            content,
            models,
            shards=shards,
            replicas=replicas,
            progress=lambda unit: opened.enter_context(progress("Sending", unit)),
        )
    text = ", ".join(f"{of.documents} {unit}" for unit, of in done.items())
    sent, deleted = sum(of.sent for of in done.values()), sum(of.deleted for of in done.values())
    values = {"index": str(address), "units": {unit: asdict(of) for unit, of in done.items()}}
    return Outcome(values, f"{address}: {text}; {sent} sent, {deleted} deleted")
