"""Read what `terraform validate -json` and `terraform test -json` say, believing nothing of another shape."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

_PROVIDER = re.compile(r"requires provider (?P<address>[\w.-]+(?:/[\w.-]+)+)")
# These are said of a machine on which something is not installed, or of code that asks for what there is not.
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
        """The diagnostic as one would read it."""
        # Where a function panicked differs from run to run.
        detail = self.detail.partition("\ngoroutine ")[0]
        where = f"{self.filename}:{self.line}: " if self.filename else ""
        return f"{where}{self.severity}: {self.summary}" + (f"\n  {detail}" if detail else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TerraformValidation:
    """What validation found; one early error may hide others, so their number is a lower bound."""

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
        """Return what was found elsewhere than in one file."""
        return TerraformValidation(
            diagnostics=tuple(
                diagnostic for diagnostic in self.diagnostics if diagnostic.filename != filename
            )
        )


def parse_validation(text: str) -> TerraformValidation | None:
    """Return what `validate -json` said, or None if that is not what it is."""
    try:
        output = json.loads(text)
        diagnostics = tuple(_diagnostic(item) for item in output["diagnostics"])
        terraform_validation = TerraformValidation(diagnostics=diagnostics)
        is_whole = output["error_count"] == len(terraform_validation.errors) and output["valid"] is (
            not terraform_validation.errors
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return terraform_validation if is_whole else None


def parse_tests(text: str) -> tuple[dict[str, str], list[Diagnostic], bool]:
    """Return the status of each run by name, the errors, and whether there was a summary at the end."""
    runs, errors, is_whole = dict[str, str](), list[Diagnostic](), False
    for output in _objects(text):
        match output:
            case {
                "type": "test_run",
                "test_run": {"run": str(name), "progress": "complete", "status": str(status)},
            }:
                runs[name] = status
            case {"type": "diagnostic", "diagnostic": {"severity": "error"} as found}:
                errors.append(_diagnostic(found))
            case {"type": "test_summary", "test_summary": {"status": str()}}:
                is_whole = True
    return runs, errors, is_whole


def not_installed(found: TerraformValidation) -> frozenset[tuple[str, str]]:
    """Return the errors about what is not installed: the summary, and the provider if it names one."""
    return frozenset(
        (error.summary, provider["address"] if (provider := _PROVIDER.search(error.detail)) else "")
        for error in found.errors
        if error.summary in _NOT_INSTALLED
    )


def _diagnostic(said: dict[str, object]) -> Diagnostic:
    index = said.get("range")
    filename = line = None
    if isinstance(index, dict):
        filename, line = str(index["filename"]), int(index["start"]["line"])
    return Diagnostic(
        severity=str(said["severity"]),
        summary=str(said["summary"]),
        detail=str(said.get("detail", "")),
        filename=filename,
        line=line,
    )


def _objects(text: str) -> Iterator[object]:
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            continue
