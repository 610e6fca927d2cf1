"""Which addresses are on the public internet."""

import socket
import subprocess
import sys
from ipaddress import ip_network

import pytest

from steelyard.providers.command.egress.addresses import is_own, is_public, resolve

NOT_PUBLIC = {
    "this host": "0.0.0.0/8",
    "private, class A": "10.0.0.0/8",
    "carrier-grade NAT": "100.64.0.0/10",
    "loopback": "127.0.0.0/8",
    "Azure's own": "168.63.129.16/32",
    "link-local, and metadata": "169.254.0.0/16",
    "private, class B": "172.16.0.0/12",
    "protocol assignments": "192.0.0.0/24",
    "documentation 1": "192.0.2.0/24",
    "relays from IPv6": "192.88.99.0/24",
    "private, class C": "192.168.0.0/16",
    "benchmarks": "198.18.0.0/15",
    "documentation 2": "198.51.100.0/24",
    "documentation 3": "203.0.113.0/24",
    "multicast": "224.0.0.0/4",
    "reserved and broadcast": "240.0.0.0/4",
    "unspecified, loopback, IPv4-compatible": "::/96",
    "IPv4-mapped": "::ffff:0:0/96",
    "IPv4-translated": "::ffff:0:0:0/96",
    "NAT64": "64:ff9b::/96",
    "NAT64 of a network": "64:ff9b:1::/48",
    "discard": "100::/64",
    "Teredo": "2001::/32",
    "IPv6 benchmarks": "2001:2::/48",
    "ORCHID": "2001:20::/28",
    "IPv6 documentation": "2001:db8::/32",
    "6to4": "2002::/16",
    "IPv6 documentation, new": "3fff::/20",
    "segment routing": "5f00::/16",
    "unique local": "fc00::/7",
    "metadata of a cloud": "fd00:ec2::254/128",
    "IPv6 link-local": "fe80::/10",
    "site-local": "fec0::/10",
    "IPv6 multicast": "ff00::/8",
}


@pytest.mark.parametrize("network", NOT_PUBLIC.values(), ids=NOT_PUBLIC)
def test_no_address_of_a_special_network_is_public(network: str) -> None:
    addresses = ip_network(network)
    last = addresses.num_addresses - 1

    assert not [
        str(addresses[n])
        for n in {0, 1 % (last + 1), last // 3, last // 2, last}
        if is_public(str(addresses[n]))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "localhost",
        "",
        "2130706433",
        "0x7f.1",
        "127.1",
        "0177.0.0.1",
        "8.8.8.8%lo",
        "2606:4700::1%lo",
        "8.8.8.8 ",
    ],
)
def test_what_is_no_plain_address_is_not_public(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize(
    "address",
    [
        *(
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
        ),
        *(
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "223.255.255.255",
        ),
        *("2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1"),
    ],
)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


def test_this_machines_own_addresses_are_told_apart() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            outward = probe.getsockname()[0]
        except OSError:  # a machine that has no way out has only its loopback
            outward = "127.0.0.1"

    assert is_own("127.0.0.1")
    assert is_own(outward)
    assert not is_own("192.0.2.1")


def test_a_second_address_of_this_machine_is_its_own_too() -> None:
    """In a network of its own, in which the kernel would send from the first address to the second."""
    ask = (
        "from steelyard.providers.command.egress.addresses import is_public\n"
        "print(is_public('8.8.4.2'), is_public('8.8.8.8'))"
    )
    addresses = "ip link set lo up; ip addr add 8.8.4.1/24 dev lo; ip addr add 8.8.4.2/24 dev lo"

    done = subprocess.run(
        ["unshare", "--net", "sh", "-ec", f'{addresses}; exec "$@"', "sh", sys.executable, "-c", ask],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False True\n"


def test_a_name_is_resolved_to_each_of_its_addresses_once() -> None:
    found = resolve("localhost", 80)

    assert set(found) <= {"127.0.0.1", "::1"}
    assert len(found) == len(set(found)) >= 1


def test_a_name_without_an_address_is_an_error() -> None:
    with pytest.raises(OSError, match=r".+"):
        resolve("no-such-host.invalid", 80)
