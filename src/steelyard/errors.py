"""The errors that Steelyard raises on purpose, by whose fault they are.

A failing answer is an outcome and a failing gate is a verdict; neither is an error.
"""

from collections.abc import Callable
from functools import partial
from typing import Self

INTERRUPTED = 130  # the exit code that a shell expects after Ctrl-C


def install_extra(name: str) -> str:
    """Return how to install an extra; without a package name, which others could register on PyPI.

    >>> install_extra("ray")
    "pip install '.[ray]' in the checkout of Steelyard"
    """
    return f"pip install '.[{name}]' in the checkout of Steelyard"


class SteelyardError(Exception):
    """Base of all errors that Steelyard raises on purpose.

    SteelyardError
    ├── UserError              invalid input; exit code 2
    │   ├── InputError         an invalid file, or row in it
    │   │   └── OptionsNeeded  a file that needs options to be read
    │   ├── UnknownName        an unknown name
    │   └── DomainError        a number outside a formula's domain (also a ValueError)
    └── InfrastructureError    not the model's fault; may be retried; exit code 3
        ├── ProviderError      a model's service returned no answer
        ├── SandboxError       a sandbox could not run a command at all
        │   └── SandboxMissing the sandbox is not installed
        ├── SinkError          another system rejected a report
        └── StoreError         a run's files are damaged, unreachable or locked
    """

    exit_code = 1


class UserError(SteelyardError):
    """Invalid input, which only the user can fix."""

    exit_code = 2


class InputError(UserError):
    """An invalid file, or row in it; the message names place, problem and fix."""


class OptionsNeeded(InputError):
    """A file needs options to be read; `options` are likely names and values."""

    def __init__(self, message: str, *, options: tuple[tuple[str, str], ...]) -> None:
        super().__init__(message)
        self.options = options

    def __reduce__(  # type: ignore[explicit-override]  # as in object
        self,
    ) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Support pickling, for errors from another process."""
        return partial(type(self), options=self.options), self.args


class UnknownName(UserError):
    """An unknown name; the message suggests the nearest ones."""


class DomainError(UserError, ValueError):
    """A number outside the domain of a formula, such as k < 1 or more passes than samples."""


class InfrastructureError(SteelyardError):
    """Steelyard or the machine failed; no evidence about a model."""

    exit_code = 3


class StoreError(InfrastructureError):
    """A run's files are damaged, unreachable or locked by another process."""


class SandboxError(InfrastructureError):
    """A sandbox could not run a command at all; the message names the cause and the fix."""


class SandboxMissing(SandboxError):
    """The program of a sandbox is not installed."""


class SinkError(InfrastructureError):
    """Another system rejected a report, which can be sent again."""


NOT_RECORDED = "not_recorded"  # kind of error: the record lacks an answer
REJECTED = "rejected"  # kind of error: the service rejects the request


class ProviderError(InfrastructureError):
    """A model's service returned no answer, which is no evidence about the model.

    `kind` names the error in counts, such as `rate_limited`. With `may_retry` the same call may succeed
    later, after `retry_after_s` if the service stated it; with `is_fatal` no call to this provider can, such
    as with a wrong key. `may_be_billed`: the service may charge for the call. `egress` are the network
    requests of an agent until it failed, as JSON.
    """

    def __init__(  # noqa: PLR0913  # fields that callers decide by
        self,
        message: str,
        *,
        kind: str,
        may_retry: bool = False,
        is_fatal: bool = False,
        may_be_billed: bool = False,
        retry_after_s: float | None = None,
        egress: str | None = None,
    ) -> None:
        super().__init__(message)
        self.egress = egress
        self.kind = kind
        self.may_retry = may_retry
        self.is_fatal = is_fatal
        self.may_be_billed = may_be_billed
        self.retry_after_s = retry_after_s

    def __reduce__(  # type: ignore[explicit-override]  # as every class has it
        self,
    ) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Support pickling, for errors of agents on other machines."""
        return partial(type(self), **vars(self)), self.args
