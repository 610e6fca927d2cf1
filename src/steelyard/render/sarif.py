"""Render failed checks as SARIF 2.1.0, which code hosts show as findings.

One result for each failed sample; without samples, one for each case that did not always pass.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from itertools import islice
from typing import Any
from urllib.parse import quote

from steelyard.model.options import Errors
from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.report import CaseSummary, Report
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.trust import HoneypotSummary
from steelyard.ports import Renderable
from steelyard.render.kinds import require_report
from steelyard.render.names import shortened, visible
from steelyard.render.words import KIND_OF_FAILURE, counted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_RESULTS = 5_000  # the limit of code hosts for one run
MESSAGE_LENGTH = 2_000
NAME_LENGTH = 200
SOMETIMES = "not_always"
FOOLED = "honeypot_passed"
HONEYPOTS = "honeypots"  # the suite of their results

Json = dict[str, Any]


class SarifRenderer:
    """The findings of a report as SARIF."""

    kinds = (Report,)
    is_text = True
    shows_samples = True

    def render(self, result: Renderable, *, samples: Sequence[SampleExcerpt] = ()) -> str:
        """Return the whole text, ending in a newline."""
        report = require_report(result, "sarif")
        refusals = {*report.expects_refusal}  # cases that expect a refusal
        failed = [
            sample for sample in samples if sample.passed is False and not _is_expected(sample, refusals)
        ]
        imperfect = [case for case in report.cases if case.right(refusals) < case.n]
        findings = map(_of_sample, failed) if samples else _of_cases(imperfect, refusals)
        honeypots = list(_of_honeypots(report.honeypots))
        results = list(islice((*honeypots, *findings), MOST_RESULTS))
        total = len(honeypots) + (max(len(failed), _failures(report)) if samples else len(imperfect))
        run = {
            "tool": {"driver": _driver(report, results)},
            "results": results,
            "properties": {
                "results": total,
                "resultsLeftOut": total - len(results),
                **(
                    {"integrity": [asdict(subject) for subject in report.integrity]}
                    if report.integrity
                    else {}
                ),
            },
        }
        text = json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, allow_nan=False)
        return text.replace("\x7f", "\\u007f") + "\n"


def _failures(report: Report) -> int:
    """Return how many samples failed, excluding infrastructure errors; `samples` may be a selection."""
    refusals, counts_errors = {*report.expects_refusal}, report.settings.errors is Errors.FAIL
    failed = sum(case.n - case.c - (case.errored if counts_errors else 0) for case in report.cases)
    return failed - sum(case.refused or 0 for case in report.cases if (case.suite, case.case) in refusals)


def _driver(report: Report, results: Sequence[Mapping[str, Any]]) -> Json:
    used = {result["ruleId"] for result in results}
    rules = [
        *(
            _rule(kind.value, f"A sample ended as: {KIND_OF_FAILURE[kind]}.")
            for kind in FAILURES
            if kind in used
        ),
        *([_rule(SOMETIMES, "Not every sample of the case passed.")] if SOMETIMES in used else ()),
        *(
            [_rule(FOOLED, "An answer passed a honeypot, which no honest answer does.")]
            if FOOLED in used
            else ()
        ),
    ]
    return {"name": "Steelyard", "fullName": visible(report.generator), "rules": rules}


def _rule(name: str, text: str) -> Json:
    return {"id": name, "shortDescription": {"text": text}}


def _of_sample(sample: SampleExcerpt) -> Json:
    kind = sample.classification if sample.classification in set(FAILURES) else Classification.FAIL.value
    message = f"sample {sample.attempt + 1} of {_label(sample.key)}: {KIND_OF_FAILURE[Classification(kind)]}"
    tests = sample.tests_passed, sample.tests_failed
    if tests[0] is not None and tests[1] is not None:
        message += f", {tests[0]} of {counted(tests[0] + tests[1], 'test')} passed"
    text = "\n".join((message, *_readable(sample.detail)))
    return _result(kind, "error", text, (*sample.key, f"{sample.attempt}"))


def _is_expected(sample: SampleExcerpt, expects_refusal: Collection[tuple[str, str]]) -> bool:
    key = sample.key
    return sample.classification == Classification.REFUSAL and (key.suite, key.case) in expects_refusal


def _of_cases(cases: Sequence[CaseSummary], expects_refusal: Collection[tuple[str, str]]) -> Iterator[Json]:
    for case in cases:
        key = CaseKey(case.model, case.tier, case.suite, case.case)
        right = case.right(expects_refusal)
        how = "refused, as expected" if (case.suite, case.case) in expects_refusal else "passed"
        text = f"{right:,} of {counted(case.n, 'sample')} of {_label(key)} {how}"
        yield _result(SOMETIMES, "warning" if right else "error", text, key)


def _of_honeypots(honeypots: Sequence[HoneypotSummary]) -> Iterator[Json]:
    for honeypot in honeypots:
        for case in honeypot.passed_cases:
            key = CaseKey(honeypot.model, honeypot.tier, HONEYPOTS, case)
            text = f"a sample of {_label(key)} passed a honeypot, which no honest answer does"
            yield _result(FOOLED, "error", text, key)


def _label(key: CaseKey) -> str:
    case, model, tier = (shortened(visible(name), NAME_LENGTH) for name in (key.case, key.model, key.tier))
    return f"{case} by {model} ({tier})"


def _readable(detail: str) -> list[str]:
    return (
        [visible(line) if line else "" for line in shortened(detail, MESSAGE_LENGTH).split("\n")]
        if detail
        else []
    )


def _result(rule: str, level: str, text: str, key: Sequence[str]) -> Json:
    model, tier, suite, case, *attempt = key
    parts = [
        quote(shortened(part, NAME_LENGTH), safe="", errors="replace") or "-"
        for part in (suite, case, model, tier)
    ]
    name = "/".join([*parts, *attempt])
    fingerprint = sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {"artifactLocation": {"uri": name}, "region": {"startLine": 1}},
                "logicalLocations": [{"fullyQualifiedName": name, "kind": "member"}],
            }
        ],
        "partialFingerprints": {"steelyardSample/v1": fingerprint},
        "properties": {"model": model, "tier": tier, "suite": suite, "case": case},
    }
