"""Answers of today beside those of another version: what stands first, speed, and size.

Both judge the questions of the validation split, each with its abstract, in processes of their own
that take turns; seconds are those of the processor, on one thread, the least of the rounds. A first
sentence is right by the span of the evidence, for both (`relsent_ir.answers.gold`). The difference
has 95 % of bootstrap samples of the articles.

Run ``RELSENT_DATA=<data folder> python benchmarks/answers_before.py --before DIR``, where DIR is a
tree of the version before: ``git worktree add --detach DIR 0454b0a``, the last one without slots.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

ROUNDS = 3
SAMPLES = 1000
FORMS = {"labels": True, "labels ignored": False}


def judge(data: Path) -> dict[str, Any]:
    """Judge with the version that is imported; all that is printed is JSON."""
    from relsent_ir.answers import default_model, find_answers, read_questions

    records = data / "rct" / "rct-validation.xml.gz"
    asked = read_questions(data / "answers" / "answers-validation.jsonl", [records], evidence=True)
    model = default_model()
    found: dict[str, Any] = {"folder": str(Path(sys.modules["relsent_ir"].__file__ or "").parent)}
    for form, labels in FORMS.items():
        for timed in (False, True):  # once for what is kept
            start = process_time()
            judged = [find_answers(model, q.text, q.record, labels=labels) for q in asked]
            seconds = process_time() - start if timed else 0.0
        rows = [[(int(a.id.rpartition(".")[2]), a.text) for a in answers] for answers in judged]
        found[form] = {"seconds": seconds, "sentences": rows}
    return found


def run(tree: Path, data: Path) -> dict[str, Any]:
    """Judge with the version in a folder."""
    known = {**os.environ, "PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__).resolve()), "--worker", "--data", str(data)]
    done = subprocess.run(command, env=known, cwd=tree, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    if Path(found["folder"]).parent.resolve() != tree.resolve():
        raise SystemExit(f"{tree} was not imported, but {found['folder']}")
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--worker", action="store_true")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--data", type=Path, default=os.environ.get("RELSENT_DATA"))
    given = parser.parse_args()
    if given.worker:
        json.dump(judge(given.data), sys.stdout)
        return
    import numpy as np
    from common import print_table

    from relsent_ir.answers import read_questions
    from relsent_ir.answers.gold import answer_sentences

    trees = {"before": given.before.resolve(), "now": Path(__file__).resolve().parents[1]}
    rounds = [
        {name: run(tree, given.data) for name, tree in trees.items()} for _ in range(given.rounds)
    ]
    records = given.data / "rct" / "rct-validation.xml.gz"
    asked = read_questions(
        given.data / "answers" / "answers-validation.jsonl", [records], evidence=True
    )
    _, place = np.unique([q.record.id for q in asked], return_inverse=True)
    rng = np.random.default_rng(0)
    n = int(place.max()) + 1
    times = rng.multinomial(n, np.full(n, 1 / n), size=SAMPLES)[:, place]
    rows = []
    for form in FORMS:
        right = {}
        for name in trees:
            firsts = []
            for question, ranked in zip(asked, rounds[0][name][form]["sentences"], strict=True):
                texts = [text for _, text in sorted(ranked)]
                firsts.append(answer_sentences(texts, question.evidence)[ranked[0][0] - 1])
            right[name] = np.array(firsts)
            seconds = min(one[name][form]["seconds"] for one in rounds)
            speed = f"{len(asked) / seconds:.0f}"
            rows.append([f"{name}, {form}", f"{right[name].mean():.4f}", speed])
        gain = right["now"].astype(float) - right["before"]
        low, high = np.quantile((times * gain).sum(axis=1) / times.sum(axis=1), (0.025, 0.975))
        rows.append([f"difference, {form}", f"{gain.mean():+.4f} ({low:+.3f} to {high:+.3f})", ""])
    print_table(["", "what stands first", "abstracts a second"], rows)
    for name, tree in trees.items():
        files = (tree / "relsent_ir" / "answers" / "default").iterdir()
        print(f"{name}: a model of {sum(file.stat().st_size for file in files) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
