"""Read the JSON diagnostics of the compiler and clippy."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LINT = "clippy::"
_SYMBOLS = ("no_mangle", "export_name", "link_section", "global_asm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """Diagnostics of the answer, without those of the graded tests."""

    errors: tuple[str, ...] = ()  # rendered
    lints: Counter[str]  # violations of each clippy lint
    warnings: Counter[str]  # of the compiler
    uses_unsafe: bool = False
    exports: tuple[str, ...] = ()  # attributes that export symbols to the linker

    @property
    def only_lints_fail(self) -> bool:
        """Whether all errors are lints, so the answer builds without clippy."""
        return not self.errors and bool(self.lints)

    def summary(self) -> str:
        """Return the lints and warnings in one line each.

        >>> Diagnostics(lints=Counter({"clippy::eq_op": 2}), warnings=Counter()).summary()
        'lint: clippy::eq_op (2)'
        """
        groups = [("lint", self.lints), ("compiler warnings", self.warnings)]
        lines = [f"{title}: {_list_counts(counts)}" for title, counts in groups if counts]
        return "\n".join([*lines, *(["uses unsafe"] if self.uses_unsafe else [])])


def _list_counts(counts: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))


def read_diagnostics(output: str, *, exclude: str = "\0") -> Diagnostics:
    """Return the diagnostics of a tool's output, except those in the excluded file."""
    errors: list[str] = []
    lints: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    unsafe: list[str] = []
    for message in _messages(output):
        code = (message.get("code") or {}).get("code") or ""
        level = message.get("level")
        if level not in {"error", "warning", "error: internal compiler error"} or _is_summary(message):
            continue
        if code == "unsafe_code":
            unsafe += [] if _is_in(exclude, message) else [str(message.get("message"))]
        elif code.startswith(LINT):
            lints[code] += not _is_in(exclude, message)
        elif level == "warning":
            warnings[code or "other"] += not _is_in(exclude, message)
        else:
            errors.append(str(message.get("rendered") or message.get("message")))
    exports = tuple(sorted({word for text in unsafe for word in _SYMBOLS if word in text}))
    return Diagnostics(
        errors=tuple(errors), lints=+lints, warnings=+warnings, uses_unsafe=bool(unsafe), exports=exports
    )


def _messages(output: str) -> Iterator[dict[str, Any]]:
    for line in output.splitlines():
        if line.startswith("{"):
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("$message_type", "diagnostic") == "diagnostic":
                yield message


def _is_summary(message: dict[str, Any]) -> bool:
    """Whether a message only counts others, such as `aborting due to 2 previous errors`."""
    return not message.get("spans") and not message.get("code") and _is_count(str(message.get("message")))


def _is_count(text: str) -> bool:
    return text.startswith("aborting due to") or text.endswith(("warning emitted", "warnings emitted"))


def _is_in(name: str, message: dict[str, Any]) -> bool:
    """Whether a message is about a file whose name contains this text."""
    spans = [span for span in message.get("spans", []) if span.get("is_primary")]
    return any(name in str(span.get("file_name")) for span in spans)
