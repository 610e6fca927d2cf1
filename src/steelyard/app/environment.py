"""Take keys from the file `.env` of this folder, and nothing else.

The folder may be a checkout of anything: an option, an address or a path in its file could turn the sandbox
off, send keys elsewhere or spend money.
"""

import os

from steelyard.sources.dotenv import read_env

KEY_ENDINGS = ("_KEY", "_KEY_ID", "_TOKEN")
OUR_OPTIONS = "STEELYARD_"


def load_env() -> list[str]:
    """Set missing keys from `.env` and return ignored names; does nothing in CI."""
    if os.environ.get("CI"):  # a change must not set the rules by which it is judged
        return []
    env = read_env(matters=is_key)
    keys = {name: value for name, value in env.items() if is_key(name)}
    os.environ.update(keys)
    return [name for name in env if name not in keys]


def is_key(name: str) -> bool:
    """Whether a variable is a key, by its name.

    >>> [is_key(name) for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "STEELYARD_RUN_TOKEN")]
    [True, False, False]
    """
    return name.endswith(KEY_ENDINGS) and not name.startswith(OUR_OPTIONS)
