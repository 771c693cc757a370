"""Answers: abstracts a second, and how long a question takes from a cold start.

Judging uses one thread, and is timed in seconds of the processor; a cold question is a process of
its own (Python, Java and the models start), timed by the clock too. Judged are the questions of the
validation split, each with its abstract; the peers are the paper's tree, and the CRF alone, which
both need for abstracts without structure. Asked is an index of the RCT training split.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.answers``.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.common import best, data_file, medians, print_table, relsent_ir_command
from relsent_ir import models
from relsent_ir.answers import default_model, find_answers, read_questions
from relsent_ir.answers.questions import Asked
from relsent_ir.answers.sentence_features import tag_abstract
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import list_inputs

QUESTIONS = (
    "Does simvastatin reduce mortality?",
    "Compared with placebo, what is the effect of vitamin D on falls?",
    "Is acupuncture effective for low back pain?",
)


def jobs(labels: bool) -> dict[str, Callable[[Asked], object]]:
    """Define the steps that are timed."""
    ours = default_model()
    return {
        "moves alone": lambda q: tag_abstract(q.record, labels=labels),
        "linear": lambda q: find_answers(ours, q.text, q.record, labels=labels),
    }


def main() -> None:
    """Print the tables."""
    records = data_file("rct/rct-validation.xml.gz")
    asked = read_questions(data_file("answers/answers-validation.jsonl"), [records])
    rows = []
    for labels, form in ((True, "structured"), (False, "without structure")):
        for name, job in jobs(labels).items():
            seconds = best(lambda job=job: [job(question) for question in asked])
            rows.append([f"{name}, {form}", f"{len(asked) / seconds:.0f}"])
    print_table(["abstracts a second", ""], rows)
    size = sum(file.stat().st_size for file in models.packaged("answers").iterdir())
    load = best(lambda: models.load(models.packaged("answers"), "answers"))
    print(f"\nthe package's model: {size / 1e6:.1f} MB, loaded in {load * 1000:.0f} ms\n")

    with TemporaryDirectory() as place:
        index = Path(place, "rct")
        build_index(list_inputs([data_file("rct/rct-train.xml.gz")])[0], index)

        def ask(question: str) -> None:
            command = relsent_ir_command("answer", "--index", index, "--question", question)
            subprocess.run(command, check=True, capture_output=True)

        seconds = medians({q: lambda q=q: ask(q) for q in QUESTIONS}, rounds=5)
    print_table(
        ["a cold question, ten abstracts", "clock, s", "processor, s"],
        [[q, f"{s.clock:.2f}", f"{s.cpu:.2f}"] for q, s in seconds.items()],
    )


if __name__ == "__main__":
    main()
