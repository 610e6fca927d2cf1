"""Say how much memory a check may use: what its case says, or what the checker gives by default."""

from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.execution import MIB


def memory_bytes(case: Case, default: int) -> int:
    """Return the memory for each command of a check, in bytes.

    >>> memory_bytes(Case(id="a", language="rust", memory_mb=256), default=1024) // MIB
    256
    >>> memory_bytes(Case(id="a", language="rust"), default=1024)
    1024
    """
    if case.memory_mb is not None:
        return case.memory_mb * MIB
    stated = case.expectations.settings.get("memory_mb")  # the older name, which only Python had
    if stated and not stated.isdecimal():
        raise InputError(f"case {case.id}: settings.memory_mb is {stated!r}; it must be a whole number")
    return int(stated) * MIB if stated else default
