"""Every error Steelyard raises on purpose, and whose fault each one is.

A failing answer is an outcome and a failing gate is a verdict; neither is an error.
"""

from collections.abc import Callable
from functools import partial
from typing import Self

INTERRUPTED = 130  # the exit code that a shell expects after Ctrl-C


def install_extra(name: str) -> str:
    """Return how to install an extra; never by our name, which others could register on PyPI.

    >>> install_extra("ray")
    "pip install '.[ray]' in the checkout of Steelyard"
    """
    return f"pip install '.[{name}]' in the checkout of Steelyard"


class SteelyardError(Exception):
    """Base of every error we raise on purpose.

    SteelyardError
    ├── UserError              fix your input; exit code 2
    │   ├── InputError         a file or a row in it is wrong
    │   │   └── OptionsNeeded  a file that can be read with options
    │   ├── UnknownName        a name that no table knows
    │   └── DomainError        a number outside a formula's domain (also a ValueError)
    └── InfrastructureError    not the model's fault; may be retried; exit code 3
        ├── ProviderError      a model's service gave no answer
        ├── SandboxError       a sandbox could not run a command at all
        │   └── SandboxMissing the sandbox is not installed
        ├── SinkError          another system did not take a report
        └── StoreError         a run's files are damaged, unreachable or held by another process
    """

    exit_code = 1


class UserError(SteelyardError):
    """Something the user gave us is wrong, and only the user can fix it."""

    exit_code = 2


class InputError(UserError):
    """A file, or a row in it, is wrong; the message says where, what, and what to do."""


class OptionsNeeded(InputError):
    """A file can be read only with options; `options` are the likely ones, each a name and a value."""

    def __init__(self, message: str, *, options: tuple[tuple[str, str], ...]) -> None:
        super().__init__(message)
        self.options = options

    def __reduce__(  # type: ignore[explicit-override]  # as every class has it
        self,
    ) -> tuple[Callable[..., Self], tuple[object, ...]]:
        """Say how to make it again: another process may send it back."""
        return partial(type(self), options=self.options), self.args


class UnknownName(UserError):
    """A name that no table knows; the message offers the nearest ones."""


class DomainError(UserError, ValueError):
    """A number outside the domain of a formula, such as k < 1 or more passes than samples."""


class InfrastructureError(SteelyardError):
    """We, or the machine, broke; says nothing about any model."""

    exit_code = 3


class StoreError(InfrastructureError):
    """A run's files are damaged, unreachable or being written by another process."""


class SandboxError(InfrastructureError):
    """A sandbox could not run a command at all; the message says what is missing and how to fix it."""


class SandboxMissing(SandboxError):
    """The program of a sandbox is not installed."""


class SinkError(InfrastructureError):
    """Another system did not take a report, which is complete and can be sent again."""


NOT_RECORDED = "not_recorded"  # the kind of error of a record that lacks an answer
REJECTED = "rejected"  # and of a service that will not take a request as it is


class ProviderError(InfrastructureError):
    """A model's service gave no answer, which says nothing about the model.

    `kind` is one word for the count of errors, such as `rate_limited`. With `may_retry` the same call may
    succeed a moment later, after `retry_after_s` if the service said when; with `is_fatal` no call to this
    provider will, such as after a wrong key. `may_be_billed` tells that the service may have done the work.
    `egress` is what an agent asked of the network until it failed, as JSON.
    """

    def __init__(  # noqa: PLR0913  # one word for each thing that its reader decides by
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
        """Say how to make it again: an agent on another machine sends it back."""
        return partial(type(self), **vars(self)), self.args
