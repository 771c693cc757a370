"""What the pages say is what the verbs print.

Every block of ``console`` is run, command by command, in a folder with the sample and its index,
and what it prints is compared. Marked ``console cf`` it needs the cystic fibrosis collection, and
runs where RELSENT_DATA has it; ``console other`` needs something else, and is not run. A file whose
content a page shows, after its name and a colon, is written first. A last line ``…`` is the rest.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import relsent_ir as rir
from relsent_ir.trec.measures import OWN
from tests.conftest import Run
from tools.pages import PAGE, methods_page, on_page_markdown

ROOT = Path(__file__).parents[1]
PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
README = ROOT / "README.md"
MARKS = ("", "cf", "other")
BLOCK = re.compile(r"^```console(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
SHOWN = re.compile(r"^`([\w.-]+)`[^`]*:\n\n```\n((?:.*\n)*?)```$", re.MULTILINE)
READY = {
    "sample": ("fetch sample", "index --input collections/sample --index indexes/sample"),
    "cf": ("fetch cystic-fibrosis", "index --input collections/cystic-fibrosis --index indexes/cf"),
}


def blocks(page: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each block's mark, and its commands with what they print."""
    found = []
    for mark, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        commands: list[list[str]] = []
        continued = False
        for line in text.splitlines(keepends=True):
            if line.startswith("$ ") or continued:
                commands += [] if continued else [["", ""]]
                commands[-1][0] += line.removeprefix("$ ")
                continued = line.endswith("\\\n")
            else:
                commands[-1][1] += line
        found.append((mark.strip(), [(command, printed) for command, printed in commands]))
    return found


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Callable[[str, Path], None]:
    """Put a collection and its indexes into a folder."""
    made: dict[str, Path] = {}

    def prepare(name: str, folder: Path) -> None:
        if name not in made:
            made[name] = tmp_path_factory.mktemp(name)
            for command in READY[name]:
                run(f"relsent-ir {command}", made[name])
        shutil.copytree(made[name], folder, dirs_exist_ok=True)

    return prepare


def test_marks() -> None:
    """No page has a mark that means nothing, and most pages have a block that is run."""
    for page in PAGES:
        for mark, commands in blocks(page):
            assert mark in MARKS, page
            assert commands, page


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS[:2])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page(page, mark, tmp_path, run, ready):
    """Each command of a page, in its order."""
    wanted = [command for kind, of in blocks(page) if kind == mark for command in of]
    if not wanted:
        pytest.skip("nothing to run")
    data = os.environ.get("RELSENT_DATA")
    if mark == "cf" and not (data and Path(data, "cystic-fibrosis").is_dir()):
        pytest.skip("real data: RELSENT_DATA has no cystic-fibrosis")
    if not any(command.startswith("relsent-ir fetch") for command, _ in wanted[:1]):
        ready(mark or "sample", tmp_path)
        if mark and wanted[0][0].startswith("relsent-ir index"):
            shutil.rmtree(tmp_path / "indexes")
        ready("sample", tmp_path)
    for name, content in SHOWN.findall(page.read_text(encoding="utf-8")):
        (tmp_path / name).write_text(content, encoding="utf-8")
    for command, expected in wanted:
        out, err, code = run(command, tmp_path)
        good = code == 0 if not expected else alike(expected, out) or alike(expected, err + out)
        assert good, f"{command}{out}{err}"


def alike(expected: str, found: str) -> bool:
    """Whether it is what the page says, or begins so where the page leaves the rest out."""
    lines = expected.splitlines(keepends=True)
    if lines and lines[-1].strip() == "…":
        return found.startswith("".join(lines[:-1]))
    return found == expected


def test_options() -> None:
    """The page of options is what the methods declare."""
    assert PAGE.read_text(encoding="utf-8") == methods_page(), "run python tools/pages.py"


def test_names_of_the_face() -> None:
    """The page of the API has each public name, and blocks of the site have no marks."""
    page = (ROOT / "docs" / "api" / "index.md").read_text(encoding="utf-8")
    shown = on_page_markdown(page).splitlines()
    forms = ("::: relsent_ir.", "      heading: ")
    missing = [name for name in rir.__all__ if not any(f"{form}{name}" in shown for form in forms)]
    assert missing == ["__version__"]
    assert "      heading: load_model" in shown
    assert on_page_markdown("```console cf\n$ a\n```") == "```console\n$ a\n```"


@pytest.mark.slow
def test_site(tmp_path: Path) -> None:
    """The site is built without a warning, so no link leads nowhere."""
    pytest.importorskip("mkdocs", reason="the extra `docs` is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([*command, "--site-dir", str(tmp_path)], cwd=ROOT, env=environment, check=True)
    assert "max_passage" in (tmp_path / "api" / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_blocks_of_the_readme(tmp_path: Path, run: Run) -> None:
    """README's blocks of bash and Python, pasted in their order into an empty folder."""
    text = README.read_text("utf-8")
    pasted = re.findall(
        r"^```(bash|python)\n((?:.*\n)*?)```\n\n(?:.*prints\n\n)?```\n((?:.*\n)*?)```$",
        text,
        re.MULTILINE,
    )
    assert len(pasted) == len(re.findall("^```(?:bash|python)$", text, re.MULTILINE)) == 3
    for kind, block, printed in pasted:
        name = tmp_path / f"block.{kind}"
        name.write_text(block, encoding="utf-8")
        out, err, code = run(f"{kind} {name}", tmp_path)
        assert code == 0, err
        assert out.endswith(printed), f"{out}{err}"


@pytest.mark.slow
def test_table_of_the_readme(tmp_path: Path, run: Run) -> None:
    """README's table is what the demo prints."""
    data = os.environ.get("RELSENT_DATA")
    if not (data and Path(data, "cystic-fibrosis").is_dir()):
        pytest.skip("real data: RELSENT_DATA has no cystic-fibrosis")
    (table,) = re.findall(r"^```\n( +MAP (?:.*\n)*?)```$", README.read_text("utf-8"), re.MULTILINE)
    out, err, _ = run("relsent-ir demo", tmp_path)
    assert table in out, f"{out}{err}"


def test_rows_of_measures() -> None:
    """Each measure of ours has its row."""
    text = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    rows = "\n".join(line.split("|")[1] for line in text.splitlines() if line.startswith("|"))
    lost = [name for name in OWN if not re.search(rf"\b{name}\b", rows)]
    assert not lost, f"docs/evaluation.md: {lost} without a row"


def test_length_of_the_readme() -> None:
    """README has at most 900 words outside blocks and tables."""
    text = re.sub(r"^```(?:.*\n)*?```$|^\|.*$", "", README.read_text("utf-8"), flags=re.MULTILINE)
    assert len(text.split()) <= 900


def test_collections_of_papers() -> None:
    """A column of a paper's figures names the paper's collection."""
    pages = sorted((ROOT / "docs" / "results").glob("*.md"))
    heads = [
        line
        for page in pages
        for line, rule in pairwise(page.read_text("utf-8").splitlines())
        if re.match(r"\| -+", rule)
    ]
    columns = [cell.strip() for head in heads for cell in head.split("|") if ", paper" in cell]
    assert len(columns) > 10
    assert [cell for cell in columns if not re.search(r", paper \(.+\)$", cell)] == []


def test_tests_of_robustness() -> None:
    """The tests that the page of robustness names are there, functions of theirs too."""
    page = (ROOT / "docs" / "robustness.md").read_text("utf-8")
    named = re.findall(r"`(?:tests/)?([\w/]*test_\w+\.py)(?:::(\w+))?`", page)
    assert len(named) > 15
    for path, name in named:
        file = ROOT / "tests" / path
        assert file.is_file(), path
        assert f"def {name}" in file.read_text("utf-8"), (path, name)


def test_numbers() -> None:
    """The cookbook has thirty jobs."""
    assert len(blocks(ROOT / "docs" / "cookbook.md")) == 30


def test_blocks(tmp_path: Path) -> None:
    """Commands over several lines, with and without output."""
    page = tmp_path / "page.md"
    page.write_text("```console cf\n$ a \\\n  b\nc\n$ d\n```\n", encoding="utf-8")
    assert blocks(page) == [("cf", [("a \\\n  b\n", "c\n"), ("d\n", "")])]
