"""The sandboxes that the conformance suite runs over, and commands that all of them understand."""

import os
import sys
from collections.abc import Callable
from typing import Any

from steelyard.model.execution import Bind, Command
from steelyard.ports import Sandbox
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from steelyard.sandbox.oci.sandbox import OciSandbox
from steelyard.sandbox.process import ProcessSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

PYTHON = os.path.realpath(sys.executable)
BINDS = (Bind(source=os.path.realpath(sys.base_prefix)),)
FLAGS = ("-I", "-S", "-B")

ISOLATING: dict[str, Callable[[], Sandbox]] = {
    "bubblewrap": BubblewrapSandbox,
    "bubblewrap with resource limits only": lambda: BubblewrapSandbox(groups=False),
    "warm with resource limits only": lambda: WarmPythonSandbox(
        interpreter=PYTHON, flags=FLAGS, binds=BINDS, groups=False
    ),
    "oci": OciSandbox,
    "gvisor": GvisorSandbox,
    "warm": lambda: WarmPythonSandbox(interpreter=PYTHON, flags=FLAGS, binds=BINDS),
}
ALL: dict[str, Callable[[], Sandbox]] = {**ISOLATING, "process": lambda: ProcessSandbox(allow_unsafe=True)}


def script(source: str, *arguments: str, **options: Any) -> Command:  # noqa: ANN401  # whatever Command takes
    """Return the command that runs a Python script, which every sandbox can do."""
    files = {"main.py": source.encode(), **options.pop("files", {})}
    binds = (*BINDS, *options.pop("binds", ()))
    return Command(argv=(PYTHON, *FLAGS, "main.py", *arguments), files=files, binds=binds, **options)
