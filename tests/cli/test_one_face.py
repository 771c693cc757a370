"""A parameter of a method is declared once, and every way in has it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import relsent_ir

METHODS = Path(relsent_ir.__file__).with_name("methods.py")
BEFORE = """    original_query_weight: float = parameter("""
ADDED = """    spread: float = parameter(
        0.25, "An invented parameter.", "--rm3-spread", low=0, high=1
    )
"""
SCRIPT = """
import importlib.util, json, sys
from click.testing import CliRunner

spec = importlib.util.spec_from_file_location("relsent_ir.methods", sys.argv[1])
sys.modules["relsent_ir.methods"] = methods = importlib.util.module_from_spec(spec)
spec.loader.exec_module(methods)

import relsent_ir as rir
from relsent_ir.cli.main import relsent_ir as command
from relsent_ir.cli.verbs.tune import Tunable
from relsent_ir.methods import as_pipeline
from relsent_ir.web.app import create_app
from relsent_ir.web.settings import Settings
from tools.pages import methods_page

asked = Tunable("search", ["--index", "x", "--topics", "t", "--rm3", "--rm3-spread", "0.5"])
setting = {"--rm3": True, **asked.flags.given({"--rm3-spread": 0.75})}
help = CliRunner().invoke(command, ["search", "--help"], terminal_width=80).output
with rir.open_collection(sys.argv[2]) as collection:
    schema = create_app(collection, Settings()).openapi()
print(json.dumps({
    "help": help.splitlines(),
    "flags": str(asked.request.method(asked.request.flags)),
    "tuned": str(asked.request.method(setting)),
    "python": str(as_pipeline("RM3(spread=0.5)")),
    "schema": schema,
    "docs": methods_page().splitlines(),
}))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory, sample_indexes) -> dict[str, object]:
    """What each way in says of RM3, with a parameter more in the one file."""
    pytest.importorskip("fastapi")
    source = METHODS.read_text(encoding="utf-8")
    assert source.count(BEFORE) == 1
    changed = tmp_path_factory.mktemp("face") / "methods.py"
    changed.write_text(source.replace(BEFORE, ADDED + BEFORE), encoding="utf-8")
    arguments = [sys.executable, "-c", SCRIPT, str(changed), str(sample_indexes)]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(ran.stdout)
    return found


def test_shown_everywhere(told):
    """Help shows flag and range, which is read and tuned; text, schema and table have it."""
    assert sum(line.startswith("  --rm3-spread FLOAT") for line in told["help"]) == 1
    assert told["flags"] == "BM25() >> RM3(spread=0.5)"
    assert told["tuned"] == "BM25() >> RM3(spread=0.75)"
    assert told["python"] == "BM25() >> RM3(spread=0.5)"
    assert "An invented parameter." in json.dumps(told["schema"])
    row = "| `spread` | `--rm3-spread` | number, from 0 to 1 | `0.25` | An invented parameter. |"
    assert row in told["docs"]
