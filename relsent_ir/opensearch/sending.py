"""Export a collection to a cluster: completely or not at all, and only the changes after that.

Each generation consists of two new indexes, ``NAME-abstracts-GENERATION`` and ``NAME-sentences-…``;
the aliases ``NAME-abstracts`` and ``NAME-sentences`` move to both at once when they are complete.
The next generation starts as a clone of this one, which takes no space in the cluster, and only
changed documents, found by digests, are sent. Unfinished generations are continued in the same way.
"""

import sys
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import islice
from typing import Any, Final

import numpy as np
import orjson

from relsent_ir.errors import MismatchError, OutputError
from relsent_ir.method import Method
from relsent_ir.opensearch.client import HITS_MOST, MAKE_ROOM, WAITS, Client, is_full, passes
from relsent_ir.opensearch.index import current
from relsent_ir.opensearch.mapping import FORMAT, fields_of, mapping
from relsent_ir.typing import Progress

UNITS: Final = ("abstracts", "sentences")
VERSIONS: Final = (2, 3)
"""Versions of OpenSearch that are known to work."""
_BYTES: Final = 4_000_000  # bytes of a request
_PROBE: Final = "The patient's IL-2 levels didn't fall in β-thalassaemia: p<0.05, naïve mice."

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Content:
    """A collection to be exported.

    Attributes
    ----------
    generation : str
        A short digest of its whole content, and of how it is exported.
    facts : str
        The facts of the collection as JSON.
    analysis : relsent_ir.lucene.analyzers.Analysis
    fields : mapping of str to mapping of str to str
        For each unit, the kinds of the fields of its documents.
    documents : callable
        Yields the documents of a unit in batches, without repeated ids.
    has : callable
        Returns which ids of a unit exist.
    sizes : mapping of str to int
        The number of documents of each unit.
    data : callable
        Returns the arrays, by name, that rerankers read about the whole collection.
    """

    generation: str
    facts: str
    analysis: Any
    fields: Mapping[str, Mapping[str, str]]
    documents: Callable[[str], Iterable[Sequence[Document]]]
    has: Callable[[str, Sequence[str]], Sequence[bool]]
    sizes: Mapping[str, int]
    data: Callable[[], Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class Sums:
    """Sums over a unit's documents, which must be the same here and in the cluster."""

    documents: int = 0
    non_empty: int = 0
    tokens: int = 0
    distinct: int = 0
    digest: int = 0


@dataclass
class Sent:
    """Counts for a unit that was exported."""

    documents: int = 0
    sent: int = 0
    deleted: int = 0


def send(
    client: Client,
    content: Content,
    models: Sequence[Method],
    *,
    shards: int = 1,
    replicas: int | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> dict[str, Sent]:
    """Export a collection; the aliases move when all of it is in the cluster.

    Parameters
    ----------
    client : Client
    content : Content
    models : sequence of BM25 or QueryLikelihood
        The models by which it can be ranked, besides filters.
    shards : int
        Number of shards of each index; a clone keeps its number.
    replicas : int, optional
        Copies of each shard; by default one if there are several nodes.
    progress : callable, optional
        Returns the callback for the documents of a unit.

    Returns
    -------
    dict of str to Sent
        Counts by unit; if the generation is already there, nothing is sent.

    Raises
    ------
    MismatchError
        If the cluster has another version or analyses text differently, or if its content finally
        differs from what was sent.
    OutputError
        If the cluster refuses a document, or has no space.
    """
    _check_version(client)
    nodes = client.ask("GET", "/_cluster/health")["number_of_data_nodes"]
    copies = int(nodes > 1) if replicas is None else replicas
    names = {unit: f"{client.address.name}-{unit}-{content.generation}" for unit in UNITS}
    before = {unit: current(client, unit) for unit in UNITS}
    done: dict[str, Sent] = {}
    for unit, name in names.items():
        old = before[unit]
        if old and old[0] == name:
            done[unit] = Sent(content.sizes[unit])
            continue
        meta: dict[str, Any] = {"format": FORMAT, "generation": content.generation}
        meta["facts"] = content.facts
        meta["models"] = fields_of(models)
        meta["data"] = _send_data(client, content) if unit == "sentences" else {}
        analysis = content.analysis.stemmer, content.analysis.stopwords
        body = mapping(content.fields[unit], *analysis, models, shards, copies)
        fresh = _prepare(client, name, old, body, meta)
        _check_analysis(client, name, content.analysis)
        tick = progress(unit) if progress else None
        done[unit] = _fill(client, name, content, unit, fresh=fresh, meta=meta, progress=tick)
        client.ask("PUT", f"/{name}/_settings", {"index": {"number_of_replicas": copies}})
    _switch(client, names, before)
    return done


def _send_data(client: Client, content: Content) -> dict[str, int]:
    """Send the arrays, packed and in pieces; return the number of pieces of each."""
    name = f"{client.address.name}-data-{content.generation}"
    pieces: dict[str, int] = {}
    for key, arrays in content.data().items():
        packed = BytesIO()
        np.savez_compressed(packed, allow_pickle=False, **arrays)
        data = packed.getvalue()
        starts = range(0, len(data), _BYTES)
        if not client.ask("GET", f"/{name}/_settings", missing=True):
            settings = {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1"}}
            client.ask("PUT", f"/{name}", {"settings": settings, "mappings": {"enabled": False}})
        for part, start in enumerate(starts):
            text = b64encode(data[start : start + _BYTES]).decode()
            _bulk(client, name, {f"{key}.{part}": orjson.dumps({"data": text})})
        pieces[key] = len(starts)
    return pieces


def _check_version(client: Client) -> None:
    of = client.ask("GET", "/", patience=False)["version"]
    number = str(of.get("number", ""))
    if of.get("distribution") != "opensearch" or int(number.partition(".")[0]) not in VERSIONS:
        problem = f"this is {of.get('distribution', 'Elasticsearch')} {number}"
        fix = f"OpenSearch {' or '.join(map(str, VERSIONS))}"
        raise MismatchError(problem, where=str(client.address), fix=fix)


def _prepare(
    client: Client,
    name: str,
    old: tuple[str, dict[str, Any]] | None,
    body: dict[str, Any],
    meta: dict[str, Any],
) -> bool:
    """Create an index, or clone the previous one; return whether it is known to be empty."""
    if client.ask("GET", f"/{name}/_settings", missing=True):
        client.ask("PUT", f"/{name}/_settings", {"index": {"blocks.write": None}})
        client.ask("POST", f"/{name}/_refresh")
        return False
    if old and _alike(client, old, body, meta):
        settings = {"index.blocks.write": None, "index.refresh_interval": -1}
        client.ask("POST", f"/{old[0]}/_clone/{name}", {"settings": settings})
        _wait(client, name)
        return False
    client.ask("PUT", f"/{name}", body)
    return True


def _alike(
    client: Client, old: tuple[str, dict[str, Any]], body: dict[str, Any], meta: dict[str, Any]
) -> bool:
    """Return whether the previous generation has the same format, models and analysis."""
    (of,) = client.ask("GET", f"/{old[0]}/_settings").values()
    index, wanted = of["settings"]["index"], body["settings"]["index"]
    return bool(
        all(old[1].get(name) == meta[name] for name in ("format", "models"))
        and int(index["number_of_shards"]) == wanted["number_of_shards"]
        and index["analysis"]["filter"] == body["settings"]["analysis"]["filter"]
    )


def _check_analysis(client: Client, name: str, analysis: Any) -> None:
    """Refuse a cluster whose analysis gives other terms than ours."""
    _wait(client, name)
    body = {"analyzer": "relsent", "text": _PROBE}
    theirs = [token["token"] for token in client.ask("POST", f"/{name}/_analyze", body)["tokens"]]
    if theirs != analysis.terms(_PROBE):
        problem = f"analyses otherwise than we do: {' '.join(theirs)}"
        raise MismatchError(problem, where=str(client.address), fix=f"OpenSearch {VERSIONS[0]}")


def _wait(client: Client, name: str) -> None:
    """Wait until all shards of an index can be written."""
    health = client.ask("GET", f"/_cluster/health/{name}", wait_for_status="yellow", missing=True)
    if health is None or health["timed_out"]:
        fix = "start its nodes, then the same command again goes on"
        raise OutputError(f"shards of {name} are missing", where=str(client.address), fix=fix)


def _fill(
    client: Client,
    name: str,
    content: Content,
    unit: str,
    *,
    fresh: bool,
    meta: dict[str, Any],
    progress: Progress | None,
) -> Sent:
    """Send missing documents, delete superfluous ones, and check that the index is complete."""
    sent, sums, size = Sent(), Sums(), content.sizes[unit]
    for batch in content.documents(unit):
        bodies = {str(document["id"]): orjson.dumps(document) for document in batch}
        digests = {key: zlib.crc32(body) & 0xFFFFFF for key, body in bodies.items()}
        there = {} if fresh else _digests(client, name, list(bodies))
        wanted = {
            key: b'%s,"digest":%d}' % (body[:-1], digests[key])
            for key, body in bodies.items()
            if there.get(key) != digests[key]
        }
        _bulk(client, name, wanted)
        sums = Sums(
            sums.documents + len(batch),
            sums.non_empty + sum(document["tokens"] > 0 for document in batch),
            sums.tokens + sum(document["tokens"] for document in batch),
            sums.distinct + sum(document["distinct"] for document in batch),
            sums.digest + sum(digests.values()),
        )
        sent.sent += len(wanted)
        if progress:
            progress(sums.documents, size)
    client.ask("POST", f"/{name}/_refresh")
    sent.documents = sums.documents
    if not fresh and _sums(client, name) != sums:
        walk = client.hits(name, {"sort": ["id"]}, sys.maxsize)
        while ids := [key for (key,) in islice(walk, HITS_MOST)]:
            present = zip(ids, content.has(unit, ids), strict=True)
            gone = dict.fromkeys(key for key, yes in present if not yes)
            _bulk(client, name, gone)
            sent.deleted += len(gone)
        client.ask("POST", f"/{name}/_refresh")
    if not fresh:  # deleted documents would affect frequencies
        client.ask("POST", f"/{name}/_forcemerge", only_expunge_deletes=True)
    there_now = _sums(client, name)
    if there_now != sums:
        problem = f"holds {there_now.documents} of {sums.documents} {unit} as they were sent"
        fix = "the same command again sends the rest"
        raise MismatchError(problem, where=str(client.address), fix=fix)
    said = {"relsent-ir": {**meta, "sums": asdict(sums)}}
    client.ask("PUT", f"/{name}/_mapping", {"_meta": said})
    settings = {"blocks.write": True, "refresh_interval": None}
    client.ask("PUT", f"/{name}/_settings", {"index": settings})
    return sent


def _digests(client: Client, name: str, ids: Sequence[str]) -> dict[str, int]:
    """Return the digests of the documents in an index."""
    there: dict[str, int] = {}
    for start in range(0, len(ids), HITS_MOST):
        body = {
            "query": {"ids": {"values": list(ids[start : start + HITS_MOST])}},
            "size": HITS_MOST,
            "_source": False,
            "stored_fields": "_none_",
            "docvalue_fields": ["id", "digest"],
        }
        answer = client.search(name, body)
        for hit in answer["hits"]["hits"]:
            there[hit["fields"]["id"][0]] = hit["fields"]["digest"][0]
    return there


def _sums(client: Client, name: str) -> Sums:
    """Compute the sums over the documents of an index."""
    added = {n: {"sum": {"field": n}} for n in ("tokens", "distinct", "digest")}
    aggregations = {**added, "empty": {"terms": {"field": "tokens", "include": [0]}}}
    body = {"size": 0, "track_total_hits": True, "aggs": aggregations}
    answer = client.search(name, body)
    of, total = answer["aggregations"], answer["hits"]["total"]["value"]
    without = sum(bucket["doc_count"] for bucket in of["empty"]["buckets"])
    return Sums(total, total - without, *(int(of[n]["value"]) for n in added))


def _bulk(client: Client, name: str, bodies: Mapping[str, bytes | None]) -> None:
    """Write documents, or delete those without a body; retry those that are refused temporarily.

    Raises
    ------
    OutputError
        If a document is refused permanently.
    """
    pending = dict(bodies)
    waits = iter(WAITS)
    while pending:
        refused: dict[str, bytes | None] = {}
        walk = iter(pending.items())
        while part := _piece(walk):
            lines: list[bytes] = []
            for key, body in part:
                action = "delete" if body is None else "index"
                lines.append(orjson.dumps({action: {"_id": key}}))
                lines += [] if body is None else [body]
            fields = "errors,items.*.status,items.*._id,items.*.error"
            data = b"\n".join([*lines, b""])
            # Else each try waits a minute for a shard that is gone; the client takes a parameter
            # of this name for its own.
            answer = client.ask("POST", f"/{name}/_bulk?timeout=2s&filter_path={fields}", data)
            for (key, body), item in zip(part, answer["items"], strict=True):
                ((action, of),) = item.items()
                error = of.get("error", {})
                reason = f"{error.get('type')}: {error.get('reason')}"[:200]
                if of["status"] >= 300 and passes(of["status"], reason):
                    refused[key] = body
                elif of["status"] >= 300 and not (action == "delete" and of["status"] == 404):
                    fix = MAKE_ROOM if is_full(reason) else None
                    where = str(client.address)
                    raise OutputError(f"refuses {key}: {reason}", where=where, fix=fix)
        wait = next(waits, None) if refused else 0
        if wait is None:
            problem, fix = f"is too busy for {len(refused)} documents", "the same command later"
            raise OutputError(problem, where=str(client.address), fix=f"{fix} sends the rest")
        time.sleep(wait)
        pending = refused


def _piece(walk: Any) -> list[tuple[str, bytes | None]]:
    """Take as many documents as fit into one request."""
    part: list[tuple[str, bytes | None]] = []
    size = 0
    while size < _BYTES and (one := next(walk, None)):
        part.append(one)
        size += len(one[1] or b"") + 100
    return part


def _switch(client: Client, names: Mapping[str, str], before: Mapping[str, Any]) -> None:
    """Point both aliases to the new generation at once; delete all but the previous one."""
    actions: list[dict[str, Any]] = []
    for unit, name in names.items():
        alias = f"{client.address.name}-{unit}"
        old = before[unit]
        if not old or old[0] != name:
            actions += (
                [{"remove": {"index": old[0], "alias": alias, "must_exist": False}}] if old else []
            )
            actions.append({"add": {"index": name, "alias": alias}})
    if not actions:
        return
    client.ask("POST", "/_aliases", {"actions": actions})
    for unit in (*names, "data"):
        stem = f"{client.address.name}-{unit}-"
        kept = {
            f"{stem}{index.rpartition('-')[2]}"
            for index in (*names.values(), *(old[0] for old in before.values() if old))
        }
        for other in client.ask("GET", f"/{stem}*/_settings"):
            generation = other.removeprefix(stem)
            if other not in kept and len(generation) == 12 and generation.isalnum():
                client.ask("DELETE", f"/{other}", missing=True)
