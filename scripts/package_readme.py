"""Make README.md readable on a package index: its links and pictures become absolute addresses.

Hatchling calls this hook for every build. It reads no network and checks no address.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
RELATIVE = re.compile(
    r"""(?P<before>\]\(|^\[[^\]\n]+\]:\ +|\b(?:href|src|srcset)=")  # link, its definition, HTML
    (?![a-z][a-z+.-]*:|\#|//)(?P<path>[^)"\s]+)""",
    re.MULTILINE | re.VERBOSE,
)
PICTURES = {".gif", ".jpg", ".jpeg", ".png", ".svg", ".webp"}


class PackageReadme(MetadataHookInterface):
    """Set the long description of the package."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:  # type: ignore[explicit-override]  # `override` needs Python 3.12
        """Set `readme` to README.md with the addresses of this version."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        absolute = with_absolute_links(
            text, repository=metadata["urls"]["Source"], tag=f"v{metadata['version']}"
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}


def with_absolute_links(text: str, *, repository: str, tag: str) -> str:
    """Point relative links outside of code blocks at a tag of the repository."""

    def absolute(link: re.Match[str]) -> str:
        path = link["path"].removeprefix("./")
        view = "raw" if Path(path).suffix in PICTURES else "blob"
        return f"{link['before']}{repository}/{view}/{tag}/{path}"

    parts = FENCED.split(text)
    parts[::2] = (RELATIVE.sub(absolute, prose) for prose in parts[::2])
    return "".join(parts)
