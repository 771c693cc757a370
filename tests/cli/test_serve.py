"""``relsent-ir serve``: a process that serves, and what keeps it from beginning."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest


def _run(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "relsent_ir.cli.main", "serve", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_serving(sample_indexes, end):
    """It tells its address, answers its names alone, logs a line each, and ends when it is told."""
    with _run("--index", sample_indexes, "--port", 0, "--name", "Our papers") as process:
        assert process.stdout
        address, _, rest = process.stdout.readline().partition("  ")
        assert rest == "(Ctrl-C ends it)\n"
        with urlopen(f"{address}?q=women") as answer:
            page = answer.read()
        assert b"invented" in page
        assert b'<a href="/">Our papers</a>' in page
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


def test_a_token_with_signs(sample_indexes):
    """The address that is told has them so that a browser gives them back, and then its cookie."""
    token = "a+b/c=&d;#%"
    with _run("--index", sample_indexes, "--port", 0, "--token", token) as process:
        assert process.stdout
        address = process.stdout.readline().partition("  ")[0]
        with build_opener(HTTPCookieProcessor()).open(address) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


LATE = 5.0  # seconds of a busy machine
LOOPS = """
def loop(*_, **__):
    while True:
        pass
relsent_ir.web.names.entity_terms = loop
""".strip()
NAMES = b"GET /entity?name=women HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAGE = b"GET /?q=women HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def _serving(index: Path, *changed: str) -> Iterator[tuple[str, int]]:
    """Serve on a free port, some constants changed; gives the address."""
    code = "\n".join(
        (
            "import sys, relsent_ir.cli.verbs.serve, relsent_ir.web.protocol",
            *changed,
            "sys.exit(relsent_ir.cli.main.main(['serve', '--port', '0', '--index', sys.argv[1]]))",
        )
    )
    command = [sys.executable, "-c", f"import relsent_ir.cli.main\n{code}", str(index)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        place = urlsplit(process.stdout.readline().split()[0])
        try:
            yield str(place.hostname), int(place.port or 0)
        finally:
            began = time.monotonic()
            process.terminate()
            process.wait(60)
    assert time.monotonic() - began < 10.0 + LATE


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow"])
def test_who_does_not_finish_the_head_is_hung_up_on(sample_indexes, said):
    """So is who says nothing; one whose head is there is answered."""
    with _serving(sample_indexes, "relsent_ir.web.protocol.SECONDS = 0.5") as at:
        with socket.create_connection(at) as idle:
            idle.settimeout(60)
            idle.sendall(said)
            assert idle.recv(1) == b""
        with urlopen(f"http://{at[0]}:{at[1]}/health") as answer:
            assert answer.status == 200


@pytest.mark.parametrize(
    ("changed", "said", "seconds"),
    [
        ("", b"", 0.0),  # it still opens its models
        ("", PAGE[:20], 0.0),  # a head is half there
        ("", 50 * PAGE, 1.0),  # nobody reads the answers
        (LOOPS, NAMES, 2.0),  # a rule runs that looks at no budget
        (LOOPS, 4 * NAMES, 2.0),  # and others wait for it
        ("", 4 * NAMES, 0.5),  # slow pages
    ],
)
def test_it_ends_in_time(sample_indexes, changed, said, seconds):
    """SIGTERM ends it within ten seconds in every state."""
    with _serving(sample_indexes, "import relsent_ir.web.names", *changed.split("\n")) as at:
        client = socket.create_connection(at)
        client.sendall(said)
        time.sleep(seconds)
    client.close()


def test_more_connections_than_there_may_be(sample_indexes):
    """They are turned away with 503; when others hang up, the next is answered."""
    with _serving(sample_indexes, "relsent_ir.cli.verbs.serve.CONNECTIONS = 4") as at:
        address = f"http://{at[0]}:{at[1]}/health"
        with ExitStack() as idle:
            for _ in range(4):
                idle.enter_context(socket.create_connection(at))
            with pytest.raises(HTTPError, match="503"):
                urlopen(address)
        for _ in range(600):
            try:
                with urlopen(address) as answer:
                    assert answer.status == 200
                    return
            except HTTPError:  # the server has not yet seen that they hung up
                time.sleep(0.1)
        pytest.fail("it never answered again")


def test_mistakes(refused, sample_indexes, tmp_path):
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
        refused(code, told, "serve", *arguments)


def test_refused(refused, sample_indexes, monkeypatch):
    """A port that is taken, and a missing extra, are told, with what to do."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        told = "another --port, or --port 0 for a free one"
        refused(2, told, "serve", "--index", sample_indexes, "--port", port)
    for name in [n for n in sys.modules if n.startswith("relsent_ir.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    refused(3, "pip install 'relsent-ir[web]'", "serve", "--index", sample_indexes)
