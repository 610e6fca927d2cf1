"""The workers of a session: what generates and who checks. They write nothing."""

from dataclasses import dataclass

from steelyard.runner.check.stage import CheckWorkers
from steelyard.runner.generate.generator import Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """What generates, in this process, and who checks, here or on a cluster."""

    generate: Generator
    check: CheckWorkers
