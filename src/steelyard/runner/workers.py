"""The workers of a session: what draws and who checks. They write nothing."""

from dataclasses import dataclass

from steelyard.runner.check.stage import CheckWorkers
from steelyard.runner.draw.drawer import Drawer


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """What draws, in this process, and who checks, here or on a cluster."""

    draw: Drawer
    check: CheckWorkers
