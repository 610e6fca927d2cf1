"""Decide which addresses are on the public internet.

Uses its own table: that of the standard library differs between Python versions and had gaps.
"""

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

# IANA's special-purpose addresses, and the metadata address of a cloud.
NOT_PUBLIC_V4 = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this host
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # carrier-grade NAT
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # Azure's metadata service
            "169.254.0.0/16",  # link-local, and most clouds' metadata services
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays from IPv6
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
# All others are not public: loopback, link-local, private, multicast, IPv4-mapped, NAT64.
PUBLIC_V6 = ip_network("2000::/3")
NOT_PUBLIC_V6 = tuple(
    map(
        ip_network,
        (
            "2001::/23",  # protocol assignments; Teredo, which embeds an IPv4 address
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which embeds an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)


def resolve(host: str, port: int) -> Sequence[str]:
    """Resolve a host with this machine's resolver; raises OSError if it has no address."""
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in entries))


def is_public(address: str) -> bool:
    """Whether an address is on the public internet and not this machine's own."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_global(parsed) and not is_own(address)


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_V4)
    if address.scope_id is not None or address not in PUBLIC_V6:
        return False
    return not any(address in network for network in NOT_PUBLIC_V6)


def is_own(address: str) -> bool:
    """Whether an address is this machine's: programs can listen only at those.

    With `ip_nonlocal_bind` every address counts as own and is blocked, which is safe.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True
