"""A proxy before the real server, which can refuse requests, lose answers and cut streams."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# Headers of one connection.
OWN = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}


@dataclass
class Refused:
    """Answered without the server."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"{}"


@dataclass
class Cut:
    """A stream that breaks after so many events, in the middle of the next one."""

    events: int


class Lost:
    """The request takes effect, its answer does not arrive."""


class Silent:
    """No answer for as long as the proxy runs."""


class Dripping:
    """A byte now and then."""


class FaultyProxy:
    """Faults are taken in order, one by each request; without one, a request just passes."""

    def __init__(self, target: str, context: ssl.SSLContext | None = None) -> None:
        self.faults: list[object] = []
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.connections = 0
        self._changed = threading.Condition()
        self.left = threading.Event()
        self.ended = threading.Event()
        proxy = self

        class Handler(_Handler):
            faulty = proxy
            target_address = urlsplit(target).netloc

        self._server = _Server(("127.0.0.1", 0), Handler)
        scheme = "http"
        if context:
            scheme = "https"
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = f"{scheme}://localhost:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def until(self, is_so: Callable[[], bool]) -> None:
        """Waits for requests."""
        with self._changed:
            self._changed.wait_for(is_so)

    def received(self, method: str, path: str, headers: dict[str, str]) -> object:
        with self._changed:
            self.requests.append((method, path, headers))
            self._changed.notify_all()
            return self.faults.pop(0) if self.faults else None

    def stop(self) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients leave streams as they like."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    faulty: FaultyProxy
    target_address: str

    def setup(self) -> None:
        self.faulty.connections += 1
        super().setup()

    def forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        sent = {name.lower(): value for name, value in self.headers.items()}
        fault = self.faulty.received(self.command, self.path, sent)
        if isinstance(fault, Refused):
            self._answer(fault.status, fault.headers, fault.body)
            return
        if isinstance(fault, Silent):
            self.close_connection = True
            if self.rfile.read(1) == b"":
                self.faulty.left.set()
            return
        if isinstance(fault, Dripping):
            self.send_response_only(200)
            self.send_header("content-length", "1000000")
            self.end_headers()
            while not self.faulty.ended.wait(0.01):
                self.wfile.write(b" ")
            return
        kept = {name: value for name, value in sent.items() if name not in OWN}
        server = HTTPConnection(self.target_address)
        server.request(self.command, self.path, body or None, kept)
        answer = server.getresponse()
        if isinstance(fault, Lost):
            self.close_connection = True
        elif answer.headers.get_content_type() == "text/event-stream":
            self._stream(answer, fault)
        else:
            headers = {name: value for name, value in answer.headers.items()}
            self._answer(answer.status, headers, answer.read())
        server.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in OWN:
                self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, answer: HTTPResponse, fault: object) -> None:
        self.close_connection = True
        self.send_response_only(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        left = fault.events if isinstance(fault, Cut) else None
        while line := answer.readline():
            if left == 0 and line.startswith(b"data:"):
                # The next event has its number already, and a part of its data.
                self._chunk(line[:20])
                return
            self._chunk(line)
            if left is not None and line.startswith(b"data:"):
                left -= 1

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, format: str, *args: object) -> None:
        pass
