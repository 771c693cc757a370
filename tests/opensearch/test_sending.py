"""Sending a collection: once, again, the difference, after kills, and under readers' eyes."""

import json
import shutil
import signal
import subprocess
import sys
import time
from threading import Event, Thread

import pytest

import relsent_ir as rir
from relsent_ir.cli.main import main
from relsent_ir.methods import MEDLINE
from tests.opensearch.conftest import export

pytestmark = pytest.mark.slow


def sums(nodes, name):
    """What the collection says of itself, and how much of it is there."""
    told = []
    for unit in ("abstracts", "sentences"):
        ((index, of),) = nodes.ask(f"/{name}-{unit}/_mapping").items()
        meta = of["mappings"]["_meta"]["relsent-ir"]
        told.append((meta["sums"], nodes.ask(f"/{index}/_count")["count"]))
    return told


def told(capsys):
    """What the last command printed as JSON."""
    units = json.loads(capsys.readouterr().out.splitlines()[-1])["units"]
    return {unit: (of["sent"], of["deleted"]) for unit, of in units.items()}


def test_twice(node, sent, sample, capsys):
    """A collection that is there is not sent again."""
    assert export(sample, sent, "--json") == 0
    assert told(capsys) == {"abstracts": (0, 0), "sentences": (0, 0)}


def test_the_difference(node, sample, tmp_path, capsys):
    """After a deletion and a new record only these are sent; the cluster has what is here."""
    index, address = tmp_path / "index", f"{node.address}/changing"
    shutil.copytree(sample, index)
    assert export(index, address) == 0
    with rir.open_collection(index) as here:
        gone, *_ = sorted(here.indexes.abstracts.ids())
        lost = len(here.sentences([gone])[0])
    (tmp_path / "gone.txt").write_text(f"{gone}\n")
    assert main(["index", "--index", str(index), "--delete", str(tmp_path / "gone.txt")]) == 0
    (tmp_path / "new.jsonl").write_text(
        '{"id": "new", "title": "Asthma in children.", "abstract": "It is common. It is mild."}\n'
    )
    new = ("--input", str(tmp_path / "new.jsonl"), "--append", "--moves")
    assert main(["index", "--index", str(index), *new]) == 0
    with rir.open_collection(address) as before:
        capsys.readouterr()
        assert export(index, address, "--json") == 0
        assert told(capsys) == {"abstracts": (1, 1), "sentences": (3, lost)}
        assert not before.indexes.abstracts.is_current()
        assert before[gone].id == gone  # what is open stays what it was
    with rir.open_collection(address) as there:
        assert "new" in there
        assert gone not in there
        assert there.indexes.abstracts.frequencies(["common"]).tolist()[0] >= 1
        with rir.open_collection(index) as here:
            assert there.search({"1": "mild asthma"}, 20)["1"].ids.tolist() == (
                here.search({"1": "mild asthma"}, 20)["1"].ids.tolist()
            )


def test_killed_and_gone_on_with(node, sample, tmp_path, capsys):
    """Killed anywhere, the same command sends the rest; nobody sees a part of it."""
    address = f"{node.address}/killed"
    command = [sys.executable, "-m", "relsent_ir", "export", "--index", sample, "--to", address]
    for wait in (2.0, 4.0, 6.0):
        process = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        for unit in ("abstracts", "sentences"):
            if unit == "abstracts" and f"killed-{unit}" in _aliases(node):
                pytest.skip("this machine is too fast to kill it in time")
    assert export(sample, address) == 0
    ((one, count), (other, counted)) = sums(node, "killed")
    assert (one["documents"], other["documents"]) == (count, counted)
    whole = f"{node.address}/whole"
    assert export(sample, whole) == 0
    assert sums(node, "whole") == [(one, count), (other, counted)]


def _aliases(nodes):
    return {alias for index in nodes.ask("/_alias").values() for alias in index["aliases"]}


def test_readers_see_one_or_the_other(node, sample, tmp_path, capsys):
    """Who asks all the time while a generation comes sees the old one or the new one, whole."""
    index, address = tmp_path / "index", f"{node.address}/seen"
    shutil.copytree(sample, index)
    assert export(index, address) == 0
    old = sums(node, "seen")[0][1]
    (tmp_path / "new.jsonl").write_text('{"id": "new", "title": "Asthma."}\n')
    assert (
        main(
            [
                "index",
                "--index",
                str(index),
                "--input",
                str(tmp_path / "new.jsonl"),
                "--append",
                "--moves",
            ]
        )
        == 0
    )
    seen, ended = set(), Event()

    def look():
        while not ended.is_set():
            seen.add(node.ask("/seen-abstracts/_count")["count"])

    reader = Thread(target=look)
    reader.start()
    try:
        assert export(index, address) == 0
    finally:
        ended.set()
        reader.join()
    assert seen <= {old, old + 1}
    assert sums(node, "seen")[0][1] == old + 1


@pytest.fixture(scope="module")
def spread(three, sample):
    """The sample in six shards of three nodes, two copies of each."""
    address = f"{three.address}/spread"
    assert export(sample, address, "--shards", "6") == 0
    three.ask("/_cluster/health?wait_for_status=green&timeout=60s")
    return address


@pytest.mark.parametrize("unit", ["abstracts", "sentences"])
def test_six_shards(sample, spread, unit):
    """With the frequencies of all shards together hits and scores are those of one index."""
    topics = {"1": "asthma in children", "2": "calcium", "3": "sleep of older adults"}
    with rir.open_collection(sample) as here, rir.open_collection(spread) as there:
        for method in (rir.BM25(), rir.QueryLikelihood()):
            runs = (of.search(topics, method, 1000, unit=unit) for of in (here, there))
            assert next(runs) == next(runs)
        runs = [of.search(topics, MEDLINE[0] >> MEDLINE[1], 50, unit=unit) for of in (here, there)]
        for topic in topics:
            assert runs[0][topic].ids.tolist() == runs[1][topic].ids.tolist()


def test_a_node_dies_in_a_run(three, sample, spread):
    """Killed with -9 in the middle: the run ends complete, and equal."""
    with rir.open_collection(sample) as here, rir.open_collection(spread) as there:
        topics = {str(n): here[name].title for n, name in enumerate(here.indexes.abstracts.ids())}
        topics = {f"{n}.{again}": t for again in range(8) for n, t in topics.items()}
        wanted = here.search(topics, 100)
        killer = Thread(target=lambda: (time.sleep(1), three.kill(1)))
        killer.start()
        try:
            found = there.search(topics, 100, threads=2)
        finally:
            killer.join()
            three.start(1)
            three.wait()
        assert found == wanted


def test_a_node_dies_under_an_export(three, sample, capsys):
    """The export goes on, or the same command does; in the end all is there."""
    address = f"{three.address}/dying"
    killer = Thread(target=lambda: (time.sleep(2), three.kill(2)))
    killer.start()
    try:
        code = export(sample, address, "--shards", "3")
    finally:
        killer.join()
        three.start(2)
        three.wait()
    assert code == 0 or export(sample, address, "--shards", "3") == 0
    told = sums(three, "dying")
    assert all(of["documents"] == count for of, count in told)
    with rir.open_collection(sample) as here, rir.open_collection(address) as there:
        assert there.search({"1": "asthma"}, 50) == here.search({"1": "asthma"}, 50)
