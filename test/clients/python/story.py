"""What the tests of the client tell: accounts whose equity falls, before the server of the run."""

from __future__ import annotations

import os
import unittest
from unittest.mock import patch

from faulty_proxy import FaultyProxy
from plimsoll_client import Plimsoll, connect
from plimsoll_client.transport import Stop

URL, TOKEN = os.environ["PLIMSOLL_URL"], os.environ["PLIMSOLL_TOKEN"]


class Story(unittest.TestCase):
    """Each test has a client, a proxy that the client goes through, and no real pauses."""

    def setUp(self) -> None:
        self.proxy = FaultyProxy(URL)
        self.addCleanup(self.proxy.stop)
        self.plimsoll = self.connected()
        self.pauses: list[float] = []
        whole = Stop.pause

        def pause(stop: Stop, seconds: float) -> None:
            if seconds > 0:
                self.pauses.append(seconds)
            whole(stop, 0)

        pausing = patch.object(Stop, "pause", pause)
        pausing.start()
        self.addCleanup(pausing.stop)

    def connected(self, **options: float) -> Plimsoll:
        client = connect(self.proxy.address, TOKEN, **options)
        self.addCleanup(client.close)
        return client

    def account(self) -> str:
        account = self.plimsoll.api.create_account(
            {
                "name": "Test account",
                "platform": "p5",
                "login": "1001",
                "broker": "Test broker",
                "currency": "USD",
                "leverage": 100,
            }
        )
        return account["id"]

    def tracked(self) -> str:
        """An account whose tracker a fall below 100 breaks, each day anew."""
        id = self.account()
        daily = {"name": "daily", "period": "date", "absoluteDrawdownThreshold": 1}
        self.plimsoll.api.create_tracker(id, daily)
        return id

    def fall(self, id: str, day: int) -> None:
        time = f"2026-03-0{day} 10:00:00"
        row = {"accountId": id, "brokerTime": time, "balance": 100, "equity": 50}
        self.plimsoll.api.record_snapshots([row])
