"""Mutated files through every reader: ``FUZZ_S=600 python benchmarks/fuzz.py``.

A reader may give what it read or one of our errors; anything else is a finding, and is kept in
runs/fuzz with the number that makes it again. The files are invented and small.
"""

import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from relsent_ir.answers.questions import read_questions
from relsent_ir.errors import RelsentError
from relsent_ir.models import load_folder, save_folder
from relsent_ir.records import read_entries
from relsent_ir.text.stopwords import read_stopwords
from relsent_ir.text.treebank import read_treebank
from relsent_ir.trec.cystic_fibrosis import read_cystic_fibrosis_qrels
from relsent_ir.trec.qrels import read_qrels
from relsent_ir.trec.runs import read_run
from relsent_ir.trec.topics import read_topics

SECONDS = float(os.environ.get("FUZZ_S", "60"))
FOUND = Path("runs/fuzz")
WORDS = (b"\0", b"\r", b"\xff", b"<", b"&a;", b"\n", b"9" * 400, b"[" * 2000, b"nan", b"-1", b"\t")

SEEDS: dict[str, tuple[Callable[[Path], object], tuple[bytes, ...]]] = {
    "records": (
        lambda path: list(read_entries(path)),
        (
            b"PMID- 1\nOWN - NLM\nTI  - Mice ran.\nAB  - They\n      slept.\nMH  - *Mice/ge\n\n"
            b"PMID- 2\nTI  - Rats.\n\n",
            b".I 1\n.U\n87001\n.S\nAm J 8703; 4:1\n.T\nMice.\n.W\nThey ran.\n"
            b".I 2\n.U\n87002\n.T\nA\n",
            b"PN 74001\nRN 00001\nAU A-B.\nTI Mice.\nSO J. 1974.\nMJ MICE: ge.\nAB They ran.\n"
            b"RF 001   A  B  1  2  70\n\n",
            b'{"id": "1", "title": "Mice", "mesh": ["*Mice/ge"], "sections": [{"text": "Ran."}]}\n',
            b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>"
            b"<ArticleTitle>Mice <i>ran</i></ArticleTitle><Abstract><AbstractText Label='A'>B."
            b"</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
            b"<DeleteCitation><PMID>2</PMID></DeleteCitation></PubmedArticleSet>",
        ),
    ),
    "topics": (
        read_topics,
        (
            b"1\tmice that run\n2\trats\n",
            b'{"id": "1", "text": "mice"}\n',
            b"<top>\n<num> Number: 1\n<title> mice\n<desc> Description:\nrun\n</top>\n",
            b".I 1\n.B\na mouse\n.W\nruns\n",
            b"QN 00001\nQU Do mice run?\nNR 00001\nRD 0001 1222\n",
        ),
    ),
    "qrels": (read_qrels, (b"1 0 a 1\n1 0 b 0\n2 0 a -1\n", b"1 a 1\n")),
    "cf-qrels": (read_cystic_fibrosis_qrels, (b"QN 00001\nQU Mice?\nNR 00001\nRD 0001 1222\n",)),
    "run": (read_run, (b"1 Q0 a 1 2.5 x\n1 Q0 b 2 1e-3 x\n2 Q0 a 1 0 x\n",)),
    "questions": (read_questions, (b'{"id": "1", "question": "Do mice run?", "record": "2"}\n',)),
    "stopwords": (read_stopwords, (b"the\n# not\nof\n",)),
    "treebank": (lambda path: list(read_treebank(path)), (b"Mice\tNNS\tB-NP\nrun\tVBP\tB-VP\n\n",)),
}


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Some edits: bytes changed, pieces cut out, repeated or put in, the end cut off."""
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(5)
        if kind == 0 and data:
            at = min(at, len(data) - 1)
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[end:]
        elif kind == 2:
            data = data[:end] + data[at:end] * rng.choice((1, 2, 50)) + data[end:]
        elif kind == 3:
            data = data[:at] + rng.choice(WORDS) + data[at:]
        else:
            data = data[:end]
    return data[: 1 << 20]


def load_mutated(path: Path, rng: random.Random) -> None:
    """A model's folder with one file mutated."""
    folder = path / "model"
    save_folder(folder, "x", {"a": [1, 2]}, {"w": np.arange(9.0), "n": np.arange(4)})
    file = rng.choice(sorted(folder.iterdir()))
    file.write_bytes(mutated(file.read_bytes(), rng))
    load_folder(folder)


def main() -> int:
    """Go on until the time is over; 1 if something was found."""
    outcomes: Counter[tuple[str, str]] = Counter()
    until, number, found = time.monotonic() + SECONDS, int(os.environ.get("FUZZ_FROM", "0")), 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            rng = random.Random(number)
            name = rng.choice((*SEEDS, "model"))
            path = Path(folder) / "input"
            started = time.process_time()
            data = b""
            try:
                if name == "model":
                    load_mutated(Path(folder), rng)
                else:
                    read, seeds = SEEDS[name]
                    data = mutated(rng.choice(seeds), rng)
                    path.write_bytes(data)
                    read(path)
                outcome = "read"
            except RelsentError:
                outcome = "refused"
            except Exception as error:  # noqa: BLE001 (that is what is looked for)
                outcome = f"{type(error).__name__}: {error}"[:80]
            if time.process_time() - started > 5:
                outcome = "slow"
            outcomes[name, outcome] += 1
            if outcome not in ("read", "refused"):
                found += 1
                FOUND.mkdir(parents=True, exist_ok=True)
                (FOUND / f"{name}-{number}").write_bytes(data)
            number += 1
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"{name:12}{outcome:20}{count:>9,}")
    print(f"{number:,} inputs, {found} findings")
    return min(found, 1)


if __name__ == "__main__":
    sys.exit(main())
