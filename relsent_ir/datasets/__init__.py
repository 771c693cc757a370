"""Fetching test collections and PubMed: `fetch`, and the list of collections."""

import os
from pathlib import Path

from relsent_ir.datasets.catalogue import COLLECTIONS, Dataset, Fetched
from relsent_ir.datasets.download import Origin
from relsent_ir.datasets.web import web_folder
from relsent_ir.errors import InputError, UsageError, checked
from relsent_ir.typing import Progress

__all__ = ["COLLECTIONS", "Dataset", "Fetched", "fetch"]


@checked
def fetch(
    name: str,
    *,
    source: str | Path | None = None,
    output: str | Path = ".",
    files: str | None = None,
    baseline: str | None = None,
    updates: str | None = None,
    connections: int = 2,
    url: str | None = None,
    download: bool = False,
    query: str | None = None,
    pmids: str | Path | None = None,
    tick: Progress = lambda _done, _total: None,
) -> Fetched:
    """Fetch a collection: its files, and its topics and qrels in TREC formats.

    Parameters
    ----------
    name : str
        One of `COLLECTIONS`.
    source : str or Path, optional
        A folder on this machine with the original files of the collection (for ohsumed also the
        archive itself). If neither `source` nor `url` is given, a folder `name` in the folder
        ``RELSENT_DATA`` is used if it exists.
    output : str or Path
        The folder for ``collections/``, ``topics/`` and ``qrels/``.
    files : str, optional
        For pubmed-baseline and pubmed-updates, the numbers of the files: "1-20,35", or "all".
    baseline, updates : str, optional
        The same for pubmed, which has both kinds of files.
    connections : int
        Number of PubMed files that are downloaded at the same time, 1 to 4.
    url : str, optional
        The URL of a folder that mirrors the collection's.
    download : bool
        For ``irds:NAME``, whether ir_datasets may download files that are not on this machine.
    query : str, optional
        For pubmed or europe-pmc: the matching records are fetched into a separate folder; the same
        query again fetches new, revised and withdrawn records.
    pmids : str or Path, optional
        For pubmed, a file of PMIDs whose records are fetched.
    tick : callable
        Called with the number of bytes received and the total (None if unknown); for `query` and
        `pmids` with numbers of records.

    Returns
    -------
    Fetched
        The files and their folders.

    Raises
    ------
    UsageError
        If the name or `files` is invalid, or both `source` and `url` are given.
    MissingError
        If the web server cannot be reached, or lacks the files.
    InputError
        If a file is missing in the source, or its checksum is wrong.
    OutputError
        If a file cannot be written.
    """
    if name.startswith("irds:"):
        from relsent_ir.datasets import irds

        if (source, url, files) != (None, None, None):
            raise UsageError("ir_datasets knows where its files are", fix="leave the others out")
        return irds.fetch(name, Path(output), download=download)
    if download:
        raise UsageError("--download is for irds:NAME", fix="leave it out")
    if name not in COLLECTIONS:
        names = ", ".join(COLLECTIONS)
        fix = f"one of {names}; in the repository, python -m reproduce NAME --fetch for experiments"
        raise UsageError(f"no collection {name}", fix=fix)
    if source is not None and url is not None:
        raise UsageError("--from and --url exclude each other", fix="give one of them")
    if query is not None or pmids is not None or name == "europe-pmc":
        from relsent_ir.datasets import eutils

        if name not in ("pubmed", "europe-pmc"):
            fix = "leave them out"
            raise UsageError("--query and --pmids are for pubmed and europe-pmc", fix=fix)
        if (source, files, baseline, updates) != (None, None, None, None):
            problem = "--query and --pmids ask a server"
            raise UsageError(problem, fix="leave --from, --files, --baseline, --updates out")
        listed = eutils.read_pmids(Path(pmids)) if pmids is not None else ()
        base = None if url is None else web_folder(url)
        return eutils.fetch(name, Path(output), tick, query=query or "", pmids=listed, url=base)
    if files is not None and not name.startswith("pubmed-"):
        comes = "" if name == "pubmed" else f"; {name} comes whole"
        fix = "leave it out" if comes else "choose with --baseline and --updates"
        raise UsageError(f"--files chooses PubMed's files by folder{comes}", fix=fix)
    if name != "pubmed" and (baseline, updates) != (None, None):
        raise UsageError("--baseline and --updates choose files of pubmed", fix="leave them out")
    if name == "sample":
        from relsent_ir.datasets import bundled

        if source is not None or url is not None:
            raise UsageError("the sample comes with the package", fix="leave --from, --url out")
        return bundled.fetch(Path(output))
    folder = None if source is None else Path(source)
    if folder is None and url is None:
        data = os.environ.get("RELSENT_DATA", "")
        here = Path(data, "lists" if name == "stop-lists" else name)
        folder = here if data and here.is_dir() else None
    if folder is not None and not folder.exists():
        raise InputError("there is no such folder", where=folder)
    origin = Origin(web_folder(url or COLLECTIONS[name].web), folder)
    from relsent_ir.datasets import beir, cystic_fibrosis, mesh, ohsumed, pubmed, stop_lists

    whole = {
        "cystic-fibrosis": cystic_fibrosis.fetch,
        "ohsumed": ohsumed.fetch,
        "mesh": mesh.fetch,
        "stop-lists": stop_lists.fetch,
    }
    if name.startswith(beir.PREFIX):
        return beir.fetch(name, origin, Path(output), tick)
    if name in whole:
        return whole[name](origin, Path(output), tick)
    choices = {"--baseline": baseline, "--updates": updates}
    choices = choices if name == "pubmed" else {"--files": files}
    return pubmed.fetch(name, origin, Path(output), tick, choices, connections)
