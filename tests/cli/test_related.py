"""``relsent-ir related``: matches."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from relsent_ir import models
from relsent_ir.cli.main import main
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.related import score_pairs
from relsent_ir.related.calibration import Calibration
from relsent_ir.related.features import Lexicon
from relsent_ir.related.matching import shown as automatic
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.matching.shown import best_scores
from relsent_ir.related.weights import WeightModel
from relsent_ir.trec import read_run
from tests.invented import index_of
from tests.related.conftest import STOPWORDS, TOPICS, invent
from tests.related.stored import read_every

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    """The indexes of 40 invented records."""
    folder = tmp_path_factory.mktemp("match")
    return index_of(folder, invent(40))


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A model that likes every feature of the topics' words."""
    lexicon = Lexicon.of(word for topic in TOPICS for word in topic)
    n = len(lexicon)
    path = tmp_path_factory.mktemp("model") / "liking"
    models.save(
        path, WeightModel("huber", lexicon, np.ones(n), np.full(n, -0.125), 0.0, STOPWORDS, {})
    )
    return path


@pytest.fixture
def call(capsys, index, model) -> Call:
    """Run ``related`` on the index; gives exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = main(["related", "--index", str(index), "--model", str(model), *map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def test_text(call):
    """A readable list, or JSON, of the same hits."""
    ask = ("--text", "Insulin of the pancreas", "--hits", 3, "--candidates", "exact")
    code, out, err = call(*ask)
    assert (code, err) == (0, "")
    code, parsed, _ = call(
        "--text", "Insulin of the pancreas", "--hits", 3, "--candidates", "exact", "--json"
    )
    (topic,) = [json.loads(line) for line in parsed.splitlines()]
    assert [row["rank"] for row in topic["hits"]] == [1, 2, 3]
    lines = out.splitlines()
    assert len(lines) == 6
    for row, line, source in zip(topic["hits"], lines[::2], lines[1::2], strict=True):
        assert row["id"] in line
        assert line.endswith(row["text"])
        assert source.strip() == row["title"]
    assert "insulin" in topic["hits"][0]["text"].lower()


def test_record_and_min_score(call):
    """Under each sentence of a record those of others; hits under the least are left out."""
    code, out, err = call("--pmid", "r7", "--hits", 2)
    assert (code, err) == (0, "")
    heads = [line for line in out.splitlines() if line.startswith("r7.")]
    assert heads[0].startswith("r7.0  ")
    assert out.count("r7.") == len(heads) > 2
    _, out, _ = call("--text", "Insulin", "--hits", 5, "--json")
    scores = [row["score"] for row in json.loads(out)["hits"]]
    _, out, _ = call("--text", "Insulin", "--hits", 5, "--json", "--min-score", scores[1])
    assert {row["score"] for row in json.loads(out)["hits"]} == set(scores[:2])
    code, out, _ = call("--text", "Insulin", "--min-score", 1e9)
    assert (code, out.splitlines()[0]) == (0, "nothing found")


def test_topics(call, tmp_path):
    """A run; the record that a topic is, or is of, is left out, whichever way."""
    topics = tmp_path / "topics.tsv"
    topics.write_text("r3.1\tmalaria and the parasite\nr4\tcornea\n9\tfemur\n")
    for way in (["--candidates", "exact"], ["--candidates", "bm25"], []):
        output = tmp_path / "run.txt"
        options = ("--output", output, "--hits", 5, "--json", *way)
        code, out, err = call("--topics", topics, "--without-own", *options)
        assert code == 0
        assert err.splitlines() == [err.strip()]
        assert "1 of 3 topics, such as 9, are no record or sentence" in err
        assert json.loads(out) == {"output": str(output), "topics": 3, "hits": 15}
        run = read_run(output)
        assert not any(name.startswith("r3.") for name in run["r3.1"].ids)
        assert not any(name.startswith("r4.") for name in run["r4"].ids)


def test_automatic_min_score(call, index, model, monkeypatch):
    """A fifth of the index's sentences have a match as good, beside their score with themselves."""
    monkeypatch.setattr(automatic, "SAMPLE", 1000)
    with Indexes(index) as collection:
        matcher = Matcher(collection, str(model))
        best = best_scores(matcher)
        store = matcher.store
        names = list(store.ids)
        with Index(index, "sentences") as opened:
            texts = [json.loads(line)["contents"] for line in opened.raw(names)]
    expected, trained = [], models.load(model, "related")
    for row in np.flatnonzero(store.sentences.lengths >= 3):
        others = np.flatnonzero(store.record != store.record[row])
        pairs = [(texts[row], texts[other]) for other in others]
        own = score_pairs(trained, [(texts[row], texts[row])])[0]
        expected.append(score_pairs(trained, pairs).max() / own)
    np.testing.assert_allclose(best, np.sort(expected), atol=1e-6)
    limit = np.quantile(expected, 0.8)
    _, out, _ = call("--text", "Insulin", "--hits", 300, "--json")
    scores = [row["score"] for row in json.loads(out)["hits"]]
    _, out, _ = call("--text", "Insulin", "--hits", 300, "--json", "--min-score", "auto")
    kept = [row["score"] for row in json.loads(out)["hits"]]
    own = score_pairs(trained, [("Insulin", "Insulin")])[0]
    assert kept == [score for score in scores if score >= limit * own]
    assert call("--text", "Insulin", "--model", "T2", "--min-score", "auto")[0] == 0


def test_probability(call, index, model, tmp_path):
    """P speaks of as many sentences as the index has, and cuts where it is asked to."""
    calibrated = models.load(model, "related")
    calibrated.calibration = Calibration(0.5, -2.0, 40, np.array([1.0]), 99.0)
    models.save(tmp_path / "calibrated", calibrated)
    asked = ("--text", "Insulin", "--hits", 50, "--json", "--model", tmp_path / "calibrated")
    _, out, _ = call(*asked)
    hits = json.loads(out)["hits"]
    with Index(index, "sentences") as opened:
        n = len(opened)
    for hit in hits:
        odds = np.exp(0.5 * hit["score"] - 2.0) * 40 / n
        assert hit["p_same_abstract"] == pytest.approx(odds / (1 + odds), rel=1e-3)
    middle = hits[len(hits) // 2]["p_same_abstract"]
    _, out, _ = call(*asked, "--min-probability", middle * 1.01)
    assert 0 < len(json.loads(out)["hits"]) < len(hits)
    code, _, err = call("--text", "Insulin", "--min-probability", 0.1)
    assert (code, "huber is not calibrated" in err) == (5, True)


def test_says_what_is_approximate(call):
    """The best of some candidates are told from the best of all sentences."""
    some = ("--text", "Insulin", "--candidates", "bm25")
    assert call(*some)[1].endswith("approximate: the best of 1,000 candidates\n")
    assert call(*some, "--depth", 7)[1].endswith("approximate: the best of 7 candidates\n")
    assert call("--text", "Insulin", "--model", "T2")[1].endswith("of 1,000 candidates\n")
    assert "approximate" not in call("--text", "Insulin")[1]
    for more, exact in (
        ((), True),
        (("--candidates", "exact"), True),
        (("--candidates", "bm25"), False),
        (("--model", "T2"), False),
        (("--model", "I1"), True),
    ):
        assert json.loads(call("--text", "Insulin", "--json", *more)[1])["exact"] is exact


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--text", "fever", "--without-own"], 2, "--text and --without-own exclude"),
        (["--text", "fever", "--candidates", "exact", "--depth", "9"], 2, "whatever the depth"),
        (["--text", "fever", "--depth", "9"], 2, "leave out --depth, or take --candidates bm25"),
        (["--text", "fever", "--candidates", "expanded"], 2, "is not one of"),
        ([], 2, "give one of --text, --pmid and --topics"),
        (["--text", "a b", "--pmid", "r1"], 2, "give one of --text, --pmid and --topics"),
        (["--text", "fever", "--output", "x"], 2, "--text and --output exclude"),
        (["--text", "fever", "--min-score", "high"], 2, "cannot read --min-score high"),
        (["--text", ""], 2, "has neither letter nor digit"),
        (["--text", "of the"], 4, "the sentence has no word that could be compared"),
        (["--text", "жук", "--candidates", "exact"], 4, "the sentence has nothing"),
        (["--pmid", "nobody"], 5, "nobody is neither a sentence nor a record"),
        (["--topics", "nowhere.tsv"], 4, "no such file"),
        (["--text", "fever", "--model", "nowhere/model"], 4, "no such model"),
        (
            ["--text", "fever", "--model", "T2", "--candidates", "exact"],
            2,
            "T2 can only be matched",
        ),
    ],
)
def test_refuses(call, arguments, code, message):
    """One line for each, with its exit code."""
    found, out, err = call(*arguments)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert message in err


def test_no_scikit_learn(index):
    """A formula needs its stop words, not the library that they come from; nor pandas."""
    code = (
        "import sys; from relsent_ir.cli.main import main\n"
        "found = main(sys.argv[1:])\n"
        "heavy = {'sklearn', 'pandas', 'scipy.stats'} & set(sys.modules)\n"
        "sys.exit(found or bool(heavy))"
    )
    arguments = ["related", "--index", str(index), "--model", "I1.5", "--text", "insulin"]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "nsulin" in done.stdout


def test_all(index, tmp_path, capsys):
    """Every sentence is matched once, by as many processes as there may be."""
    arguments = ["related", "all", "--index", str(index), "--model", "I1.5"]
    for threads in ("1", "2"):
        output = tmp_path / threads
        more = ["--output", str(output), "--threads", threads, "--json"]
        assert main([*arguments, *more]) == 0
        assert json.loads(capsys.readouterr().out)["output"] == str(output)
    first, second = (dict(read_every(tmp_path / threads)) for threads in ("1", "2"))
    assert {name: list(hits) for name, hits in first.items()} == {
        name: list(hits) for name, hits in second.items()
    }
    assert main([*arguments, "--output", str(tmp_path / "1"), "--hits", "2"]) == 5
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "of another index, model or --hits" in err


def test_a_collection_without_words(tmp_path, capsys):
    """What has nothing to compare is said in a line."""
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": "The."}\n')
    folder = str(tmp_path / "index")
    assert main(["index", "--input", str(tmp_path / "a.jsonl"), "--index", folder]) == 0
    capsys.readouterr()
    assert main(["related", "--index", folder, "--text", "ants"]) == 4
    assert capsys.readouterr().err.count("\n") == 1
