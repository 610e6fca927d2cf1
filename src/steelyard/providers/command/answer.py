"""Convert an agent's output to one text: its stdout, a file, or all changed files."""

import re
from collections.abc import Mapping

from steelyard.model.execution import ExecResult
from steelyard.providers.command.options import Agent
from steelyard.providers.command.words import FOLDER

HOME = ".home"  # in the workspace, excluded from the answer
OURS = (f"!{FOLDER}/*", f"!{HOME}/*")
# Files that tools create, excluded from the answer.
LEFT_BEHIND = tuple(
    pattern
    for name in (".git", "__pycache__", "node_modules", "target", ".venv", ".cache")
    for pattern in (f"!{name}/*", f"!*/{name}/*")
)
# Names that the extraction of code accepts after a fence.
_NAME = re.compile(r"[\w.@-][\w./@+-]*\.[A-Za-z]\w{0,11}|(?:[\w.-]+/)?(?:Makefile|Dockerfile)")
_MARKS = re.compile("`{3,}")


def patterns_of(agent: Agent) -> tuple[str, ...]:
    """Return the patterns of the files to collect from the agent's folder."""
    return (*agent.files, *OURS, *LEFT_BEHIND) if agent.files else ()


def answer_of(agent: Agent, result: ExecResult) -> str:
    """Return the answer, empty if there is none."""
    if agent.files:
        named = {agent.usage_file}
        return as_blocks({path: text for path, text in result.files.items() if path not in named})
    if agent.answer is not None:
        return result.files.get(agent.answer, b"").decode("utf-8", "replace")
    return result.stdout.decoded()


def as_blocks(files: Mapping[str, bytes]) -> str:
    r"""Format files as named fenced blocks; binary files and unusual names are skipped.

    >>> as_blocks({"src/a.py": b"x = 1\n", "b.bin": bytes([255])})
    '```src/a.py\nx = 1\n```\n'
    """
    return "\n".join(_format_block(path, text) for path, text in _read_texts(files).items())


def _read_texts(files: Mapping[str, bytes]) -> dict[str, str]:
    texts = {}
    for path, content in files.items():
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if _NAME.fullmatch(path) and "\0" not in text:
            texts[path] = text
    return texts


def _format_block(path: str, text: str) -> str:
    """Fence a text with more backticks than it contains."""
    marks = "`" * max((len(match) + 1 for match in _MARKS.findall(text)), default=3)
    return f"{marks}{path}\n{text}{'' if text.endswith(chr(10)) else chr(10)}{marks}\n"
