"""`steelyard doctor`: what this machine offers, and the command that fixes what it does not."""

from dataclasses import asdict
from json import dumps
from typing import Annotated

import typer

import steelyard
from steelyard.cli import options
from steelyard.cli.screen import show
from steelyard.errors import InfrastructureError, UnknownName
from steelyard.model.health import Finding, Health, Part
from steelyard.render.names import visible

TITLES = {
    Part.SANDBOX: "Sandboxes",
    Part.TOOLCHAIN: "Toolchains",
    Part.ENGINE: "Engines besides the local one",
    Part.EXTRA: "Asking models",
    Part.KEY: "Keys (names only)",
}
GOOD = "Answers can be checked on this machine."
BAD = "No sandbox works, so no answer can be checked on this machine; see the commands after '->' above."


def doctor(
    *,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
    json: options.AsJson = False,
) -> None:
    """Say what is installed and works, and how to fix what does not; 3 when no sandbox works."""
    forms = {"text": as_text, "json": as_json}
    if format not in forms:
        raise UnknownName(f"unknown format {format!r}; choose text or json")
    found = steelyard.doctor()
    show(forms["json" if json else format](found))
    raise typer.Exit(code=0 if found.has_sandbox else InfrastructureError.exit_code)


def as_text(found: Health) -> str:
    """Return what was found, one line each, and a sentence on what it comes to."""
    lines = []
    for part, title in TITLES.items():
        lines += [title, *(_line(finding) for finding in found.of(part)), ""]
    return "\n".join([*lines, GOOD if found.has_sandbox else BAD, ""])


def as_json(found: Health) -> str:
    """Return what was found as strict JSON."""
    content = {"has_sandbox": found.has_sandbox, "findings": [asdict(finding) for finding in found.findings]}
    return dumps(content, indent=2, allow_nan=False) + "\n"


def _line(finding: Finding) -> str:
    mark = "yes" if finding.works else "no "
    words = f"  {mark}  {finding.name:<20} {visible(finding.detail) if finding.detail else ''}".rstrip()
    return f"{words}\n       -> {finding.fix}" if finding.fix else words
