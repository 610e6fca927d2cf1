"""Read the results of tests: lines with secrets, the Test Anything Protocol, or JUnit XML."""

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
    """Results of tests by name; a test may be reported more than once."""

    statuses: defaultdict[str, list[Status]] = field(default_factory=lambda: defaultdict(list))
    messages: list[str] = field(default_factory=list)
    is_complete: bool = False

    def status(self, name: str) -> Status | None:
        """Return the status of a test; a test reported twice counts as failed."""
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
    r"""Return the results that a harness reported; other lines come from the answer and are ignored.

    A line starts with the secret of its test, or with `-` for failures. A harness without secrets per test
    starts every line with the nonce.

    >>> results = from_channel("ab ok add\n- not ok sub\nab ok mul\n", "n", {"add": "ab", "mul": "cd"})
    >>> {name: results.status(name) for name in ("add", "sub", "mul")}
    {'add': <Status.OK: 'ok'>, 'sub': <Status.NOT_OK: 'not ok'>, 'mul': None}
    """
    test_results = TestResults()
    for line in text.splitlines():
        secret, _, rest = line.partition(" ")
        match = _LINE.match(rest)
        if match is None or not _is_authentic(secret, match, nonce, secrets or {}):
            continue
        if match["word"] == "end":
            test_results.is_complete = True
            continue
        test_results.statuses[match["name"].strip()].append(Status(match["word"]))
        if match["why"]:
            test_results.messages.append(f"{match['name']}: {match['why']}")
    return test_results


def _is_authentic(secret: str, line: re.Match[str], nonce: str, secrets: Mapping[str, str]) -> bool:
    is_failure = line["word"] in {Status.NOT_OK, Status.DIED}
    return secret in {nonce, secrets.get(line["name"].strip(), nonce)} or (secret == "-" and is_failure)


def from_tap(text: str) -> TestResults:
    r"""Return the results of the unindented lines of TAP output.

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
    test_results.is_complete = planned == sum(len(reported) for reported in test_results.statuses.values())
    return test_results


def from_junit(text: bytes) -> TestResults:
    """Return the results of JUnit XML; documents that declare entities are rejected.

    >>> from_junit(b"<testsuite><testcase name='adds'><failure/></testcase></testsuite>").status("adds")
    <Status.NOT_OK: 'not ok'>
    """
    test_results = TestResults()
    if b"<!" in text.replace(b"<![CDATA[", b"").replace(b"<!--", b""):
        return test_results
    try:
        root = ET.fromstring(text)  # noqa: S314  # no entities, as checked above
    except ET.ParseError:
        return test_results
    cases = list(root.iter("testcase"))
    classes: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        classes[case.get("name", "")].add(case.get("classname", ""))
    for case in cases:
        name = case.get("name", "")
        if len(classes[name]) > 1:  # tests of several classes, not a repeated one
            name = f"{case.get('classname', '')}.{name}"
        test_results.statuses[name].append(_status_of(child.tag for child in case))
        test_results.messages += [
            f"{name}: {child.get('message', '')}" for child in case if child.get("message")
        ]
    test_results.is_complete = True
    return test_results


def _status_of(tags: Iterable[str]) -> Status:
    seen = set(tags)
    if seen & {"failure", "error"}:
        return Status.NOT_OK
    return Status.SKIPPED if "skipped" in seen else Status.OK
