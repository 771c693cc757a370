"""Nodes of OpenSearch on this machine, which `make opensearch` has brought."""

import json
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

HOME = Path(__file__).parents[2] / ".opensearch"
STARTING_S = 240


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Nodes:
    """A cluster of one or more nodes, each with a heap of 512 MB; they end with this process."""

    def __init__(self, folder: Path, count: int = 1, **settings: str) -> None:
        self.folder = folder
        self.ports = [free_port() for _ in range(count)]
        transports = [free_port() for _ in range(count)]
        names = [f"n{place}" for place in range(count)]
        self._settings = [
            {
                "node.name": name,
                "http.port": http,
                "transport.port": transport,
                "cluster.name": folder.name,
                "cluster.routing.allocation.disk.threshold_enabled": "false",
                "discovery.seed_hosts": ",".join(f"127.0.0.1:{port}" for port in transports),
                "cluster.initial_cluster_manager_nodes": ",".join(names),
                **settings,
            }
            for name, http, transport in zip(names, self.ports, transports, strict=True)
        ]
        self._processes: list[subprocess.Popen[bytes] | None] = [None] * count

    def __enter__(self) -> "Nodes":
        for place in range(len(self.ports)):
            self.start(place)
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        for place in range(len(self.ports)):
            self.kill(place)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, place: int) -> None:
        """Start a node, with what it had on its disk."""
        home = self.folder / f"n{place}"
        (home / "config").mkdir(parents=True, exist_ok=True)
        settings = [f"{name}={value}" for name, value in self._settings[place].items()]
        heap = ("-Xms512m", "-Xmx512m", "-XX:TieredStopAtLevel=4")
        command = ("java", *heap, "-cp", f"{HOME / 'classes'}:{HOME / 'lib'}/*", "Launcher", home)
        with (home / "output.txt").open("ab") as output:
            self._processes[place] = subprocess.Popen(
                [*map(str, command), *settings], stdin=subprocess.PIPE, stdout=output, stderr=output
            )

    def kill(self, place: int) -> None:
        """End a node at once, as ``kill -9`` does."""
        process = self._processes[place]
        if process:
            process.kill()
            process.wait()
            process.stdin.close()
            self._processes[place] = None

    def wait(self) -> None:
        """Wait until all nodes that run are in the cluster."""
        running = [place for place, process in enumerate(self._processes) if process]
        end = time.monotonic() + STARTING_S
        while time.monotonic() < end:
            with suppress(URLError, OSError):
                health = self.ask(f"/_cluster/health?wait_for_nodes={len(running)}", running[0])
                if not health["timed_out"]:
                    return
            time.sleep(0.3)
        outputs = [(self.folder / f"n{n}" / "output.txt").read_text()[-2000:] for n in running]
        raise AssertionError("\n".join(outputs))

    def ask(self, path: str, place: int = 0, body: object = None, method: str = "GET") -> dict:
        """Ask a node, without our client."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.ports[place]}{path}", data, method=method)
        request.add_header("Content-Type", "application/json")
        with urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())

    @property
    def address(self) -> str:
        """The nodes as `--index` and `--to` name them, without the name of a collection."""
        return "opensearch+http://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)
