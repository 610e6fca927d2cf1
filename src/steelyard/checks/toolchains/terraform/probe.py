"""Verify with Terraform that blocks exist, by a generated file that refers to each of them.

Terraform rejects references to undeclared blocks, even if the code misleads our scanner.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from steelyard.checks.toolchains.terraform.blocks import Block

# Outputs cannot be referred to inside their module: only the scanner finds them.
_REFERENCE = {"resource": "{}.{}", "data": "data.{}.{}", "module": "module.{}", "variable": "var.{}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A file with an unpredictable name."""

    blocks: tuple[Block, ...]
    name: str = field(default_factory=lambda: f"steelyard_{secrets.token_hex(8)}")

    @property
    def filename(self) -> str:
        """The file name in diagnostics."""
        return f"{self.name}.tf"

    def path(self, folder: str) -> str:
        """Return the path of the file."""
        return str(PurePosixPath(folder) / self.filename)

    @property
    def text(self) -> str:
        """The content: a local value that refers to every block.

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
