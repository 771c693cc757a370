"""``relsent-ir related sheet`` and ``ratings``."""

import csv
import json
from pathlib import Path

import pytest

from relsent_ir.cli.main import main
from tests.related.conftest import build, collection  # noqa: F401 (fixtures)


def _run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def test_sheet_and_ratings(
    collection: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Two methods' matches are put on a sheet; two judges agree; their ratings go to methods."""
    sheet, key = tmp_path / "sheet.tsv", tmp_path / "key.tsv"
    making = ("related", "sheet", "--index", collection, "--model", "I1.5", "--model", "D")
    code, out, err = _run(
        capsys, *making, "--sentences", 12, "--output", sheet, "--key", key, "--json"
    )
    assert (code, err) == (0, "")
    items = json.loads(out)["items"]
    assert 12 <= items <= 24
    with sheet.open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    with key.open() as file:
        named = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == items
    assert len(named) == 24
    assert all(
        one["sentence"].rpartition(".")[0] != one["match"].rpartition(".")[0] for one in named
    )
    judges = []
    for name in ("first.tsv", "second.tsv"):
        judges.append(tmp_path / name)
        lines = [f"{row['item']}\t{int(row['item']) % 2}" for row in rows]
        judges[-1].write_text("item\trating\n" + "\n".join(lines))
    code, out, _ = _run(capsys, "related", "ratings", "--key", key, *judges, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["kappa"] == 1.0
    for method in ("I1.5", "D"):
        rated = [int(one["item"]) % 2 for one in named if one["method"] == method]
        assert found["methods"][method]["related"] == pytest.approx(sum(rated) / 12)
    code, out, _ = _run(capsys, "related", "ratings", "--key", key, *judges)
    assert out.startswith("kappa 1.000, of related or not 1.000 (2 judges)\n\nmethod")
    drawn = tmp_path / "ratings.svg"
    code, out, _ = _run(capsys, "related", "ratings", "--key", key, judges[0], "--plot", drawn)
    assert drawn.read_text().count("mean score of a fifth") == 2
    assert out.startswith("method")


def test_bad_input(
    collection: Path,  # noqa: F811
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """One line, and the code of its kind."""
    making = ("related", "sheet", "--index", collection, "--model", "D")
    there = ("--output", tmp_path / "no" / "s.tsv", "--key", tmp_path / "k.tsv")
    code, _, err = _run(capsys, *making, *there)
    assert code == 6
    assert "there is no such folder" in err
    training = ("train", "related", "--index", collection, "--output", tmp_path / "model")
    for rest in (("--model", "bayes"), ("--lambda0", "1e-3")):
        code, _, err = _run(capsys, *training, *rest, "--tune-on", "glucose")
        assert code == 2
        assert "there is no λ0 to tune" in err
    (tmp_path / "k.tsv").write_text("item\tsentence\tmatch\tmethod\tscore\n1\ta.1\tb.1\tD\t1\n")
    (tmp_path / "j.tsv").write_text("item\trating\n2\t1\n")
    code, _, err = _run(
        capsys, "related", "ratings", "--key", tmp_path / "k.tsv", tmp_path / "j.tsv"
    )
    assert code == 5
    assert "not in the key" in err
    (tmp_path / "k.tsv").write_text("item\tsentence\tmatch\tmethod\tscore\n1\ta.1\tb.1\tD\tnan\n")
    code, _, err = _run(
        capsys, "related", "ratings", "--key", tmp_path / "k.tsv", tmp_path / "j.tsv"
    )
    assert code == 4
    assert "no score: 'nan'" in err
