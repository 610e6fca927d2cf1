"""Write and read the answer to a task: one patch of the workspace after each step."""

import re
from collections.abc import Mapping

from steelyard.checks.extraction.fences import blocks

STEP = re.compile(r"^# step: (.*)\n", re.MULTILINE)
NOTE = "# not in the patch: "
FIRST_LINE = re.compile(r"\s*(?:diff --git |--- |# step: |# not in the patch: )")
FENCES = frozenset({"diff", "patch"})


def write_answer(patches: Mapping[str, str]) -> str:
    r"""Return the patches of steps as one text; that of an unnamed step alone stays as it is.

    >>> write_answer({"one": "diff --git a/x b/x\n", "two": ""})
    '# step: one\ndiff --git a/x b/x\n# step: two\n'
    """
    if list(patches) == [""]:
        return patches[""]
    return "".join(f"# step: {name}\n{patch}" for name, patch in patches.items())


def read_answer(text: str) -> dict[str, str]:
    r"""Return the patch after each step; a model's answer may hold it in fenced blocks.

    >>> read_answer("Here it is:\n```diff\ndiff --git a/x b/x\n```\n")
    {'': 'diff --git a/x b/x\n'}
    """
    if not FIRST_LINE.match(text):
        fenced = [block.text for block in blocks(text) if block.info.strip().lower() in FENCES]
        return {"": "".join(patch if patch.endswith("\n") else f"{patch}\n" for patch in fenced)}
    before, *rest = STEP.split(text)
    if not rest:
        return {"": before}
    return dict(zip(rest[::2], rest[1::2], strict=True))


def notes(patch: str) -> list[str]:
    """Return why files are not in a patch."""
    return [line.removeprefix(NOTE) for line in patch.splitlines() if line.startswith(NOTE)]
