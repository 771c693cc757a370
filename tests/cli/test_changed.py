"""What every verb says of an index that was changed is what it says of one that is built anew."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.write.changing import model_tagger, tag_index
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.models import save_folder
from relsent_ir.records import Record, read_records
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.features import Lexicon
from relsent_ir.related.tokens import words
from relsent_ir.related.weights import WeightModel
from tests.cli.conftest import SAMPLE

TOPICS = "--topics topics.tsv --output run"
SEARCHES = (
    *("", "--qld", "--smart ltc.atn", "--smart ltc.atn --candidates 9", "--rm3", "--rocchio"),
    *("--fb-preset medline", "--engine matrix", "--fields title=2 abstract=1"),
    *("--ranker ranker", "--year 2010:"),
    *("--rocchio --argumentative CONCLUSION=1", "--unit sentences", "--unit sentences --rm3"),
    "--unit sentences --max-passage",
)
VERBS = (
    *(f"search {TOPICS} {flags}" for flags in SEARCHES),
    *(f"similar --pmid KERNEL --method {m}" for m in ("neighbours", "pmra", "bm25", "ltc.atn")),
    *(f"related {TOPICS} --model {model}" for model in ("I1.5", "D", "weights")),
    "related --model weights --text urinary --min-score auto",
    "related --model weights --text urinary --min-probability 0.01",
    "related --model O3 --pmid KERNEL",
    *("themes --pmid KERNEL", "themes --pmid KERNEL --published", "themes map --count 3"),
    *(f"answer {TOPICS}", "answer --question Are_antibiotics_better?"),
    "relate --entity antibiotics --entity infection",
    "rerank --run first.txt --topics topics.tsv --output run --model I1.5",
    "rerank --run first.txt --topics topics.tsv --output run --model ranker",
    "features --topics topics.tsv --output run --depth 20",
    "explain --id KERNEL --text urinary",
)


@pytest.fixture
def outputs(relsent, here) -> Callable[[Path], dict[str, str]]:
    """All that the verbs print and write of an index."""
    shutil.copy(here / "topics/sample.tsv", "topics.tsv")
    facts, arrays = _weights().to_stored()
    save_folder("weights", "huber", facts, arrays)

    def run(index: Path) -> dict[str, str]:
        with Index(index) as opened:
            kernel = sorted(opened.ids())[0]
        first = ("search", "--index", index, "--topics", "topics.tsv", "--output", "first.txt")
        assert relsent(*first, "--hits", 30).code == 0
        told = {}
        for line in VERBS:
            Path("run").unlink(missing_ok=True)
            words = {"INDEX": index, "KERNEL": kernel}
            verb, *flags = (words.get(word, word) for word in line.split())
            json = () if verb == "features" else ("--json",)
            ran = relsent(verb, *flags[: line.startswith("themes map")], "--index", index,
                          *flags[line.startswith("themes map") :], *json)  # fmt: skip
            assert ran.code == 0, (line, ran.err)
            told[line] = Path("run").read_text() if Path("run").exists() else ran.out
        return told

    return run


def _weights() -> WeightModel:
    """A calibrated model of the sample's words, with weights by chance."""
    records: Any = read_records(SAMPLE / "sample.xml")
    texts = [sentence.text for record in records for sentence in record.sentences()]
    lexicon = Lexicon.of({word for text in texts for word in words(text, ())})
    chance = np.random.default_rng(0)
    both, one = chance.exponential(size=len(lexicon)), -chance.exponential(0.1, len(lexicon))
    model = WeightModel("huber", lexicon, both, one, 0.1, ("the",), {})
    model.calibration = Calibration(0.5, -2.0, 40, np.array([0.5, 1.0]), 9.0)
    return model


def _write(path: Path, records: list[Record]) -> tuple[Path, str]:
    path.write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")
    return path, "jsonl"


def _differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    return [line for line in one if one[line] != other[line]]


@pytest.mark.slow
def test_as_built_anew(outputs, tmp_path):
    """Appended, retagged, updated, deleted, optimized, merged; each time all data are derived."""
    records: Any = list(read_records(SAMPLE / "sample.xml"))
    parts = [_write(tmp_path / f"{n}.jsonl", records[n::3]) for n in range(3)]
    update = (SAMPLE / "update.xml", "pubmed-xml")
    tagger = model_tagger()
    live = tmp_path / "live"

    def anew(name: str, *inputs: tuple[Path, str], **how: Any) -> dict[str, str]:
        build_index(list(inputs), tmp_path / name, **how)
        return outputs(tmp_path / name)

    build_index(parts[:1], live)
    outputs(live)
    for n in (2, 3):
        build_index(parts[n - 1 : n], live, append=True)
        assert _differing(outputs(live), anew(f"appended{n}", *parts[:n])) == []
    tag_index(live, tagger)
    tagged = outputs(live)
    assert _differing(tagged, anew("tagged", *parts, tagger=tagger)) == []
    build_index([update], live, append=True, tagger=tagger)
    updated = outputs(live)
    assert updated != tagged
    copy = shutil.copytree(live, tmp_path / "copy", ignore=shutil.ignore_patterns("derived"))
    assert _differing(updated, outputs(copy)) == []
    build_index([update], live, append=True, tagger=tagger, optimize=True)
    with Index(live) as index:
        left = index.records(index.ids())  # sums are added up in Lucene's order
    fresh = anew("fresh", _write(tmp_path / "left.jsonl", left), tagger=tagger, optimize=True)
    assert _differing(outputs(live), fresh) == []
