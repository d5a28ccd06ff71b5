"""How a call is sent: its request, when that is sent again, and what its answer means."""

from __future__ import annotations

import json
import re
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from itertools import count
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from urllib.parse import quote, urlencode

from .answers import NoAnswerError, PlimsollError, Response
from .transport import Request, Stop, Transport

if TYPE_CHECKING:
    from .calls import Call

FIRST_PAUSE_SECONDS = 0.5
KEY = "idempotency-key"
# Requests whose repetition has no further effect.
REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}


class SendOptions(TypedDict, total=False):
    timeout_seconds: float
    """The longest time for one answer, unless a call has its own. Default 60."""
    max_attempts: int
    """The most times a request is sent. Default 6."""
    max_pause_seconds: float
    """The longest pause before it is sent again, whatever the server asks for. Default 60."""


class Sender:
    """Sends calls with a token, and again while the server is away or busy."""

    def __init__(self, transport: Transport, token: str, **options: Unpack[SendOptions]) -> None:
        self.transport = transport
        self._token = token
        self._timeout_seconds = options.get("timeout_seconds", 60.0)
        self._max_attempts = options.get("max_attempts", 6)
        self._max_pause_seconds = options.get("max_pause_seconds", 60.0)

    def send(self, call: Call[Any], stop: Stop, *, is_stream: bool = False) -> Response:
        """The first answer that is none of a busy server, or the last one; a success.

        It waits as long as the answer says, or else twice as long each time. A request that could
        take effect twice is sent again only with an idempotency key, which is made where an
        operation takes one, or after 429, which has no effect.
        """
        request = self._request(call, is_stream)
        for attempt in count(1):
            is_last = attempt >= self._max_attempts
            pause_seconds = FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1)
            try:
                response = self.transport.exchange(request, stop)
            except NoAnswerError:
                if is_last or not _is_repeatable(request):
                    raise
            else:
                if is_last or not _is_worth_asking(request, response):
                    return _successful(response)
                stated = stated_pause_seconds(response)
                pause_seconds = pause_seconds if stated is None else stated
            stop.pause(min(pause_seconds, self._max_pause_seconds))
        raise AssertionError

    def _request(self, call: Call[Any], is_stream: bool) -> Request:
        def part(match: re.Match[str]) -> str:
            return quote(str(call.path_values[match[1]]), safe="")

        target = re.sub(r"\{(\w+)\}", part, call.path)
        query = {name: _texts(value) for name, value in call.query.items() if value is not None}
        headers = {"auth-token": self._token, "plimsoll-compatibility": "none"}
        headers |= {name: _text(value) for name, value in call.headers.items() if value is not None}
        if KEY in call.headers:
            headers.setdefault(KEY, str(uuid.uuid4()))
        body = None
        if call.body is not None:
            is_json = call.media == "application/json"
            body = json.dumps(call.body, allow_nan=False).encode() if is_json else call.body
            headers["content-type"] = call.media
        # The server itself waits as long as it is asked to.
        waits_seconds = float(str(call.query.get("wait") or 0))
        return Request(
            call.method,
            f"{target}?{urlencode(query, doseq=True)}" if query else target,
            headers,
            body,
            (call.timeout_seconds or self._timeout_seconds) + waits_seconds,
            is_stream,
        )


def value_of(response: Response) -> Any:
    """What a body says: JSON as objects, anything else as text, None if there is none."""
    if not response.body:
        return None
    text = response.body.decode("utf-8", "replace")
    if response.headers.get_content_type() != "application/json":
        return text
    return json.loads(text)


def stated_pause_seconds(response: Response) -> float | None:
    """The pause of `retry-after`, or else of the error record; by the server's clock, not ours."""
    after = response.headers.get("retry-after", "").strip()
    try:
        if after:
            if after.isdecimal():
                return float(after)
            return _until(response, parsedate_to_datetime(after))
        time = json.loads(response.body)["metadata"]["recommendedRetryTime"]
        return _until(response, datetime.fromisoformat(time))
    except (KeyError, TypeError, ValueError):
        return None


def _until(response: Response, time: datetime) -> float:
    sent = response.headers.get("date")
    now = parsedate_to_datetime(str(sent)) if sent else datetime.now(timezone.utc)
    return max(0.0, (time - now).total_seconds())


def _successful(response: Response) -> Response:
    if response.status in (200, 201, 204):
        return response
    try:
        body = value_of(response)
    except ValueError:
        body = None
    raise PlimsollError.of(response.status, body)


def _is_repeatable(request: Request) -> bool:
    return request.method in REPEATABLE or KEY in request.headers


def _is_worth_asking(request: Request, response: Response) -> bool:
    return response.status == 429 or (response.status in (202, 503) and _is_repeatable(request))


def _texts(value: object) -> str | list[str]:
    """Of a list, one for each of its items."""
    return [_text(item) for item in value] if isinstance(value, list) else _text(value)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
