"""The workers of a session: those that draw and those that check. They write nothing."""

from dataclasses import dataclass

from steelyard.runner.check.stage import CheckWorkers
from steelyard.runner.draw.stage import DrawWorkers


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Who draws and who checks, in this process or on a cluster."""

    draw: DrawWorkers
    check: CheckWorkers
