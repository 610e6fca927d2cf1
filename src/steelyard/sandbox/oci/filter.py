"""Say the filter of system calls in the words of the OCI runtime specification."""

import errno

from steelyard.sandbox.seccomp.calls import allowed, calls
from steelyard.sandbox.seccomp.conditions import Condition, conditions

Json = dict[str, object]
ALLOW, REFUSE = "SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"


def filter_words(*, loopback: bool, own_kernel: bool) -> Json:
    """Return the filter of the other sandboxes, as far as these words go.

    A call that is refused for its argument looks as if it were not there, since a runtime takes one error for
    all that is not allowed. A kernel of its own is a list of calls itself: what it lacks is not there.
    Its filter could only say that such a call is not permitted, and leaves it to the kernel.
    """
    names = [call.name for call in allowed(shared=False)]
    refused = [call.name for call in calls("refused")]
    judged = [call.name for call in calls("judged")]
    by_argument: list[Json] = [
        {"names": [condition.call], "action": ALLOW, "args": [argument]}
        for condition in conditions(shared=False, loopback=loopback)
        for argument in _arguments(condition)
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


def _arguments(condition: Condition) -> list[Json]:
    """Return what an argument may be, each in a rule of its own: all 64 bits of it are compared."""
    words: list[Json] = [_equal(condition.argument, value) for value in condition.one_of]
    if condition.no_bits:
        none = {"value": condition.no_bits, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
        words.append({"index": condition.argument, **none})
    if condition.or_null is not None:
        words.append(_equal(condition.or_null, 0))
    return words


def _equal(argument: int, value: int) -> Json:
    return {"index": argument, "value": value, "op": "SCMP_CMP_EQ"}
