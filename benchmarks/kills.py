"""Ten verbs ended by ``kill -9`` twenty times each, then run again: as if nothing had happened.

Each begins in a copy of the same folder: 300 invented records (`benchmarks.updates`), half of them
in one index, half in another. It runs once undisturbed, then with a kill at a random moment (the
seed is fixed; one moment falls into each twentieth of the undisturbed run), after which the same
command runs again. It is checked that this ends with code 0, and that the folder is what the
undisturbed run leaves: the same files with the same bytes, but for Lucene's, of which the ids and
the documents are compared.

Run ``python -m benchmarks.kills [VERB...] [--kills N]``.
"""

import argparse
import gzip
import hashlib
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import relsent_ir_command
from benchmarks.updates import SEED, WORDS, Collection
from relsent_ir.lucene.commits import SHARDS
from relsent_ir.lucene.documents import UNITS
from relsent_ir.lucene.read.index import Index
from tests.dense.tiny import write_model

TOPICS = ["--topics", "topics.tsv"]
VERBS: dict[str, list[str]] = {
    "merge": ["merge", "a", "b", "--output", "all"],
    "index --delete": ["index", "--index", "a", "--delete", "ids.txt"],
    "index --optimize": [
        *("index", "--index", "a", "--input", "b.xml", "--append", "--moves", "--optimize")
    ],
    "index --parts": ["index", "--index", "parts", "--input", "a.xml", "b.xml", "--parts", "2"],
    "update": ["update", "--index", "pubmed", "--from", "nlm"],
    "encode": ["encode", "--index", "a", "--model", "tiny"],
    "train related": ["train", "related", "--index", "a", "--output", "model", "--pairs", "200"],
    "related all": ["related", "all", "--index", "a", "--model", "I1.5"],
    "tune": [
        *("tune", "--qrels", "qrels.txt", "--output", "tuned.txt", "--grid", "k1=0.9,1.2", "--"),
        *("search", "--index", "a", *TOPICS, "--bm25"),
    ],
    "search --output": ["search", "--index", "a", *TOPICS, "--output", "run.txt"],
}


def prepare(folder: Path) -> None:
    """Write what the verbs begin with."""
    folder.mkdir()
    made = Collection(folder)
    made.update(0, 150, 0).rename(folder / "a.xml")
    made.update(0, 150, 0).rename(folder / "b.xml")
    for part, number in (("baseline", 1), ("updatefiles", 2), ("updatefiles", 3)):
        file = made.update(40, 10, 10) if number > 1 else folder / "a.xml"
        path = folder / "nlm" / part / f"pubmed26n{number:04}.xml.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        total = hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
        Path(f"{path}.md5").write_text(f"MD5({path.name})= {total}\n")
    (folder / "ids.txt").write_text("\n".join(map(str, range(0, 150, 3))))
    topics = {str(n): " ".join(WORDS[n : n + 3]) for n in range(len(WORDS) - 3)}
    lines = (f"{name}\t{text}\n" for name, text in topics.items())
    (folder / "topics.tsv").write_text("".join(lines))
    qrels = (f"{name} 0 {7 * int(name) % 150} 1\n" for name in topics)
    (folder / "qrels.txt").write_text("".join(qrels))
    write_model(folder / "tiny")
    for index, source in (("a", "a.xml"), ("b", "b.xml"), ("pubmed", "nlm/baseline")):
        run(folder, ["index", "--index", index, "--input", source, "--moves"])


def run(folder: Path, arguments: list[str], kill_after: float = 0) -> bool:
    """Run a verb in a folder, to its end or to a kill; gives whether it was killed."""
    command = relsent_ir_command(*arguments)
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            _, said = process.communicate(timeout=kill_after or None)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True
    if process.returncode:
        raise AssertionError(f"{' '.join(arguments)}: {process.returncode} {said}")
    return False


def contents(folder: Path) -> dict[str, str]:
    """Return a checksum of every file, and of the documents of each index."""
    sums = {}
    lucene = {path.parent for path in folder.rglob("segments_*")}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent not in lucene:
            data = path.read_bytes()
            if path.name == SHARDS:  # it names builds too, each of which has a random name
                data = str([shard["path"] for shard in json.loads(data)["shards"]]).encode()
            sums[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest()
    for path in lucene:
        if path.name in UNITS:
            with Index(path.parent, path.name) as index:
                ids = sorted(index.ids())
                documents = "\n".join([*ids, *index.raw(ids)])
            sums[str(path.relative_to(folder))] = hashlib.sha256(documents.encode()).hexdigest()
    return sums


class Killed:
    """A verb that is killed.

    Parameters
    ----------
    template : Path
        What it begins with (`prepare`).
    folder : Path
        The copy of it in which it runs.
    verb : str
        One of `VERBS`.
    """

    def __init__(self, template: Path, folder: Path, verb: str) -> None:
        self._template, self._folder = template, folder
        self._verb, self._arguments = verb, VERBS[verb]
        self._undisturbed: dict[str, str] = {}
        self._duration = 0.0

    def again(self, part: float) -> str:
        """Kill it after a part of its time, and run it again; return what differs then, or ""."""
        while not self._undisturbed:
            self._begin(0)
            self._undisturbed = contents(self._folder)
        while not self._begin(moment := part * self._duration):
            pass  # it ended before: it takes less time than it did
        try:
            run(self._folder, self._arguments)
        except AssertionError as error:
            return f"{self._verb}, killed after {moment:.2f} s: {error}"
        after = contents(self._folder)
        names = sorted(dict(self._undisturbed.items() ^ after.items()))
        told = f"{self._verb}, killed after {moment:.2f} s: {', '.join(names)}"
        return told if names else ""

    def _begin(self, kill_after: float) -> bool:
        shutil.rmtree(self._folder, ignore_errors=True)
        shutil.copytree(self._template, self._folder)
        begun = time.perf_counter()
        killed = run(self._folder, self._arguments, kill_after)
        if not killed:
            self._duration = time.perf_counter() - begun
        return killed


def main() -> int:
    """Kill the verbs; print a line for each, and what differs; 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("verbs", nargs="*", metavar="VERB")
    parser.add_argument("--kills", type=int, default=20, help="of each verb")
    given = parser.parse_args()
    different, times = 0, given.kills
    with TemporaryDirectory() as temporary:
        template, folder = Path(temporary, "template"), Path(temporary, "folder")
        prepare(template)
        for verb in given.verbs or VERBS:
            chance, killed = random.Random(SEED), Killed(template, folder, verb)
            found = [killed.again((n + chance.random()) / times) for n in range(times)]
            print(f"{verb}: {times} kills, {times - found.count('')} differences", flush=True)
            print("".join(f"  {line}\n" for line in found if line), end="", flush=True)
            different += times - found.count("")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
