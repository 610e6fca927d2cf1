"""Say the filter of system calls in the words of the OCI runtime specification."""

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
LOWER_BITS = [1 << place for place in range(32)]


def filter_rules(*, loopback: bool, own_kernel: bool) -> Json:
    """Return the filter of the other sandboxes, as far as these words go.

    A call that is refused for its argument looks as if it were not there, since a runtime takes one error for
    all that is not allowed. A kernel of its own is a list of calls itself: what it lacks is not there.
    Its filter could only say that such a call is not permitted, and leaves it to the kernel.
    """
    names = [call.name for call in allowed(shared=False)]
    refused = [call.name for call in calls("refused")]
    judged = [call.name for call in calls("judged")]
    by_argument: list[Json] = [
        {"names": [condition.call], "action": ALLOW, "args": list(arguments)}
        for condition in conditions(shared=False, loopback=loopback)
        for way in condition.ways
        for arguments in product(*map(_alternatives, way))
    ]
    if own_kernel:  # the first rule that fits decides
        return {"defaultAction": ALLOW, "syscalls": [*by_argument, _refuse(judged + refused)]}
    return {
        "defaultAction": REFUSE,
        "defaultErrnoRet": errno.ENOSYS,
        "syscalls": [{"names": names, "action": ALLOW}, _refuse(refused), *by_argument],
    }


def _refuse(names: list[str]) -> Json:
    return {"names": names, "action": REFUSE, "errnoRet": errno.EPERM}


def _alternatives(test: ArgumentTest) -> list[Json]:
    """Return what an argument may be, each for a rule of its own: all 64 bits of it are compared."""
    match test:
        case OneOf(argument, values):
            return [_equal(argument, value) for value in values]
        case OtherThan(argument, value):
            # "Not equal" would see the half that the kernel does not. A number is another one by any bit.
            return [_masked(argument, bit, ~value & bit) for bit in LOWER_BITS]
        case NoneOfBits(argument, bits):
            return [_masked(argument, bits, 0)]
        case Null(argument):
            return [_equal(argument, 0)]


def _equal(argument: int, value: int) -> Json:
    return {"index": argument, "value": value, "op": "SCMP_CMP_EQ"}


def _masked(argument: int, mask: int, value: int) -> Json:
    return {"index": argument, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}
