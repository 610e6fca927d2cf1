"""Which sockets a command gets: pairs that stay connected, none by which commands meet or hide memory."""

import pytest

from steelyard.ports import Sandbox
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from tests.sandbox.conformance.test_isolation import told

PAIRS = """
import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    for flags in (0, socket.SOCK_NONBLOCK, socket.SOCK_CLOEXEC, socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC):
        try:
            socket.socketpair(socket.AF_UNIX, kind | flags)
            print(kind.name, end=" ")
        except OSError:
            pass
"""
FAMILIES = """
import socket
for family in (socket.AF_INET, socket.AF_INET6):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
        try:
            socket.socket(family, kind)
            print("made", family.name, kind.name)
        except OSError:
            pass
"""
NETLINK = """
import socket
for protocol in range(32):
    try:
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
        print(protocol, end=" ")
    except OSError:
        pass
"""
INTERFACES = "import socket; print(socket.if_nameindex())"
OTHER_PAIRS = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
for family in (2, 10, 16):
    assert libc.socketpair(family, 1, 0, (ctypes.c_int * 2)()) == -1
    print(errno.errorcode[ctypes.get_errno()])
"""


@pytest.mark.parametrize("loopback", [False, True])
def test_pairs_of_sockets_stay_connected(sandbox: Sandbox, *, loopback: bool) -> None:
    made = told(sandbox, PAIRS, loopback=loopback).split()

    assert made == ["SOCK_STREAM"] * 4 + ["SOCK_SEQPACKET"] * 4


def test_without_a_network_there_are_no_sockets_whose_buffers_no_limit_counts(sandbox: Sandbox) -> None:
    assert told(sandbox, FAMILIES) == ""


@pytest.mark.parametrize("loopback", [False, True])
def test_netlink_tells_of_interfaces_and_passes_nothing_on(sandbox: Sandbox, *, loopback: bool) -> None:
    made = told(sandbox, NETLINK, loopback=loopback)

    assert made == ("0" if loopback else "")  # without a network there is nothing to tell
    if loopback:
        assert told(sandbox, INTERFACES, loopback=True) == "[(1, 'lo')]"


@pytest.mark.parametrize("loopback", [False, True])
def test_pairs_of_other_families_do_not_get_as_far_as_the_kernel(sandbox: Sandbox, *, loopback: bool) -> None:
    errors = set(told(sandbox, OTHER_PAIRS, loopback=loopback).split())

    # The kernel has other errors for a family without pairs.
    assert errors <= {"EPROTONOSUPPORT", "EPERM", "ENOSYS"}


def test_an_abstract_name_cannot_be_taken_by_half_of_a_pair(sandbox: Sandbox) -> None:
    if isinstance(sandbox, GvisorSandbox):
        pytest.skip("every command has a kernel of its own there, so nobody else sees the name")
    source = """
import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
    for half in socket.socketpair(socket.AF_UNIX, kind):
        try:
            half.bind(f"\\0meeting-point-{half.fileno()}")
            half.listen()
            print("listens")
        except OSError:
            pass
"""
    assert told(sandbox, source) == ""
