"""Create sandboxes by name; one without isolation must be allowed explicitly."""

from collections.abc import Callable
from typing import cast

from steelyard.errors import UserError
from steelyard.plugins import SANDBOXES, load
from steelyard.ports import Sandbox

DEFAULT = "bubblewrap"
UNSAFE = "process"
ONLY_PYTHON = "warm-python"


def make_sandbox(name: str = DEFAULT, *, allow_unsafe: bool = False) -> Sandbox:
    """Return a sandbox; with `allow_unsafe`, plain processes without isolation."""
    if name == ONLY_PYTHON:
        raise UserError(f"the sandbox {name!r} runs Python only; use {DEFAULT}")
    chosen = UNSAFE if allow_unsafe else name
    make = cast("Callable[..., Sandbox]", load(SANDBOXES, chosen, group="sandboxes"))
    return make(allow_unsafe=True) if allow_unsafe else make()
