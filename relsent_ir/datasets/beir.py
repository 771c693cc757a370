"""Collections of BEIR, ``beir:NAME``: a zip of a corpus, queries, and judgements by split.

References
----------
Thakur, Reimers, Rücklé, Srivastava, Gurevych: BEIR: a heterogenous benchmark for zero-shot
evaluation of information retrieval models. NeurIPS 2021, datasets and benchmarks.
"""

import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from relsent_ir.datasets.catalogue import Fetched, write_judged
from relsent_ir.datasets.download import Checksum, Origin, writing
from relsent_ir.errors import InputError
from relsent_ir.files import atomic_bytes, input_errors
from relsent_ir.trec import read_qrels, read_topics
from relsent_ir.typing import Progress

PREFIX: Final = "beir:"
SUMS: Final = {
    "nfcorpus": "a89dba18a62ef92f7d323ec890a0d38d",
    "scifact": "5f7d1de60b170fc8027bb7898e2efca1",
    "trec-covid": "ce62140cb23feb9becf6270d0d1fe6d1",
}
"""The MD5 checksums in BEIR's README."""
CORPUS: Final = "corpus.jsonl"


def fetch(name: str, origin: Origin, output: Path, tick: Progress) -> Fetched:
    """Fetch a collection's archive; write its corpus, and topics and qrels of each split."""
    short = name.removeprefix(PREFIX)
    leaf = name.replace(":", "-")
    archive = output / "collections" / "originals" / f"{short}.zip"
    corpus = output / "collections" / leaf / CORPUS
    with writing(archive):
        archive.parent.mkdir(parents=True, exist_ok=True)
    origin.bring(archive.name, archive, Checksum("md5", SUMS[short]), tick)
    topics: dict[Path, int] = {}
    qrels: dict[Path, int] = {}
    with (
        writing(output),
        zipfile.ZipFile(archive) as packed,
        TemporaryDirectory(dir=archive.parent) as folder,
    ):

        def taken(member: str) -> Path:
            path = Path(folder, Path(member).name)
            with packed.open(member) as source, path.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            return path

        new = not corpus.is_file()
        if new:
            corpus.parent.mkdir(parents=True, exist_ok=True)
            with packed.open(f"{short}/{CORPUS}") as source, atomic_bytes(corpus) as copy:
                shutil.copyfileobj(source, copy)
        texts = read_topics(taken(f"{short}/queries.jsonl"))
        for split in ("train", "dev", "test"):
            member = f"{short}/qrels/{split}.tsv"
            if member in packed.namelist():
                judged = read_qrels(taken(member))
                own = {topic: texts[topic] for topic in judged if topic in texts}
                written = write_judged(output, f"{leaf}-{split}", own, judged)
                topics |= written[0]
                qrels |= written[1]
    return Fetched(name, corpus.parent, (corpus,), int(new), topics, qrels)


def corpus_of(folder: Path) -> Path:
    """Return the file of records in a folder with BEIR's layout.

    Raises
    ------
    InputError
        If there is no such file.
    """
    with input_errors(folder):
        for name in (CORPUS, f"{CORPUS}.gz"):
            if (folder / name).is_file():
                return folder / name
    raise InputError(f"there is no {CORPUS}", where=folder, fix="name the folder that has it")
