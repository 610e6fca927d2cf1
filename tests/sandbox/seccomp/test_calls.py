"""The list of system calls: numbers as libseccomp has them, none twice, a reason for each group."""

import ctypes

import pytest

from steelyard.sandbox.seccomp.calls import PROCESSORS, SystemCall, calls, groups
from steelyard.sandbox.seccomp.conditions import conditions
from steelyard.sandbox.seccomp.program import ARCHITECTURES

KINDS = ("allowed", "isolated", "refused", "conditional")
EVERY = calls(*KINDS)


@pytest.mark.parametrize("call", EVERY, ids=lambda call: call.name)
def test_a_number_is_the_one_that_libseccomp_knows(call: SystemCall) -> None:
    library = ctypes.CDLL("libseccomp.so.2")  # comes with runc

    for machine in PROCESSORS:
        known = library.seccomp_syscall_resolve_name_arch(ARCHITECTURES[machine], call.name.encode())
        assert call.number(machine) == (known if known >= 0 else None)


def test_no_call_stands_there_twice() -> None:
    names = [call.name for call in EVERY]

    assert sorted(names) == sorted(set(names))


def test_every_group_has_a_reason() -> None:
    reasons = [group.why for kind in KINDS for group in groups(kind)]

    assert all(reason.endswith(".") for reason in reasons)
    assert len(set(reasons)) == len(reasons)


def test_there_is_a_condition_for_every_conditional_call() -> None:
    for shared in (False, True):
        found = [condition.call for condition in conditions(shared=shared, loopback=False)]
        assert sorted(found) == sorted(call.name for call in calls("conditional"))
