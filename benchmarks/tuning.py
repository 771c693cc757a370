"""Cost of tuning: `tune` over 128 settings of RM3, in processor seconds of the whole process.

Cystic fibrosis with its 100 topics, and the abstracts with 100 titles as topics, each of which has
its own record for the one relevant document. Given the checkout of another version, that runs too,
on indexes of its own, one after the other; both must choose the same settings.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.tuning [CHECKOUT]``.
"""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import data_file, print_table
from relsent_ir.trec import read_cystic_fibrosis_qrels, read_topics

GRID = [
    "fb-terms=5,10,15,20,30,40,50,60",
    "fb-docs=5,10,20,50",
    "original-query-weight=0.3,0.5,0.7,0.9",
]
TOPICS = 100
SEED = 20240229
HERE = Path(__file__).parents[1]


def main(*others: str) -> None:
    """Print a row for each collection."""
    checkouts = [HERE, *map(Path, others)]
    rows = []
    with TemporaryDirectory() as place:
        for name, files in write_topics(Path(place)).items():
            seconds, chosen = [], []
            for number, checkout in enumerate(checkouts):
                index = f"{place}/{name}-{number}"
                run(checkout, ["index", "--index", index, "--input", *map(str, files)])
                took, text = run(checkout, tune(index, Path(place, name)))
                seconds.append(took)
                chosen.append(re.findall("(--fb-terms.*)", text))
            assert chosen[0] == chosen[-1], "other settings are chosen"
            ratio = f"{seconds[-1] / seconds[0]:.1f}"
            rows.append([name, *(f"{s:.1f}" for s in seconds), ratio])
    print_table(["", *(path.name for path in checkouts), "x"], rows)


def write_topics(place: Path) -> dict[str, list[Path]]:
    """Write topics and judgements of both collections; name their files."""
    folder = data_file("cystic-fibrosis")
    texts = read_topics(folder / "cfquery", format="cystic-fibrosis")
    qrels = read_cystic_fibrosis_qrels(folder / "cfquery")
    source = data_file("abstracts/abstracts.jsonl.gz")
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["title"]]
    some = random.Random(SEED).sample(records, TOPICS)
    both = {
        "cystic fibrosis": (texts, qrels),
        "abstracts": (
            {str(n): record["title"] for n, record in enumerate(some)},
            {str(n): {record["id"]: 1} for n, record in enumerate(some)},
        ),
    }
    for name, (topics, judged) in both.items():
        lines = [f"{topic}\t{' '.join(text.split())}\n" for topic, text in topics.items()]
        (place / f"{name}.tsv").write_text("".join(lines))
        graded = [f"{t} 0 {d} {grade}\n" for t, of in judged.items() for d, grade in of.items()]
        (place / f"{name}.qrels").write_text("".join(graded))
    return {"cystic fibrosis": sorted(folder.glob("cf7?")), "abstracts": [source]}


def tune(index: str, topics: Path) -> list[str]:
    """Spell the command."""
    search = ["search", "--index", index, "--topics", f"{topics}.tsv", "--rm3", "--threads", "1"]
    return ["tune", "--qrels", f"{topics}.qrels", "--grid", *GRID, "--", *search]


def run(checkout: Path, arguments: list[str]) -> tuple[float, str]:
    """Run a command of a checkout: processor seconds, and what it printed."""
    before = sum(os.times()[2:4])
    done = subprocess.run(
        [sys.executable, "-c", "from relsent_ir.cli.main import main; main()", *arguments],
        env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
        cwd=checkout,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return sum(os.times()[2:4]) - before, done.stdout


if __name__ == "__main__":
    main(*sys.argv[1:])
