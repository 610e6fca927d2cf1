"""Parse the output of `terraform validate -json` and `terraform test -json` strictly."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_PROVIDER = re.compile(r"requires provider (?P<address>[\w.-]+(?:/[\w.-]+)+)")
# Errors about missing installations, or about requirements that do not exist.
_NOT_INSTALLED = frozenset(
    {
        "Failed to load plugin schemas",
        "Inconsistent dependency lock file",
        "Missing required provider",
        "Module not installed",
        "Required plugins are not installed",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One error or warning."""

    severity: str
    summary: str
    detail: str = ""
    filename: str | None = None
    line: int | None = None

    @property
    def text(self) -> str:
        """The diagnostic as text."""
        # Stack traces differ between runs.
        detail = self.detail.partition("\ngoroutine ")[0]
        where = f"{self.filename}:{self.line}: " if self.filename else ""
        return f"{where}{self.severity}: {self.summary}" + (f"\n  {detail}" if detail else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TerraformValidation:
    """The diagnostics of a validation; an early error may hide others."""

    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return len(self.diagnostics) - len(self.errors)

    def without(self, filename: str) -> "TerraformValidation":
        """Return the diagnostics outside a file."""
        return TerraformValidation(
            diagnostics=tuple(
                diagnostic for diagnostic in self.diagnostics if diagnostic.filename != filename
            )
        )


def parse_validation(text: str) -> TerraformValidation | None:
    """Parse the output of `validate -json`; None if it has another form."""
    try:
        output = json.loads(text)
        diagnostics = tuple(_diagnostic(item) for item in output["diagnostics"])
        validation = TerraformValidation(diagnostics=diagnostics)
        has_errors = bool(validation.errors)
        is_consistent = output["error_count"] == len(validation.errors) and output["valid"] is not has_errors
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return validation if is_consistent else None


def parse_tests(text: str) -> tuple[dict[str, str], list[Diagnostic], bool]:
    """Return the status of each run by name, the errors, and whether the output has a summary."""
    runs, errors, is_complete = dict[str, str](), list[Diagnostic](), False
    for output in _objects(text):
        match output:
            case {
                "type": "test_run",
                "test_run": {"run": str(name), "progress": "complete", "status": str(status)},
            }:
                runs[name] = status
            case {"type": "diagnostic", "diagnostic": {"severity": "error"} as diagnostic}:
                errors.append(_diagnostic(diagnostic))
            case {"type": "test_summary", "test_summary": {"status": str()}}:
                is_complete = True
    return runs, errors, is_complete


def not_installed(validation: TerraformValidation) -> frozenset[tuple[str, str]]:
    """Return the summaries of errors about missing installations, with the provider if named."""
    return frozenset(
        (error.summary, provider["address"] if (provider := _PROVIDER.search(error.detail)) else "")
        for error in validation.errors
        if error.summary in _NOT_INSTALLED
    )


def _diagnostic(table: dict[str, object]) -> Diagnostic:
    position = table.get("range")
    filename = line = None
    if isinstance(position, dict):
        filename, line = str(position["filename"]), int(position["start"]["line"])
    return Diagnostic(
        severity=str(table["severity"]),
        summary=str(table["summary"]),
        detail=str(table.get("detail", "")),
        filename=filename,
        line=line,
    )


def _objects(text: str) -> Iterator[object]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            continue
