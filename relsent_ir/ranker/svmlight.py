"""Features as a file for other learners: SVMlight with topics, as LETOR's.

Qin, Liu: Introducing LETOR 4.0 datasets. arXiv:1306.2597, 2013.
"""

from collections.abc import Sequence
from pathlib import Path

from relsent_ir.files import atomic_writer
from relsent_ir.ranker.model import columns
from relsent_ir.ranker.pairs import Judged


def write_features(path: Path, topics: Sequence[Judged], groups: Sequence[str]) -> int:
    """Write topics with features, whole or not at all.

    A feature of 0 is left out, as readers of the format expect.

    Returns
    -------
    int
        How many candidates were written.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    count = 0
    with atomic_writer(path) as file:
        for number, (name, what) in enumerate(columns(groups).items(), 1):
            file.write(f"# {number} {name}: {what}\n")
        for topic in topics:
            rows = zip(topic.ids, topic.grades.tolist(), topic.features.tolist(), strict=True)
            for record, grade, values in rows:
                filled = " ".join(f"{n}:{v:.6g}" for n, v in enumerate(values, 1) if v)
                file.write(f"{grade} qid:{topic.topic} {filled} # {record}\n")
                count += 1
    return count
