"""Every error Steelyard raises on purpose, and whose fault each one is.

A failing answer is an outcome and a failing gate is a verdict; neither is an error.
"""


class SteelyardError(Exception):
    """Base of every error we raise on purpose.

    SteelyardError
    ├── UserError              fix your input; exit code 2
    │   ├── InputError         a file or a row in it is wrong
    │   ├── UnknownName        a name that no table knows
    │   └── DomainError        a number outside a formula's domain (also a ValueError)
    └── InfrastructureError    not the model's fault; may be retried; exit code 3
        └── SandboxError       a sandbox could not run a command at all
        └── StoreError         a run's files are damaged, unreachable or in somebody else's hands
    """

    exit_code = 1


class UserError(SteelyardError):
    """Something the user gave us is wrong, and only the user can mend it."""

    exit_code = 2


class InputError(UserError):
    """A file, or a row in it, is wrong; the message says where, what, and what to do."""


class UnknownName(UserError):
    """A name that no table knows; the message offers the nearest ones."""


class DomainError(UserError, ValueError):
    """A number outside the domain of a formula, such as k < 1 or more passes than samples."""


class InfrastructureError(SteelyardError):
    """We, or the machine, broke; says nothing about any model."""

    exit_code = 3


class StoreError(InfrastructureError):
    """A run's files are damaged, unreachable or being written by somebody else."""


class SandboxError(InfrastructureError):
    """A sandbox could not run a command at all; the message says what is missing and how to mend it."""
