"""What comes back: an answer, an error record, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message as Headers
from typing import Any, ClassVar


@dataclass(frozen=True)
class Response:
    """An answer as it came. `lines` is set instead of `body` while it is being streamed."""

    status: int
    headers: Headers
    body: bytes
    lines: Iterator[bytes] | None = None


class PlimsollError(Exception):
    """A request that the server refused.

    `record` is its error record: `id` finds the occurrence in the server's log, and `details` of a
    ValidationError name every fault. Each kind of record has a class of its own, with its name.
    """

    status: int
    record: Mapping[str, Any]
    _kinds: ClassVar[dict[str, type[PlimsollError]]] = {}

    def __init__(self, status: int, record: Mapping[str, Any]) -> None:
        name, message = record.get("error"), record.get("message")
        described = f"{name}: {message}" if name else message
        super().__init__(described or f"The server answered {status}")
        self.status = status
        self.record = record

    def __init_subclass__(cls) -> None:
        PlimsollError._kinds[cls.__name__] = cls

    @staticmethod
    def of(status: int, body: object) -> PlimsollError:
        """The error of an answer, which may be that of a proxy before the server."""
        record = body if isinstance(body, dict) else {}
        kinds = PlimsollError._kinds
        kind = ComputingError if status == 202 else kinds.get(str(record.get("error")))
        return (kind or PlimsollError)(status, record)


class ComputingError(PlimsollError):
    """What was asked for is still being computed: ask again later."""


class NoAnswerError(ConnectionError):
    """No answer came: the connection failed or broke, or it took too long.

    Whether a request took effect is not known.
    """


class ClosedError(Exception):
    """The client was closed meanwhile."""
