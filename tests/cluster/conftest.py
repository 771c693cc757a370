"""A cluster of two workers on this machine, which dies on command."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from relsent_ir.cluster import Dask
from relsent_ir.executor import Executor

ROOT = Path(__file__).parents[2]

MORTAL = """
import os, signal

def ending():
    return os._exit

class Mortal:
    '''Makes what another makes; once, the process that begins an item is killed.'''

    def __init__(self, make, mark):
        self.make, self.mark = make, mark

    def __call__(self):
        function = self.make()

        def work(item):
            try:
                self.mark.unlink()
            except FileNotFoundError:
                return function(item)
            os.kill(os.getpid(), signal.SIGKILL)

        return work
"""
"""What workers do must be in a module that they can import."""


SERVE = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        local_directory=sys.argv[1],
        host="127.0.0.1",
    ) as local:
        print(local.scheduler_address, flush=True)
        sys.stdin.read()
"""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The scheduler of two workers of one thread, each in a process that a nanny starts again.

    They are in a process of their own: here warnings are errors, to nannies too.
    """
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("dask")
    (folder / "mortal_work.py").write_text(MORTAL)
    (folder / "serve_dask.py").write_text(SERVE)
    sys.path.insert(0, str(folder))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))),
        "OMP_NUM_THREADS": "1",
        # On a busy machine a worker takes long to come back, and would be given up.
        "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "300s",
        "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "300s",
    }
    command = [sys.executable, str(folder / "serve_dask.py"), str(folder)]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as served:
        assert served.stdin
        assert served.stdout
        yield served.stdout.readline().strip()
        served.stdin.close()
    sys.path.remove(str(folder))


@pytest.fixture
def cluster(address: str) -> Iterator[Dask]:
    """The cluster."""
    with Dask(address) as opened:
        yield opened


@pytest.fixture
def deadly(cluster: Dask, tmp_path: Path) -> Iterator[Executor]:
    """The cluster, of which a worker is killed at its first item; and that it was."""
    mark = tmp_path / "alive"
    mark.touch()
    mortal = import_module("mortal_work").Mortal

    class Deadly(Executor):
        local = False

        def map(self, make: Any, items: Any) -> Any:
            return cluster.map(mortal(make, mark), items)

    yield Deadly()
    assert not mark.exists(), "nobody was killed"
