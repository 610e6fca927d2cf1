"""The integrity of grades by tests that run beside the answer."""

from steelyard.model.case import Case
from steelyard.model.outcome import Integrity


def integrity_of_tests(case: Case) -> Integrity:
    """Return the integrity if tests and answer share a process; without tests only tools decide.

    `custom_check` does not matter: its command reads the answer and does not run it.
    """
    return Integrity.OPEN if case.expectations.tests.strip() else Integrity.SEALED
