"""Build the seccomp filter that keeps a sandboxed program away from what it has no business with.

Classic BPF, written by hand: a list of refused system calls is no reason for a dependency.
"""

import errno
import platform
import struct
from collections.abc import Iterable
from functools import cache

LOAD, JUMP, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
X32_CALLS = 0x40000000  # the second, seldom used, set of numbers on x86-64

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NEW_NAMESPACES = 0x7E020000  # the CLONE_NEW* flags of clone; unshare is refused altogether
# Unix and netlink: without a network others lead nowhere, and no limit counts what their buffers hold.
SOCKET_FAMILIES = (1, 16)
LOOPBACK_FAMILIES = (*SOCKET_FAMILIES, 2, 10)  # and inet, inet6, by which an agent talks to its proxy
# Pairs stay connected, as streams and sequences of packets do (Rust starts programs by the latter): one of
# datagrams can be taken apart and given an abstract name.
PAIR_KINDS = (1, 5)
CONNECTED_PAIRS = tuple(kind | flags for kind in PAIR_KINDS for flags in (0, 0x800, 0x80000, 0x80800))
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI and TIOCLINUX type into the terminal that started us
PERSONALITIES = (0, 8, 0xFFFFFFFF)  # Linux, Linux that answers in 32 bits, and asking which

# System calls with their numbers on x86-64 and on arm64; the former has a few that the latter never had.
FILTERED = {
    "clone": (56, 220),
    "clone3": (435, 435),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "personality": (135, 92),
}
REFUSED: dict[str, tuple[int, ...]] = {
    # Looking into, or steering, other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # Programs in the kernel, its counters, its keys; page faults handled by a program.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # Mounts, roots and namespaces.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # The machine as a whole: modules, kernels, swap, clocks, names, logs.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "syslog": (103, 116),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "fanotify_init": (300, 262),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    # Where memory lies.
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # Fossils.
    "iopl": (172,),
    "ioperm": (173,),
    "modify_ldt": (154,),
    "uselib": (134,),
}
# What commands could meet in that share a network namespace, empty as it is, and one for System V.
MEETING = {"shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180)}


def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; the jumps count how many instructions to leave out."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def refuse(error: int) -> bytes:
    """Return the instruction that makes a system call fail with an error."""
    return instruction(RETURN, ERRNO | error)


def refused(numbers: Iterable[int], error: int) -> bytes:
    """Let each of some system calls fail with an error."""
    return b"".join(instruction(JUMP_EQUAL, number, 0, 1) + refuse(error) for number in numbers)


def judged(number: int, argument: int, test: bytes, error: int) -> bytes:
    """Judge one call by one argument; the test jumps over the refusal or falls into it."""
    body = instruction(LOAD, ARGUMENTS + 8 * argument) + test + refuse(error) + instruction(RETURN, ALLOW)
    return instruction(JUMP_EQUAL, number, 0, len(body) // 8) + body


def one_of(values: tuple[int, ...]) -> bytes:
    """Jump over the refusal when the argument is one of some values."""
    return b"".join(
        instruction(JUMP_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values)
    )


def none_of(values: tuple[int, ...]) -> bytes:
    """Fall into the refusal when the argument is one of some values, and jump over it otherwise."""
    return one_of(values) + instruction(JUMP, 1)


@cache
def program(machine: str = "", *, shared: bool = False, loopback: bool = False) -> bytes:
    """Return the filter for this machine's processor, or nothing when we do not know its numbers.

    `shared` is for commands that have some namespaces in common: they get no sockets but pairs. `loopback` is
    for those that talk to themselves by the internet's protocols, in a network of their own.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return b""
    place = list(ARCHITECTURES).index(machine)
    number = {name: numbers[place] for name, numbers in FILTERED.items()}
    calls = {**REFUSED, **(MEETING if shared else {})}
    allowed = LOOPBACK_FAMILIES if loopback else SOCKET_FAMILIES
    families = () if shared else allowed
    return b"".join(
        [
            instruction(LOAD, ARCHITECTURE),
            instruction(JUMP_EQUAL, ARCHITECTURES[machine], 1, 0),
            instruction(RETURN, KILL),
            instruction(LOAD, NUMBER),
            instruction(JUMP_AT_LEAST, X32_CALLS, 0, 1),
            refuse(errno.ENOSYS),
            # The C library falls back to clone, whose flags a filter can see.
            refused([number["clone3"]], errno.ENOSYS),
            judged(number["clone"], 0, instruction(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1), errno.EPERM),
            judged(number["ioctl"], 1, none_of(TERMINAL_INPUT), errno.EPERM),
            judged(number["socket"], 0, one_of(families), errno.EAFNOSUPPORT),
            judged(number["socketpair"], 1, one_of(CONNECTED_PAIRS), errno.EPROTONOSUPPORT),
            judged(number["personality"], 0, one_of(PERSONALITIES), errno.EPERM),
            refused((numbers[place] for numbers in calls.values() if place < len(numbers)), errno.EPERM),
            instruction(RETURN, ALLOW),
        ]
    )
