"""Stand where the answer looks for what only the tests know of a function of theirs."""

from typing import NoReturn

from steelyard.checks.python.grader_runtime.handles import NeedsShared


class NoSignature:
    """Stands where `inspect` looks for the parameters of a function; the tests keep those of theirs."""

    def __repr__(self) -> NoReturn:
        raise NeedsShared("the signature of a function of the tests")


class NoAnnotations(dict[str, object]):
    """Stands where the answer looks for the types of the parameters of a function of the tests."""

    def _asked(self, *_: object) -> NoReturn:
        raise NeedsShared("the annotations of a function of the tests")

    __getitem__ = __iter__ = __len__ = __contains__ = _asked
    get = keys = values = items = copy = pop = setdefault = _asked
