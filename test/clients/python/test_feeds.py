from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

from faulty_proxy import Cut, Lost, Refused
from plimsoll_client import DrawdownEvent, ForbiddenError, LiveMessage
from story import Story

DAYS = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
REFUSED = b'{"error":"ForbiddenError","message":"No"}'


def days(events: Iterator[DrawdownEvent], count: int) -> list[str]:
    return [event["brokerTime"][:10] for event in islice(events, count)]


class Feeds(Story):
    def test_a_long_poll_waits_for_a_breach(self) -> None:
        id = self.tracked()
        told: list[Any] = []
        events = self.plimsoll.follow_events("drawdown", account_id=id)
        waiting = threading.Thread(target=lambda: told.append(next(events)))
        waiting.start()
        self.proxy.until(lambda: "/stream?" in self.proxy.requests[-1][1])
        self.fall(id, 1)
        waiting.join()
        polls = [path for _, path, _ in self.proxy.requests if "/stream?" in path]
        self.assertEqual(len(polls), 1)
        self.assertEqual((told[0]["accountId"], told[0]["absoluteDrawdown"]), (id, 50))

    def test_long_polls_tell_each_event_once_after_lost_answers_and_outages(self) -> None:
        id = self.tracked()
        self.fall(id, 1)
        told: list[DrawdownEvent] = []
        for event in self.plimsoll.follow_events("drawdown", account_id=id):
            told.append(event)
            if len(told) == 4:
                break
            self.fall(id, len(told) + 1)
            self.proxy.faults = [Lost(), *[Refused(503)] * 9]
        self.assertEqual(days(iter(told), 4), DAYS)
        self.assertEqual(self.proxy.faults, [])
        after = told[2]["sequenceNumber"]
        last = self.plimsoll.follow_events("tracker", account_id=id, after=after)
        self.assertEqual(next(last)["sequenceNumber"], told[3]["sequenceNumber"])

    def test_a_stream_that_is_cut_in_an_event_goes_on_after_the_last_whole_one(self) -> None:
        id = self.tracked()
        for day in range(1, 5):
            self.fall(id, day)
        for feed in ("drawdown", "tracker"):
            self.proxy.faults = [Refused(502), Cut(1), Lost(), Cut(2)]
            events = self.plimsoll.follow_live(feed, account_id=id)
            self.assertEqual(days(events, 4), DAYS)
            self.assertEqual(self.proxy.faults, [])

    def test_a_standing_is_told_whole_after_a_cut(self) -> None:
        id = self.tracked()
        self.fall(id, 1)
        self.proxy.faults = [Refused(502), Lost(), Cut(2)]
        told = self.plimsoll.follow_standing([id], ["standing"])
        messages: list[LiveMessage] = []
        for message in told:
            messages.append(message)
            if message["kind"] == "complete":
                break
        begin, account, _ = messages[-3:]
        self.assertEqual(begin, {"kind": "begin", "reason": "first", "accounts": 1})
        assert account["kind"] == "account"
        self.assertEqual(account["standing"]["equity"], 50)

    def test_end_when_the_server_refuses_them(self) -> None:
        refused = Refused(403, {"content-type": "application/json"}, REFUSED)
        self.proxy.faults = [refused, refused]
        for follow in (self.plimsoll.follow_events, self.plimsoll.follow_live):
            with self.assertRaises(ForbiddenError):
                next(follow("drawdown"))
