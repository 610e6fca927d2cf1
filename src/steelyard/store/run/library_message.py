"""Shorten error messages of the table library and the object store client."""

import re

LONGEST = 500  # characters of a foreign message that are shown

_COLOUR = re.compile("\x1b\\[[0-9;]*m|↳")
_XML = re.compile(r"(?:<\?xml[^>]*>\s*)?<Error>.*?</Error>", re.DOTALL)
_SIGNATURE = re.compile(r"(?P<address>https?://[^\s?]+)\?\S+")


def library_message(error: object) -> str:
    r"""Return the message of an error on one line, without stack addresses, colours and signatures.

    >>> library_message("Kernel error: no good\n   0: <unknown>\n   1: <unknown>")
    'Kernel error: no good'
    >>> library_message("GET https://a.example/x?sig=abc failed\n\nDebug source:\nGeneric {")
    'GET https://a.example/x failed'
    >>> library_message("404: <?xml?><Error><Code>NoSuchBucket</Code><HostId>x</HostId></Error>")
    '404: NoSuchBucket'
    """
    plain = _XML.sub(_in_words, str(error))
    kept = re.split(r"\n\s*\d+: |\n\nDebug source", plain, maxsplit=1)[0]
    # The object store client colours its messages. A signed address is a secret.
    kept = _SIGNATURE.sub(r"\g<address>", " ".join(_COLOUR.sub("", kept).split()))
    return kept if len(kept) <= LONGEST else f"{kept[:LONGEST]}…"


def _in_words(match: re.Match[str]) -> str:
    """Return the code and the message of an object store's XML."""
    parts = (re.search(f"<{name}>(.*?)</{name}>", match[0], re.DOTALL) for name in ("Code", "Message"))
    return ": ".join(part[1].strip() for part in parts if part)
