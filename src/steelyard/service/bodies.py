"""Read the body of a request, within a limit."""

import asyncio
from typing import TypeVar

from starlette.requests import Request

from steelyard.errors import InputError
from steelyard.sources.record_file import record_of

LARGEST_BODY = 64 << 20
LARGE_BODY = 1 << 18  # from here on a body is parsed on a thread: other requests must not wait

Record = TypeVar("Record")


class BodyTooLarge(InputError):
    """A request with more than the limit."""


async def bytes_of(request: Request) -> bytes:
    """Return the body; raises BodyTooLarge."""
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > LARGEST_BODY:
            raise BodyTooLarge(f"the request has more than {LARGEST_BODY >> 20} MiB")
        chunks.append(chunk)
    return b"".join(chunks)


async def body_of(request: Request, kind: type[Record]) -> Record:
    """Return the record in a request's JSON; raises InputError that lists what is wrong."""
    content = await bytes_of(request)
    if len(content) < LARGE_BODY:
        return record_of(content, kind, where="request")
    return await asyncio.to_thread(record_of, content, kind, where="request")
