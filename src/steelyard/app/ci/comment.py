"""Write one comment per pull request; later jobs replace it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TIMEOUT_S = 30
PAGE = 100  # comments per request
MOST_PAGES = 20  # limit of the search in long threads
REFUSED = frozenset({401, 403, 404})


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The API addresses of a pull request's comments."""

    comments: str
    comment: str  # prefix of a comment's number
    edit: str  # HTTP method that edits a comment
    author: str  # key of a comment's author
    whoami: str  # address of the token's user; forbidden to the own token of a GitHub job
    headers: Mapping[str, str]


class CommentError(Exception):
    """A comment could not be written; the message never contains the token."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


def put_comment(thread: Thread, text: str, *, marker: str) -> None:
    """Write a comment that begins with a marker; replace the earlier one."""
    body = {"body": f"{marker}\n{text}"}
    for earlier in _list_earlier(thread, marker):
        try:
            _request(thread, thread.edit, f"{thread.comment}{earlier}", body)
        except CommentError as error:
            if error.code not in REFUSED:
                raise
        else:
            return
    _request(thread, "POST", thread.comments, body)


def _list_earlier(thread: Thread, marker: str) -> list[int]:
    """Return own comments with the marker: comments of others are never edited."""
    user = _find_user(thread)
    numbers = []
    for page in range(1, MOST_PAGES + 1):
        listed = _request(thread, "GET", f"{thread.comments}?per_page={PAGE}&page={page}")
        numbers += [
            comment["id"]
            for comment in listed
            if str(comment["body"]).startswith(marker) and _is_own(comment.get(thread.author), user)
        ]
        if len(listed) < PAGE:
            break
    return numbers


def _find_user(thread: Thread) -> object:
    try:
        return _request(thread, "GET", thread.whoami, is_one=True)["id"]
    except CommentError as error:
        if error.code not in REFUSED:
            raise
        return None


def _is_own(author: object, user: object) -> bool:
    if not isinstance(author, Mapping):
        return False
    return author.get("type") == "Bot" if user is None else author.get("id") == user


def _request(
    thread: Thread, verb: str, address: str, body: Mapping[str, str] | None = None, *, is_one: bool = False
) -> Any:  # noqa: ANN401  # JSON
    # Slow imports; every command loads this module.
    from http.client import HTTPException  # noqa: PLC0415
    from urllib.error import HTTPError  # noqa: PLC0415
    from urllib.request import HTTPRedirectHandler, Request, build_opener  # noqa: PLC0415

    if not address.startswith(("https://", "http://")):
        raise CommentError(f"{address}: not a web address")
    request = Request(  # noqa: S310  # the scheme is checked above
        address,
        method=verb,
        headers={**thread.headers, "Content-Type": "application/json", "User-Agent": "steelyard"},
        data=None if body is None else json.dumps(body).encode(),
    )
    # Do not send the token to a redirect.
    opener = build_opener(type("Stay", (HTTPRedirectHandler,), {"redirect_request": lambda *_: None}))
    try:
        with opener.open(request, timeout=TIMEOUT_S) as response:
            return _require_form(json.load(response), is_one=is_one or verb != "GET")
    except HTTPError as error:
        raise CommentError(f"{verb} {address}: {error.code} {error.reason}", error.code) from error
    except (OSError, HTTPException, ValueError) as error:
        raise CommentError(f"{verb} {address}: {type(error).__name__}") from error


def _require_form(content: Any, *, is_one: bool) -> Any:  # noqa: ANN401  # JSON
    """Return the response if it is one record, or a list of comments, as requested."""
    is_record = isinstance(content, dict) and "id" in content
    is_list = isinstance(content, list) and all(map(_is_comment, content))
    if is_record if is_one else is_list:
        return content
    raise ValueError("unexpected JSON")


def _is_comment(entry: object) -> bool:
    return isinstance(entry, dict) and {"id", "body"} <= entry.keys()
