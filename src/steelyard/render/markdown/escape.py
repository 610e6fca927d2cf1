"""Escape untrusted text for Markdown.

No pipe breaks a table, and nothing becomes a tag, a link, a picture or a mention.
"""

import re

from steelyard.render.names import shortened, visible

NAME_LENGTH = 120
PROSE_LENGTH = 1_000

# A backtick, or a backslash before a pipe, has no spelling between backticks in a table; entities have one.
AWKWARD_IN_BACKTICKS = frozenset("`|\\")
SPECIAL = re.compile(r"[!\"#$&*<>@\[\\\]^_`{|}~]")
LINK = re.compile(r"(?<=:)/(?=/)|(?<=\bwww)\.", re.IGNORECASE)
CALL = re.compile(
    r"(&#(?:35|64);)(?=\w)"
)  # an escaped # or @; GitHub looks for these after it has read entities


def code(name: str) -> str:
    """Return a name in the type of code, where GitHub looks for neither links nor people.

    >>> code("gpt-5"), code("a|b")
    ('`gpt-5`', '<code>a&#124;b</code>')
    """
    text = shortened(visible(name), NAME_LENGTH)
    if AWKWARD_IN_BACKTICKS.isdisjoint(text):
        return f"`{text}`"
    return f"<code>{_defused(text)}</code>"


def escaped(prose: str) -> str:
    """Return a sentence that may quote anything.

    >>> escaped("case a_b is <new>")
    'case a&#95;b is &#60;new&#62;'
    """
    return _defused(shortened(visible(prose), PROSE_LENGTH))


def _defused(text: str) -> str:
    without_links = LINK.sub(_entity, SPECIAL.sub(_entity, text))
    return CALL.sub(r"\1<!-- -->", without_links)


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"
