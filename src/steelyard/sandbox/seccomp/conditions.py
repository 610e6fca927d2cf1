"""Say with which arguments those system calls are allowed that the list leaves to be judged."""

import errno
import resource
from typing import NamedTuple

NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone; unshare is refused altogether
# Unix and netlink: without a network others lead nowhere, and no limit counts what their buffers hold.
SOCKET_FAMILIES = (1, 16)
LOOPBACK_FAMILIES = (*SOCKET_FAMILIES, 2, 10)  # and inet, inet6, by which an agent talks to its proxy
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


class Condition(NamedTuple):
    """When a system call is allowed, by one of its arguments, and with which error it fails otherwise."""

    call: str
    argument: int
    error: int
    one_of: tuple[int, ...] = ()
    no_bits: int = 0  # allowed when none of these bits is set, instead of for some values
    or_null: int | None = None  # an argument that allows the call as well by being a null pointer


def conditions(*, shared: bool, loopback: bool) -> tuple[Condition, ...]:
    """Return the conditions; `shared` and `loopback` are those of `program`."""
    families = LOOPBACK_FAMILIES if loopback else SOCKET_FAMILIES
    return (
        Condition("clone", 0, errno.EPERM, no_bits=NEW_NAMESPACES),
        Condition("ioctl", 1, errno.ENOTTY, DEVICE_REQUESTS),
        Condition("socket", 0, errno.EAFNOSUPPORT, () if shared else families),
        Condition("socketpair", 1, errno.EPROTONOSUPPORT, CONNECTED_PAIRS),
        Condition("personality", 0, errno.EPERM, PERSONALITIES),
        Condition("setrlimit", 0, errno.EPERM, LIMITS),
        Condition("prlimit64", 1, errno.EPERM, LIMITS, or_null=2),
    )
