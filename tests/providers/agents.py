"""Little agents written in Python, run by the provider of commands in a real sandbox."""

import asyncio
import json
import os
import re
import sys
from collections.abc import Mapping

from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Reply, Request
from steelyard.model.sample import SampleKey
from steelyard.ports import Sandbox
from steelyard.providers.command.provider import CommandProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

PYTHON = os.path.realpath(sys.executable)
LIBRARY = os.path.realpath(sys.base_prefix)
WALL_S = 20.0


def request_for(
    prompt: str = "Add two numbers.",
    *,
    attempt: int = 0,
    system_prompt: str = "",
    files: Mapping[str, str] | None = None,
    parameters: Parameters | None = None,
) -> Request:
    return Request(
        key=SampleKey("agent/opus/4", "T0", "sums", "add", "d", attempt),
        prompt=prompt,
        system_prompt=system_prompt,
        files=files or {},
        context={"NOTES.md": "Be kind."},
        parameters=parameters or Parameters(),
    )


def settings_for(source: str, *arguments: str, **options: str) -> ProviderSettings:
    """Return the settings of an agent that is a Python script."""
    plain = re.sub(r"\{([a-z_]+)\}", r"{{\1}}", source)  # its braces are its own
    command = json.dumps([PYTHON, "-I", "-S", "-B", "-c", plain, *arguments])
    given = {"command": command, "binds": LIBRARY, **options}
    return ProviderSettings(name="agent", kind="command", timeout_s=WALL_S, options=given)


def generated(settings: ProviderSettings, request: Request, sandbox: Sandbox | None = None) -> Reply:
    """Run the agent once."""

    async def once() -> Reply:
        provider = CommandProvider(settings, sandbox=sandbox or BubblewrapSandbox())
        try:
            return await provider.generate(request)
        finally:
            await provider.close()

    return asyncio.run(once())


def ran(source: str, *arguments: str, asked: Request | None = None, **options: str) -> Reply:
    """Run a script as an agent and return its reply."""
    return generated(settings_for(source, *arguments, **options), asked or request_for())
