"""``relsent-ir train moves``, ``moves``, and moves in ``index`` and ``search``."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from relsent_ir.cli.main import relsent_ir
from relsent_ir.errors import InputError, MismatchError, RelsentError, UsageError
from relsent_ir.lucene.read.index import Index
from relsent_ir.moves import MOVES
from relsent_ir.moves.evaluation import held_out
from relsent_ir.records import Record, Section

DRUGS = ("murinol", "ratinol", "catinol", "caninol", "ovinol", "bovinol")

HEADED = (
    "AIM: Little is known of {0}. METHODS: Forty mice were given {0}. They were weighed. "
    "RESULTS: Two of 20 mice died. CONCLUSIONS: We conclude that {0} may help mice."
)


def _record(number: str, drug: str) -> Record:
    return Record(
        number,
        f"Safety of {drug} in mice",
        sections=(
            Section(f"Little is known of {drug}. We aimed to study it.", "AIM"),
            Section(f"Forty mice were given {drug} or placebo.", "METHODS", "METHODS"),
            Section("Two of 20 mice died (P < 0.01).", "RESULTS", "RESULTS"),
            Section(f"We conclude that {drug} may help mice.", "CONCLUSION", "CONCLUSIONS"),
            Section("ISRCTN 1.", "TRIAL REGISTRATION", "UNASSIGNED"),
        ),
    )


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    """Structured abstracts in one file, and one without structure in another."""
    monkeypatch.chdir(tmp_path)
    records = [_record(f"00{n}", drug) for n, drug in enumerate(DRUGS)]
    Path("in.jsonl").write_text("".join(r.to_json() + "\n" for r in records), encoding="utf-8")
    plain = Record("7", "Odd", sections=(Section("Mice were odd. RESULTS: Two died."),))
    Path("plain.jsonl").write_text(plain.to_json() + "\n", encoding="utf-8")


def _run(*arguments: str) -> Result:
    """Run a verb; indexes by their whole paths, since Java keeps the folder that it started in."""
    arguments = tuple(
        str(Path(argument).resolve()) if before == "--index" else argument
        for before, argument in pairwise(("", *arguments))
    )
    return CliRunner().invoke(relsent_ir, arguments, catch_exceptions=False)


def _fails(kind: type[RelsentError], problem: str, *arguments: str) -> None:
    with pytest.raises(kind, match=problem) as caught:
        _run(*arguments)
    assert "\n" not in str(caught.value)


def test_features_of_the_paper():
    """The CRF alone takes the paper's features, which its model says."""
    arguments = ("train", "moves", "--features", "alamri-stevenson", "--input", "in.jsonl")
    _run(*arguments, "--output", "m")
    facts = json.loads(Path("m", "model.json").read_text(encoding="utf-8"))
    assert "title" in facts["groups"]
    assert not set(facts["groups"]) & {"place", "opening", "numbers", "length"}
    assert facts["openings"] is False


def test_train_and_evaluate():
    """A model is written with what made it, and measured in the shape that is promised."""
    made = _run("train", "moves", "--input", "in.jsonl", "--output", "m", "--json")
    assert json.loads(made.stdout)["abstracts"] == 6
    facts = json.loads(Path("m", "model.json").read_text(encoding="utf-8"))
    assert facts["command"] == "relsent-ir train moves --input in.jsonl"
    assert facts["data"]["left_out"] == {"registration, funding, ethics": 6}
    found = json.loads(
        _run("moves", "evaluate", "--model", "m", "--input", "in.jsonl", "--json").stdout
    )
    assert set(found) >= {"accuracy", "macro_f1", "moves", "confusion"}
    assert found["abstracts"] == 6
    assert found["sentences"] == 30
    assert set(found["moves"]) == set(found["confusion"]) == set(MOVES)
    assert set(found["moves"]["PURPOSE"]) == {"precision", "recall", "f1", "support"}
    assert found["moves"]["PURPOSE"]["support"] == 12
    assert found["macro_f1"] > 0.9


def test_train_from_headings_and_an_index():
    """Headings teach as labels do; records may be passed over, or only scored; or be an index's."""
    headed = [
        Record(f"h{n}", f"Safety of {drug}", sections=(Section(HEADED.format(drug)),))
        for n, drug in enumerate(DRUGS)
    ]
    Path("headed.jsonl").write_text("".join(r.to_json() + "\n" for r in headed), encoding="utf-8")
    Path("h0.jsonl").write_text(headed[0].to_json() + "\n", encoding="utf-8")
    train = ("train", "moves", "--output", "m", "--json")
    inputs = ("--input", "in.jsonl", "headed.jsonl", "--without", "h0.jsonl")
    found = json.loads(_run(*train, *inputs, "--hold-out", "headed.jsonl").stdout)
    assert (found["abstracts"], found["headed"]) == (11, 5)
    assert found["held_out"]["abstracts"] == sum(held_out(f"h{n}") for n in range(1, 6)) == 1
    facts = json.loads(Path("m", "model.json").read_text(encoding="utf-8"))
    assert facts["command"] == (
        "relsent-ir train moves --input in.jsonl headed.jsonl "
        "--without h0.jsonl --hold-out headed.jsonl"
    )
    assert (
        "1 only scored: macro F1" in _run(*train[:-1], *inputs, "--hold-out", "headed.jsonl").stdout
    )
    _run("index", "--input", "in.jsonl", "headed.jsonl", "--index", "ix")
    assert json.loads(_run(*train, "--index", "ix").stdout)["headed"] == 6
    shown = _run("moves", "evaluate", "--model", "m", "--input", "headed.jsonl", "--json").stdout
    assert json.loads(shown)["abstracts"] == 6
    _fails(UsageError, "give one of --input and --index", *train)
    _fails(UsageError, "--hold-out else", *train, "--input", "in.jsonl", "--hold-out", "else")


def test_evaluate_prints_the_count():
    """How many abstracts the rule takes is printed, and a table."""
    shown = _run("moves", "evaluate", "--input", "in.jsonl").stdout
    assert shown.startswith("6 abstracts with three moves or four, 30 sentences\n")
    assert "PURPOSE" in shown


def test_tag():
    """Sentence id, move, score, text; labels and inline headings give theirs."""
    _run("moves", "tag", "--input", "in.jsonl", "plain.jsonl", "--output", "out.tsv")
    rows = [line.split("\t") for line in Path("out.tsv").read_text("utf-8").splitlines()]
    assert len(rows) == 6 * 6 + 2
    assert rows[0] == ["000.1", "PURPOSE", "1.0000", "Little is known of murinol."]
    assert rows[-1] == ["7.2", "RESULTS", "1.0000", "RESULTS: Two died."]
    assert all(row[1] in MOVES and 0 <= float(row[2]) <= 1 for row in rows)
    _run("moves", "tag", "--input", "in.jsonl", "--output", "out.tsv", "--ignore-labels")
    rows = [line.split("\t") for line in Path("out.tsv").read_text("utf-8").splitlines()]
    assert all(float(row[2]) < 1 for row in rows)


@pytest.fixture
def index() -> Path:
    """An index with moves."""
    _run("index", "--input", "in.jsonl", "--index", "ix", "--moves")
    return Path("ix").resolve()


def test_moves_in_the_index(index):
    """Each sentence is stored with move and score, a title has none; and so shown."""
    with Index(index, "sentences") as opened:
        first, second = (json.loads(line) for line in opened.raw(["001.0", "001.3"]))
    assert (first["move"], first["score"]) == ("", "")
    assert (second["move"], second["score"]) == ("METHODS", "1.0")
    shown = _run("moves", "show", "--pmid", "002", "--index", "ix").stdout.splitlines()
    assert shown[0] == "002  Safety of catinol in mice"
    assert shown[2] == "  1  PURPOSE     1.00  Little is known of catinol."
    values = json.loads(_run("moves", "show", "--pmid", "002", "--index", "ix", "--json").stdout)
    assert [*values["sentences"][0]] == ["id", "move", "score", "text"]
    assert len(values["sentences"]) == 6
    _fails(InputError, "no document '9'", "moves", "show", "--pmid", "9", "--index", "ix")


def test_search_by_move(index):
    """Only sentences with one of the moves are found, scored as without the filter."""

    def search(*arguments: str) -> dict[str, float]:
        shown = _run(
            *("search", "--index", "ix", "--unit", "sentences", "--hits", "50", "--json"),
            *("--text", "mice murinol", *arguments),
        ).stdout
        return {hit["id"]: hit["score"] for hit in json.loads(shown)["hits"]}

    everything = search()
    found = search("--moves", "methods,CONCLUSION")
    assert found == {k: v for k, v in everything.items() if k[-2:] in (".3", ".5")}
    assert set(search("--moves", "METHODS", "--rm3")) <= {f"00{n}.3" for n in range(6)}


def test_index_is_tagged_later():
    """Tagging an index that is there gives the one that was tagged at once; twice does nothing."""
    _run("index", "--input", "in.jsonl", "--index", "ix")
    _run("index", "--input", "in.jsonl", "--index", "at-once", "--moves")
    shown = _run("index", "--index", "ix", "--moves", "--json").stdout
    assert json.loads(shown)["tagged"] == 6 * 7
    assert "have the moves of this model" in _run("index", "--index", "ix", "--moves").stdout
    places = Path("ix").resolve(), Path("at-once").resolve()
    with Index(places[0], "sentences") as later, Index(places[1], "sentences") as at_once:
        ids = sorted(later.ids())
        assert ids == sorted(at_once.ids())
        assert later.raw(ids) == at_once.raw(ids)
        assert later.facts.moves == at_once.facts.moves != ""


def test_one_index_one_model(index):
    """What is added has to be tagged by the same model."""
    add = ("index", "--input", "plain.jsonl", "--index", "ix", "--append")
    _fails(MismatchError, "have moves", *add)
    _run("train", "moves", "--input", "in.jsonl", "--output", "m")
    _fails(MismatchError, "another model", *add, "--moves", "m")
    _run(*add, "--moves")
    _run("index", "--index", "ix", "--moves", "m")
    with Index(index, "sentences") as opened:
        assert json.loads(opened.raw(["7.2"])[0])["move"] == "RESULTS"
    _run("index", "--input", "plain.jsonl", "--index", "bare")
    _fails(MismatchError, "no moves", *add[:3], "--index", "bare", "--append", "--moves")


def test_bad_input(index):
    """Each fault is one line that names the place."""
    for kind, problem, command in (
        (InputError, "none: no such model", "moves evaluate --model none --input x"),
        (
            InputError,
            "in.jsonl: this is no model",
            "moves tag --model in.jsonl --input in.jsonl --output o",
        ),
        (InputError, "none of 1 records", "train moves --input plain.jsonl --output m"),
        (
            UsageError,
            "no move 'RESULT'",
            "search --index ix --unit sentences --text x --moves RESULT",
        ),
        (UsageError, "needs --unit sentences", "search --index ix --text x --moves RESULTS"),
        (UsageError, "index needs --input", "index --index ix"),
        (InputError, "no index", "index --index nowhere --moves"),
    ):
        _fails(kind, problem, *command.split())
    _run("index", "--input", "plain.jsonl", "--index", "bare")
    search = "search --index bare --unit sentences --text x --moves RESULTS"
    _fails(MismatchError, "have no moves", *search.split())


def test_tag_by_several_processes():
    """The same file, counts and warnings as by one."""
    with Path("in.jsonl").open("a") as lines:
        lines.write("no json\n")
    tag = ["moves", "tag", "--input", "in.jsonl", "plain.jsonl", "--output"]
    one, two = _run(*tag, "1.tsv"), _run(*tag, "2.tsv", "--threads", "2")
    assert Path("1.tsv").read_bytes() == Path("2.tsv").read_bytes()
    assert one.stdout.partition(":")[2] == two.stdout.partition(":")[2]
    one, two = (_run("index", "--index", n, *tag[2:5], "--threads", n) for n in "12")
    assert one.stdout.partition(":")[2] == two.stdout.partition(":")[2]
