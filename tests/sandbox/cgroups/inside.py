"""Run commands against their limits, and print what came of each; for a kernel that is started for it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from steelyard.model.execution import MIB, Limits
from steelyard.ports import Sandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.cgroups.user_scope import enter_user_scope
from steelyard.sandbox.probe import limits_by
from tests.sandbox.backends import ISOLATING, script

PATIENT_S = 600.0  # a kernel that is a program is slow, and the machine below it may be busy
MEMORY = "x = bytearray(300_000_000)"
TOGETHER = """
import os, time
for _ in range(4):
    if not os.fork():
        x = bytearray(30_000_000)
        time.sleep(600)
for _ in range(4): os.wait()
"""
FORKS = """
import os, time
try:
    for count in range(100):
        if not os.fork(): time.sleep(600)
except OSError as error:
    print(error.errno, flush=True)
os._exit(0)
"""
USES = "x = bytearray(40_000_000); print(sum(range(10**6)))"


def results(name: str, sandbox: Sandbox) -> Iterator[tuple[str, object]]:
    """Yield the result of each command, by name."""
    limits = Limits(memory_bytes=64 * MIB, processes=10, wall_s=PATIENT_S, cpu_s=PATIENT_S)
    for what, source in {"memory": MEMORY, "memory together": TOGETHER}.items():
        yield f"{name}: {what}", sandbox.run(script(source, limits=limits)).limit
    yield f"{name}: processes", sandbox.run(script(FORKS, limits=limits)).stdout.decoded().strip()
    used = sandbox.run(script(USES, limits=limits))
    counted = (used.cpu_s or 0) > 0 and (used.peak_memory_bytes or 0) > 40_000_000
    yield f"{name}: counts", (used.exit_code, used.limit, counted)


def main(names: list[str]) -> None:
    """Print the results as one line of JSON."""
    enter_user_scope([sys.executable, "-m", "tests.sandbox.cgroups.inside", *names])
    found: dict[str, object] = {"limits": limits_by(find_cgroups())}
    for name in names:
        sandbox = ISOLATING[name]()
        found |= results(name, sandbox)
        sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed
    left = [path.name for path in Path("/sys/fs/cgroup").rglob("steelyard-*")]
    sys.stdout.write(json.dumps({**found, "left": left}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
