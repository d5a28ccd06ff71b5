"""Client of Plimsoll: see README.md of its package."""

from .answers import ClosedError, ComputingError, NoAnswerError, PlimsollError
from .calls import Message
from .client import AsyncPlimsoll, Plimsoll, connect, connect_async
from .feeds import EventFilter
from .schema import *
from .schema import __all__ as _schema

__all__ = [
    "AsyncPlimsoll",
    "ClosedError",
    "ComputingError",
    "EventFilter",
    "Message",
    "NoAnswerError",
    "Plimsoll",
    "PlimsollError",
    "connect",
    "connect_async",
    *_schema,
]
