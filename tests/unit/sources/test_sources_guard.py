import socket
from ipaddress import ip_address

import pytest

from workers.sources.web.guard import Guard, Unfetchable, is_public

PUBLIC = ["1.1.1.1", "93.184.216.34", "192.0.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450::1"]
FORBIDDEN = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:1.1.1.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b::1.1.1.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%1",
    "fec0::1",
    "ff02::1",
]
SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "169.254.169.254",
    "0xa9fea9fe",
    "10.0.0.1",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "fe80::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_on_the_internet_is_public(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", FORBIDDEN)
def test_an_address_of_any_other_sort_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_local_address_gets_through(host: str) -> None:
    with pytest.raises(Unfetchable):
        Guard().addresses(host, 80)


def answers(*addresses: str) -> list[tuple[int, int, int, str, tuple[str, int]]]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in addresses]


def test_one_forbidden_address_forbids_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers("1.1.1.1", "127.0.0.1"))
    with pytest.raises(Unfetchable, match="not on the public Internet"):
        Guard().addresses("mixed.example", 80)


def test_all_addresses_of_a_public_host_are_returned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers("1.1.1.1", "8.8.8.8", "1.1.1.1"))
    assert Guard().addresses("public.example", 443) == [ip_address("1.1.1.1"), ip_address("8.8.8.8")]


def test_a_host_without_addresses_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(Unfetchable, match="cannot be resolved"):
        Guard().addresses("nowhere.example", 80)


@pytest.mark.parametrize("port", [0, 1, 22, 25, 53, 111, 465, 1023, 3306, 5432, 6379])
def test_ports_of_other_services_are_refused_even_on_allowed_hosts(port: int) -> None:
    with pytest.raises(Unfetchable, match="port"):
        Guard.allowing(["127.0.0.1"]).addresses("127.0.0.1", port)


def test_settings_allow_addresses_networks_and_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = Guard.allowing(["127.0.0.1", "10.1.0.0/16", "intranet.example"])
    assert guard.addresses("127.0.0.1", 8080) == [ip_address("127.0.0.1")]
    assert guard.addresses("10.1.2.3", 80) == [ip_address("10.1.2.3")]
    with pytest.raises(Unfetchable):
        guard.addresses("127.0.0.2", 80)
    with pytest.raises(Unfetchable):
        guard.addresses("10.2.0.1", 80)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers("192.168.7.7"))
    assert guard.addresses("Intranet.example.", 80) == [ip_address("192.168.7.7")]
    with pytest.raises(Unfetchable):
        guard.addresses("other.example", 80)


def test_reasons_name_no_host() -> None:
    with pytest.raises(Unfetchable) as caught:
        Guard().addresses("127.0.0.1", 80)
    assert "127" not in str(caught.value)
