"""Calls of operations, and who makes them: one waits in its thread, the other is awaited."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast
from urllib.parse import parse_qsl, urlsplit

from .retries import Sender, value_of
from .transport import Stop

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """An operation with its arguments; T is what it answers."""

    method: str
    path: str
    path_values: Mapping[str, object]
    query: Mapping[str, object]
    headers: Mapping[str, object]
    body: Any = None
    media: str = "application/json"
    timeout_seconds: float | None = None


class Message(NamedTuple):
    """A server-sent event."""

    id: str
    event: str
    data: str


@dataclass(frozen=True)
class Paging:
    """How a list names its next page: in the header `link`, in its field `next`, or not at all."""

    by: Literal["link", "next", "offset"]
    limit: int
    cursor: str
    items: str | None


class Caller:
    """Waits for answers in the thread of whoever calls."""

    def __init__(self, sender: Sender, stop: Stop) -> None:
        self._sender = sender
        self._stop = stop

    def _answer(self, call: Call[T]) -> T:
        return cast(T, value_of(self._sender.send(call, self._stop)))

    def _messages(self, call: Call[None]) -> Iterator[Message]:
        response = self._sender.send(call, self._stop, is_stream=True)
        return messages_of(response.lines or iter(()))

    def _items(self, call: Call[Any], paging: Paging) -> Iterator[Any]:
        query: dict[str, object] = {**call.query, "limit": paging.limit}
        taken = 0
        while True:
            response = self._sender.send(replace(call, query=query), self._stop)
            page = value_of(response)
            items = page if paging.items is None else page[paging.items]
            yield from items
            taken += len(items)
            if paging.by == "link":
                after = _next_query(response.headers.get("link", ""))
            elif paging.by == "next":
                after = {paging.cursor: page.get("next")}
            else:
                after = {paging.cursor: taken if len(items) == paging.limit else None}
            if after.get(paging.cursor) is None:
                return
            query |= after


class Threads:
    """Runs the same calls in threads, so that others may go on while they wait."""

    def __init__(self, max_threads: int) -> None:
        self._executor = ThreadPoolExecutor(max_threads, thread_name_prefix="plimsoll")

    async def run(self, work: Callable[[], T], stop: Stop) -> T:
        """Ends the work, too, when the task that awaits it is cancelled."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        except asyncio.CancelledError:
            stop.set()
            raise

    async def iterate(self, start: Callable[[Stop], Iterator[T]]) -> AsyncIterator[T]:
        stop = Stop()
        end = object()
        try:
            items = await self.run(lambda: start(stop), stop)
            while (item := await self.run(lambda: next(items, end), stop)) is not end:
                yield cast(T, item)
        finally:
            stop.set()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)


class AsyncCaller:
    """Makes the calls of Caller in threads."""

    def __init__(self, sender: Sender, threads: Threads) -> None:
        self._sender = sender
        self._threads = threads

    async def _answer(self, call: Call[T]) -> T:
        stop = Stop()
        return await self._threads.run(lambda: Caller(self._sender, stop)._answer(call), stop)

    def _messages(self, call: Call[None]) -> AsyncIterator[Message]:
        return self._threads.iterate(lambda stop: Caller(self._sender, stop)._messages(call))

    def _items(self, call: Call[Any], paging: Paging) -> AsyncIterator[Any]:
        return self._threads.iterate(lambda stop: Caller(self._sender, stop)._items(call, paging))


def messages_of(lines: Iterator[bytes]) -> Iterator[Message]:
    """The messages of a stream; what its end has cut is none."""
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        name, _, value = text.partition(":")
        if text == "":
            if "data" in fields:
                yield Message(fields.get("id", ""), fields.get("event", "message"), fields["data"])
            fields = {}
        elif name != "":
            value = value.removeprefix(" ")
            fields[name] = f"{fields['data']}\n{value}" if name == "data" in fields else value


def _next_query(link: str) -> dict[str, object]:
    following = re.search(r'<([^>]*)>; rel="next"', link)
    return dict(parse_qsl(urlsplit(following[1]).query)) if following else {}
