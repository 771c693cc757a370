"""What goes to standard output is one thing: with ``--output -`` no count follows it."""

import json
from pathlib import Path

import pytest

from relsent_ir.cli.main import main


@pytest.mark.parametrize("flags", [[], ["--json"]])
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("search --index INDEX --topics sample --hits 1", "001 Q0 90000007 1 "),
        ("features --index INDEX --topics sample", "# 1 bm25"),
        ("moves tag --input sample.xml", "90000001.1\t"),
        ("relate --input two", "g Q0 1 1 "),
        ("relate --index INDEX --entity asthma --entity children", ""),
        ("themes map --index INDEX --count 2", "<svg "),
    ],
)
def test_standard_output_alone(here, sample_indexes, capfd, arguments, line, flags):
    """The first line and all others are of the file."""
    Path("two").write_text(
        '{"group": "g", "id": "1", "text": "a binds b", "e1": [0, 1], "e2": [8, 9]}\n'
    )
    words = arguments.replace("INDEX", str(sample_indexes)).split()
    assert main([*words, "--output", "-", *flags]) == 0
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert lines[0].startswith(line)
    assert not any(of.startswith(("-: ", "pair ", '{"output": "-"')) for of in lines)
    if flags and err:
        assert json.loads(err.splitlines()[-1])
