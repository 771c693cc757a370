"""Relations of many pairs: what 10,000 of them take, and the machine's memory.

A pair is one of the 100 commonest proteins of BioNLP-ST 2011 GE and one of the 50 commonest drugs
of DDI 2013 or the 50 commonest plants and phenotypes of PPR, names of three characters or more, of
training parts. Then `relate --pairs` answers for all of them as JSON, in one process.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.relation_pairs INDEX [PAIRS]``.
"""

import json
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path

from benchmarks.common import data_file, print_table
from recipes.relations.corpora import read_corpus
from relsent_ir.cli.main import main as relsent
from relsent_ir.relations import read_candidates
from relsent_ir.relations.candidates import Candidate
from relsent_ir.text.names import normal_form

GENES, OTHERS = 100, 50


def commonest(candidates: Iterable[Candidate], most: int) -> list[str]:
    """Return the commonest names of entities, one writing of each."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for candidate in candidates:
        for start, end in (candidate.e1, candidate.e2):
            key = normal_form(candidate.text[start:end])
            counts[key] += len(key) > 2
            written.setdefault(key, " ".join(candidate.text[start:end].split()))
    return [written[key] for key, _ in counts.most_common(most)]


def main() -> None:
    """Print the table."""
    genes = commonest(read_corpus(data_file("relations/bionlp-st-2011-ge.tar.gz"), "train"), GENES)
    others = []
    for corpus in ("ddi-2013", "ppr"):
        candidates = read_candidates(data_file(f"relations/{corpus}/train.jsonl.gz"))
        others += commonest(candidates, OTHERS)
    most = int(sys.argv[2]) if len(sys.argv) > 2 else GENES * 2 * OTHERS
    pairs = list(product(genes, others))[:most]
    with tempfile.TemporaryDirectory() as folder:
        path, told = Path(folder, "pairs.tsv"), Path(folder, "told.json")
        path.write_text("".join(f"{one}\t{other}\n" for one, other in pairs), encoding="utf-8")
        clock, processor = time.perf_counter(), time.process_time()
        with told.open("w", encoding="utf-8") as file, redirect_stdout(file):
            code = relsent(["relate", "--pairs", str(path), "--index", sys.argv[1], "--json"])
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        if code:
            sys.exit(code)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows = json.loads(told.read_text(encoding="utf-8"))["pairs"]
    sentences = [row["sentences"] for row in rows]
    print_table(
        [
            "pairs",
            "with a sentence",
            "sentences",
            "s",
            "s of the processor",
            "ms a pair",
            "peak MB",
        ],
        [
            [
                *(f"{n:,}" for n in (len(rows), sum(map(bool, sentences)), sum(sentences))),
                f"{clock:.0f}",
                f"{processor:.0f}",
                f"{1000 * processor / len(rows):.0f}",
                f"{peak:.0f}",
            ]
        ],
    )


if __name__ == "__main__":
    main()
