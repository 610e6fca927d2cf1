"""Write one comment to a pull request, and the next time replace it instead of adding another."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TIMEOUT_S = 30
PAGE = 100  # comments that are listed at a time
MOST_PAGES = 20  # a thread of more is not searched to its end
REFUSED = frozenset({401, 403, 404})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Where the comments of a pull request are listed and added, and where each of them is changed."""

    comments: str
    comment: str  # what the number of a comment is put behind
    edit: str  # the verb that changes one
    author: str  # the key under which a comment has its author
    whoami: str  # what tells whose token this is; a job's own token on GitHub may not ask
    headers: Mapping[str, str]


class CommentError(Exception):
    """A comment could not be written; why, in words that never hold the token."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


def put_comment(thread: Thread, text: str, *, marker: str) -> None:
    """Write a comment that begins with a marker, in the place of the one of ours that did before."""
    body = {"body": f"{marker}\n{text}"}
    for earlier in _earlier(thread, marker):
        try:
            _ask(thread, thread.edit, f"{thread.comment}{earlier}", body)
        except CommentError as error:
            if error.code not in REFUSED:
                raise
        else:
            return
    _ask(thread, "POST", thread.comments, body)


def _earlier(thread: Thread, marker: str) -> list[int]:
    """Return our own comments with the marker: a comment that others may edit must not carry a verdict."""
    me = _me(thread)
    result = []
    for page in range(1, MOST_PAGES + 1):
        listed = _ask(thread, "GET", f"{thread.comments}?per_page={PAGE}&page={page}")
        result += [
            item["id"]
            for item in listed
            if str(item["body"]).startswith(marker) and _is_ours(item.get(thread.author), me)
        ]
        if len(listed) < PAGE:
            break
    return result


def _me(thread: Thread) -> object:
    try:
        return _ask(thread, "GET", thread.whoami, is_one=True)["id"]
    except CommentError as error:
        if error.code not in REFUSED:
            raise
        return None


def _is_ours(author: object, me: object) -> bool:
    if not isinstance(author, Mapping):
        return False
    return author.get("type") == "Bot" if me is None else author.get("id") == me


def _ask(
    thread: Thread, verb: str, address: str, body: Mapping[str, str] | None = None, *, is_one: bool = False
) -> Any:  # noqa: ANN401  # JSON
    # These take a while to load, and every command loads this module.
    from http.client import HTTPException  # noqa: PLC0415
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import HTTPRedirectHandler, Request, build_opener  # noqa: PLC0415

    if not address.startswith(("https://", "http://")):
        raise CommentError(f"{address}: not an address of the web")
    request = Request(  # noqa: S310  # the scheme was looked at
        address,
        method=verb,
        headers={**thread.headers, "Content-Type": "application/json", "User-Agent": "steelyard"},
        data=None if body is None else json.dumps(body).encode(),
    )
    # A redirect must not get the token.
    opener = build_opener(type("Stay", (HTTPRedirectHandler,), {"redirect_request": lambda *_: None}))
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return _checked(json.load(answer), is_one=is_one or verb != "GET")
    except HTTPError as error:
        raise CommentError(f"{verb} {address}: {error.code} {error.reason}", error.code) from error
    except (OSError, HTTPException, ValueError) as error:
        raise CommentError(f"{verb} {address}: {type(error).__name__}") from error


def _checked(answer: Any, *, is_one: bool) -> Any:  # noqa: ANN401  # JSON
    """Return the answer if it is of the kind that was asked for: one record, or a list of comments."""
    is_record = isinstance(answer, dict) and "id" in answer
    is_list = isinstance(answer, list) and all(map(_is_comment, answer))
    if is_record if is_one else is_list:
        return answer
    raise ValueError("an answer of another kind than was asked for")


def _is_comment(item: object) -> bool:
    return isinstance(item, dict) and {"id", "body"} <= item.keys()
