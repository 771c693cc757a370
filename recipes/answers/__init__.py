"""Make the packaged model of answers: what abstracts find and conclude, and whether they answer."""

import argparse
from pathlib import Path

from recipes.answers.training import train_from_files
from recipes.data import data_path
from relsent_ir import models

READ = Path("qrels/reader")
TOPICS = ("", "-mended", "-blind", "-fresh", "-sixty", "-asked", "-reworded")


def main(arguments: list[str]) -> None:
    """Make the packaged model of answers.

    Abstracts that the package's model of moves was trained on get their moves from models that have
    not seen them.
    """
    parser = argparse.ArgumentParser(prog="python -m recipes answers", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=models.packaged("answers"))
    parser.add_argument("--index", type=Path, default=Path("indexes/abstracts"))
    options = parser.parse_args(arguments)
    model = train_from_files(
        data_path("answers", "answers-train.jsonl"),
        [data_path("rct", "rct-train.xml.gz")],
        [data_path("abstracts", "abstracts.jsonl.gz")],
        said=READ / "answers-directions.tsv",
        graded=READ / "answers-development.tsv",
        topics=[Path(f"topics/reader/answers{name}.tsv") for name in TOPICS],
        indexes=[options.index],
        claims=[
            data_path("scifact", name)
            for name in ("claims.jsonl", "corpus.jsonl.gz", "sentences.jsonl.gz")
        ],
        command="python -m recipes answers",
    )
    models.save(options.output, model)
    print(f"{options.output}: from {model.facts['data']['questions']} questions")
