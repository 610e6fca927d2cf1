"""Let Terraform itself say whether blocks are there: a file of ours that refers to each of them.

What fools our reading of the code does not fool the tool: it refuses references to what is not declared.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from steelyard.checks.toolchains.terraform.blocks import Block

# Nothing can refer to an output from inside its own module; outputs are looked for by reading alone.
_REFERENCE = {"resource": "{}.{}", "data": "data.{}.{}", "module": "module.{}", "variable": "var.{}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A file with a name that no answer can know."""

    blocks: tuple[Block, ...]
    name: str = field(default_factory=lambda: f"steelyard_{secrets.token_hex(8)}")

    @property
    def filename(self) -> str:
        """What diagnostics call the file."""
        return f"{self.name}.tf"

    def path(self, folder: str) -> str:
        """Return where the file lies."""
        return str(PurePosixPath(folder) / self.filename)

    @property
    def text(self) -> str:
        """The file: one local value that refers to every block.

        >>> print(Probe(blocks=(Block(kind="variable", labels=("n",)),), name="p").text)
        locals {
          p = [var.n]
        }
        <BLANKLINE>
        """
        references = ", ".join(_references(self.blocks))
        return f"locals {{\n  {self.name} = [{references}]\n}}\n"


def _references(blocks: Iterable[Block]) -> list[str]:
    return [
        _REFERENCE[block.kind].format(*block.labels)
        for block in blocks
        if block.kind in _REFERENCE and all(_is_plain(label) for label in block.labels)
    ]


def _is_plain(label: str) -> bool:
    return label.replace("-", "_").isidentifier()
