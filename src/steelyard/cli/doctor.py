"""`steelyard doctor`: check this machine and print fixes."""

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
    Part.ENGINE: "Other engines",
    Part.EXTRA: "Packages for model calls",
    Part.KEY: "Keys (names only)",
}
GOOD = "Answers can be checked on this machine."
BAD = "No sandbox works: answers cannot be checked on this machine. Run the commands after '->' above."


def doctor(
    *,
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
    json: options.AsJson = False,
) -> None:
    forms = {"text": as_text, "json": as_json}
    if format not in forms:
        raise UnknownName(f"unknown format {format!r}; choose text or json")
    health = steelyard.doctor()
    show(forms["json" if json else format](health))
    raise typer.Exit(code=0 if health.has_sandbox else InfrastructureError.exit_code)


def as_text(health: Health) -> str:
    """Format one line per finding, and a conclusion."""
    lines = []
    for part, title in TITLES.items():
        lines += [title, *(_format_finding(finding) for finding in health.of(part)), ""]
    return "\n".join([*lines, GOOD if health.has_sandbox else BAD, ""])


def as_json(health: Health) -> str:
    """Format all findings as strict JSON."""
    findings = [asdict(finding) for finding in health.findings]
    content = {"has_sandbox": health.has_sandbox, "findings": findings}
    return dumps(content, indent=2, allow_nan=False) + "\n"


def _format_finding(finding: Finding) -> str:
    mark = "yes" if finding.works else "no "
    line = f"  {mark}  {finding.name:<20} {visible(finding.detail) if finding.detail else ''}".rstrip()
    return f"{line}\n       -> {finding.fix}" if finding.fix else line
