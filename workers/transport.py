"""Kombu's Redis transport, patched so that a failed acknowledgement cannot block a worker for ever.

A worker fetches no message before it has acknowledged the last one (prefetch 1). If Redis is down at that moment, Kombu
logs the error but still counts the message as unacknowledged. The worker then reads nothing from its connection, and so
never notices that the connection is lost. The patch drops the message from the count. The message itself does not
matter, because the records say that its work is done.
"""

from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, redis

_NAMES: Final = ("redis", "rediss")


class _QoS(redis.QoS):
    """Stops counting a message as unacknowledged even if Redis could not be reached."""

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
    """Replaces Kombu's own Redis transport."""

    Channel: Any = _Channel


def use_patched_transport() -> None:
    """Register this transport for Redis URLs in this process; call it before the first connection."""
    for name in _NAMES:
        TRANSPORT_ALIASES[name] = f"{__name__}:{Transport.__name__}"
