"""What stands between us and a real node, and does to some requests what networks do."""

import ssl
import subprocess
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def certificate(folder: Path) -> Path:
    """Make a certificate of this machine that nobody knows, and its key, in one file."""
    path = folder / "own.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    files = ("-keyout", str(path), "-out", str(folder / "ca.pem"))
    command = (*command, *files, "-subj", "/CN=localhost", "-addext", names)
    subprocess.run(command, check=True, capture_output=True)
    with path.open("a") as file:
        file.write((folder / "ca.pem").read_text())
    return path


class Proxy:
    """Hands requests to a node; the next ones meet the faults that are given.

    Attributes
    ----------
    faults : list
        A status to answer, ``drop`` for a connection that breaks, or an address to redirect to.
    """

    def __init__(self, port: int, *, login: str = "", pem: Path | None = None) -> None:
        self.faults: list[int | str] = []
        proxy, wanted = self, f"Basic {b64encode(login.encode()).decode()}"

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if login and self.headers.get("Authorization") != wanted:
                    self.send(401, b'{"error":"Unauthorized"}')
                elif proxy.faults and (fault := proxy.faults.pop(0)):
                    if fault == "drop":
                        self.close_connection = True
                        self.connection.close()
                    elif isinstance(fault, str):
                        self.send(302, b"", location=fault)
                    else:
                        self.send(fault, b'{"error":{"type":"busy","reason":"busy"}}')
                else:
                    self.send(*proxy.forward(port, self, body))

            def send(self, status: int, data: bytes, location: str = "") -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=UTF-8")
                self.send_header("Content-Length", str(len(data)))
                if location:
                    self.send_header("Location", location)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.scheme = "opensearch+http"
        if pem:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pem)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self.scheme = "opensearch"
        self._server.handle_error = lambda *_: None  # a client that went away

    @staticmethod
    def forward(port: int, handler: BaseHTTPRequestHandler, body: bytes) -> tuple[int, bytes]:
        """Ask the node."""
        url = f"http://127.0.0.1:{port}{handler.path}"
        request = Request(url, body or None, method=handler.command)
        request.add_header("Content-Type", handler.headers.get("Content-Type") or "text/plain")
        try:
            with urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            return error.code, error.read()

    def __enter__(self) -> "Proxy":
        Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"{self.scheme}://127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
