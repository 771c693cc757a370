"""An index of a collection in a cluster, with the methods of `relsent_ir.engines.INDEX_METHODS`."""

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import orjson

from relsent_ir.engines import TermVectors, check_topics, check_weights, listed, need_folder
from relsent_ir.errors import InputError, MismatchError, UsageError
from relsent_ir.files import Closing, atomic_bytes, cache_home
from relsent_ir.hits import Hits, Run, batches
from relsent_ir.methods import BM25, QueryLikelihood
from relsent_ir.opensearch import queries
from relsent_ir.opensearch.client import Address, Client
from relsent_ir.opensearch.mapping import FORMAT
from relsent_ir.sparse import csr
from relsent_ir.typing import NDArray, Progress

if TYPE_CHECKING:
    from relsent_ir.records import Record

FIRST: Final = 1000
"""Number of values that `ClusterIndex.values` returns: the most frequent ones."""
_COUNTED: Final = 100_000  # terms whose frequencies are cached
_AT_ONCE: Final = 500  # documents, or terms, in a request
_PARSED: Final = 128  # records in the cache
_TERM: Final = re.compile(r"weight\([^:]+:(.+) in \d+\)")


def current(client: Client, unit: str) -> tuple[str, dict[str, Any]] | None:
    """Return the index that a collection's alias names, with its metadata.

    Raises
    ------
    MismatchError
        If it was not created by relsent-ir.
    """
    alias = f"{client.address.name}-{unit}"
    found = client.ask("GET", f"/{alias}/_mapping", missing=True, patience=False)
    if not found:
        return None
    if len(found) > 1:
        raise MismatchError(f"several indexes are {alias}", where=str(client.address))
    ((name, of),) = found.items()
    meta = of["mappings"].get("_meta", {}).get("relsent-ir")
    where = str(client.address)
    if not meta:
        raise MismatchError(
            f"{name} was not made by relsent-ir", where=where, fix="relsent-ir export"
        )
    return name, meta


class ClusterIndex(Closing):
    """One of the two indexes of a collection in a cluster.

    It keeps reading the generation that the alias named when it was opened. Texts are analysed on
    this machine and terms are sent, so that queries are analysed as in a local index.

    Parameters
    ----------
    address : Path or str
        An address such as ``opensearch://host:9200/medline``.
    unit : {"abstracts", "sentences"}
    read_facts : callable
        Parses the JSON of `Facts`.

    Raises
    ------
    InputError
        If the collection does not exist.
    MismatchError
        If it was not created by relsent-ir, or in another format.
    MissingError
        If no node answers.
    """

    has_deletions = False  # frequencies never count deleted documents

    def __init__(
        self, address: Path | str, unit: str, read_facts: Callable[[str, Path], Any]
    ) -> None:
        self.address = Address.parse(str(address))
        self.folder = Path(address)
        self.unit = unit
        self.client = Client(self.address)
        found = current(self.client, unit)
        if found is None:
            problem = f"there are no {unit} of such a collection"
            raise InputError(problem, where=str(self.address), fix="relsent-ir export")
        self.name, self.meta = found
        if self.meta.get("format") != FORMAT:
            problem = (
                f"a collection of format {self.meta.get('format')}, this version reads {FORMAT}"
            )
            fix = "export it again, or update relsent-ir"
            raise MismatchError(problem, where=str(self.address), fix=fix)
        self.facts = read_facts(self.meta["facts"], Path(str(self.address)))
        self.content: str = self.meta["generation"]
        self._frequencies: dict[str, int] = {}
        self._sums: dict[str, int] = self.meta["sums"]

    def __getattr__(self, name: str) -> Any:
        """Refuse an operation that only a local index supports."""
        if name.startswith("__"):
            raise AttributeError(name)
        need_folder(self.folder)
        raise AttributeError(name)

    def __len__(self) -> int:
        return int(self._sums["documents"])

    def ids(self, most: int | None = None) -> list[str]:
        """Return all ids, or the first `most`, in order."""
        (hits,) = self.searcher(self).search_queries([queries.all_of([queries.ALL])], most)
        return [str(name) for name in hits.ids]

    def documents(self, ids: Sequence[str]) -> NDArray[np.int32]:
        """Return 0 for each id, -1 for an unknown id; shape (len(ids),)."""
        there = {name for name, _ in self._sources(dict.fromkeys(listed(ids)), [])}
        return np.array([0 if name in there else -1 for name in ids], dtype=np.int32)

    def raw(self, ids: Sequence[str]) -> list[str]:
        """Return the stored JSON of documents.

        Raises
        ------
        InputError
            If an id is not in the index.
        """
        if self.unit == "abstracts":
            return [source["raw"] for source in self._known(ids, ["raw"])]
        fields = ["id", "contents", "move", "score"]
        return [orjson.dumps(source).decode() for source in self._known(ids, fields)]

    def _known(self, ids: Sequence[str], fields: Sequence[str]) -> list[dict[str, Any]]:
        """Return the fields of documents, all of which must exist."""
        found = dict(self._sources(dict.fromkeys(listed(ids)), fields))
        missing = next((name for name in ids if name not in found), None)
        if missing is not None:
            problem = f"no document {missing!r} among the {self.unit}"
            raise InputError(problem, where=str(self.address))
        return [found[name] for name in ids]

    def _sources(
        self, ids: Iterable[str], fields: Sequence[str]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the documents with some ids, as far as they exist."""
        names = list(ids)
        for start in range(0, len(names), _AT_ONCE):
            answer = self.client.ask(
                "POST",
                f"/{self.name}/_mget",
                {"ids": names[start : start + _AT_ONCE]},
                _source=",".join(fields) or False,
                filter_path="docs._id,docs.found,docs._source,docs.error",
            )
            for document in answer["docs"]:
                if "error" in document:
                    reason = document["error"].get("reason", "")
                    raise MismatchError(f"cannot be read: {reason}", where=str(self.address))
                if document["found"]:
                    yield document["_id"], document.get("_source", {})

    def records(self, ids: Sequence[str]) -> "list[Record]":
        """Return records from the abstract index."""
        return list(map(_parse, self.raw(ids)))

    def vectors(self, ids: Sequence[str]) -> TermVectors:
        """Return the terms of documents with their counts, by analysing the stored texts again."""
        analyse = self.facts.analysis.terms
        # sorted as UTF-8, like Lucene's vectors
        bags = [
            sorted(Counter(analyse(of["contents"])).items())
            for of in self._known(ids, ["contents"])
        ]
        columns: dict[str, int] = {}
        places = [columns.setdefault(term, len(columns)) for bag in bags for term, _ in bag]
        counts = np.array([count for bag in bags for _, count in bag], dtype=np.int32)
        starts = np.cumsum([0, *map(len, bags)], dtype=np.int32)
        parts = counts, np.array(places, dtype=np.int32), starts
        return TermVectors(csr(parts, shape=(len(bags), len(columns))), list(columns))

    def frequencies(self, terms: Sequence[str], field: str = "contents") -> NDArray[np.int64]:
        """Return how many documents have each term in a field; shape (len(terms),)."""
        known = self._frequencies if field == "contents" else {}
        if len(known) > _COUNTED:
            known = self._frequencies = {}  # another thread may be reading the full dictionary
        new = [term for term in dict.fromkeys(terms) if term not in known]
        for start in range(0, len(new), _AT_ONCE):
            part = new[start : start + _AT_ONCE]
            wanted = {str(n): {"term": {field: term}} for n, term in enumerate(part)}
            answer = self.client.search(
                self.name, {"size": 0, "aggs": {"df": {"filters": {"filters": wanted}}}}
            )
            counted = answer["aggregations"]["df"]["buckets"]
            known.update((term, counted[str(n)]["doc_count"]) for n, term in enumerate(part))
        return np.array([known[term] for term in terms], dtype=np.int64)

    def values(self, field: str) -> dict[str, int]:
        """Return the most frequent values of a filter's field, with numbers of documents."""
        wanted = {"of": {"terms": {"field": field, "size": FIRST}}}
        answer = self.client.search(self.name, {"size": 0, "aggs": wanted})
        buckets = answer["aggregations"]["of"]["buckets"]
        return dict(sorted((bucket["key"], bucket["doc_count"]) for bucket in buckets))

    def near(self, term: str) -> list[str]:
        """Return the terms within two edits of a term that have the same first letter."""
        likely = {
            "field": "contents",
            "suggest_mode": "always",
            "max_edits": 2,
            "prefix_length": 1,
            "size": 50,
            "min_word_length": 1,
            "sort": "score",
            "analyzer": "keyword",
        }
        answer = self.client.search(
            self.name, {"size": 0, "suggest": {"near": {"text": term, "term": likely}}}
        )
        return [o["text"] for entry in answer["suggest"]["near"] for o in entry["options"]]

    def is_current(self) -> bool:
        """Return whether the alias still names the open generation."""
        found = current(self.client, self.unit)
        return found is not None and found[0] == self.name

    @property
    def without_year(self) -> int:
        """The number of documents without a year, which no filter of years lets pass."""
        return len(self) - self.count({"exists": {"field": "year"}})

    @property
    def mean_length(self) -> float:
        """The mean number of terms of the documents that have terms; 0 if none has."""
        return self._sums["tokens"] / max(1, self._sums["non_empty"])

    @property
    def mean_distinct(self) -> float:
        """The mean number of different terms of the documents that have terms; 0 if none has."""
        return self._sums["distinct"] / max(1, self._sums["non_empty"])

    def statistics(self) -> dict[str, Any]:
        """Count documents, postings and tokens, shards and bytes."""
        of = self.client.ask("GET", f"/{self.name}/_stats/store,segments,docs")
        health = self.client.ask("GET", f"/_cluster/health/{self.name}")
        return {
            "unit": self.unit,
            "documents": len(self),
            "deleted_documents": of["_all"]["primaries"]["docs"]["deleted"],
            "segments": of["_all"]["primaries"]["segments"]["count"],
            "non_empty_documents": self._sums["non_empty"],
            "postings": self._sums["distinct"],
            "total_terms": self._sums["tokens"],
            "shards": health["active_primary_shards"],
            "missing_copies": health["unassigned_shards"],
            "bytes": of["_all"]["primaries"]["store"]["size_in_bytes"],
        }

    def data(self, name: str) -> dict[str, NDArray[Any]]:
        """Return arrays that were exported with the collection; fetched once, cached by generation.

        Raises
        ------
        MismatchError
            If the collection was exported without them.
        """
        parts = int(self.meta.get("data", {}).get(name, 0))
        if not parts:
            problem = f"was exported without what {name} rerankers read"
            raise MismatchError(problem, where=str(self.address), fix="export without --plain")
        path = cache_home() / "clusters" / f"{self.address.name}-{self.content}-{name}.npz"
        if not path.is_file():
            source = f"{self.address.name}-data-{self.content}"
            with atomic_bytes(path) as file:
                for part in range(parts):
                    answer = self.client.ask("GET", f"/{source}/_source/{name}.{part}")
                    file.write(b64decode(answer["data"]))
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)

    @staticmethod
    def filter(years: Sequence[int], fields: Sequence[str], terms: Sequence[str]) -> queries.Query:
        """Build the query for a range of years and, for each field, any one of the given terms."""
        groups: dict[str, list[queries.Query]] = {}
        for field, term in zip(fields, terms, strict=True):
            groups.setdefault(field, []).append(queries.value(field, term))
        span = [queries.years("year", *years)] if years else []
        return queries.all_of([*span, *map(queries.any_of, groups.values())])

    def like(self, field: str, pattern: str) -> queries.Query:
        """Build the query for the values of a field that match a regular expression."""
        return {"regexp": {field: pattern}}

    def strategy(self, *steps: Sequence[Any]) -> queries.Query:
        """Build the query from the steps of relsent.Strategy.build."""
        return queries.strategy(zip(*steps, strict=True))

    def expansions(self, _field: str, _word: str) -> int:
        """Return 0: the cluster itself refuses a word with too many terms."""
        return 0

    def both(self, first: queries.Query, second: queries.Query) -> queries.Query:
        """Build the query for the documents that both queries match; it scores 0."""
        return queries.all_of([first, second])

    def without(self, query: queries.Query | None, field: str, value: str) -> queries.Query:
        """Build a query that leaves out the documents with a value in a field."""
        return queries.but_not(query or queries.ALL, queries.value(field, value))

    def count(self, query: queries.Query) -> int:
        """Count the documents that match a query."""
        answer = self.client.ask("POST", f"/{self.name}/_count", {"query": query})
        if answer["_shards"]["failed"]:
            raise MismatchError("a shard does not answer", where=str(self.address), fix="try again")
        return int(answer["count"])

    def facets(
        self,
        found: Sequence[str] | queries.Query,
        numbers: Sequence[str],
        names: Sequence[str],
        most: int,
    ) -> tuple[int, dict[str, list[tuple[str, int]]]]:
        """Count values of documents, given by ids or a query: the most frequent of `names`."""
        query = found if isinstance(found, dict) else {"ids": {"values": list(found)}}
        fields = {name: (name, FIRST) for name in numbers}
        fields |= {n: (n if n == "move" else f"printed.{n}", most) for n in names}
        wanted: dict[str, Any] = {}
        for name, (field, size) in fields.items():
            order = {"_key": "asc"} if name in numbers else [{"_count": "desc"}, {"_key": "asc"}]
            terms = {"field": field, "size": size, "order": order, "shard_size": 10 * size + 100}
            wanted[name] = {"terms": terms}
        body = {"size": 0, "query": query, "track_total_hits": True, "aggs": wanted}
        answer = self.client.search(self.name, body)
        buckets = {name: answer["aggregations"][name]["buckets"] for name in wanted}
        return answer["hits"]["total"]["value"], {
            name: [(str(one["key"]), one["doc_count"]) for one in of]
            for name, of in buckets.items()
        }

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def searcher(self, *arguments: Any, **settings: Any) -> "ClusterSearcher":
        """Open a `ClusterSearcher` of the index."""
        return ClusterSearcher(*arguments, **settings)


class ClusterSearcher:
    """Rank the documents of a `ClusterIndex` for topics.

    Hits and their order equal those of Lucene on this machine. The parameters are as in
    `relsent_ir.lucene.read.search.Searcher`.

    Raises
    ------
    MismatchError
        If the collection was exported without the model.
    """

    def __init__(
        self,
        index: ClusterIndex,
        model: BM25 | QueryLikelihood | None = None,
        *,
        fields: Mapping[str, float] | None = None,
        stopwords: Sequence[str] = (),
        filters: Any = None,
        engine: str = "auto",
    ) -> None:
        if engine == "matrix":
            raise UsageError("the engine matrix is not there over a cluster", fix="leave it out")
        model = model or BM25()
        self.index = index
        self.analysis = index.facts.analysis.without(stopwords)
        known: Mapping[str, str] = index.meta["models"]
        field = known.get(str(model))
        if field is None or (fields and field != "contents"):
            problem = f"the cluster cannot rank by {model}" + " by fields" * bool(field)
            fix = f"one of {', '.join(known)}; or export it with --rank-by"
            raise MismatchError(problem, where=str(index.address), fix=fix)
        check_weights(fields or {}, "field")
        for name in fields or ():
            if name not in ("contents", "title", "abstract", "mesh"):
                raise UsageError(f"no field {name!r}", fix="contents, title, abstract, mesh")
        self._field = field
        self._fields = dict(fields) if fields else {field: 1.0}
        self._k1 = model.k1 if isinstance(model, BM25) else None
        self._filter = filters.query(index) if filters else None

    def search(
        self,
        topics: Mapping[str, str | Mapping[str, float]],
        k: int = 1000,
        *,
        threads: int = 1,
        batch_size: int = 256,
        progress: Progress | None = None,
    ) -> Run:
        """Find the first `k` documents for each topic; see `rank.TopicSearcher`."""
        check_topics(topics, k, threads, batch_size)
        run = Run()
        for batch in batches(topics, batch_size, progress):
            found = self.search_queries([self.matching(of) for of in batch.values()], k, threads)
            run.update(zip(batch, found, strict=True))
        return run

    def search_queries(
        self, asked: Sequence[queries.Query | None], k: int | None, threads: int = 1
    ) -> list[Hits]:
        """Find the first `k` documents, or all, for each query; none if the query is None."""
        find = partial(self._find, k=k or len(self.index))
        if threads == 1 or len(asked) == 1:
            return list(map(find, asked))
        with ThreadPoolExecutor(min(threads, len(asked))) as pool:
            return list(pool.map(find, asked))

    def _find(self, query: queries.Query | None, k: int) -> Hits:
        body = {"query": query, "sort": [{"_score": "desc"}, {"id": "asc"}]}
        hits = list(self.index.client.hits(self.index.name, body, k if query else 0))
        ids = np.array([name for _, name in hits], dtype=object)
        scores = np.array([score for score, _ in hits], dtype=np.float32)
        return Hits(ids, scores.astype(np.float64))

    def matching(self, topic: str | Mapping[str, float]) -> queries.Query | None:
        """Build the query of a topic with its filters; None if no words remain."""
        if isinstance(topic, str):
            weights: Mapping[str, float] = Counter(self.analysis.terms(topic))
            fields = self._fields
        else:
            weights, fields = topic, {self._field: 1.0}
        if not weights:
            return None
        bags = [
            queries.bag(name, {term: n * by for term, n in weights.items()}, self._k1)
            for name, by in fields.items()
        ]
        return queries.filtered(bags[0] if len(bags) == 1 else queries.any_of(bags), self._filter)

    def contributions(self, text: str, document_id: str) -> list[tuple[str, float]]:
        """Return the part of each term of a text in a document's score, the largest first."""
        body = {"query": self.matching(text)}
        answer = self.index.client.ask(
            "POST", f"/{self.index.name}/_explain/{document_id}", body, missing=True
        )
        parts: list[tuple[str, float]] = []
        pending = [answer["explanation"]] if answer and "explanation" in answer else []
        while pending:
            part = pending.pop()
            if term := _TERM.match(part["description"]):
                parts.append((term[1], float(part["value"])))
            else:
                pending += part.get("details", [])
        return sorted(parts, key=lambda part: -part[1])


@lru_cache(_PARSED)
def _parse(text: str) -> "Record":
    from relsent_ir.records import Record

    return Record.from_json(text)


def open_index(
    address: Path | str, unit: str, read_facts: Callable[[str, Path], Any]
) -> ClusterIndex:
    """Open an index of a collection; this is the entry point of `relsent_ir.engines`."""
    return ClusterIndex(address, unit, read_facts)
