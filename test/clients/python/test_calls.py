from __future__ import annotations

import ssl
import threading
from datetime import datetime, timedelta
from pathlib import Path

from faulty_proxy import Dripping, FaultyProxy, Lost, Refused, Silent
from plimsoll_client import (
    ClosedError,
    ComputingError,
    NoAnswerError,
    NotFoundError,
    Plimsoll,
    PlimsollError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnauthorizedError,
    ValidationError,
    connect,
)
from story import TOKEN, URL, Story

# One page, and some more.
DEALS, TOKENS = 1100, 60
ALL = ("2026-01-01 00:00:00.000", "2027-01-01 00:00:00.000")
SIMULATED = {"name": "Simulated", "platform": "p5", "kind": "simulated"}


class Pages(Story):
    def test_all_pages_of_lists_that_are_counted_and_of_those_with_a_next(self) -> None:
        id = self.account()
        start = datetime(2026, 3, 2)
        deals = [
            {
                "id": str(number),
                "type": "DEAL_TYPE_BALANCE",
                "profit": 1,
                "brokerTime": f"{start + timedelta(minutes=number)}.000",
            }
            for number in range(DEALS)
        ]
        self.plimsoll.api.record_deals(id, deals)
        trades = {trade["_id"] for trade in self.plimsoll.historical_trades(id, *ALL)}
        self.assertEqual(len(trades), DEALS)
        stored = [deal["id"] for deal in self.plimsoll.all.list_deals(id)]
        self.assertEqual(stored, [deal["id"] for deal in deals])

    def test_all_pages_of_lists_with_a_link(self) -> None:
        made = {self.plimsoll.api.create_own_token({})["id"] for _ in range(TOKENS)}
        listed = [token["id"] for token in self.plimsoll.all.list_own_tokens()]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(made, set(listed))
        id = self.account()
        self.assertIn(id, [account["id"] for account in self.plimsoll.accounts()])


class Refusals(Story):
    def test_tell_the_record_of_the_error_and_are_not_sent_again(self) -> None:
        with self.assertRaises(NotFoundError) as missing:
            self.plimsoll.api.read_account("nobody / ?")
        self.assertEqual(str(missing.exception), "NotFoundError: Account not found")
        self.assertEqual(missing.exception.status, 404)
        self.assertEqual(len(self.proxy.requests), 1)
        with self.assertRaises(ValidationError) as wrong:
            self.plimsoll.api.create_tracker(self.account(), {"name": "x", "period": "never"})
        self.assertEqual(wrong.exception.status, 400)
        self.assertIn("period", [each["parameter"] for each in wrong.exception.record["details"]])
        with connect(URL, "nobody") as nobody, self.assertRaises(UnauthorizedError):
            nobody.api.list_regions()
        self.assertEqual(self.pauses, [])

    def test_of_a_proxy_are_told_without_a_record(self) -> None:
        self.proxy.faults = [Refused(502, {"content-type": "text/html"}, b"<p>Bad gateway")]
        with self.assertRaisesRegex(PlimsollError, "The server answered 502"):
            self.plimsoll.api.list_regions()


class Retries(Story):
    def test_wait_as_long_as_the_server_says(self) -> None:
        self.proxy.faults = [
            Refused(429, {"retry-after": "7"}),
            Refused(503, {"retry-after": "Fri, 20 Nov 2026 13:05:09 GMT", "date": SENT}),
            Refused(429, {"date": SENT}, b'{"metadata":{"recommendedRetryTime":"%s"}}' % LATER),
            Refused(429, {"retry-after": "3600"}),
        ]
        self.assertEqual(self.plimsoll.api.list_regions(), ["main"])
        self.assertEqual(self.pauses, [7, 9, 2, 60])

    def test_wait_twice_as_long_each_time_and_give_up_in_the_end(self) -> None:
        refused = Refused(503, JSON, b'{"error":"ServiceUnavailableError","message":"Later"}')
        self.proxy.faults = [refused] * 6
        with self.assertRaisesRegex(ServiceUnavailableError, "Later"):
            self.plimsoll.api.list_regions()
        self.assertEqual(self.pauses, [0.5, 1, 2, 4, 8])
        self.assertEqual(self.proxy.faults, [])

    def test_can_be_switched_off(self) -> None:
        limited = b'{"error":"TooManyRequestsError","message":"Too many"}'
        self.proxy.faults = [Refused(429, JSON, limited)]
        with self.assertRaises(TooManyRequestsError):
            self.connected(max_attempts=1).api.list_regions()

    def test_wait_for_what_is_being_computed(self) -> None:
        id = self.account()
        computing = Refused(202, {"retry-after": "1", **JSON}, b'{"message":"Being computed"}')
        self.proxy.faults = [computing]
        self.assertEqual(list(self.plimsoll.historical_trades(id, *ALL)), [])
        self.assertEqual(self.pauses, [1])
        self.proxy.faults = [computing] * 6
        with self.assertRaisesRegex(ComputingError, "Being computed"):
            self.plimsoll.api.read_metrics(id)

    def test_of_a_write_with_a_key_have_one_effect_after_a_lost_answer(self) -> None:
        profile = self.plimsoll.api.create_provisioning_profile(SIMULATED)["id"]
        self.proxy.faults = [Lost()]
        ana = {"email": "ana@example.com", "group": "demo\\usd", "leverage": 100}
        opened = self.plimsoll.api.create_p5_account(profile, ana)
        (_, _, first), (_, _, second) = self.proxy.requests[-2:]
        self.assertEqual(first["idempotency-key"], second["idempotency-key"])
        members = self.plimsoll.api.read_p5_group_accounts(profile, "demo\\usd")
        logins = [each["login"] for each in members if each.get("email") == ana["email"]]
        self.assertEqual(logins, [opened["login"]])

    def test_leave_out_writes_that_could_take_effect_twice(self) -> None:
        self.proxy.faults = [Lost()]
        with self.assertRaisesRegex(NoAnswerError, "POST /users/current/provisioning-profiles"):
            self.plimsoll.api.create_provisioning_profile(SIMULATED)
        self.assertEqual(len(self.proxy.requests), 1)
        self.proxy.faults = [Refused(503)]
        with self.assertRaises(PlimsollError):
            self.plimsoll.api.create_provisioning_profile(SIMULATED)

    def test_keep_the_key_of_the_caller(self) -> None:
        id = self.account()
        row = {"accountId": id, "brokerTime": "2026-03-01 10:00:00", "balance": 1, "equity": 1}
        self.plimsoll.api.record_snapshots([row], idempotency_key=id)
        self.assertEqual(self.proxy.requests[-1][2]["idempotency-key"], id)


class Connections(Story):
    def test_are_kept_from_call_to_call_and_replaced_when_they_end(self) -> None:
        for _ in range(3):
            self.plimsoll.api.list_regions()
        self.assertEqual(self.proxy.connections, 1)
        self.proxy.faults = [Lost()]
        self.plimsoll.api.list_regions()
        self.assertEqual(self.proxy.connections, 2)

    def test_end_when_an_answer_takes_too_long(self) -> None:
        self.proxy.faults = [Silent(), Silent()]
        with self.assertRaisesRegex(NoAnswerError, "timed out"):
            self.connected(timeout_seconds=0.05, max_attempts=1).api.list_regions()
        once = self.connected(max_attempts=1).api
        with self.assertRaisesRegex(NoAnswerError, "timed out"):
            once.list_regions(timeout_seconds=0.05)
        # One more: the request before may come only now, where the machine is busy.
        self.proxy.faults = [Dripping(), Dripping()]
        with self.assertRaisesRegex(NoAnswerError, "timed out"):
            once.list_regions(timeout_seconds=0.1)

    def test_that_cannot_be_made_are_told(self) -> None:
        with self.assertRaises(NoAnswerError):
            connect("http://127.0.0.1:1", "token", max_attempts=1).api.list_regions()
        with self.assertRaisesRegex(ValueError, "no address of a server"):
            connect("plimsoll.example.com", "token")

    def test_end_at_once_when_the_client_is_closed(self) -> None:
        self.end(self.plimsoll, self.proxy)

    def test_are_encrypted_to_servers_that_the_context_trusts(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        proxy = FaultyProxy(URL, context)
        self.addCleanup(proxy.stop)
        trusting = ssl.create_default_context(cafile=CERTIFICATE)
        with connect(proxy.address, TOKEN, ssl_context=trusting) as plimsoll:
            for _ in range(3):
                plimsoll.api.list_regions()
            self.assertEqual(proxy.connections, 1)
            self.end(plimsoll, proxy)
        with connect(proxy.address, TOKEN, max_attempts=1) as strict:
            with self.assertRaisesRegex(NoAnswerError, "CERTIFICATE_VERIFY_FAILED"):
                strict.api.list_regions()

    def end(self, plimsoll: Plimsoll, proxy: FaultyProxy) -> None:
        """Closes a client whose call waits for an answer."""
        proxy.faults = [Silent()]
        outcomes: list[Exception] = []

        def ask() -> None:
            try:
                plimsoll.api.list_regions()
            except Exception as error:
                outcomes.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        proxy.until(lambda: not proxy.faults)
        plimsoll.close()
        asking.join()
        self.assertEqual([type(each) for each in outcomes], [ClosedError])


JSON = {"content-type": "application/json"}
SENT = "Fri, 20 Nov 2026 13:05:00 GMT"
LATER = b"2026-11-20T13:05:02.000Z"
CERTIFICATE = Path(__file__).parents[2] / "servers" / "smtp-localhost.pem"
