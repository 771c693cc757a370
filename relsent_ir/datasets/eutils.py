"""Records of a PubMed query or a list of PMIDs, by NCBI's E-utilities; or of Europe PMC.

The query and the PMIDs fetched are stored in ``.manifest.json`` beside the files of records, so
that a killed fetch can be resumed, and a repeated fetch gets new, revised and withdrawn records.
PMIDs are stored instead of the search on NCBI's history server, which expires after some hours and
returns at most 10,000 records; larger results are split by dates of entry.

References
----------
E. Sayers. The E-utilities in-depth. NCBI Bookshelf NBK25499.
"""

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from relsent_ir.datasets.catalogue import Fetched
from relsent_ir.datasets.web import CutError, get, shown
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.files import atomic_bytes, atomic_writer, open_text
from relsent_ir.records import Record, read_records
from relsent_ir.typing import Progress

EUTILS: Final = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
EUROPE: Final = "https://www.ebi.ac.uk/europepmc/webservices/rest/"
MANIFEST: Final = ".manifest.json"
BATCH: Final = 200
"""PMIDs in a request: a URL of E-utilities can have about 200."""
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
MOST: Final = 9_999
"""Largest number of PMIDs that a search returns."""

_FIRST: Final = date(1780, 1, 1)
_PAGE: Final = 1000  # records on a page of Europe PMC
_LONGEST: Final = 1 << 27  # bytes of an answer
_FORMAT: Final = 1
_DAY: Final = "%Y/%m/%d"


@dataclass
class Manifest:
    """The source and the state of a folder of fetched records.

    Attributes
    ----------
    source : {"pubmed", "europe-pmc"}
    query : str
        The query; "" for a list of PMIDs.
    wanted : list of str
        The PMIDs of the list.
    url : str
        The URL of the server.
    date : str
        The date of the last search in PubMed's form; "" before the first has finished.
    records : dict of str to str
        The PMIDs of the fetched records, each with a digest of its record.
    gone : list of str
        PMIDs that the search returned, but for which the server has no record.
    pending : list of [str, list of str]
        Files that are still to be fetched, each with its PMIDs.
    withdrawn : list of str
        PMIDs that a pending update removes.
    begun : str
        The date of the pending search.
    files : int
        Number of files planned so far.
    """

    source: str
    query: str
    wanted: list[str] = field(default_factory=list)
    url: str = ""
    date: str = ""
    records: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    pending: list[tuple[str, list[str]]] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    begun: str = ""
    files: int = 0

    @classmethod
    def read(cls, folder: Path) -> "Manifest | None":
        """Read the manifest of a folder; None if there is none.

        Raises
        ------
        InputError
            If the manifest is damaged.
        """
        path = folder / MANIFEST
        try:
            values = json.loads(path.read_text("utf-8"))
            if values.pop("format") != _FORMAT:
                raise ValueError
            return cls(**values)
        except FileNotFoundError:
            return None
        except (OSError, AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(
                "the manifest is damaged", where=path, fix="remove it, and fetch again"
            ) from error

    def write(self, folder: Path) -> None:
        """Write the manifest, completely or not at all."""
        with atomic_writer(folder / MANIFEST) as file:
            file.write(json.dumps({"format": _FORMAT, **asdict(self)}, indent=0) + "\n")


class Server:
    """NCBI's E-utilities, or a server with the same interface.

    Parameters
    ----------
    url : str
        The URL of the folder of ``esearch.fcgi`` and ``efetch.fcgi``, with a slash at the end.
    sleep, clock : callable
        Replaced by tests.
    """

    def __init__(
        self,
        url: str = EUTILS,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.url = url
        self._sleep = sleep
        self._clock = clock
        key, email = os.environ.get("NCBI_API_KEY"), os.environ.get("NCBI_EMAIL")
        host = urlsplit(url).hostname or ""
        limited = f".{host}".endswith(".ncbi.nlm.nih.gov")
        self._identity = {"tool": "relsent-ir"}
        if url.startswith("https://") if limited else host in LOOPBACK:  # not to others
            private = {"email": email, "api_key": key}
            self._identity.update((name, value) for name, value in private.items() if value)
        self._pause = (1 / 10 if key else 1 / 3) if limited else 0.0
        self._next = 0.0

    def search(self, query: str) -> list[str]:
        """Return all PMIDs of a query in ascending order.

        Raises
        ------
        MissingError
            If the server cannot be reached, or gives an invalid answer.
        UsageError
            If the server does not understand the query, or more records were entered on one day
            than it returns.
        """
        union: set[str] = set()
        count, pmids = self._search(query)
        slices = [(_FIRST, datetime.now(UTC).date() + timedelta(366))] if count > MOST else []
        union.update(() if slices else pmids)
        while slices:
            first, last = slices.pop()
            here, pmids = self._search(query, "edat", first, last)
            if here <= MOST:
                union.update(pmids)
            elif first == last:
                raise UsageError(
                    f"{here:,} records of the query were entered on {first}, and a search gives "
                    f"{MOST:,}",
                    fix="part the query",
                )
            else:
                middle = first + (last - first) // 2
                slices += [(first, middle), (middle + timedelta(1), last)]
        if len(union) != count:
            raise MissingError(
                f"the search has {count:,} records, and gives {len(union):,}",
                where=shown(self.url),
                fix="try again later",
            )
        return sorted(union, key=_number)

    def revised(self, query: str, since: str) -> set[str]:
        """Return the PMIDs of a query whose records were revised on a given day or later."""
        first = datetime.strptime(since, _DAY).replace(tzinfo=UTC).date()
        count, pmids = self._search(query, "mdat", first, datetime.now(UTC).date() + timedelta(366))
        return set(pmids) if count <= MOST else set(self.search(query))

    def _search(
        self, query: str, kind: str = "", first: date | None = None, last: date | None = None
    ) -> tuple[int, list[str]]:
        more = {}
        if first and last:
            more = {"datetype": kind, "mindate": f"{first:{_DAY}}", "maxdate": f"{last:{_DAY}}"}
        parameters = {"db": "pubmed", "retmode": "json", "retmax": MOST, "term": query, **more}
        page = self.get("esearch.fcgi", parameters)
        try:
            answer = json.loads(page)["esearchresult"]
            if "count" not in answer:
                problem = str(answer.get("ERROR") or answer.get("error") or "no result")
                for value in self._identity.values():  # a server may repeat the whole URL
                    for form in (value, quote(value)):
                        problem = problem.replace(form, "...")
                raise UsageError(f"PubMed does not understand the query: {problem}", fix="mend it")
            return int(answer["count"]), [str(pmid) for pmid in answer["idlist"]]
        except (AttributeError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise MissingError(
                "the answer is no result of a search", where=shown(self.url), fix="try again later"
            ) from error

    def records(self, pmids: Sequence[str]) -> tuple[bytes, list[Record]]:
        """Return the records with some PMIDs, as XML and parsed, without those that are missing.

        A truncated answer, or one with other records, is requested again.
        """
        records: list[Record] = []

        def check(page: bytes) -> None:
            records[:] = _parsed(page, "pubmed-xml")
            if unrequested := {record.id for record in records} - set(pmids):
                raise CutError(f"record {min(unrequested)} was not asked for")

        parameters = {"db": "pubmed", "retmode": "xml", "id": ",".join(pmids)}
        return self.get("efetch.fcgi", parameters, check), records

    def get(
        self,
        name: str,
        parameters: dict[str, Any],
        check: Callable[[bytes], None] = lambda _page: None,
    ) -> bytes:
        """Return an answer; if `check` raises a CutError, request it again."""
        query = urlencode({**parameters, **self._identity}, safe=",:/")
        return get(f"{self.url}{name}?{query}", _LONGEST, wait=self._wait, check=check)

    def _wait(self) -> None:
        now = self._clock()
        if now < self._next:
            self._sleep(self._next - now)
        self._next = max(now, self._next) + self._pause


def _parsed(page: bytes, form: str) -> list[Record]:
    """Parse the records of an answer; an answer that cannot be parsed to its end was truncated."""
    if re.search(rb"<(?:PubmedArticleSet|PubmedBookArticleSet)[^>]*?(?:/>|>\s*</Pubmed)", page):
        return []
    with TemporaryDirectory() as folder:
        path = Path(folder, "page")
        path.write_bytes(page)
        try:
            return list(read_records(path, form))
        except InputError as error:
            raise CutError(f"the answer was cut, or is none ({error.problem})") from error


def read_pmids(path: Path) -> list[str]:
    """Read a list of PMIDs, separated by white space or commas; return them sorted and distinct.

    Raises
    ------
    InputError
        If the list is empty, or contains something else.
    """
    with open_text(path) as file:
        words = re.findall(r"[^\s,;]+", file.read())
    bad = next((word for word in words if not re.fullmatch("[0-9]{1,9}", word)), None)
    if bad or not words:
        problem = f"{bad[:40]!r} is no PMID" if bad else "there are no PMIDs in it"
        raise InputError(problem, where=path, fix="one number a line")
    return sorted({word.lstrip("0") or "0" for word in words}, key=_number)


def fetch(
    source: str,
    output: Path,
    tick: Progress,
    *,
    query: str = "",
    pmids: Sequence[str] = (),
    url: str | None = None,
) -> Fetched:
    """Fetch the records of a query, or of PMIDs, into a separate folder.

    If it is called again after it was killed, it resumes; after it has finished, it fetches new,
    revised and withdrawn records.

    Parameters
    ----------
    source : {"pubmed", "europe-pmc"}
    output : Path
        The parent of ``collections/query-…``, the folder of the files.
    tick : callable
        Called with the number of records fetched and the total.
    query, pmids
        One of the two; for Europe PMC a query.
    url : str, optional
        The URL of a folder on another server, with a slash at the end.

    Raises
    ------
    MissingError, InputError, OutputError, UsageError
        As in `Server`; also if a file cannot be written.
    """
    if bool(query.strip()) == bool(pmids):
        raise UsageError("either a query or a list of PMIDs is fetched", fix="--query or --pmids")
    text = query.strip() or " ".join(pmids)
    name = f"query-{blake2b(f'{source} {text}'.encode(), digest_size=4).hexdigest()}"
    folder = output / "collections" / name
    manifest = Manifest.read(folder) or Manifest(source, query.strip(), list(pmids))
    manifest.url = url or (EUTILS if source == "pubmed" else EUROPE)
    return bring(folder, manifest, tick)


def bring(folder: Path, manifest: Manifest, tick: Progress) -> Fetched:
    """Fetch the records that a manifest lacks; plan first if nothing is pending."""
    bring_changes = _bring_records if manifest.source == "pubmed" else _bring_pages
    written, counts = bring_changes(folder, manifest, tick)
    files = tuple(sorted(path for path in folder.iterdir() if not path.name.startswith(".")))
    changes = [f"{count:,} {name}" for name, count in counts.items() if count]
    note = ", ".join(changes) or "nothing new"
    return Fetched(folder.name, folder, files, written, {}, {}, note)


def _bring_records(folder: Path, manifest: Manifest, tick: Progress) -> tuple[int, dict[str, int]]:
    """Fetch the records of a PubMed search or list; return the files written, and the changes."""
    server = Server(manifest.url)
    if not manifest.begun:
        _plan(manifest, server)
        manifest.write(folder)
    before = set(manifest.records)
    done = sum(len(pmids) for _, pmids in manifest.pending)
    total, written, revised = done, 0, 0
    for name, pmids in list(manifest.pending):
        page, records = server.records(pmids)
        digests = {record.id: _digest(record) for record in records}
        changed = {pmid for pmid, digest in digests.items() if manifest.records.get(pmid) != digest}
        revised += len(changed & before)
        if changed:
            with atomic_bytes(folder / name) as file:
                file.write(page)
            written += 1
        manifest.records.update(digests)
        manifest.gone = sorted({*manifest.gone, *pmids} - set(manifest.records), key=_number)
        manifest.pending.pop(0)
        manifest.write(folder)
        done -= len(pmids)
        tick(total - done, total)
    withdrawn = [pmid for pmid in manifest.withdrawn if pmid in manifest.records]
    if withdrawn:
        manifest.files += 1
        listed = "".join(f"<PMID>{pmid}</PMID>" for pmid in withdrawn)
        with atomic_writer(folder / _name(manifest.files)) as text:
            text.write(
                f"<PubmedArticleSet><DeleteCitation>{listed}</DeleteCitation></PubmedArticleSet>\n"
            )
        written += 1
        for pmid in withdrawn:
            del manifest.records[pmid]
    manifest.date, manifest.begun, manifest.withdrawn = manifest.begun, "", []
    manifest.write(folder)
    return written, {
        "new": len(set(manifest.records) - before),
        "revised": revised,
        "withdrawn": len(withdrawn),
        "without a record on the server": len(manifest.gone),
    }


def _plan(manifest: Manifest, server: Server) -> None:
    """Search, and plan the files that fetch missing and revised records."""
    today = f"{datetime.now(UTC):{_DAY}}"
    records = manifest.records
    current = server.search(manifest.query) if manifest.query else manifest.wanted
    revised: set[str] = set()
    if manifest.date:
        queries = [manifest.query] if manifest.query else []
        for start in range(0, len(manifest.wanted), BATCH):
            listed = manifest.wanted[start : start + BATCH]
            queries.append(" OR ".join(f"{pmid}[uid]" for pmid in listed))
        for query in queries:
            revised |= server.revised(query, manifest.date)
    lacking = [pmid for pmid in current if pmid not in records and pmid not in manifest.gone]
    pmids = lacking + sorted(revised & records.keys() & set(current), key=_number)
    manifest.withdrawn = sorted(records.keys() - set(current), key=_number)
    for start in range(0, len(pmids), BATCH):
        manifest.files += 1
        manifest.pending.append((_name(manifest.files), pmids[start : start + BATCH]))
    manifest.begun = today


def _bring_pages(folder: Path, manifest: Manifest, tick: Progress) -> tuple[int, dict[str, int]]:
    """Fetch the pages of a Europe PMC query; `pending` holds the cursor of the next page."""
    if manifest.wanted:
        raise UsageError("Europe PMC is asked by --query", fix="EXT_ID:123 OR EXT_ID:456")
    server = Server(manifest.url)
    if not manifest.begun:
        manifest.begun = f"{datetime.now(UTC):{_DAY}}"
        manifest.pending = [("", ["*"])]
        manifest.gone = []
    before = dict(manifest.records)
    written = 0
    while manifest.pending:
        _, (mark,) = manifest.pending[0]
        parameters = {
            "query": manifest.query, "format": "json", "resultType": "core",
            "pageSize": _PAGE, "cursorMark": mark,
        }  # fmt: skip
        page = server.get("search", parameters)
        try:
            answer = json.loads(page)
            total, items = int(answer["hitCount"]), answer["resultList"]["result"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise MissingError(
                "the answer is no result of a search",
                where=shown(manifest.url),
                fix="try again later",
            ) from error
        records = {record.id: _digest(record) for record in _parsed(page, "json")} if items else {}
        manifest.gone.extend(records)  # those of this search, until it has finished
        if any(manifest.records.get(name) != digest for name, digest in records.items()):
            manifest.files += 1
            with atomic_bytes(folder / f"part-{manifest.files:05}.json") as file:
                file.write(page)
            written += 1
        manifest.records.update(records)
        following = answer.get("nextCursorMark")
        manifest.pending = [("", [following])] if items and following not in (None, mark) else []
        manifest.write(folder)
        tick(len(manifest.gone), total)
    if len(set(manifest.gone)) < total:
        problem = f"the search has {total:,} records, and gave {len(set(manifest.gone)):,}"
        manifest.begun = ""
        manifest.write(folder)
        raise MissingError(problem, where=shown(manifest.url), fix="try again later")
    manifest.date, manifest.begun, manifest.gone = manifest.begun, "", []
    manifest.write(folder)
    revised = sum(before.get(name, digest) != digest for name, digest in manifest.records.items())
    return written, {"new": len(manifest.records) - len(before), "revised": revised}


def _name(number: int) -> str:
    return f"part-{number:05}.xml"


def _digest(record: Record) -> str:
    return blake2b(record.to_json().encode(), digest_size=6).hexdigest()


def _number(pmid: str) -> tuple[int, str]:
    return len(pmid), pmid
