"""What the verbs give on the sample and on cystic fibrosis is what it was: ids, order and scores.

``python -m tests.regressions.test_commands COLLECTION DATA`` writes the expectations of ``sample``
or ``cystic-fibrosis`` again; a change of theirs says in its commit why.
"""

import io
import json
import logging
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import pytest

import relsent_ir as rir
from relsent_ir.cli.main import main
from relsent_ir.datasets.bundled import SAMPLE

FIRST: Final = 10
"""Hits of a topic that are compared."""
DIGITS: Final = 4
"""Significant digits of a score."""
TOPICS: Final = {"sample": ("001", "004", "008"), "cystic-fibrosis": ("1", "50", "100")}
QUESTION: Final = {
    "sample": "Does vitamin D prevent falls and fractures in older people?",
    "cystic-fibrosis": "Is salt lost in the sweat of patients with cystic fibrosis?",
}
RECORDS: Final = {"sample": ("90000003", "90000045"), "cystic-fibrosis": ("161", "533")}
NAMES: Final = {"sample": ("p53", "MDM2"), "cystic-fibrosis": ("Pseudomonas", "gentamicin")}
TRAINED: Final = ["--pairs", "500", "--seed", "1", "--lambda0", "0.01"]
HUBER_PLUS: Final = "huber-plus"


def expected_of(name: str) -> Path:
    """Return the file with the expectations of a collection."""
    return Path(__file__).with_name(f"commands-{name}.json")


def rounded(value: float | str | bool | None) -> float | str | bool | None:
    """Round a number to `DIGITS` significant digits."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


class Commands:
    """The verbs on one collection, in this process.

    Parameters
    ----------
    name : str
        ``sample`` or ``cystic-fibrosis``.
    source : Path
        Its records, and its topics beside them.
    folder : Path
        Where indexes, models and runs are written.
    """

    def __init__(self, name: str, source: Path, folder: Path) -> None:
        self.name = name
        self.folder = folder
        sample = name == "sample"
        self.run(
            "index",
            "--input",
            source.resolve() / "sample.xml" if sample else source,
            "--index",
            "ix",
        )
        all_topics = rir.read_topics(source / ("topics.tsv" if sample else "cfquery"))
        lines = [f"{topic}\t{all_topics[topic]}\n" for topic in TOPICS[name]]
        (folder / "topics.tsv").write_text("".join(lines), encoding="utf-8")

    def run(self, *arguments: object) -> str:
        """Run a command and return its output."""
        printed, problems = io.StringIO(), io.StringIO()
        with chdir(self.folder), redirect_stdout(printed), redirect_stderr(problems):
            code = main([str(argument) for argument in arguments])
        logging.getLogger("relsent_ir").handlers = []
        assert code == 0, problems.getvalue()
        return printed.getvalue()

    def hits(self, verb: str, *arguments: object, topics: bool = True) -> dict[str, Any]:
        """Run a command that writes a run; return each topic's first hits with their scores."""
        asked = ("--topics", "topics.tsv") if topics else ()
        self.run(*verb.split(), "--index", "ix", *asked, *arguments, "--output", "new.txt")
        return {
            topic: [[name, rounded(float(score))] for name, score in hits.head(FIRST)]
            for topic, hits in rir.read_run(self.folder / "new.txt").items()
        }

    def shown(self, verb: str, *arguments: object) -> dict[str, Any]:
        """Run a command that shows hits; return its JSON."""
        found: dict[str, Any] = json.loads(self.run(verb, "--index", "ix", "--json", *arguments))
        return found

    def rerank(self, model: str, unit: str) -> dict[str, Any]:
        """Rerank BM25's first fifty records or sentences by a model."""
        self.hits("search", "--unit", unit, "--hits", 50)
        (self.folder / "new.txt").rename(self.folder / "bm25.txt")
        return self.hits("rerank", "--run", "bm25.txt", "--model", model)

    def searches(self) -> dict[str, Any]:
        """Run what finds or orders records for topics."""
        return {
            "search --ranker": self.hits("search", "--ranker", "ranker"),
            "rerank --model ranker": self.rerank("ranker", "abstracts"),
            "search --fb-preset medline": self.hits("search", "--fb-preset", "medline"),
            "rerank --model pmra": self.rerank("pmra", "abstracts"),
            "rerank --model themes": self.rerank("themes", "abstracts"),
            "themes": self.hits("themes", "--from-hits", 3),
            "answer": self.hits("answer"),
        }

    def records(self) -> dict[str, Any]:
        """Run `similar` for some records."""
        asked = ("similar", "--pmid", *RECORDS[self.name])
        return {
            "similar": self.hits(*asked, topics=False),
            "similar --method pmra": self.hits(*asked, "--method", "pmra", topics=False),
        }

    def details(self) -> dict[str, Any]:
        """Show answers, a theme and a relation."""
        answers = self.shown("answer", "--question", QUESTION[self.name], "--hits", 5)
        theme = self.shown("themes", "--pmid", *RECORDS[self.name][:1], "--hits", 5)
        one, other = NAMES[self.name]
        relation = self.shown("relate", "--entity", one, "--entity", other, "--hits", 5)
        told = ("slot", "rule", "score", "probability", "answer", "verdict")
        stated = ("score", "probability", "status", "polarity", "agent", "group", "pattern")
        return {
            "answers": [
                [hit["id"], rounded(hit["score"]), rounded(hit["probability"])]
                + [[part["id"], *(rounded(part[key]) for key in told)] for part in hit["sentences"]]
                for hit in answers["hits"]
            ],
            "theme": [[hit["id"], rounded(hit["score"])] for hit in theme["hits"]],
            "terms": [
                [of["term"], *(rounded(of[k]) for k in ("p", "db"))] for of in theme["terms"]
            ],
            "relation": [
                [hit["id"], *(rounded(hit.get(key)) for key in stated)] for hit in relation["hits"]
            ],
        }

    def trained(self, model: str) -> dict[str, Any]:
        """Train a model of related sentences on a few pairs, then match and rerank by it."""
        train = ("train", "related", "--index", "ix", "--model", model, *TRAINED)
        self.run(*train, "--output", model)
        return {
            f"{model}, every sentence": self.hits(
                "related match", "--model", model, "--candidates", "exact"
            ),
            f"{model}, rerank": self.rerank(f"./{model}", "sentences"),
        }


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """The verbs on the packaged sample."""
    return Commands("sample", SAMPLE, tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="module")
def cystic_fibrosis_commands(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """The verbs on cystic fibrosis."""
    folder = tmp_path_factory.mktemp("cystic-fibrosis")
    return Commands("cystic-fibrosis", data / "cystic-fibrosis", folder)


def check(commands: Commands, *groups: str) -> None:
    """Compare groups of commands with the expectations; scores to about a thousandth.

    Of vectors that are learned here, to a hundredth: the processor's BLAS rounds as it likes.
    """
    expected = json.loads(expected_of(commands.name).read_text(encoding="utf-8"))
    for group in groups:
        found = commands.trained(group) if "huber" in group else getattr(commands, group)()
        assert list(found) == list(expected[group])
        for name, values in found.items():
            compare(values, expected[group][name], name, 10.0 if group == HUBER_PLUS else 2.0)


def compare(found: Any, expected: Any, place: str, steps: float) -> None:
    """Compare nested values: numbers to so many steps of the last digit, all else exactly."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for key, value in expected.items():
            compare(found[key], value, f"{place}, {key}", steps)
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for number, (one, other) in enumerate(zip(found, expected, strict=True), 1):
            compare(one, other, f"{place}, {number}", steps)
    elif isinstance(expected, float):
        allowed = pytest.approx(expected, rel=steps * 10.0 ** (1 - DIGITS), abs=1e-9)
        assert found == allowed, place
    else:
        assert found == expected, place


GROUPS: Final = ("searches", "records", "details", "huber")


def test_sample(sample: Commands) -> None:
    """The sample: every id, order, score, slot and probability is the recorded one."""
    check(sample, *GROUPS, HUBER_PLUS)


def test_cystic_fibrosis(cystic_fibrosis_commands: Commands) -> None:
    """Cystic fibrosis: the same."""
    check(cystic_fibrosis_commands, *GROUPS)


@pytest.mark.slow
def test_huber_plus(cystic_fibrosis_commands: Commands) -> None:
    """Cystic fibrosis: Huber+, whose associations take a minute to learn."""
    check(cystic_fibrosis_commands, HUBER_PLUS)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        commands = Commands(sys.argv[1], Path(sys.argv[2]), Path(scratch))
        written = {
            group: commands.trained(group) if "huber" in group else getattr(commands, group)()
            for group in (*GROUPS, HUBER_PLUS)
        }
    text = json.dumps(written, ensure_ascii=False, separators=(",", ":"))
    expected_of(sys.argv[1]).write_text(text.replace('],"', '],\n"') + "\n", encoding="utf-8")
