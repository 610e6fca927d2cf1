"""Steelyard evaluates code written by language models.

The public names are listed in `__init__.pyi`. Each one is loaded when it is first used, so importing the
package costs nothing.
"""

from importlib import import_module
from pathlib import Path

import steelyard.app as _app  # noqa: F401  # sets how notebooks show records, whichever name is used first


def _homes() -> dict[str, str]:
    """Read the one list of public names: a line `from MODULE import NAME as NAME` for each."""
    lines = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8").splitlines()
    imports = [line.split() for line in lines if line.startswith("from ")]
    return {words[3]: words[1] for words in imports}


_HOMES = _homes()

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names, not two that can drift apart


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'steelyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
