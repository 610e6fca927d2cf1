"""Express the system call filter in the OCI runtime specification."""

import errno
from itertools import product

from steelyard.sandbox.seccomp.calls import allowed, calls
from steelyard.sandbox.seccomp.conditions import (
    ArgumentTest,
    NoneOfBits,
    Null,
    OneOf,
    OtherThan,
    conditions,
)

Json = dict[str, object]
ALLOW, REFUSE = "SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"
LOWER_BITS = [1 << bit for bit in range(32)]


def filter_rules(*, loopback: bool, own_kernel: bool) -> Json:
    """Return the filter of the other sandboxes, as far as the specification can express it.

    A call refused for its argument fails with ENOSYS: a runtime has one default error. gVisor lacks unknown
    calls itself, so its filter lists only refusals.
    """
    names = [call.name for call in allowed(shared=False)]
    refused = [call.name for call in calls("refused")]
    conditional = [call.name for call in calls("conditional")]
    by_argument: list[Json] = [
        {"names": [condition.call], "action": ALLOW, "args": list(arguments)}
        for condition in conditions(shared=False, loopback=loopback)
        for alternative in condition.alternatives
        for arguments in product(*map(_values, alternative))
    ]
    if own_kernel:  # the first matching rule decides
        return {"defaultAction": ALLOW, "syscalls": [*by_argument, _refuse(conditional + refused)]}
    return {
        "defaultAction": REFUSE,
        "defaultErrnoRet": errno.ENOSYS,
        "syscalls": [{"names": names, "action": ALLOW}, _refuse(refused), *by_argument],
    }


def _refuse(names: list[str]) -> Json:
    return {"names": names, "action": REFUSE, "errnoRet": errno.EPERM}


def _values(test: ArgumentTest) -> list[Json]:
    """Return the comparisons of a test, each for a rule of its own; they compare all 64 bits."""
    match test:
        case OneOf(argument, values):
            return [_equal(argument, value) for value in values]
        case OtherThan(argument, value):
            # SCMP_CMP_NE would compare the upper half, which the kernel ignores. So: any bit differs.
            return [_masked(argument, bit, ~value & bit) for bit in LOWER_BITS]
        case NoneOfBits(argument, bits):
            return [_masked(argument, bits, 0)]
        case Null(argument):
            return [_equal(argument, 0)]


def _equal(argument: int, value: int) -> Json:
    return {"index": argument, "value": value, "op": "SCMP_CMP_EQ"}


def _masked(argument: int, mask: int, value: int) -> Json:
    return {"index": argument, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}
