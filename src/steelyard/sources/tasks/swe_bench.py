"""Read SWE-bench's records, one JSON object a line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.sample import text_digest
from steelyard.model.task import LANGUAGE, ExpectedTests, Task, TaskStep

WORKDIR = "/testbed"
LIMIT_S = 1800.0
PATCHED = re.compile(r"^(?:---|\+\+\+) [ab]/(\S+)", re.MULTILINE)


class Record(BaseModel):
    """One instance; what is of no consequence here is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    instance_id: str
    repo: str
    base_commit: str
    problem_statement: str
    patch: str
    test_patch: str
    image: str
    eval_script: str
    FAIL_TO_PASS: tuple[str, ...]
    PASS_TO_PASS: tuple[str, ...]
    eval_type: str = "pass_and_fail"
    difficulty: str = ""

    @field_validator("FAIL_TO_PASS", "PASS_TO_PASS", mode="before")
    @classmethod
    def _parse(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value


def read_records(path: Path) -> Iterator[Case]:
    """Yield the case of each line; raises InputError for the first that is no record."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield _case(Record.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise InputError(f"{path}:{number}: no record of SWE-bench: {where}: {first['msg']}") from error


def _case(record: Record) -> Case:
    only_failing = record.eval_type == "fail_only"
    expected = ExpectedTests(
        script=record.eval_script,
        fail_to_pass=record.FAIL_TO_PASS,
        pass_to_pass=() if only_failing else record.PASS_TO_PASS,
        files=tuple(dict.fromkeys(PATCHED.findall(record.test_patch))),
    )
    form = (
        record.image,
        record.base_commit,
        record.eval_script,
        *expected.fail_to_pass,
        *expected.pass_to_pass,
    )
    return Case(
        id=record.instance_id,
        suite=record.repo,
        prompt=record.problem_statement,
        language=LANGUAGE,
        timeout_s=LIMIT_S,
        reference=record.patch,
        tags=(record.difficulty,) if record.difficulty else (),
        task=Task(
            digest=text_digest(json.dumps(form)),
            image=record.image,
            workdir=WORKDIR,
            steps=(
                TaskStep(
                    prompt=record.problem_statement, agent_timeout_s=LIMIT_S, verifier_timeout_s=LIMIT_S
                ),
            ),
            expected=expected,
            hides_history=True,
        ),
    )
