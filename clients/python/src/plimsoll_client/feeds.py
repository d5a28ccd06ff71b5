"""Feeds of events, which outlive the server's restarts: none is missed, none comes twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, TypedDict, TypeVar

from .answers import NoAnswerError, PlimsollError
from .calls import Message
from .schema import Api, LiveMessage
from .transport import Stop

T = TypeVar("T")
Feed = Literal["drawdown", "tracker"]
LivePart = Literal["standing", "statistics", "chart", "incidents"]

WAIT_SECONDS = 25
PAUSE_SECONDS = 1.0


class EventFilter(TypedDict, total=False):
    after: int
    """The last sequenceNumber that you have seen; absent: from the first event on."""
    account_id: str
    tracker_id: str


def polled(api: Api, stop: Stop, feed: Feed, after: int = 0, **filter: str) -> Iterator[Any]:
    """Long polls, one after another."""
    polls: dict[Feed, Callable[..., list[Any]]] = {
        "drawdown": api.stream_drawdown_events,
        "tracker": api.stream_tracker_events,
    }
    while True:
        poll = partial(polls[feed], previous_sequence_number=after, wait=WAIT_SECONDS, **filter)
        for event in _once_there(stop, poll):
            after = event["sequenceNumber"]
            yield event


def streamed(api: Api, stop: Stop, feed: Feed, after: int = 0, **filter: str) -> Iterator[Any]:
    """Server-sent events; an ended stream is opened again after its last event."""
    streams: dict[Feed, Callable[..., Iterator[Message]]] = {
        "drawdown": api.follow_drawdown_events,
        "tracker": api.follow_tracker_events,
    }
    while True:
        open_stream = partial(streams[feed], last_event_id=after, **filter)
        try:
            for message in _once_there(stop, open_stream):
                if message.event == "closed":
                    break
                after = int(message.id)
                yield json.loads(message.data)
        except NoAnswerError:
            pass
        stop.pause(PAUSE_SECONDS)


def standings(
    api: Api,
    stop: Stop,
    account_ids: Sequence[str] | None = None,
    parts: Sequence[LivePart] | None = None,
) -> Iterator[LiveMessage]:
    """What accounts stand at; an ended stream is opened again from its last id."""
    filter: dict[str, Any] = {}
    if account_ids is not None:
        filter["account_id"] = list(account_ids)
    if parts is not None:
        filter["part"] = list(parts)
    last: str | None = None
    while True:
        open_stream = partial(api.follow_standing, last_event_id=last, **filter)
        try:
            for message in _once_there(stop, open_stream):
                if message.event == "closed":
                    break
                told: LiveMessage = json.loads(message.data)
                # While the whole state is told, there is nothing to resume from.
                if told["kind"] == "begin" and told["reason"] != "resumed":
                    last = None
                last = message.id or last
                yield told
        except NoAnswerError:
            pass
        stop.pause(PAUSE_SECONDS)


def _once_there(stop: Stop, ask: Callable[[], T]) -> T:
    """An outage that is longer than the retries of one call is waited for, too."""
    while True:
        try:
            return ask()
        except NoAnswerError:
            pass
        except PlimsollError as error:
            if error.status < 500 and error.status != 429:
                raise
        stop.pause(PAUSE_SECONDS)
