"""Decides which hosts may be fetched from, by their resolved addresses: public ones, and those of the settings."""

import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

Address = IPv4Address | IPv6Address

_NOT_PUBLIC_V4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        # The host agent of a large cloud has this public address.
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")
"""Excludes loopback, mapped and translated IPv4, local, and multicast addresses."""
_SPECIAL_V6: Final = tuple(
    IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2002::/16", "3ffe::/16", "3fff::/20")
)
_WEB_PORTS: Final = frozenset({80, 443})
_FIRST_UNRESERVED_PORT: Final = 1024
_DENIED_PORTS: Final = frozenset({1719, 1720, 1723, 2049, 3306, 3659, 4045, 5060, 5061, 5432, 6000, 6379, 6566, 6697})
"""Unreserved ports of services that could act on a line of an HTTP request."""


class Unfetchable(Exception):
    """A page that is not fetched. The reason completes the sentence "this page …" and names no host."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def is_public(address: Address) -> bool:
    """Return whether an address is a unicast address on the public Internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    return (
        address.scope_id is None
        and address in _GLOBAL_UNICAST
        and not any(address in network for network in _SPECIAL_V6)
    )


@dataclass(frozen=True, slots=True)
class Guard:
    """Checks the addresses that a host resolves to, so the spelling of an address cannot get around it."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[IPv4Network | IPv6Network, ...] = field(default=())

    @classmethod
    def allowing(cls, names: Iterable[str]) -> "Guard":
        """Also allow these hosts, addresses and networks, which are not public."""
        hosts, networks = set[str](), list[IPv4Network | IPv6Network]()
        for name in names:
            try:
                networks.append(ip_network(name))
            except ValueError:
                hosts.add(name)
        return cls(frozenset(hosts), tuple(networks))

    def addresses(self, host: str, port: int) -> list[Address]:
        """Resolve a host once and return its addresses; one forbidden address forbids the host."""
        if port in _DENIED_PORTS or (port < _FIRST_UNRESERVED_PORT and port not in _WEB_PORTS):
            raise Unfetchable("is at a port that pages are not served from")
        addresses = _resolve(host, port)
        if host.lower().rstrip(".") not in self.hosts and not all(self._is_allowed(address) for address in addresses):
            raise Unfetchable("is not on the public Internet (TRAWL_FETCH_ALLOW names exceptions)")
        return addresses

    def _is_allowed(self, address: Address) -> bool:
        return is_public(address) or any(address in network for network in self.networks)


def _resolve(host: str, port: int) -> list[Address]:
    try:
        records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = dict.fromkeys(ip_address(str(record[4][0])) for record in records)
    except (OSError, UnicodeError, ValueError):
        addresses = {}
    if not addresses:
        raise Unfetchable("has a host name that cannot be resolved")
    return list(addresses)
