"""``python -m recipes answers``."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

from recipes import answers
from recipes.answers.titles import HALVES, half
from relsent_ir import models
from relsent_ir.answers.sentence_features import NAMES
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Record, list_inputs
from tests.answers.conftest import DRUGS, asked, invented


def _write(path: Path, records: list[Record]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(record.to_json() + "\n" for record in records), encoding="utf-8")


def test_from_the_data_folder(tmp_path, monkeypatch, capsys):
    """Questions and abstracts come from RELSENT_DATA, judgements from the repository's folders."""
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data"
    monkeypatch.setenv("RELSENT_DATA", str(data))
    records = [invented(n, drug) for n, drug in enumerate(DRUGS)]
    _write(data / "rct" / "rct-train.xml.gz", records)
    asking = [
        replace(invented(n, drug), title=f"Does {drug} help mice?")
        for n, drug in enumerate(DRUGS, 100)
    ]
    _write(data / "abstracts" / "abstracts.jsonl.gz", asking)
    lines = []
    for record, drug in zip(records, DRUGS, strict=True):
        question = asked(record, drug)[0]
        line = {"id": question.id, "question": question.text, "pmid": record.id}
        lines.append(json.dumps({**line, "evidence": list(question.evidence)}) + "\n")
    (data / "answers").mkdir()
    (data / "answers" / "answers-train.jsonl").write_text("".join(lines), encoding="utf-8")
    read = tmp_path / "qrels" / "reader"
    read.mkdir(parents=True)
    (read / "answers-directions.tsv").write_text("100.7\tyes\n101.7\tno\n", encoding="utf-8")
    graded = "abstracts\t1\t100.7\t2\nabstracts\t1\t100.1\t0\n"
    (read / "answers-development.tsv").write_text(graded, encoding="utf-8")
    (tmp_path / "topics" / "reader").mkdir(parents=True)
    for n, name in enumerate(answers.TOPICS, 1):
        topics = tmp_path / "topics" / "reader" / f"answers{name}.tsv"
        topics.write_text(f"{n}\tDoes murinol help mice?\n", encoding="utf-8")
    files, _ = list_inputs([data / "abstracts" / "abstracts.jsonl.gz"])
    build_index(files, tmp_path / "indexes" / "abstracts")
    (data / "scifact").mkdir()
    claim = {"claim": "Catinol helps.", "cited": ["100"], "evidence": []}
    (data / "scifact" / "claims.jsonl").write_text(json.dumps(claim))
    for name in ("corpus.jsonl.gz", "sentences.jsonl.gz"):
        with gzip.open(data / "scifact" / name, "wt") as file:
            file.write(asking[0].to_json() if name[0] == "c" else '{"_id": "100", "abstract": []}')
    answers.main(["--output", "model"])
    count = 8 + sum(half(record.id) == HALVES[0] for record in asking)
    assert capsys.readouterr().out == f"model: from {count} questions\n"
    facts = models.load_folder("model").facts
    assert facts["command"] == "python -m recipes answers"
    assert [file["name"] for file in facts["data"]["files"]][:3] == [
        "answers-train.jsonl",
        "rct-train.xml.gz",
        "abstracts.jsonl.gz",
    ]
    assert list(facts["columns"])[1:] == list(NAMES)
    assert models.load("model", "answers").verdicts is not None
