from __future__ import annotations

import asyncio
import threading
from typing import Any

from faulty_proxy import Cut, Lost, Refused, Silent
from plimsoll_client import AsyncPlimsoll, NotFoundError, connect_async
from story import TOKEN, Story


class AsyncClient(Story):
    def told(self, story: Any) -> Any:
        async def whole() -> Any:
            async with connect_async(self.proxy.address, TOKEN) as plimsoll:
                return await story(plimsoll)

        return asyncio.run(whole())

    def test_tells_the_same_story(self) -> None:
        id = self.tracked()
        self.fall(id, 1)

        async def story(plimsoll: AsyncPlimsoll) -> list[str]:
            with self.assertRaises(NotFoundError):
                await plimsoll.api.read_account("nobody")
            self.assertIn(id, [account["id"] async for account in plimsoll.accounts()])
            self.proxy.faults = [Refused(429, {"retry-after": "7"}), Lost()]
            days: list[str] = []
            async for event in plimsoll.follow_events("drawdown", account_id=id):
                days.append(event["brokerTime"][:10])
                if len(days) == 3:
                    break
                await asyncio.to_thread(self.fall, id, len(days) + 1)
            self.proxy.faults = [Cut(1), Cut(1)]
            async for event in plimsoll.follow_live("tracker", account_id=id):
                days.append(event["brokerTime"][:10])
                if len(days) == 6:
                    break
            return days

        three = ["2026-03-01", "2026-03-02", "2026-03-03"]
        self.assertEqual(self.told(story), [*three, *three])
        self.assertEqual(self.pauses[0], 7)
        self.assertEqual(self.proxy.faults, [])

    def test_waits_for_many_feeds_at_once(self) -> None:
        ids = [self.tracked() for _ in range(12)]

        async def first(plimsoll: AsyncPlimsoll, id: str) -> str:
            async for event in plimsoll.follow_events("drawdown", account_id=id):
                return event["accountId"]
            raise AssertionError

        async def story(plimsoll: AsyncPlimsoll) -> list[str]:
            waiting = [asyncio.create_task(first(plimsoll, id)) for id in ids]
            sent = 3 * len(ids)
            await asyncio.to_thread(self.proxy.until, lambda: len(self.proxy.requests) == sent)
            for id in ids:
                await asyncio.to_thread(self.fall, id, 1)
            return [await each for each in waiting]

        self.assertEqual(self.told(story), ids)

    def test_ends_the_call_of_a_task_that_is_cancelled(self) -> None:
        self.proxy.faults = [Silent()]

        async def story(plimsoll: AsyncPlimsoll) -> None:
            call = asyncio.create_task(plimsoll.api.list_regions())
            await asyncio.to_thread(self.proxy.until, lambda: len(self.proxy.requests) == 1)
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call
            await asyncio.to_thread(self.proxy.left.wait)

        self.told(story)
        for thread in threading.enumerate():
            if thread.name.startswith("plimsoll"):
                thread.join()
