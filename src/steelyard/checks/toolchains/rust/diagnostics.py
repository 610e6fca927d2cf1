"""Read what the compiler and clippy say, as JSON, one message a line."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LINT = "clippy::"
_SYMBOLS = ("no_mangle", "export_name", "link_section", "global_asm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """What was found in the answer; what was found in our own tests is left out."""

    errors: tuple[str, ...] = ()  # as a person reads them
    lints: Counter[str]  # how often each lint of clippy was broken
    warnings: Counter[str]  # the same for the compiler's own warnings
    uses_unsafe: bool = False
    exports: tuple[str, ...] = ()  # ways in which it reaches around the language, into the linker

    @property
    def only_lints_fail(self) -> bool:
        """Whether nothing but lints stands against the answer, so that it builds all the same."""
        return not self.errors and bool(self.lints)

    def summary(self) -> str:
        """Return the lints and warnings in one line each.

        >>> Diagnostics(lints=Counter({"clippy::eq_op": 2}), warnings=Counter()).summary()
        'lint: clippy::eq_op (2)'
        """
        shown = [("lint", self.lints), ("compiler warnings", self.warnings)]
        lines = [f"{title}: {_counted(result)}" for title, result in shown if result]
        return "\n".join([*lines, *(["uses unsafe"] if self.uses_unsafe else [])])


def _counted(found: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in sorted(found.items()))


def read_diagnostics(said: str, *, leave_out: str = "\0") -> Diagnostics:
    """Return what the tool said about files other than the one to leave out."""
    errors: list[str] = []
    lints: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    unsafe: list[str] = []
    for message in _messages(said):
        code = (message.get("code") or {}).get("code") or ""
        level = message.get("level")
        if level not in {"error", "warning", "error: internal compiler error"} or _is_summary(message):
            continue
        if code == "unsafe_code":
            unsafe += [] if _is_in(leave_out, message) else [str(message.get("message"))]
        elif code.startswith(LINT):
            lints[code] += not _is_in(leave_out, message)
        elif level == "warning":
            warnings[code or "other"] += not _is_in(leave_out, message)
        else:
            errors.append(str(message.get("rendered") or message.get("message")))
    exports = tuple(sorted({word for text in unsafe for word in _SYMBOLS if word in text}))
    return Diagnostics(
        errors=tuple(errors), lints=+lints, warnings=+warnings, uses_unsafe=bool(unsafe), exports=exports
    )


def _messages(said: str) -> Iterator[dict[str, Any]]:
    for line in said.splitlines():
        if line.startswith("{"):
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("$message_type", "diagnostic") == "diagnostic":
                yield message


def _is_summary(message: dict[str, Any]) -> bool:
    """Whether a message only counts the others, such as `aborting due to 2 previous errors`."""
    return not message.get("spans") and not message.get("code") and _counts(str(message.get("message")))


def _counts(text: str) -> bool:
    return text.startswith("aborting due to") or text.endswith(("warning emitted", "warnings emitted"))


def _is_in(name: str, message: dict[str, Any]) -> bool:
    """Whether a message speaks of a file with this in its name."""
    spans = [span for span in message.get("spans", []) if span.get("is_primary")]
    return any(name in str(span.get("file_name")) for span in spans)
