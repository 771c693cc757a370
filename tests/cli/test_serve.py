"""``relsent-ir serve``: a process that serves, and what keeps it from beginning."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest


def _run(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "relsent_ir.cli.main", "serve", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_serving(sample_indexes: Path, end: signal.Signals) -> None:
    """It tells its address, answers its names alone, logs a line each, and ends when it is told."""
    with _run("--index", sample_indexes, "--port", 0) as process:
        assert process.stdout
        address, _, rest = process.stdout.readline().partition("  ")
        assert rest == "(Ctrl-C ends it)\n"
        with urlopen(f"{address}?q=women") as answer:
            assert b"invented" in answer.read()
        with pytest.raises(HTTPError, match="400"):
            urlopen(Request(address, headers={"Host": "elsewhere"}))
        began = time.monotonic()
        process.send_signal(end)
        out, err = process.communicate(timeout=60)
    assert time.monotonic() - began < 50
    lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert [line["status"] for line in lines] == [200, 400]
    assert "Traceback" not in err + out
    assert process.returncode == (0 if end == signal.SIGINT else -end)


def test_a_token_with_signs(sample_indexes: Path) -> None:
    """The address that is told has them so that a browser gives them back, and then its cookie."""
    token = "a+b/c=&d;#%"
    with _run("--index", sample_indexes, "--port", 0, "--token", token) as process:
        assert process.stdout
        address = process.stdout.readline().partition("  ")[0]
        with build_opener(HTTPCookieProcessor()).open(address) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def test_mistakes(relsent: Callable[..., object], sample_indexes: Path, tmp_path: Path) -> None:
    """Each is one line and an exit code, before anything is served."""
    index = ("--index", sample_indexes)
    run = tmp_path / "run.txt"
    run.write_text("001 Q0 90000002 1 1.0 x\n")
    for arguments, code, told in (
        (("--index", tmp_path / "none"), 4, "there is no index"),
        ((*index, "--run", run), 2, "--run needs --qrels"),
        ((*index, "--qrels", run), 2, "--qrels needs --run"),
        ((*index, "--run", run, "--qrels", tmp_path / "none"), 4, "none"),
        ((*index, "--ranker", "nobody"), 2, "no model 'nobody'"),
        ((*index, "--model", "nob"), 2, "no formula 'nob'"),
        ((*index, "--model", "./none"), 4, "no such model"),
        ((*index, "--port", "70000"), 2, "--port"),
        ((*index, "--token", ""), 2, "--token is empty"),
        ((*index, "--token", "a b"), 2, "--token is empty, or has white space"),
        ((*index, "--token", "ключ"), 2, "letters beyond ASCII"),
        ((*index, "--host", "203.0.113.9"), 2, "cannot listen at 203.0.113.9"),
    ):
        ran = relsent("serve", *arguments)
        assert (ran.code, told in ran.err) == (code, True), ran.err
        assert ran.out == ""


def test_a_port_that_is_taken(relsent: Callable[..., object], sample_indexes: Path) -> None:
    """It is told, with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        ran = relsent("serve", "--index", sample_indexes, "--port", other.getsockname()[1])
    assert ran.code == 2
    assert "another --port, or --port 0 for a free one" in ran.err


def test_without_the_extra(
    relsent: Callable[..., object], sample_indexes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says how to install it."""
    for name in [n for n in sys.modules if n.startswith("relsent_ir.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    ran = relsent("serve", "--index", sample_indexes)
    assert ran.code == 3
    assert "pip install 'relsent-ir[web]'" in ran.err
