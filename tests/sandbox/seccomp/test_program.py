"""The filter's program gives each number the answer that the list has for it, on every processor we know."""

import struct

import pytest

from steelyard.sandbox.probe import unfiltered
from steelyard.sandbox.seccomp.calls import allowed, calls
from steelyard.sandbox.seccomp.program import ARCHITECTURES, program
from tests.sandbox.seccomp.kernel import answer, asked

BEYOND = (1000, 5000, 0x40000000 + 39, 0xFFFFFFFF)  # the third is of the second set of numbers on x86-64
HALF = 1 << 32  # of an argument: what is above it the kernel does not see
CORE, FILES = 4, 7  # limits
FILTER = 22  # of prctl
USERS = 2  # netlink between programs
BACKING, STEERING = 0x5412, 0x541C
NEW_USER, NEW_NETWORK, THREAD = 0x10000000, 0x40000000, 0x3D0F00
LEFT_OUT = {
    "x86_64": {"shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "fadvise64": 221},
    "aarch64": {"shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180, "fadvise64": 223},
}


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("shared", [False, True])
def test_what_is_not_in_the_list_looks_as_if_it_were_not_there(machine: str, *, shared: bool) -> None:
    code = program(machine, shared=shared)
    expected = {call.number(machine): "allow" for call in allowed(shared=shared)}
    expected |= {call.number(machine): "EPERM" for call in calls("refused")}
    judged = {call.number(machine) for call in calls("conditional")}

    for number in {*range(1000), *BEYOND} - judged:
        said = answer(code, number, architecture=ARCHITECTURES[machine])
        assert said == expected.get(number, "ENOSYS"), number


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_files_in_memory_are_allowed_only_where_they_are_counted(machine: str) -> None:
    number = next(call.number(machine) for call in calls("counted"))
    assert number is not None

    architecture = ARCHITECTURES[machine]
    assert answer(program(machine), number, architecture=architecture) == "allow"
    assert answer(program(machine, counted=False), number, architecture=architecture) == "ENOSYS"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_numbers_of_another_processor_end_the_program(machine: str) -> None:
    for architecture in {*ARCHITECTURES.values(), 0x40000003} - {ARCHITECTURES[machine]}:
        assert answer(program(machine), 39, architecture=architecture) == "kill"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_arguments_decide_about_some_calls(machine: str) -> None:
    assert asked(machine, "clone", THREAD) == "allow"
    assert asked(machine, "clone", THREAD | NEW_USER) == asked(machine, "clone", NEW_NETWORK) == "EPERM"
    assert asked(machine, "ioctl", 0, 0x5401) == "allow"
    assert {asked(machine, "ioctl", 0, word) for word in (BACKING, STEERING, 1)} == {"ENOTTY"}
    assert asked(machine, "personality", 0xFFFFFFFF) == "allow"
    assert asked(machine, "personality", 0x0040000) == "EPERM"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_half_of_an_argument_that_the_kernel_does_not_see_hides_nothing(machine: str) -> None:
    assert asked(machine, "ioctl", 0, HALF | BACKING) == "ENOTTY"
    assert asked(machine, "socket", HALF | 17) == "EAFNOSUPPORT"
    assert asked(machine, "clone", HALF | NEW_USER) == "EPERM"
    assert asked(machine, "prctl", HALF | FILTER) == "EPERM"
    assert asked(machine, "socket", HALF | 16, 3, HALF | USERS) == "EAFNOSUPPORT"


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("shared", [False, True])
def test_only_the_filter_within_the_filter_is_refused_to_prctl(machine: str, *, shared: bool) -> None:
    options = (*range(100), 0x53564D41, 0x59616D61)  # the last two: name memory, allow to be traced
    refused = [option for option in options if asked(machine, "prctl", option, 2, shared=shared) != "allow"]

    assert refused == [FILTER]


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_limit_of_cores_can_be_read_and_not_set(machine: str) -> None:
    limits, old = 0x7F0000001000, 0x7F0000002000

    assert asked(machine, "prlimit64", 0, CORE, 0, old) == "allow"
    assert asked(machine, "prlimit64", 0, FILES, limits, old) == "allow"
    # The second and third pointer have nothing in one half.
    for pointer in (limits, HALF, 4096):
        assert asked(machine, "prlimit64", 0, CORE, pointer, old) == "EPERM"
    assert asked(machine, "setrlimit", CORE, limits) == "EPERM"
    assert asked(machine, "setrlimit", FILES, limits) == "allow"


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_sockets_are_those_that_a_command_may_have(machine: str) -> None:
    unix, inet, packet, stream, datagram = 1, 2, 17, 1, 2

    assert asked(machine, "socket", unix) == asked(machine, "socket", inet, loopback=True) == "allow"
    assert asked(machine, "socket", inet) == asked(machine, "socket", unix, shared=True) == "EAFNOSUPPORT"
    assert asked(machine, "socket", packet, loopback=True) == "EAFNOSUPPORT"
    assert asked(machine, "socketpair", unix, stream | 0x80800) == "allow"
    assert asked(machine, "socketpair", unix, datagram) == "EPROTONOSUPPORT"
    for family in (inet, packet, 16):
        assert asked(machine, "socketpair", family, stream, loopback=True) == "EPROTONOSUPPORT"


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("loopback", [False, True])
def test_netlink_is_for_asking_about_interfaces_alone(machine: str, *, loopback: bool) -> None:
    netlink, raw = 16, 3
    protocols = range(32)
    made = [n for n in protocols if asked(machine, "socket", netlink, raw, n, loopback=loopback) == "allow"]

    assert made == ([0] if loopback else [])  # without a network there is nothing to ask about
    assert asked(machine, "socket", netlink, raw, 0, shared=True) == "EAFNOSUPPORT"
    assert asked(machine, "socket", 2, 1, 6, loopback=True) == "allow"  # other families have other protocols


@pytest.mark.parametrize(("machine", "numbers"), LEFT_OUT.items())
def test_what_outlives_a_command_or_harms_its_neighbours_is_left_out(
    machine: str, numbers: dict[str, int]
) -> None:
    """Shared memory of System V is charged to a group for a while after its end; advice empties caches."""
    for shared in (False, True):
        code = program(machine, shared=shared)
        said = {
            name: answer(code, number, architecture=ARCHITECTURES[machine])
            for name, number in numbers.items()
        }
        assert said == dict.fromkeys(numbers, "ENOSYS")


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_the_kernel_takes_a_program_of_this_length(machine: str) -> None:
    assert len(list(struct.iter_unpack("=HBBI", program(machine, shared=False)))) < 4096


def test_a_processor_we_do_not_know_gets_no_filter() -> None:
    assert program("vax") == b""


def test_doctor_says_when_system_calls_are_not_filtered() -> None:
    assert "not filtered" in unfiltered("vax")
    assert [unfiltered(machine) for machine in ARCHITECTURES] == [""] * len(ARCHITECTURES)
