"""Remove secrets from texts."""

import re
from collections.abc import Mapping

SHORTEST_SECRET = 8  # shorter values are placeholders for servers without keys
SECRET_NAME = re.compile(r"key|token|secret|password|credential", re.IGNORECASE)
# User and password of an address: everything up to the last @. Without a scheme, as in proxy settings, the
# two sides of a colon.
CREDENTIALS = re.compile(r"(?<=://)[^\s'\"]{1,1000}@|(?<![^\s'\"(=])[^\s:/@'\"]{1,200}:[^\s/@'\"]{1,200}@")


def without_credentials(text: str) -> str:
    """Remove users and passwords from addresses in a text.

    >>> without_credentials("307 for url 'https://me:secret@example.org/v1'")
    "307 for url 'https://[credentials]@example.org/v1'"
    >>> without_credentials("no proxy at me:hunter2#secret@proxy:9")
    'no proxy at [credentials]@proxy:9'
    """
    return CREDENTIALS.sub("[credentials]@", text)


def secret_values(env: Mapping[str, str], *names: str | None) -> dict[str, str]:
    r"""Return the secret variables: the named ones, and those with names like KEY or TOKEN.

    >>> secret_values({"LAB_API_KEY": "abcdefgh\n", "LAB_TOKEN": "short", "LANG": "C.UTF-8"})
    {'LAB_API_KEY': 'abcdefgh'}
    """
    stripped = {name: value.strip() for name, value in env.items()}  # a key from a file ends in a newline
    return {
        name: value
        for name, value in stripped.items()
        if (name in names or SECRET_NAME.search(name)) and len(value) >= SHORTEST_SECRET
    }


def without_secrets(text: str, secrets: Mapping[str, str]) -> str:
    """Replace the value of each secret by its name, in any case.

    >>> without_secrets("403 for key ABCDEFGH", {"LAB_API_KEY": "abcdefgh"})
    '403 for key [LAB_API_KEY]'
    """
    # The longest first: one value may contain another.
    for name, value in sorted(secrets.items(), key=lambda secret: -len(secret[1])):
        text = f"[{name}]".join(re.split(re.escape(value), text, flags=re.IGNORECASE))
    return text
