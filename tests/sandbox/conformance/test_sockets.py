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


@pytest.mark.parametrize("loopback", [False, True])
def test_pairs_of_sockets_stay_connected(sandbox: Sandbox, *, loopback: bool) -> None:
    made = told(sandbox, PAIRS, loopback=loopback).split()

    assert made == ["SOCK_STREAM"] * 4 + ["SOCK_SEQPACKET"] * 4


def test_without_a_network_there_are_no_sockets_whose_buffers_no_limit_counts(sandbox: Sandbox) -> None:
    assert told(sandbox, FAMILIES) == ""


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
