"""``relsent-ir answer``."""

import json
from pathlib import Path
from typing import Any

import pytest

from recipes.answers.training import train
from relsent_ir import models
from relsent_ir.answers.questions import answer_sentences
from relsent_ir.trec import read_run
from tests.answers.conftest import DRUGS, asked, invented, posed, questions

__all__ = ["posed", "questions"]


def _line(number: int, drug: str, which: int, **more: Any) -> dict[str, Any]:
    record = invented(number, drug)
    question = asked(record, drug)[which]
    sections = [{"label": s.label, "text": s.text} for s in record.sections]
    line = {"id": question.id, "question": question.text, "pmid": record.id}
    line |= {"title": record.title, "abstract": sections, "evidence": list(question.evidence)}
    return {**line, **more}


@pytest.fixture(autouse=True)
def lines(tmp_path, monkeypatch) -> None:
    """Sixteen questions with abstracts and evidence, without any data folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RELSENT_DATA", raising=False)
    found = [_line(n, drug, which) for n, drug in enumerate(DRUGS) for which in (0, 1)]
    Path("q.jsonl").write_text("".join(json.dumps(x) + "\n" for x in found), encoding="utf-8")


def _write(*lines: dict[str, Any] | str) -> None:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    Path("in.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")


def test_answer_evaluate(relsent, posed):
    """A model writes a run over sentences, and is measured."""
    models.save("model", train(posed))
    ran = relsent(
        *("answer", "--input", "q.jsonl", "--model", "model", "--output", "run.txt", "--json")
    )
    assert ran.code == 0
    assert json.loads(ran.out) == {"output": "run.txt", "topics": 16, "hits": 128}
    run = read_run("run.txt")
    assert run["000w"].ids[0] == "000.6"
    assert run["000e"].ids[0] == "000.7"
    ran = relsent("answer", "evaluate", "--model", "model", "--input", "q.jsonl", "--json")
    values = json.loads(ran.out)
    assert list(values)[:3] == ["success_at_1", "span_f1", "mrr"]
    assert values["questions"] == 16
    first = [
        answer_sentences([_text(topic, str(hits.ids[0]))], _evidence(topic))[0]
        for topic, hits in run.items()
    ]
    assert values["success_at_1"] == pytest.approx(sum(first) / 16)


def _text(topic: str, sentence: str) -> str:
    number = int(topic[:3])
    texts = {s.id: s.text for s in invented(number, DRUGS[number]).sentences()}
    return texts[sentence]


def _evidence(topic: str) -> tuple[str, ...]:
    number = int(topic[:3])
    record = invented(number, DRUGS[number])
    return next(q.evidence for q in asked(record, DRUGS[number]) if q.id == topic)


def test_the_package_s_model(relsent):
    """Without --model, the one that comes with the package; plain text without a title too."""
    abstract = " ".join(section.text for section in invented(0, "murinol").sections)
    _write("", _line(0, "murinol", 0, abstract=abstract, title=None))
    ran = relsent("answer", "--input", "in.jsonl", "--output", "run.txt")
    assert (ran.code, ran.out, ran.err) == (0, "", "run.txt: 1 topic, 8 hits\n")
    hits = read_run("run.txt")["000w"]
    assert hits.ids[0] == "000.6"
    assert len(hits) == 8
    ran = relsent("answer", "evaluate", "--input", "in.jsonl")
    assert "1 questions" in ran.out
    assert "mrr                     1.0000" in ran.out


def test_what_is_shown(relsent):
    """Without --output the best sentences are shown, a star at answers."""
    _write(_line(0, "murinol", 0))
    ran = relsent("answer", "--input", "in.jsonl", "--sentences", 2)
    head, record, first, second = ran.out.splitlines()
    assert head.startswith("000w  Compared with placebo")
    assert record.startswith("   1* 000 ")
    assert record.endswith("  Safety of murinol in mice")
    assert first.startswith("      * ")
    assert "finding  RESULTS     Body weight" in first
    assert second.startswith("        ")
    ran = relsent("answer", "--input", "in.jsonl", "--json")
    described = json.loads(ran.out)
    assert described["topic"] == "000w"
    (hit,) = described["hits"]
    finding, conclusion = hit["sentences"]
    assert (finding["id"], finding["slot"], finding["answer"]) == ("000.6", "finding", True)
    assert (conclusion["id"], conclusion["slot"]) == ("000.8", "conclusion")
    assert (finding["verdict"], conclusion["verdict"]) == ("", "")  # it asks what, not whether
    assert (finding["rule"], conclusion["rule"]) == ("likeliest", "likeliest")
    assert set(hit) >= {"text", "title", "year", "journal", "publication_types", "link"}
    assert "probability" not in hit  # nobody has asked whether the abstract is the right one
    assert hit["sentence"]["id"] == "000.6"
    ran = relsent("answer", "--input", "in.jsonl", "--slot", "conclusion")
    assert len(ran.out.splitlines()) == 3
    assert "conclusion  CONCLUSION  We conclude" in ran.out
    _write(_line(0, "murinol", 0, question="Does murinol reduce body weight?"))
    ran = relsent("answer", "--input", "in.jsonl", "--json")
    finding = next(s for s in json.loads(ran.out)["hits"][0]["sentences"] if s["slot"] == "finding")
    assert finding["verdict"] == "yes"
    _write(_line(0, "murinol", 0))
    ran = relsent("answer", "--input", "in.jsonl", "--format", "csv")
    columns, row = ran.out.splitlines()
    assert columns.startswith("topic,rank,id,score")
    assert row.startswith("000w,1,000,")
    assert "Body weight fell" in row


def test_fallbacks(relsent):
    """No claim zone, stop words only, no abstract: no error, and what there is is ranked."""
    methods = [{"label": "METHODS", "text": "Mice were weighed. They ran."}]
    _write(
        _line(0, "murinol", 0, id="zone", abstract=methods),
        _line(1, "ratinol", 0, id="stop", question="what is the of and"),
        _line(2, "catinol", 0, id="empty", question=""),
        _line(3, "caninol", 0, id="none", abstract=""),
    )
    ran = relsent("answer", "--input", "in.jsonl", "--output", "run.txt")
    assert ran.code == 0
    assert ran.err == (
        "relsent-ir: warning: in.jsonl:4: no abstract, so no sentence to answer "
        "(1 of 4 questions)\nrun.txt: 4 topics, 18 hits\n"
    )
    run = read_run("run.txt")
    assert {topic: len(hits) for topic, hits in run.items()} == {"zone": 2, "stop": 8, "empty": 8}
    assert "[abstract: missing]" in relsent("answer", "--input", "in.jsonl").out
    values = json.loads(relsent("answer", "evaluate", "--input", "in.jsonl", "--json").out)
    assert values["questions"] == 4


def test_one_question_several_abstracts(relsent):
    """Their sentences are in one ranking."""
    question = "Compared with placebo, what is the effect of these on body weight?"
    _write(
        _line(0, "murinol", 0, id="1", question=question),
        _line(1, "ratinol", 0, id="1", question=question),
    )
    relsent("answer", "--input", "in.jsonl", "--output", "run.txt")
    ids = read_run("run.txt")["1"].ids.tolist()
    assert set(ids[:2]) == {"000.6", "001.6"}
    assert len(ids) == 16


def test_records(relsent):
    """Lines without an abstract get it from --records; labels can be ignored."""
    record = invented(0, "murinol")
    Path("r.jsonl").write_text(record.to_json() + "\n", encoding="utf-8")
    line = _line(0, "murinol", 0)
    del line["abstract"]
    _write(line)
    arguments = ("--input", "in.jsonl", "--records", "r.jsonl")
    assert "mrr                     1.0000" in relsent("answer", "evaluate", *arguments).out
    assert (
        "mrr                     1.0000"
        in relsent("answer", "evaluate", "--ignore-labels", *arguments).out
    )
    ran = relsent("answer", "evaluate", "--input", "in.jsonl")
    assert ran.code == 4
    assert "in.jsonl:1: no abstract" in ran.err


def test_from_an_index(relsent, tmp_path):
    """A question finds abstracts and sentences; topics give a run over sentences."""
    texts = "".join(invented(n, drug).to_json() + "\n" for n, drug in enumerate(DRUGS))
    Path("r.jsonl").write_text(texts, encoding="utf-8")
    index = tmp_path / "index"
    relsent("index", "--input", "r.jsonl", "--index", index)
    question = "Compared with placebo, what is the effect of murinol on body weight?"
    ran = relsent("answer", "--question", question, "--index", index, "--hits", 2, "--json")
    hits = json.loads(ran.out)["hits"]
    assert hits[0]["record"] == "000"
    assert hits[0]["sentences"][0]["id"] == "000.6"
    assert hits[0]["first stage"] > hits[1]["first stage"]
    assert hits[0]["probability"] > hits[1]["probability"]
    assert [hit["missing words"] for hit in hits] == [[], ["murinol"]]
    shown = relsent("answer", "--question", question, "--index", index).out
    assert "Body weight fell by 4.5 g with murinol" in shown
    assert "; missing words: murinol]" in shown
    assert "nothing found\n" in relsent("answer", "--question", "of the", "--index", index).out
    Path("t.tsv").write_text(f"7\t{question}\n8\tDoes murinol help?\n", encoding="utf-8")
    shown = relsent("answer", "--topics", "t.tsv", "--index", index).out
    assert f"7  {question}\nlikeliest answer (" in shown
    assert "\n8  Does murinol help?\n" in shown
    ran = relsent("answer", "--topics", "t.tsv", "--index", index, "--json")
    first, second = map(json.loads, ran.out.splitlines())
    assert (first["slot"], second["slot"]) == ("finding", "conclusion")
    assert first["pooled"]["headline"].endswith(
        '): "Body weight fell by 4.5 g with murinol (P < 0.01)."'
    )
    assert (first["pooled"]["kind"], second["pooled"]["kind"]) == ("what", "yes/no")
    ran_alone = ran.out
    ran = relsent("answer", "--topics", "t.tsv", "--index", index, "--output", "run.txt")
    assert (ran.code, ran.out) == (0, "")
    assert read_run("run.txt")["7"].ids[0] == "000.6"
    asked = ("answer", "--topics", "t.tsv", "--index", index, "--threads", 2)
    assert relsent(*asked, "--json").out == ran_alone
    assert relsent(*asked, "--output", "two.txt").code == 0
    assert Path("two.txt").read_bytes() == Path("run.txt").read_bytes()


def test_given_abstracts(relsent, tmp_path):
    """Of a list, a run, or another first stage; strangers are counted and named."""
    texts = "".join(invented(n, drug).to_json() + "\n" for n, drug in enumerate(DRUGS))
    Path("r.jsonl").write_text(texts, encoding="utf-8")
    index = tmp_path / "index"
    relsent("index", "--input", "r.jsonl", "--index", index)
    question = "Does murinol reduce body weight?"
    Path("t.tsv").write_text(f"7\t{question}\n", encoding="utf-8")
    Path("ids.txt").write_text("001\n\n999\n000\n", encoding="utf-8")
    asked = ("answer", "--index", index, "--json")
    ran = relsent(*asked, "--question", question, "--pmids", "ids.txt")
    assert [hit["record"] for hit in json.loads(ran.out)["hits"]] == ["000", "001"]
    assert ran.err == "relsent-ir: warning: ids.txt: 1 of 3 ids are not in the index: 999\n"
    Path("run.txt").write_text("7 Q0 003 1 2.0 x\n7 Q0 000 2 1.0 x\n", encoding="utf-8")
    ran = relsent(*asked, "--topics", "t.tsv", "--run", "run.txt")
    assert [hit["record"] for hit in json.loads(ran.out)["hits"]] == ["000", "003"]
    ran = relsent(*asked, "--question", question, "--first-stage", "medline")
    assert json.loads(ran.out)["hits"][0]["record"] == "000"
    bad = {"none.txt": "\n", "others.txt": "998\n999\n"}
    for name, text in bad.items():
        Path(name).write_text(text, encoding="utf-8")
        ran = relsent(*asked, "--question", question, "--pmids", name)
        assert ran.code in (4, 5)
        assert ran.err.count("\n") == 1
    for text in ("7 Q0 998 1 2.0 x\n", "8 Q0 000 1 2.0 x\n"):
        Path("run.txt").write_text(text, encoding="utf-8")
        ran = relsent(*asked, "--topics", "t.tsv", "--run", "run.txt")
        assert ran.code in (4, 5)
        assert ran.err.count("\n") == 1


def test_odd_questions(relsent, sample_indexes):
    """An empty one and one of 11,700 characters are refused, a long one is asked."""
    asked = "answer", "--index", sample_indexes, "--hits", 2, "--question"
    empty = relsent(*asked, "")
    assert (empty.code, empty.err.count("\n")) == (2, 1)
    long = relsent(*asked, "Does vitamin D prevent asthma attacks? " * 25)
    assert (long.code, long.err) == (0, "")
    longer = relsent(*asked, "Does vitamin D prevent asthma attacks? " * 300)
    assert (longer.code, longer.err.count("\n")) == (2, 1)
    assert "the question has 11,700 characters (ask it in at most 1,000)" in longer.err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "give one of"),
        (("--index", "i", "--question", "x", "--topics", "t"), "give one of"),
        (("--question", "x"), "--question needs --index"),
        (("--input", "q.jsonl", "--index", "x"), "--input and --index exclude"),
        (("--input", "q.jsonl", "--threads", "2"), "--input and --threads exclude"),
        (("--input", "q.jsonl", "--slot", "finding", "--sentences", "2"), "give one of --slot"),
        (("--question", "x", "--index", "i", "--output", "r"), "--question and --output exclude"),
        (("--question", "x", "--index", "i", "--hits", "0"), "--hits"),
        (("--question", "x", "--index", "i", "--b", "7"), "--b 7.0 (from 0 to 1)"),
        (("--input", "q.jsonl", "--b", "0.1"), "--input and --b exclude"),
        (("--input", "q.jsonl", "--pmids", "p"), "--pmids needs --index"),
        (("--question", "x", "--index", "i", "--run", "r"), "--run needs --topics"),
        (("--input", "q.jsonl", "--hits", "3"), "--input and --hits exclude"),
        (("--input", "q.jsonl", "--slot", "finding", "--output", "r"), "--slot and --output"),
        (("--input", "q.jsonl", "--sentences", "1", "--output", "r"), "--sentences and --output"),
    ],
)
def test_flags(arguments, problem, refused):
    """Flags that do not go together."""
    refused(2, problem, "answer", *arguments)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "in.jsonl:2: no JSON"),
        ("3", "in.jsonl:2: JSON, but no object"),
        ('{"id": "1", "pmid": "2", "abstract": ""}', "in.jsonl:2: the field question"),
        ('{"id": "1", "question": "x", "pmid": "2"}', "in.jsonl:2: no abstract"),
    ],
)
@pytest.mark.parametrize("verb", ["run", "evaluate"])
def test_bad_lines(verb, line, problem, relsent):
    """One line that names file and line, exit code 4, and nothing is written."""
    _write(_line(0, "murinol", 0), line)
    arguments = {
        "run": ("answer", "--input", "in.jsonl", "--output", "out"),
        "evaluate": ("answer", "evaluate", "--input", "in.jsonl"),
    }[verb]
    ran = relsent(*arguments)
    assert ran.code == 4
    assert ran.err.count("\n") == 1
    wanted = "no evidence" if verb != "run" and 'question": "x' in line else problem
    assert wanted.partition(": ")[2] in ran.err or problem in ran.err
    assert not Path("out").exists()


def test_files_and_filters(relsent, sample_indexes):
    """Codes 4 and 6; abstracts that do not pass are not asked; own ones take no filters."""
    assert relsent("answer", "--input", "none.jsonl", "--output", "r").code == 4
    assert relsent("answer", "--input", "q.jsonl", "--model", "none", "--output", "r").code == 4
    assert relsent("answer", "evaluate", "--input", ".").code == 4
    assert relsent("answer", "--input", "q.jsonl", "--output", ".").code == 6
    question = "Does vitamin D prevent asthma attacks?"
    asked = ("answer", "--index", sample_indexes, "--question", question, "--hits", 1)
    assert "90000031" in relsent(*asked, "--year", "2016:").out
    assert relsent(*asked, "--year", "1900:1901").out.endswith("nothing found\n")
    assert relsent("answer", "--input", "x", "--output", "y", "--year", "2016").code == 2
