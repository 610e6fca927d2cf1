"""Escape untrusted text for Markdown.

Escaped text cannot break a table, nor become a tag, link, image or mention.
"""

import re

from steelyard.render.names import shortened, visible

NAME_LENGTH = 120
PROSE_LENGTH = 1_000

# Within backticks in a table, a backtick or a backslash before a pipe cannot be escaped; entities can.
AWKWARD_IN_BACKTICKS = frozenset("`|\\")
SPECIAL = re.compile(r"[!\"#$&*<>@\[\\\]^_`{|}~]")
LINK = re.compile(r"(?<=:)/(?=/)|(?<=\bwww)\.", re.IGNORECASE)
CALL = re.compile(r"(&#(?:35|64);)(?=\w)")  # an escaped # or @: GitHub links these after decoding entities


def code(name: str) -> str:
    """Return a name as code, where GitHub links neither URLs nor users.

    >>> code("gpt-5"), code("a|b")
    ('`gpt-5`', '<code>a&#124;b</code>')
    """
    text = shortened(visible(name), NAME_LENGTH)
    if AWKWARD_IN_BACKTICKS.isdisjoint(text):
        return f"`{text}`"
    return f"<code>{_defused(text)}</code>"


def escaped(prose: str) -> str:
    """Escape a sentence that may quote untrusted text.

    >>> escaped("case a_b is <new>")
    'case a&#95;b is &#60;new&#62;'
    """
    return _defused(shortened(visible(prose), PROSE_LENGTH))


def _defused(text: str) -> str:
    without_links = LINK.sub(_entity, SPECIAL.sub(_entity, text))
    return CALL.sub(r"\1<!-- -->", without_links)


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
