"""Define the arguments with which the conditional system calls are allowed."""

import errno
import resource
from typing import NamedTuple

NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone; unshare is refused
# Without a network only unix sockets are useful, and no limit counts the buffers of others. With a loopback,
# an agent reaches its proxy by inet or inet6.
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
ROUTE = 0  # the netlink protocol that lists interfaces; another one passes messages between programs
# Stream and seqpacket pairs stay connected (Rust starts programs with the latter); a datagram socket of a
# pair could be bound to an abstract name.
PAIR_KINDS = (1, 5)
CONNECTED_PAIRS = tuple(kind | flags for kind in PAIR_KINDS for flags in (0, 0x800, 0x80000, 0x80800))
PERSONALITIES = (0, 8, 0xFFFFFFFF)  # Linux, 32-bit Linux, query
# Requests on descriptors and terminals; TIOCSTI, which types into the terminal, is not among them.
DEVICE_REQUESTS = (
    *(0x5401, 0x5402, 0x5403, 0x5404, 0x5409, 0x540B, 0x540F, 0x5410, 0x5413, 0x5414, 0x5429),  # a terminal
    *(0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D),  # the same in newer C libraries
    *(0x5411, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452),  # bytes waiting, blocking, inheritance
    *(0x40049409, 0x4020940D, 0x80086601, 0xC020660B),  # copies of files that share blocks, flags, extents
    *(0x8910, 0x8912, 0x8913, 0x8915, 0x891B, 0x8921, 0x8927, 0x8933),  # what network interfaces there are
)
# RLIMIT_CORE must keep its value: only that keeps crash dumps from this machine's handler.
LIMITS = tuple(limit for limit in range(16) if limit != resource.RLIMIT_CORE)
FILTER_BY_PRCTL = 22  # PR_SET_SECCOMP, a nested filter; the list lacks the newer call for it


class OneOf(NamedTuple):
    """True if an argument is one of the values."""

    argument: int
    values: tuple[int, ...]


class OtherThan(NamedTuple):
    """True if an argument is not the value."""

    argument: int
    value: int


class NoneOfBits(NamedTuple):
    """True if an argument has none of the bits."""

    argument: int
    bits: int


class Null(NamedTuple):
    """True if an argument is a null pointer."""

    argument: int


ArgumentTest = OneOf | OtherThan | NoneOfBits | Null
Alternative = tuple[ArgumentTest, ...]  # all must be true


class Condition(NamedTuple):
    """The alternatives in which a call is allowed, and the error otherwise."""

    call: str
    error: int
    alternatives: tuple[Alternative, ...]


def conditions(*, shared: bool, loopback: bool) -> tuple[Condition, ...]:
    """Return the conditions; parameters as for `program`."""
    return (
        _only("clone", errno.EPERM, NoneOfBits(0, NEW_NAMESPACES)),
        _only("ioctl", errno.ENOTTY, OneOf(1, DEVICE_REQUESTS)),
        Condition("socket", errno.EAFNOSUPPORT, () if shared else _sockets(loopback=loopback)),
        # Restricts the family too: others have pair code of their own in the kernel.
        _only("socketpair", errno.EPROTONOSUPPORT, OneOf(0, (UNIX,)), OneOf(1, CONNECTED_PAIRS)),
        _only("personality", errno.EPERM, OneOf(0, PERSONALITIES)),
        _only("prctl", errno.EPERM, OtherThan(0, FILTER_BY_PRCTL)),
        _only("setrlimit", errno.EPERM, OneOf(0, LIMITS)),
        Condition("prlimit64", errno.EPERM, ((OneOf(1, LIMITS),), (Null(2),))),
    )


def _only(call: str, error: int, *tests: ArgumentTest) -> Condition:
    """Return the condition of a call with one alternative."""
    return Condition(call, error, (tests,))


def _sockets(*, loopback: bool) -> tuple[Alternative, ...]:
    if not loopback:
        return ((OneOf(0, (UNIX,)),),)
    return ((OneOf(0, (UNIX, INET, INET6)),), (OneOf(0, (NETLINK,)), OneOf(2, (ROUTE,))))
