"""Say the filter of system calls in the words of the OCI runtime specification."""

import errno

from steelyard.sandbox.seccomp.calls import allowed, calls
from steelyard.sandbox.seccomp.conditions import Condition, conditions

Json = dict[str, object]
ALLOW, REFUSE = "SCMP_ACT_ALLOW", "SCMP_ACT_ERRNO"
NEWEST = ["clone3"]  # which the C library does without only if it does not seem to be there


def filter_words(*, loopback: bool, hides_calls: bool) -> Json:
    """Return the filter of the other sandboxes, as far as these words go.

    A call that is refused for its argument looks as if it were not there, since a runtime takes one error for
    all that is not allowed. One that does not even know this error must be allowed the newest calls.
    """
    names = [call.name for call in allowed(shared=False)]
    return {
        "defaultAction": REFUSE,
        "defaultErrnoRet": errno.ENOSYS,
        "syscalls": [
            {"names": names + ([] if hides_calls else NEWEST), "action": ALLOW},
            {"names": [call.name for call in calls("refused")], "action": REFUSE, "errnoRet": errno.EPERM},
            *(
                {"names": [condition.call], "action": ALLOW, "args": [argument]}
                for condition in conditions(shared=False, loopback=loopback)
                for argument in _arguments(condition)
            ),
        ],
    }


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
