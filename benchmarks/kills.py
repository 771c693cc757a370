"""Ten builds ended by ``kill -9``, then resumed: each comes out as an undisturbed one does.

The abstracts collection, split into 20 files, is built once undisturbed, and ten times with a kill
at a random moment (the seed is fixed; one moment falls into each tenth of the undisturbed build's
duration), after which the same command runs again. It is checked that

- the finished index has the undisturbed one's ids in both of its parts, and the same stored
  documents (SHA-256 over all of them, in the order of their ids);
- the second run reads exactly the files that were not yet in the index: so at most the one that
  was under way at the kill is read twice;
- a reader in another process than the builder's, which opens the index again and again meanwhile
  and searches it, never sees an error but "there is no index" before the first commit; abstracts
  and sentences hold the same files, all their records, and all sentences of each record.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.kills``.
"""

import gzip
import hashlib
import json
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer

from benchmarks.common import data_file, relsent_ir_command
from relsent_ir.errors import InputError
from relsent_ir.lucene.commits import SourceFile
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher

FILES, KILLS = 20, 10
SEED = 20240229
PAUSE = 0.5
"""Seconds between two looks at the index."""

TEXT = "randomized trial of treatment in children"
CHUNK = 10_000


def split(source: Path, folder: Path) -> None:
    """Split a gzipped file of lines into files of about the same number of lines."""
    folder.mkdir()
    with gzip.open(source, "rb") as file:
        lines = file.readlines()
    for n in range(FILES):
        part = lines[len(lines) * n // FILES : len(lines) * (n + 1) // FILES]
        (folder / f"part{n:02}.jsonl").write_bytes(b"".join(part))


def contents(folder: Path) -> tuple[int, int, str]:
    """Return the numbers of records and sentences, and a checksum of all ids and documents."""
    digest = hashlib.sha256()
    sizes = []
    for unit in UNITS:
        with Index(folder, unit) as index:
            ids = sorted(index.ids())
            sizes.append(len(ids))
            for start in range(0, len(ids), CHUNK):
                some = ids[start : start + CHUNK]
                digest.update("\n".join([*some, *index.raw(some)]).encode())
    return sizes[0], sizes[1], digest.hexdigest()


def names_of(sources: tuple[SourceFile, ...]) -> list[str]:
    """Name the files that an index has, in the order in which it got them."""
    return [Path(source.path).name for source in sources]


def look(folder: Path, before: list[str]) -> list[str]:
    """Open the index as a searcher does, check what it holds, and name its files."""
    try:
        abstracts = Index(folder)
    except InputError as error:
        if before or "there is no index" not in error.problem:
            raise
        return []
    with abstracts, Index(folder, "sentences") as parts:
        sources, later = abstracts.facts.sources, parts.facts.sources
        names = names_of(sources)
        assert names[: len(before)] == before, "a file has vanished"
        assert later[: len(sources)] == sources, "the sentences are behind the abstracts"
        ids, sentences = abstracts.ids(), parts.ids()
        assert len(ids) == len(set(ids)) == sum(source.records for source in sources)
        assert len(sentences) == sum(source.sentences for source in later)
        owners = {name.rpartition(".")[0] for name in sentences}
        assert owners >= set(ids), "a record has no sentences"
        assert later != sources or owners == set(ids), "a sentence has no record"
        for index in (abstracts, parts):
            hits = Searcher(index).search({"": TEXT}, 100)[""]
            assert len(hits) or not names, "nothing is found"
            index.raw(list(hits.ids))
    return names


def build(inputs: Path, folder: Path, kill_after: float = 0) -> tuple[list[str] | None, int]:
    """Run ``relsent-ir index``, to its end or to a kill, and look at the index meanwhile.

    Returns
    -------
    read : list of str, or None
        The files that it says it has read; None if it was killed.
    looks : int
    """
    names = look(folder, [])
    command = relsent_ir_command("index", "--input", inputs, "--index", folder, "--json")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        timer = Timer(kill_after, process.kill)
        if kill_after:
            timer.start()
        looks = 0
        while process.poll() is None:
            names = look(folder, names)
            looks += 1
            time.sleep(PAUSE)
        timer.cancel()
        assert process.stdout
        said = process.stdout.read()
    if kill_after and process.returncode == -signal.SIGKILL:
        return None, looks
    assert process.returncode == 0, f"relsent-ir index ended with {process.returncode}"
    return [Path(source["path"]).name for source in json.loads(said)["read"]], looks


def main() -> None:
    """Build, kill, resume and compare; print a line a kill."""
    source = data_file("abstracts/abstracts.jsonl.gz")
    moments = random.Random(SEED)
    with TemporaryDirectory() as temporary:
        inputs, folder = Path(temporary, "inputs"), Path(temporary, "index")
        split(source, inputs)
        plan = sorted(path.name for path in inputs.iterdir())
        begun = time.perf_counter()
        read, looks = build(inputs, folder)
        duration = time.perf_counter() - begun
        assert read == plan
        undisturbed = contents(folder)
        print(
            f"{FILES} files, {undisturbed[0]:,} records, {undisturbed[1]:,} sentences: "
            f"built in {duration:.0f} s with {looks} looks"
        )
        print("killed after  files in the index  files read then  looks  the same")
        for n in range(KILLS):
            ended: list[str] | None = plan
            while ended is not None:
                shutil.rmtree(folder)
                moment = duration * (n + moments.random()) / KILLS
                begun = time.perf_counter()
                ended, looks = build(inputs, folder, moment)
                if ended is not None:  # before the kill: the undisturbed build was slower
                    duration = time.perf_counter() - begun
            done = look(folder, [])
            read, looks_after = build(inputs, folder)
            assert done + (read or []) == plan, "a file is missing, or was read without need"
            assert look(folder, plan) == plan
            assert contents(folder) == undisturbed, "the index is not the undisturbed one"
            counts = (len(done), len(plan) - len(done), looks + looks_after)
            print("{:>10.1f} s{:>20}{:>17}{:>7}  yes".format(moment, *counts), flush=True)
    print("Never more than one file was read twice, and no look saw a broken index\n")


if __name__ == "__main__":
    main()
