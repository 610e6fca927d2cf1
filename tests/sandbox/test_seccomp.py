"""The filter's program: well-formed for every processor we know, and absent for the others."""

import struct

import pytest

from steelyard.sandbox.probe import unfiltered
from steelyard.sandbox.seccomp import ARCHITECTURES, LOAD, RETURN, program


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("shared", [False, True])
def test_every_way_through_the_filter_ends_in_a_return(machine: str, *, shared: bool) -> None:
    steps = list(struct.iter_unpack("=HBBI", program(machine, shared=shared)))

    for place, (code, if_true, if_false, value) in enumerate(steps):
        if code not in {LOAD, RETURN}:
            jumps = [value] if code == 0x05 else [if_true, if_false]
            assert all(place + 1 + jump < len(steps) for jump in jumps)
    assert steps[-1][0] == RETURN
    assert len(steps) < 4096


def test_a_processor_we_do_not_know_gets_no_filter() -> None:
    assert program("vax") == b""


def test_doctor_says_when_system_calls_are_not_filtered() -> None:
    assert "not filtered" in unfiltered("vax")
    assert [unfiltered(machine) for machine in ARCHITECTURES] == [""] * len(ARCHITECTURES)
