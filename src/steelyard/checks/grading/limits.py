"""The memory limit of a check: stated by its case, or the checker's default."""

from steelyard.model.case import Case
from steelyard.model.execution import MIB


def memory_bytes(case: Case, default: int) -> int:
    """Return the memory limit of each command of a check, in bytes.

    >>> memory_bytes(Case(id="a", language="rust", memory_mb=256), default=1024) // MIB
    256
    >>> memory_bytes(Case(id="a", language="rust"), default=1024)
    1024
    """
    return default if case.memory_mb is None else case.memory_mb * MIB
