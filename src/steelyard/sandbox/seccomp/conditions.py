"""Say with which arguments those system calls are allowed that the list leaves to be judged."""

import errno
import resource
from typing import NamedTuple

NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone; unshare is refused altogether
# Without a network all but unix lead nowhere, and no limit counts what their buffers hold. Where there is a
# loopback, an agent talks to its proxy by inet or inet6.
UNIX, INET, INET6, NETLINK = 1, 2, 10, 16
ROUTE = 0  # the protocol of netlink that lists network interfaces; by another one programs send to each other
# Pairs stay connected, as streams and sequences of packets do (Rust starts programs by the latter): one of
# datagrams can be taken apart and given an abstract name.
PAIR_KINDS = (1, 5)
CONNECTED_PAIRS = tuple(kind | flags for kind in PAIR_KINDS for flags in (0, 0x800, 0x80000, 0x80800))
PERSONALITIES = (0, 8, 0xFFFFFFFF)  # Linux, Linux that answers in 32 bits, and asking which
# What programs ask of descriptors and terminals. Not among them: typing into the terminal that started us.
DEVICE_REQUESTS = (
    *(0x5401, 0x5402, 0x5403, 0x5404, 0x5409, 0x540B, 0x540F, 0x5410, 0x5413, 0x5414, 0x5429),  # a terminal
    *(0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D),  # the same in newer C libraries
    *(0x5411, 0x541B, 0x5421, 0x5450, 0x5451, 0x5452),  # bytes waiting, blocking, inheritance
    *(0x40049409, 0x4020940D, 0x80086601, 0xC020660B),  # copies of files that share blocks, flags, extents
    *(0x8910, 0x8912, 0x8913, 0x8915, 0x891B, 0x8921, 0x8927, 0x8933),  # what network interfaces there are
)
# Its own value is what keeps the core of a crash from this machine's handler: lowered, it would not.
LIMITS = tuple(kind for kind in range(16) if kind != resource.RLIMIT_CORE)
FILTER_BY_PRCTL = 22  # a filter within the filter; the newer call for it is not in the list


class OneOf(NamedTuple):
    """Fits when an argument is one of some values."""

    argument: int
    values: tuple[int, ...]


class OtherThan(NamedTuple):
    """Fits when an argument is not a certain value."""

    argument: int
    value: int


class NoneOfBits(NamedTuple):
    """Fits when none of some bits of an argument is set."""

    argument: int
    bits: int


class Null(NamedTuple):
    """Fits when an argument is a null pointer."""

    argument: int


ArgumentTest = OneOf | OtherThan | NoneOfBits | Null
Way = tuple[ArgumentTest, ...]  # tests that must all fit


class Condition(NamedTuple):
    """In which ways a system call is allowed, and with which error it fails when none of them fits."""

    call: str
    error: int
    ways: tuple[Way, ...]


def conditions(*, shared: bool, loopback: bool) -> tuple[Condition, ...]:
    """Return the conditions; `shared` and `loopback` are those of `program`."""
    return (
        _only("clone", errno.EPERM, NoneOfBits(0, NEW_NAMESPACES)),
        _only("ioctl", errno.ENOTTY, OneOf(1, DEVICE_REQUESTS)),
        Condition("socket", errno.EAFNOSUPPORT, () if shared else _sockets(loopback=loopback)),
        # The family too: otherwise the kernel looks for the pairs of any, and each has its own code for that.
        _only("socketpair", errno.EPROTONOSUPPORT, OneOf(0, (UNIX,)), OneOf(1, CONNECTED_PAIRS)),
        _only("personality", errno.EPERM, OneOf(0, PERSONALITIES)),
        _only("prctl", errno.EPERM, OtherThan(0, FILTER_BY_PRCTL)),
        _only("setrlimit", errno.EPERM, OneOf(0, LIMITS)),
        Condition("prlimit64", errno.EPERM, ((OneOf(1, LIMITS),), (Null(2),))),
    )


def _only(call: str, error: int, *tests: ArgumentTest) -> Condition:
    """Return the condition of a call that is allowed in one way."""
    return Condition(call, error, (tests,))


def _sockets(*, loopback: bool) -> tuple[Way, ...]:
    if not loopback:
        return ((OneOf(0, (UNIX,)),),)
    return ((OneOf(0, (UNIX, INET, INET6)),), (OneOf(0, (NETLINK,)), OneOf(2, (ROUTE,))))
