"""Every operation of the document is sent as the document says, by both clients."""

from __future__ import annotations

import asyncio
import json
import os
import re
import unittest
from collections.abc import Iterator
from email.message import Message
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from plimsoll_client import AsyncPlimsoll, Plimsoll
from plimsoll_client.answers import Response
from plimsoll_client.retries import Sender
from plimsoll_client.transport import Request, Stop, Transport

with open(os.environ["PLIMSOLL_DOCUMENT"], encoding="utf-8") as file:
    DOCUMENT: dict[str, Any] = json.load(file)
# One of each type, some with what has to be escaped.
VALUES = {"string": "a /?ü", "integer": 7, "number": 1.5, "boolean": True}
WORDS = {"from": "from_"}


class Recorder(Transport):
    """Keeps what is sent, and answers nothing."""

    def __init__(self) -> None:
        super().__init__("http://recorder")
        self.requests: list[Request] = []

    def exchange(self, request: Request, stop: Stop) -> Response:
        self.requests.append(request)
        headers = Message()
        headers["content-type"] = "application/json"
        return Response(200, headers, b"[]", iter(()) if request.is_stream else None)


def resolved(part: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in part:
        return part
    found: Any = DOCUMENT
    for name in part["$ref"].split("/")[1:]:
        found = found[name]
    return resolved(found)


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def arguments(operation: dict[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """Arguments by name, and what the request should have of them by place."""
    given: dict[str, Any] = {}
    expected: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
    for each in map(resolved, operation.get("parameters", [])):
        schema = resolved(each["schema"])
        is_list = schema.get("type") == "array"
        one = resolved(schema["items"]) if is_list else schema
        value = one["enum"][0] if "enum" in one else VALUES[one["type"]]
        name = snake(each["name"])
        given[WORDS.get(name, name)] = [value] if is_list else value
        expected[each["in"]][each["name"]] = "true" if value is True else str(value)
    return given, expected


class Operations(unittest.TestCase):
    def test_have_a_method_in_each_client_that_sends_them(self) -> None:
        recorder = Recorder()
        sender = Sender(recorder, "token")
        waiting, awaited = Plimsoll(sender), AsyncPlimsoll(sender, 1)
        count = 0
        for method, path, operation in operations():
            name = snake(operation["operationId"])
            with self.subTest(name):
                given, expected = arguments(operation)
                content = operation.get("requestBody", {}).get("content")
                if content:
                    media = next(iter(content))
                    given["body"] = b"\0" if media == "application/octet-stream" else {"a": 1}
                getattr(waiting.api, name)(**given)
                asyncio.run(self.awaited(getattr(awaited.api, name)(**given)))
                one, other = recorder.requests[-2:]
                self.assertEqual(one, other)
                self.assertEqual((one.method, self.parts(path, one)), (method, expected))
                if content:
                    self.assertEqual(one.headers["content-type"], media)
                    self.assertEqual(one.body, b"\0" if media.endswith("stream") else b'{"a": 1}')
                count += 1
        self.assertGreater(count, 140)
        self.assertEqual(len(recorder.requests), 2 * count)
        asyncio.run(awaited.close())

    def test_that_are_lists_have_an_iterator_over_all_pages_in_each_client(self) -> None:
        recorder = Recorder()
        waiting = Plimsoll(Sender(recorder, "token"))
        paged = 0
        for _, path, operation in operations():
            given, _ = arguments(operation)
            if "limit" not in given or not {"offset", "before", "after"} & given.keys():
                continue
            name = snake(operation["operationId"])
            with self.subTest(name):
                self.assertTrue(hasattr(AsyncPlimsoll(waiting._sender, 1).all, name))
                for argument in ("limit", "offset", "before", "after"):
                    given.pop(argument, None)
                listed = getattr(waiting.all, name)(**given)
                if "link" in operation["responses"]["200"].get("headers", {}):
                    self.assertEqual(list(listed), [])
                    self.assertIn("limit=", recorder.requests[-1].target)
                paged += 1
        self.assertGreater(paged, 15)

    async def awaited(self, answer: Any) -> None:
        if hasattr(answer, "__await__"):
            await answer
        else:
            async for _ in answer:
                raise AssertionError

    def parts(self, path: str, request: Request) -> dict[str, dict[str, str]]:
        """What a request has of each place, by the template of its path."""
        target = urlsplit(request.target)
        names = re.findall(r"\{(\w+)\}", path)
        pattern = re.sub(r"\\\{\w+\\\}", "([^/]+)", re.escape(path))
        found = re.fullmatch(pattern, target.path)
        self.assertIsNotNone(found, target.path)
        values = [unquote(value) for value in found.groups()] if found else []
        own = {"auth-token", "plimsoll-compatibility", "content-type"}
        headers = {name: value for name, value in request.headers.items() if name not in own}
        return {
            "path": dict(zip(names, values)),
            "query": dict(parse_qsl(target.query)),
            "header": headers,
        }
