"""Requests over HTTP/1.1: connections that are kept, bounds of time, and an end from outside."""

from __future__ import annotations

import selectors
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from typing import cast
from urllib.parse import urlsplit

from .answers import ClosedError, NoAnswerError, Response

MAX_IDLE = 8
READ_BYTES = 65_536
MAX_LINE_BYTES = 1_048_576
# Three heartbeats of the server.
STREAM_SILENCE_SECONDS = 45.0


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout_seconds: float
    is_stream: bool = False


class Stop:
    """Ends calls from another thread: their pauses, and their waiting for the server."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()

    def set(self) -> None:
        self._stopped.set()
        with self._lock:
            for each in self._sockets:
                with suppress(OSError):
                    # By their own method, TLS sockets would go on in plain text.
                    socket.socket.shutdown(each, socket.SHUT_RDWR)

    def pause(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise ClosedError("The client was closed")

    @contextmanager
    def ending(self, connected: socket.socket) -> Iterator[None]:
        with self._lock:
            self._sockets.add(connected)
        try:
            self.pause(0)
            yield
        finally:
            with self._lock:
                self._sockets.discard(connected)


class Transport:
    """Connections to one server, for any number of threads."""

    def __init__(self, base_url: str, ssl_context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url is no address of a server, as https://host: {base_url}")
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._context = ssl_context or ssl.create_default_context()
        self._is_secure = parts.scheme == "https"
        self._idle: list[HTTPConnection] = []
        self._lock = threading.Lock()

    def exchange(self, request: Request, stop: Stop) -> Response:
        """Sends it once. Raises NoAnswerError, or ClosedError after `stop`."""
        until = time.monotonic() + request.timeout_seconds
        with ExitStack() as stack:
            connected, answer = stack.enter_context(self._answer(request, stop))
            if request.is_stream and answer.status == 200:
                connected.settimeout(STREAM_SILENCE_SECONDS)
                lines = _lines(answer, stack.pop_all())
                response = Response(answer.status, answer.headers, b"", lines)
            else:
                body = _body(answer, connected, until)
                response = Response(answer.status, answer.headers, body)
        return response

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _answer(self, request: Request, stop: Stop) -> Iterator[tuple[socket.socket, HTTPResponse]]:
        connection = self._kept() or self._new()
        answer: HTTPResponse | None = None
        try:
            connection.timeout = request.timeout_seconds
            if connection.sock is None:
                connection.connect()
            connected = cast(socket.socket, connection.sock)
            connected.settimeout(request.timeout_seconds)
            with stop.ending(connected):
                target = self._prefix + request.target
                connection.request(request.method, target, request.body, dict(request.headers))
                answer = connection.getresponse()
                yield connected, answer
        except (OSError, HTTPException) as error:
            stop.pause(0)
            reason = str(error) or type(error).__name__
            raise NoAnswerError(f"{request.method} {request.target}: {reason}") from error
        finally:
            if answer is not None and answer.isclosed() and connection.sock is not None:
                self._keep(connection)
            else:
                if answer is not None:
                    answer.close()
                connection.close()

    def _new(self) -> HTTPConnection:
        if self._is_secure:
            return HTTPSConnection(self._host, self._port, context=self._context)
        return HTTPConnection(self._host, self._port)

    def _kept(self) -> HTTPConnection | None:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None or not _is_ended(connection.sock):
                return connection
            connection.close()

    def _keep(self, connection: HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()


def _is_ended(idle: socket.socket) -> bool:
    """Whatever can be read from an idle connection is its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(idle, selectors.EVENT_READ)
        return bool(selector.select(0))


def _body(answer: HTTPResponse, connected: socket.socket, until: float) -> bytes:
    parts: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        if not answer.isclosed():
            connected.settimeout(left)
        part = answer.read1(READ_BYTES)
        if not part:
            break
        parts.append(part)
    if answer.length:
        raise IncompleteRead(b"", answer.length)
    # It leaves a connection whose answer was read to its end; the next call may have it.
    answer.close()
    return b"".join(parts)


def _lines(answer: HTTPResponse, stack: ExitStack) -> Iterator[bytes]:
    with stack:
        while line := answer.readline(MAX_LINE_BYTES):
            yield line
