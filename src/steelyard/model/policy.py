"""Name the choices that change what a number means, so that every report can state them.

Each default is the one that cannot flatter a model.
"""

from enum import StrEnum


class Missing(StrEnum):
    """What a case without a single sample counts as."""

    FAIL = "fail"  # as a failure: a model cannot gain by not answering
    SKIP = "skip"  # leave it out of the means
    ERROR = "error"  # refuse to report


class Errors(StrEnum):
    """What a sample counts as when we, not the model, broke."""

    EXCLUDE = "exclude"  # no evidence
    FAIL = "fail"  # as a failed sample, the strictest reading


class Duplicates(StrEnum):
    """What to do when two rows claim the same attempt and disagree; equal rows are dropped and counted."""

    ERROR = "error"
    FIRST = "first"
    LAST = "last"


class SpreadLimit(StrEnum):
    """How far to go for medians, modes and extremes, which need every single value."""

    AUTO = "auto"  # exact up to two million samples, left out above
    FULL = "full"  # exact at any size
