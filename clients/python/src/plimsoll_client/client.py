"""The two clients: Plimsoll waits for its answers, AsyncPlimsoll is awaited."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Literal, Unpack, overload

from .calls import Threads
from .feeds import EventFilter, Feed, LivePart, polled, standings, streamed
from .retries import Sender, SendOptions
from .schema import (
    Account,
    Api,
    AsyncApi,
    AsyncLists,
    DrawdownEvent,
    Event,
    HistoricalTrade,
    Lists,
    LiveMessage,
)
from .transport import Stop, Transport

Drawdown = Literal["drawdown"]
Tracker = Literal["tracker"]


class Plimsoll:
    """A connection to a server, for any number of threads.

    `api` has a method for each operation; `all` has one for each list, which goes on from page to
    page.
    """

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._stop = Stop()
        self.api = Api(sender, self._stop)
        self.all = Lists(sender, self._stop)

    def accounts(self) -> Iterator[Account]:
        """All accounts that the token may see."""
        return self.all.list_accounts()

    def historical_trades(self, account_id: str, start: str, end: str) -> Iterator[HistoricalTrade]:
        """All closed trades of a range of broker time. Waits while they are computed."""
        return self.all.read_historical_trades(account_id, start, end)

    @overload
    def follow_events(
        self, feed: Drawdown, **f: Unpack[EventFilter]
    ) -> Iterator[DrawdownEvent]: ...
    @overload
    def follow_events(self, feed: Tracker, **f: Unpack[EventFilter]) -> Iterator[Event]: ...
    def follow_events(self, feed: Feed, **filter: Any) -> Iterator[Any]:
        """Events after a number, for ever, by long polls: none is missed, none comes twice.

        `drawdown`: broken loss limits only; `tracker`: events of all kinds, told by their `kind`.
        """
        return polled(self.api, self._stop, feed, **filter)

    @overload
    def follow_live(self, feed: Drawdown, **f: Unpack[EventFilter]) -> Iterator[DrawdownEvent]: ...
    @overload
    def follow_live(self, feed: Tracker, **f: Unpack[EventFilter]) -> Iterator[Event]: ...
    def follow_live(self, feed: Feed, **filter: Any) -> Iterator[Any]:
        """The same by server-sent events: one connection, opened again after the last event."""
        return streamed(self.api, self._stop, feed, **filter)

    def follow_standing(
        self,
        account_ids: Sequence[str] | None = None,
        parts: Sequence[LivePart] | None = None,
    ) -> Iterator[LiveMessage]:
        """What accounts stand at, for ever: first the whole state, then what changes.

        After each `begin` whose reason is not `resumed`, the whole state comes anew.
        """
        return standings(self.api, self._stop, account_ids, parts)

    def close(self) -> None:
        """Ends the calls of all threads with ClosedError, and the connections."""
        self._stop.set()
        self._sender.transport.close()

    def __enter__(self) -> Plimsoll:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncPlimsoll:
    """The same for asyncio. Each call takes a thread while it waits, a feed most of the time.

    A cancelled task ends its call at once.
    """

    def __init__(self, sender: Sender, max_threads: int) -> None:
        self._sender = sender
        self._threads = Threads(max_threads)
        self.api = AsyncApi(sender, self._threads)
        self.all = AsyncLists(sender, self._threads)

    def accounts(self) -> AsyncIterator[Account]:
        """All accounts that the token may see."""
        return self.all.list_accounts()

    def historical_trades(
        self, account_id: str, start: str, end: str
    ) -> AsyncIterator[HistoricalTrade]:
        """All closed trades of a range of broker time. Waits while they are computed."""
        return self.all.read_historical_trades(account_id, start, end)

    @overload
    def follow_events(
        self, feed: Drawdown, **f: Unpack[EventFilter]
    ) -> AsyncIterator[DrawdownEvent]: ...
    @overload
    def follow_events(self, feed: Tracker, **f: Unpack[EventFilter]) -> AsyncIterator[Event]: ...
    def follow_events(self, feed: Feed, **filter: Any) -> AsyncIterator[Any]:
        """Events after a number, for ever, by long polls: none is missed, none comes twice."""
        return self._threads.iterate(
            lambda stop: polled(Api(self._sender, stop), stop, feed, **filter)
        )

    @overload
    def follow_live(
        self, feed: Drawdown, **f: Unpack[EventFilter]
    ) -> AsyncIterator[DrawdownEvent]: ...
    @overload
    def follow_live(self, feed: Tracker, **f: Unpack[EventFilter]) -> AsyncIterator[Event]: ...
    def follow_live(self, feed: Feed, **filter: Any) -> AsyncIterator[Any]:
        """The same by server-sent events: one connection, opened again after the last event."""
        return self._threads.iterate(
            lambda stop: streamed(Api(self._sender, stop), stop, feed, **filter)
        )

    def follow_standing(
        self,
        account_ids: Sequence[str] | None = None,
        parts: Sequence[LivePart] | None = None,
    ) -> AsyncIterator[LiveMessage]:
        """What accounts stand at, for ever: first the whole state, then what changes."""
        return self._threads.iterate(
            lambda stop: standings(Api(self._sender, stop), stop, account_ids, parts)
        )

    async def close(self) -> None:
        """Ends the threads that nobody waits for, and the connections."""
        self._threads.close()
        self._sender.transport.close()

    async def __aenter__(self) -> AsyncPlimsoll:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def connect(
    base_url: str,
    token: str,
    *,
    ssl_context: ssl.SSLContext | None = None,
    **options: Unpack[SendOptions],
) -> Plimsoll:
    """Connects to a server, as https://plimsoll.example.com. Sends nothing before a call."""
    return Plimsoll(Sender(Transport(base_url, ssl_context), token, **options))


def connect_async(
    base_url: str,
    token: str,
    *,
    ssl_context: ssl.SSLContext | None = None,
    max_threads: int = 32,
    **options: Unpack[SendOptions],
) -> AsyncPlimsoll:
    """Connects as `connect` does; calls beyond `max_threads` wait for one that has ended."""
    sender = Sender(Transport(base_url, ssl_context), token, **options)
    return AsyncPlimsoll(sender, max_threads)
