"""Sanitize replies: valid UTF-8, and numbers that fit the tables."""

from dataclasses import fields, replace

from steelyard.model.request import Reply, Usage

LARGEST = 2**53  # tokens or nano-USD; fits every table


def clean_text(text: str) -> str:
    r"""Replace lone surrogates by question marks.

    >>> clean_text("fine"), clean_text("half \ud83d")
    ('fine', 'half ?')
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def clean_reply(reply: Reply) -> Reply:
    """Return a storable reply; implausible numbers become None.

    >>> clean_reply(Reply(text="a", usage=Usage(tokens_in=10**30))).usage.tokens_in
    >>> clean_reply(Reply(text="a", request_id=7)).request_id  # type: ignore[arg-type]  # as some services do
    '7'
    """
    usage = {field.name: _clean_number(getattr(reply.usage, field.name)) for field in fields(Usage)}
    return replace(
        reply,
        text=clean_text(reply.text),
        finish_reason=_clean_name(reply.finish_reason),
        request_id=_clean_name(reply.request_id),
        usage=Usage(**usage),
        cost_nano_usd=_clean_number(reply.cost_nano_usd),
    )


def _clean_number(value: int | None) -> int | None:
    return value if value is not None and 0 <= value <= LARGEST else None


def _clean_name(value: object) -> str | None:
    """Return a text field as str; some services send numbers."""
    return None if value is None else clean_text(str(value))[:1000]
