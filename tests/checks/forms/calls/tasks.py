"""Twelve small tasks as calls, written once for all languages."""

from typing import NamedTuple

from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall

MANY = list(range(100_000))


class CallsTask(NamedTuple):
    """A function, its calls, and what it is called with in C, where there is such a function."""

    function: str
    calls: tuple[FunctionCall, ...]
    signature: str = ""
    tolerance: float | None = None

    def case(self, language: str, *, timeout_s: float = 60.0) -> Case:
        """Return the task as a case in a language."""
        settings = {"signature": self.signature} if language == "c" else {}
        return Case(
            id=self.function,
            language=language,
            timeout_s=timeout_s,
            expectations=Expectations(
                function=self.function, calls=self.calls, tolerance=self.tolerance, settings=settings
            ),
        )


ADD = CallsTask(
    "add",
    (
        FunctionCall(args=(1, 2), returns=3, name="small"),
        FunctionCall(args=(-5, 2), returns=-3),
        FunctionCall(args=(2**31, 1), returns=2**31 + 1),
    ),
    "long long add(long long a, long long b)",
)
TASKS = (
    ADD,
    CallsTask(
        "mean",
        (
            FunctionCall(args=([1.0, 2.0, 4.0],), returns=2.3333333333),
            FunctionCall(args=([0.1],), returns=0.1),
            FunctionCall(args=([],), returns={"float": "nan"}),
        ),
        "double mean(const double *values, size_t count)",
        tolerance=1e-6,
    ),
    CallsTask(
        "greet",
        (
            FunctionCall(args=("Zoë 😀",), returns="hello Zoë 😀"),
            FunctionCall(args=('"\\\n',), returns='hello "\\\n'),
        ),
        "char *greet(const char *name)",
    ),
    CallsTask(
        "flatten",
        (FunctionCall(args=([[1, 2], [], [3]],), returns=[1, 2, 3]), FunctionCall(args=([],), returns=[])),
    ),
    CallsTask(
        "lengths",
        (
            FunctionCall(args=(["a", "bcd"],), returns={"a": 1, "bcd": 3}),
            FunctionCall(args=([],), returns={}),
        ),
    ),
    CallsTask(
        "is_even",
        (FunctionCall(args=(4,), returns=True), FunctionCall(args=(-3,), returns=False)),
        "bool is_even(int number)",
    ),
    CallsTask(
        "last_name",
        (FunctionCall(args=(["a", "b"],), returns="b"), FunctionCall(args=([],), returns=None)),
        "const char *last_name(char **names, size_t count)",
    ),
    CallsTask("divide", (FunctionCall(args=(7, 2), returns=3), FunctionCall(args=(1, 0), raises="any"))),
    CallsTask(
        "total",
        (FunctionCall(args=(MANY,), returns=sum(MANY)), FunctionCall(args=([],), returns=0)),
        "long long total(const long long *values, size_t count)",
    ),
    CallsTask(
        "doubled",
        (FunctionCall(args=(MANY,), returns=[2 * one for one in MANY]), FunctionCall(args=([],), returns=[])),
        "long long *doubled(const long long *values, size_t count, size_t *made)",
    ),
    CallsTask(
        "ordered",
        (
            FunctionCall(args=([3, 1, 2],), returns=[1, 2, 3]),
            FunctionCall(args=([3, 1, 2],), returns=[1, 2, 3]),
            FunctionCall(args=([],), returns=[]),
        ),
        "void ordered(int *values, size_t count)",
    ),
    CallsTask("bounds", (FunctionCall(args=([3, 1, 2],), returns={"tuple": [1, 3]}),)),
)
