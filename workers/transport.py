"""Kombu's way to Redis, mended where a worker would stop for ever.

A worker takes no further message before it has acknowledged the last one. If Redis is away just then, Kombu logs that,
but goes on counting the message as unacknowledged, and as it listens to nothing meanwhile it never sees that its
connection is lost. The message itself does not matter: the records say that its work is done.
"""

from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, redis

_NAMES: Final = ("redis", "rediss")


class _QoS(redis.QoS):
    """Lets go of a message whether or not Redis could be told."""

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call] # kombu has few types
        except Exception:
            self._quick_ack(delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)  # type: ignore[no-untyped-call] # as above
        except Exception:
            self._quick_ack(delivery_tag)
            raise


class _Channel(redis.Channel):
    QoS: Any = _QoS


class Transport(redis.Transport):
    """Takes the place of Kombu's own."""

    Channel: Any = _Channel


def use_mended_transport() -> None:
    """Let addresses of Redis mean this transport in this process; before the first of them is used."""
    for name in _NAMES:
        TRANSPORT_ALIASES[name] = f"{__name__}:{Transport.__name__}"
