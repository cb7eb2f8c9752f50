"""Messages whose end Redis cannot be told of are let go all the same."""

from collections.abc import Callable

import pytest
from kombu import Connection
from kombu.message import Message
from kombu.transport.redis import Transport as KombusOwn

from tests.redis import RedisServer
from workers.transport import Transport


@pytest.mark.parametrize("end", [Message.ack, Message.reject, Message.requeue])
def test_a_message_is_let_go_whether_or_not_redis_can_be_told(
    own_redis: Callable[..., RedisServer], end: Callable[[Message], None]
) -> None:
    server = own_redis()
    with Connection(server.url, transport=Transport) as connection:
        queue = connection.SimpleQueue("work")
        queue.put("first")
        queue.channel.basic_qos(0, 1, False)
        message = queue.get(timeout=30)
        assert not queue.channel.qos.can_consume()
        server.kill()
        with pytest.raises(connection.connection_errors):
            end(message)
        assert queue.channel.qos.can_consume()
        server.start()


def test_it_differs_from_kombus_own_in_nothing_else() -> None:
    assert {name for name in vars(Transport) if not name.startswith("__")} == {"Channel"}
    assert Transport.implements == KombusOwn.implements
