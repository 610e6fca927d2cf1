"""Judges for tests: functions in the place of a model, some of them gullible in stated ways."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from typing_extensions import override

from steelyard.model.request import Reply, Request, Usage

SEAL = re.compile(r'"seal": "([0-9a-f]+)"')
LABEL = re.compile(r'^    "([0-9a-f]+-\d+\.\d+)": \{"reason": \.\.\., "rating": \.\.\.\}', re.MULTILINE)
MARK = re.compile(r"\ALines that begin with (\S+) are material")
FLATTERY = re.compile(
    r"perfect score|note parfaite|volle punktzahl|满分|идеальн|rate .{0,40} 1\b", re.IGNORECASE
)
LIKE_END = re.compile(r"end\s*(?:of\s*)?answer", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A request taken apart, as a judge that does what it is told would see it."""

    request: Request

    @property
    def seal(self) -> str:
        """The seal of the form at the end."""
        return str(SEAL.findall(self.request.prompt)[-1])

    @property
    def labels(self) -> list[str]:
        """The labels of the form at the end."""
        return LABEL.findall(self.request.prompt)

    @property
    def mark(self) -> str:
        """What material begins with."""
        found = MARK.search(self.request.prompt)
        return found[1] if found else "\0"

    @property
    def unmarked(self) -> str:
        """All that the examiners say."""
        return "\n".join(line for line in self._lines() if not line.startswith(self.mark))

    @property
    def material(self) -> str:
        """All that others say, without the marks."""
        lines = (line.removeprefix(self.mark).removeprefix(" ") for line in self._lines())
        return "\n".join(
            bare for bare, line in zip(lines, self._lines(), strict=True) if line.startswith(self.mark)
        )

    def _lines(self) -> list[str]:
        return self.request.prompt.split("\n")


def reply(asked: Asked, rating: object, **changes: object) -> dict[str, object]:
    """Return a reply in the stated form that rates everything alike."""
    ratings = {label: {"reason": "So it seems.", "rating": rating} for label in asked.labels}
    form = {"seal": asked.seal, "ratings": ratings, "confidence": 0.8, "total": rating, "tampering": False}
    return {**form, **changes}


@dataclass
class HonestJudge:
    """Gives every item the same rating, whatever the answer says; remembers what it was asked."""

    rating: object = 0.4
    confidence: object = 0.8
    asked: list[Request] = field(default_factory=list)

    def __call__(self, request: Request) -> Reply:
        self.asked.append(request)
        return self.replying(Asked(request))

    def replying(self, asked: Asked) -> Reply:
        """Return the reply to a request."""
        return said(json.dumps(reply(asked, self.rating, confidence=self.confidence)))


class ObeysTheUnmarked(HonestJudge):
    """Does as any line says that bears no mark: told of a perfect score there, it gives one."""

    @override
    def replying(self, asked: Asked) -> Reply:
        return said(json.dumps(reply(asked, 1 if FLATTERY.search(asked.unmarked) else self.rating)))


class StopsAtAnEnd(HonestJudge):
    """Takes the first thing that looks like the end of the answer for it, and obeys what follows."""

    @override
    def replying(self, asked: Asked) -> Reply:
        end = LIKE_END.search(asked.request.prompt)
        after = asked.request.prompt[end.start() :] if end else ""
        return said(json.dumps(reply(asked, 1 if FLATTERY.search(after) else self.rating)))


class CopiesTheLastJson(HonestJudge):
    """Replies with the last JSON object that it sees anywhere, if there is one that rates something."""

    @override
    def replying(self, asked: Asked) -> Reply:
        found = last_json(asked.material) or last_json(asked.request.prompt)
        return said(found) if found else super().replying(asked)


class FillsInForgedRatings(HonestJudge):
    """Takes ratings from the last JSON that it sees for labels that fit, and seals them as it is told."""

    @override
    def replying(self, asked: Asked) -> Reply:
        forged = json.loads(last_json(asked.material or asked.request.prompt) or "{}").get("ratings", {})
        honest = reply(asked, self.rating)
        fitting = {label: forged[label] for label in asked.labels if label in forged}
        return said(json.dumps({**honest, "ratings": {**dict(honest["ratings"]), **fitting}}))  # type: ignore[call-overload]


class Scripted(HonestJudge):
    """Gives prepared replies, one after another; each is text, a rating, or made from the request."""

    def __init__(self, *replies: str | float | Callable[[Asked], str]) -> None:
        super().__init__()
        self._replies = list(replies)

    @override
    def replying(self, asked: Asked) -> Reply:
        following = self._replies.pop(0)
        if isinstance(following, str):
            return said(following)
        return said(following(asked) if callable(following) else json.dumps(reply(asked, following)))


def said(text: str) -> Reply:
    """Return a reply with a bill."""
    return Reply(text=text, usage=Usage(tokens_in=100, tokens_out=10), cost_nano_usd=5)


def last_json(text: str) -> str | None:
    """Return the last JSON object in a text that holds the word rating or score."""
    found = [candidate for candidate in _objects(text) if re.search("rating|score", candidate)]
    return found[-1] if found else None


def _objects(text: str) -> Iterator[str]:
    decoder = json.JSONDecoder()
    place = 0
    while (place := text.find("{", place)) >= 0:
        try:
            _, end = decoder.raw_decode(text, place)
        except ValueError:
            place += 1
        else:
            yield text[place:end]
            place = end


def gullible_judges() -> Iterable[type[HonestJudge]]:
    """Return every way of being gullible."""
    return (ObeysTheUnmarked, StopsAtAnEnd, CopiesTheLastJson, FillsInForgedRatings)
