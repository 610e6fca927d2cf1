"""Put a request into words for a model that sees nothing but a prompt.

Files are shown in front of the prompt, each under its name and between fences, as answers give theirs.
"""

import re
from collections.abc import Mapping

_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)


def with_files(prompt: str, files: Mapping[str, str]) -> str:
    r"""Return a prompt with files in front of it.

    >>> print(with_files("Fix it.", {"main.py": "print(1\n"}))
    ### `main.py`
    <BLANKLINE>
    ```
    print(1
    ```
    <BLANKLINE>
    Fix it.
    """
    return "\n\n".join([*(_shown(name, text) for name, text in files.items()), prompt])


def _shown(name: str, text: str) -> str:
    longest = max((len(mark) for mark in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"### `{name}`\n\n{fence}\n{body}{fence}"
