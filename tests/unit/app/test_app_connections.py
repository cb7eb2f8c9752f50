from collections import Counter

import pytest

from app.http.connection.connections import Connections
from app.http.connection.limits import EXTRA, ConnectionLimits, connections_within
from app.http.connection.pace import Pace

LIMIT = 20
SHARE = 15
PROXY = "10.1.0.0/16"


class Client:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self.is_open = True
        self.is_restricted = False

    def check(self, now: float) -> None:
        assert now

    def drop(self) -> None:
        self.is_open = False
        self._connections.forget(self)

    def restrict(self) -> None:
        self.is_restricted = True


@pytest.fixture
def connections() -> Connections:
    return Connections(ConnectionLimits(LIMIT, 30), Counter(), [PROXY])


def admitted(connections: Connections, count: int, address: str, *, busy: bool) -> list[Client]:
    clients = []
    for _ in range(count):
        client = Client(connections)
        if connections.admit(client, address):
            clients.append(client)
            if busy:
                connections.became_busy(client)
    return clients


def test_the_longest_idle_makes_room_for_a_new_connection(connections: Connections) -> None:
    clients = admitted(connections, LIMIT, "127.0.0.1", busy=False)
    connections.became_busy(clients[0])
    connections.became_idle(clients[0])
    (new,) = admitted(connections, 1, "127.0.0.1", busy=False)
    assert [each.is_open for each in (clients[0], clients[1], clients[2], new)] == [True, False, True, True]
    assert not new.is_restricted
    assert len(connections) == LIMIT


def test_where_all_are_busy_the_newest_of_a_few_more_are_answered_about_health(connections: Connections) -> None:
    busy = admitted(connections, LIMIT, "127.0.0.1", busy=True)
    extra = admitted(connections, EXTRA + 3, "127.0.0.1", busy=True)
    assert all(each.is_open and not each.is_restricted for each in busy)
    assert [each.is_open for each in extra] == [False] * 3 + [True] * EXTRA
    assert all(each.is_restricted for each in extra)
    busy[0].drop()
    (new,) = admitted(connections, 1, "127.0.0.1", busy=True)
    assert not new.is_restricted


def test_one_address_leaves_room_for_the_others(connections: Connections) -> None:
    assert len(admitted(connections, LIMIT, "192.0.2.1", busy=True)) == SHARE
    assert connections.refusals == {"connections": LIMIT - SHARE}
    (other,) = admitted(connections, 1, "192.0.2.2", busy=True)
    assert not other.is_restricted


def test_an_address_with_its_share_gives_up_its_own_idle_connections(connections: Connections) -> None:
    first, *_ = admitted(connections, SHARE, "2001:db8::1", busy=False)
    (other,) = admitted(connections, 1, "2001:db8::2", busy=False)
    assert (first.is_open, other.is_open) == (False, True), "the network of an IPv6 address is one address"


@pytest.mark.parametrize("address", ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "::1", "fe80::1%lo"])
def test_an_address_that_many_callers_have_may_use_all(connections: Connections, address: str) -> None:
    expected = SHARE if address.startswith("fe80") else LIMIT
    assert len(admitted(connections, LIMIT, address, busy=True)) == expected


def test_idle_connections_make_room_for_files(connections: Connections) -> None:
    clients = admitted(connections, LIMIT, "127.0.0.1", busy=False)
    connections.make_room()
    assert sum(each.is_open for each in clients) == LIMIT - EXTRA


def test_a_connection_that_is_gone_is_not_counted_again(connections: Connections) -> None:
    (client,) = admitted(connections, 1, "192.0.2.1", busy=False)
    client.drop()
    client.drop()
    connections.became_idle(client)
    assert len(connections) == 0
    assert len(admitted(connections, LIMIT, "192.0.2.1", busy=True)) == SHARE


@pytest.mark.parametrize(
    ("files", "wanted", "connections"),
    [(256, 4_096, 112), (1_024, 4_096, 752), (65_536, 4_096, 4_096), (20, 4_096, 16)],
)
def test_connections_leave_files_for_the_service_itself(files: int, wanted: int, connections: int) -> None:
    assert connections_within(files, wanted) == connections


def test_a_client_is_too_slow_if_it_was_so_in_a_whole_period() -> None:
    pace = Pace()
    pace.restart(100.0)
    pace.amount += 10
    assert not pace.is_too_slow(129.0, 30)
    assert pace.is_too_slow(130.0, 30)
    pace.amount += 30_000
    assert not pace.is_too_slow(160.0, 30)
    assert not pace.is_too_slow(189.0, 30)
    assert pace.is_too_slow(190.0, 30), "what was sent earlier does not count"
