"""Read the results of tests: lines with a secret, the Test Anything Protocol, or JUnit's XML."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from xml.etree import ElementTree as ET


class Status(StrEnum):
    """How one test ended."""

    OK = "ok"
    NOT_OK = "not ok"
    SKIPPED = "skip"
    DIED = "died"


@dataclass(slots=True)
class TestResults:
    """What is known about tests by name; a test may have been reported more than once."""

    statuses: defaultdict[str, list[Status]] = field(default_factory=lambda: defaultdict(list))
    messages: list[str] = field(default_factory=list)
    is_whole: bool = False

    def status(self, name: str) -> Status | None:
        """Return how a test ended; a test reported twice counts as failed."""
        reported = self.statuses.get(name, [])
        if len(reported) == 1:
            return reported[0]
        return Status.NOT_OK if reported else None


_LINE = re.compile(r"(?P<word>ok|not ok|skip|died|end) (?P<name>[^#]*?)(?: # (?P<why>.*))?$")
_TAP = re.compile(
    r"(?P<not>not )?ok\b(?: +\d+)?(?: +-)? *(?P<name>[^#\n]*?)(?: *# *(?:(?P<mark>skip|todo)\b)?.*)?$",
    re.IGNORECASE,
)
_PLAN = re.compile(r"1\.\.(?P<count>\d+)")


def from_channel(text: str, nonce: str, secrets: Mapping[str, str] | None = None) -> TestResults:
    r"""Return what a harness said; lines that begin otherwise are the answer's and do not count.

    A line begins with the test's own secret word, which no other line holds. A bad result needs none: `-`. A
    harness that does not tell tests apart begins every line with the nonce.

    >>> found = from_channel("ab ok one\n- not ok two\nab ok three\n", "n", {"one": "ab", "three": "cd"})
    >>> {name: found.status(name) for name in ("one", "two", "three")}
    {'one': <Status.OK: 'ok'>, 'two': <Status.NOT_OK: 'not ok'>, 'three': None}
    """
    test_results = TestResults()
    for line in text.splitlines():
        secret, _, rest = line.partition(" ")
        match = _LINE.match(rest)
        if match is None or not _is_believed(secret, match, nonce, secrets or {}):
            continue
        if match["word"] == "end":
            test_results.is_whole = True
            continue
        test_results.statuses[match["name"].strip()].append(Status(match["word"]))
        if match["why"]:
            test_results.messages.append(f"{match['name']}: {match['why']}")
    return test_results


def _is_believed(secret: str, said: re.Match[str], nonce: str, secrets: Mapping[str, str]) -> bool:
    is_bad = said["word"] in {Status.NOT_OK, Status.DIED}
    return secret in {nonce, secrets.get(said["name"].strip(), nonce)} or (secret == "-" and is_bad)


def from_tap(text: str) -> TestResults:
    r"""Return what outermost lines of the Test Anything Protocol say.

    >>> from_tap("1..1\nok 1 - adds\n").status("adds")
    <Status.OK: 'ok'>
    """
    test_results, planned = TestResults(), None
    for line in text.splitlines():
        plan = _PLAN.match(line)
        if plan:
            planned = int(plan["count"])
        match = _TAP.match(line)
        if match:
            skipped = (match["mark"] or "").lower() == "skip"
            status = Status.SKIPPED if skipped else Status.NOT_OK if match["not"] else Status.OK
            test_results.statuses[match["name"].strip()].append(status)
    test_results.is_whole = planned == sum(len(reported) for reported in test_results.statuses.values())
    return test_results


def from_junit(text: bytes) -> TestResults:
    """Return what JUnit's XML says; text that declares entities is refused.

    >>> from_junit(b"<testsuite><testcase name='adds'><failure/></testcase></testsuite>").status("adds")
    <Status.NOT_OK: 'not ok'>
    """
    test_results = TestResults()
    if b"<!" in text.replace(b"<![CDATA[", b"").replace(b"<!--", b""):
        return test_results
    try:
        root = ET.fromstring(text)  # noqa: S314  # no entities, as made sure above
    except ET.ParseError:
        return test_results
    cases = list(root.iter("testcase"))
    classes: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        classes[case.get("name", "")].add(case.get("classname", ""))
    for case in cases:
        name = case.get("name", "")
        if len(classes[name]) > 1:  # tests of two classes, not one that is reported twice
            name = f"{case.get('classname', '')}.{name}"
        test_results.statuses[name].append(_of_children(child.tag for child in case))
        test_results.messages += [
            f"{name}: {child.get('message', '')}" for child in case if child.get("message")
        ]
    test_results.is_whole = True
    return test_results


def _of_children(tags: Iterable[str]) -> Status:
    seen = set(tags)
    if seen & {"failure", "error"}:
        return Status.NOT_OK
    return Status.SKIPPED if "skipped" in seen else Status.OK
