"""Requests to a cluster: addresses, secrets, certificates, retries, and errors in one line.

A password is read from ``RELSENT_OPENSEARCH_PASSWORD``, or from the file ``NETRC`` (by default
``~/.netrc``), which only its owner may be able to read; never from an address, which is logged.
"""

import logging
import netrc
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from relsent_ir.budget import check
from relsent_ir.errors import InputError, MismatchError, MissingError, OutputError, UsageError

SEARCH_TYPES: Final = ("dfs_query_then_fetch", "query_then_fetch")
"""With exact frequencies over all shards, or faster, with the frequencies of each shard."""
PASSWORD: Final = "RELSENT_OPENSEARCH_PASSWORD"  # noqa: S105  # a variable's name
CA: Final = "RELSENT_CA"
SEARCH_TYPE: Final = "RELSENT_SEARCH_TYPE"
WAITS: Final = (0.25, 0.5, 1, 2, 4, 8, 16, 16)
"""Seconds to wait before a request that the cluster could not process is sent again."""
HITS_MOST: Final = 10_000
"""Hits of one request; more hits are requested in pieces."""
MAKE_ROOM: Final = "free its disks, set index.blocks.read_only_allow_delete to null"
_TIMEOUT: Final = 120.0  # seconds until a request times out
_BUSY: Final = (408, 429, 502, 503, 504)
_LOST: Final = re.compile(
    "node_|no_shard|unavailable_shards|(receive_|connect_)?(transport|timeout)"
)
_FORM: Final = re.compile(
    r"(opensearch(?:\+http)?|https?):/{1,2}(?:([^@/]*)@)?([^@/]+)/([a-z0-9][a-z0-9_.+-]{0,200})"
)
_HOST: Final = re.compile(r"([A-Za-z0-9._-]+|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?")
_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]")

_log = logging.getLogger(__name__)


def set_ca(path: Path) -> None:
    """Trust the certificates in a file from now on, in this process and its child processes."""
    os.environ[CA] = str(path.absolute())


def set_search_type(name: str) -> None:
    """Use one of `SEARCH_TYPES` from now on, in this process and its child processes."""
    os.environ[SEARCH_TYPE] = name


@dataclass(frozen=True)
class Address:
    """The address of a collection in a cluster.

    Attributes
    ----------
    hosts : tuple of str
        The URLs of nodes, any of which can answer.
    name : str
        The name of the collection.
    user : str
        The user; "" if it comes from elsewhere, or none is needed.
    """

    hosts: tuple[str, ...]
    name: str
    user: str = ""

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read ``opensearch://user@host:9200,other:9200/name``; ``+http`` means unencrypted.

        Raises
        ------
        UsageError
            If it is not such an address, or contains a password.
        """
        match = _FORM.fullmatch(text)
        if not match:
            raise UsageError("no address of a collection", fix="opensearch://host:9200/medline")
        scheme, user, hosts, name = match.groups()
        if user and ":" in user:
            problem = "an address holds no password"
            raise UsageError(problem, fix=f"set {PASSWORD}, or write ~/.netrc")
        secure = scheme in ("opensearch", "https")
        urls = []
        for host in hosts.split(","):
            parts = _HOST.fullmatch(host)
            if not parts or int(parts[2] or 1) > 65535:
                raise UsageError(f"no host {host!r}", fix="host:9200, several by commas")
            urls.append(f"http{'s' * secure}://{parts[1]}:{parts[2] or 9200}")
        return cls(tuple(urls), name, user or "")

    def __str__(self) -> str:
        scheme, _, host = self.hosts[0].partition("://")
        others = "".join(f",{other.partition('://')[2]}" for other in self.hosts[1:])
        return f"opensearch{'' if scheme == 'https' else '+http'}://{host}{others}/{self.name}"

    def login(self) -> tuple[str, str] | None:
        """Return user and password; None if there is no password.

        Raises
        ------
        InputError
            If the file can be read by others, or not at all.
        UsageError
            If the password would be sent unencrypted over a network, or a user has no password.
        """
        user, password = self.user, os.environ.get(PASSWORD)
        if not password:
            user, password = _from_file(self.hosts[0].partition("://")[2], user)
        if not password:
            if self.user:
                raise UsageError(f"no password for {self.user}", fix=f"set {PASSWORD}")
            return None
        for host in self.hosts:
            scheme, _, name = host.partition("://")
            if scheme == "http" and not name.startswith(tuple(f"{local}:" for local in _LOCAL)):
                raise UsageError(f"{name} would get the password unencrypted", fix="https")
        return user or "admin", password


def _from_file(host: str, user: str) -> tuple[str, str | None]:
    path = Path(os.environ.get("NETRC") or "~/.netrc").expanduser()
    try:
        if not path.is_file():
            return user, None
        if path.stat().st_mode & 0o077:
            raise InputError("others may read the passwords here", where=path, fix="chmod 600")
        entry = netrc.netrc(path).authenticators(host.rpartition(":")[0])
    except netrc.NetrcParseError as error:
        raise InputError("cannot be read as a netrc file", where=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=path) from error
    if not entry or (user and entry[0] != user):
        return user, None
    return entry[0], entry[2]


class _Json:
    """How JSON bodies are written and parsed; orjson takes a fraction of the time."""

    mimetype: Final = "application/json"

    def loads(self, text: str) -> Any:
        return orjson.loads(text)

    def dumps(self, value: Any) -> Any:
        return value if isinstance(value, str | bytes) else orjson.dumps(value).decode()


class Client:
    """A connection to a cluster.

    Parameters
    ----------
    address : Address

    Raises
    ------
    MissingError
        If the package opensearch-py is not installed; at a request, if no node answers.
    """

    def __init__(self, address: Address) -> None:
        try:
            import opensearchpy
        except ImportError as error:
            fix = "pip install 'relsent-ir[opensearch]'"
            raise MissingError("clusters need the package opensearch-py", fix=fix) from error
        self.address = address
        self._errors = opensearchpy.exceptions
        logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # we raise its errors
        ca = os.environ.get(CA)
        if ca and not Path(ca).is_file():
            raise InputError("no such file of certificates", where=ca)
        secure = address.hosts[0].startswith("https")
        places = (url.partition("://")[2].rpartition(":") for url in address.hosts)
        nodes = [
            {"host": host.strip("[]"), "port": int(port), "use_ssl": secure}
            for host, _, port in places
        ]
        more: dict[str, Any] = {"serializer": _Json()}  # a superset of the client's own serializer
        if secure:
            more |= {"ca_certs": ca, "verify_certs": True}
        self._transport = opensearchpy.Transport(
            nodes,
            http_auth=address.login(),
            timeout=_TIMEOUT,
            max_retries=len(address.hosts),
            retry_on_timeout=False,
            pool_maxsize=32,
            **more,
        )

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        patience: bool = True,
        missing: bool = False,
        **parameters: Any,
    ) -> Any:
        """Send a request, repeatedly while the cluster cannot process it; return the JSON.

        Parameters
        ----------
        method, path : str
        body : JSON value, or bytes
        patience : bool
            Whether to wait long for a cluster that is busy or unreachable.
        missing : bool
            Whether to return None, instead of an error, if nothing has the name.
        **parameters
            Parameters of the URL.

        Raises
        ------
        MissingError
            If no node answers, or a node has another name than its certificate.
        InputError
            If the password is wrong, or the collection does not exist.
        OutputError
            If the cluster accepts no documents, for example because its disks are full.
        MismatchError
            If the answer is not of the expected kind.
        """
        written = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in parameters.items()
        }
        waits = iter(WAITS if patience else WAITS[:3])
        told, again = None, False
        while True:
            check()
            try:
                return self._transport.perform_request(method, path, params=written, body=body)
            except self._errors.SSLError as error:
                raise self._error(error) from None
            except self._errors.TransportError as error:
                reason = _reason(error)
                if missing and error.status_code == 404:
                    return None
                if again and reason.startswith("resource_already_exists"):
                    return None  # it was done, but the answer was lost
                if told is None or isinstance(error.status_code, int):
                    told = error  # prefer the error of a node that answers
                wait = next(waits, None)
                if wait is None or not passes(error.status_code, reason):
                    raise self._error(told) from None
                if patience and wait == WAITS[2]:
                    _log.warning("%s: %s; trying again", self.address, reason)
                time.sleep(wait)
                again = True

    def search(self, index: str, body: Mapping[str, Any], **parameters: Any) -> Any:
        """Search an index with all of its shards, or raise an error."""
        parameters["search_type"] = os.environ.get(SEARCH_TYPE, SEARCH_TYPES[0])
        parameters["allow_partial_search_results"] = False
        return self.ask("POST", f"/{index}/_search", body, **parameters)

    def hits(self, index: str, body: Mapping[str, Any], most: int) -> Iterator[list[Any]]:
        """Yield the values by which the first hits are sorted, fetched in pieces."""
        piece: list[list[Any]] = []
        while most > 0:
            size = min(most, HITS_MOST)
            page = {**body, "size": size, "track_total_hits": False}
            page |= {"_source": False, "stored_fields": "_none_"}
            if piece:
                page["search_after"] = piece[-1]
            answer = self.search(index, page, filter_path="hits.hits.sort")
            piece = [hit["sort"] for hit in answer.get("hits", {}).get("hits", [])]
            yield from piece
            most = most - size if len(piece) == size else 0

    def _error(self, error: Any) -> Exception:
        """Return our error for a failed request, with problem and fix."""
        status, reason, where = error.status_code, _reason(error), str(self.address)
        if isinstance(error, self._errors.SSLError):
            return MissingError("the certificate is not trusted", where=where, fix="--ca FILE")
        if not isinstance(status, int):
            return MissingError(f"no answer: {reason}", where=where, fix="is the cluster running?")
        if is_full(reason):
            return OutputError(f"takes no documents: {reason}", where=where, fix=MAKE_ROOM)
        if status in (401, 403):
            fix = f"{PASSWORD}, or ~/.netrc"
            return InputError("user and password are not accepted", where=where, fix=fix)
        if 300 <= status < 400:
            fix = "name the address that it leads to, if you trust it"
            return MismatchError("redirects to another address", where=where, fix=fix)
        if status == 404:
            return InputError("there is no such collection", where=where, fix="relsent-ir export")
        if "too_many_clauses" in reason or "too_many_nested_clauses" in reason:
            fix = "raise indices.query.bool.max_clause_count of its nodes"
            return MismatchError("the query has more terms than it accepts", where=where, fix=fix)
        if passes(status, reason):
            fix = "wait, or give it more nodes or copies"
            return MissingError(f"cannot answer now: {reason}", where=where, fix=fix)
        return MismatchError(f"answers {status}: {reason}", where=where)


def passes(status: int | str, reason: str) -> bool:
    """Return whether a problem may be temporary; a full disk is not."""
    if status in _BUSY or _LOST.match(reason):
        return not is_full(reason)
    return not isinstance(status, int)  # a failed connection


def is_full(reason: str) -> bool:
    """Return whether a cluster accepts no documents, as after its disks were full."""
    return "block" in reason and ("disk usage" in reason or "read-only" in reason)


def _reason(error: Any) -> str:
    """Return the innermost reason in a cluster's error, in at most 200 characters."""
    info: Any = error.info if hasattr(error, "info") else ""
    try:
        reason = info["error"]
        causes = reason.get("failed_shards") or reason.get("root_cause") or [reason]
        cause = causes[0].get("reason", causes[0])
        cause = cause if isinstance(cause, dict) else causes[0]
        while isinstance(cause.get("caused_by"), dict):
            cause = cause["caused_by"]
        return f"{cause.get('type')}: {cause.get('reason')}"[:200]
    except (TypeError, KeyError, AttributeError, IndexError):
        return f"{error.error}"[:200] if not isinstance(info, Exception) else f"{info}"[:200]
