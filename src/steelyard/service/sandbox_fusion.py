"""Speak SandboxFusion's interface, so that its clients work unchanged.

Output is returned whole, or the status is `Failed`; what misses its deadline gets 504, which clients retry.
"""

import base64
import binascii
from collections.abc import Awaitable, Callable, Mapping
from itertools import islice

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from steelyard.checks.extraction.extract import extract
from steelyard.errors import InputError
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification
from steelyard.service.admission import Reason, Refused
from steelyard.service.api import Api
from steelyard.service.bodies import bytes_of
from steelyard.service.checked import Checked
from steelyard.service.fields import Fields
from steelyard.service.programs import Program, ProgramResult, is_program_language
from steelyard.service.requests import CheckRequest

# Their names of languages that we call otherwise.
LANGUAGES = {"nodejs": "javascript", "python3": "python", "pytest": "python"}
SLACK_S = 8.0  # their clients wait for both limits and ten seconds
DEFAULT_S = 10.0
DEFAULT_LIMIT = 1_000_000

Answer = Callable[[Api, Fields], Awaitable[Response]]


def routes(api: Api) -> list[BaseRoute]:
    """Return the routes of the interface."""
    posts: Mapping[str, Answer] = {
        "/run_code": run_code,
        "/submit": submit,
        "/list_ids": list_ids,
        "/get_prompts": get_prompts,
        "/get_prompt_by_id": get_prompt_by_id,
    }

    async def ping(_: Request) -> Response:
        return JSONResponse("pong")

    async def list_datasets(_: Request) -> Response:
        return JSONResponse([served.eval_set.id for served in api.sets])

    return [
        Route("/v1/ping", ping),
        Route("/list_datasets", list_datasets),
        *(Route(path, _endpoint(api, answer), methods=["POST"]) for path, answer in posts.items()),
    ]


def _endpoint(api: Api, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return await answer(api, Fields.of(await bytes_of(request)))
        except Refused as refused:
            # verl retries 504 and nothing else.
            headers = {"Retry-After": str(refused.retry_after_s)}
            return JSONResponse({"detail": str(refused.reason)}, 504, headers)

    return endpoint


async def run_code(api: Api, fields: Fields) -> Response:
    """Build and run a program."""
    language = fields.text("language")
    language = LANGUAGES.get(language, language)
    if not is_program_language(language):
        raise InputError(f"language: {language!r} is not supported")
    program = Program(
        code=fields.text("code"),
        language=language,
        stdin=fields.text("stdin", ""),
        files=_files(fields.fields("files")),
        fetch=fields.texts("fetch_files"),
        build_s=fields.number("compile_timeout", DEFAULT_S),
        run_s=fields.number("run_timeout", DEFAULT_S),
        memory_mb=_memory(fields),
    )
    result = await api.service.run(program, deadline_s=program.build_s + program.run_s + SLACK_S)
    if result is None:
        return JSONResponse({"detail": str(Reason.DEADLINE)}, 504)
    return JSONResponse(_run_reply(result))


async def submit(api: Api, fields: Fields) -> Response:
    """Check the answer to a case of a served set."""
    config = fields.fields("config")
    if "custom_extract_logic" in config:
        raise InputError("config.custom_extract_logic: the service runs no code of its clients; leave it out")
    if "provided_data" in config:
        raise InputError(
            "config.provided_data: send the tests to /v1/check as `inline`, or serve them as a set"
        )
    request = CheckRequest(
        completion=fields.text("completion"),
        eval_set=fields.text("dataset"),
        case=fields.identifier("id"),
    )
    checked = await api.check(request)
    if checked.reason is not None:
        return JSONResponse({"detail": str(checked.reason)}, 504)
    return JSONResponse(_submit_reply(request, checked))


async def list_ids(api: Api, fields: Fields) -> Response:
    """Return the ids of a set's cases."""
    return JSONResponse(list(api.sets.named(fields.text("dataset")).cases))


async def get_prompts(api: Api, fields: Fields) -> Response:
    """Return the prompts of a set's cases; tests stay here."""
    cases = api.sets.named(fields.text("dataset")).eval_set.cases
    offset, limit = int(fields.number("offset", 0)), int(fields.number("limit", DEFAULT_LIMIT))
    shown = islice(cases, max(offset, 0), max(offset, 0) + max(limit, 0))
    return JSONResponse([{"id": case.id, "prompt": case.prompt, "labels": {}} for case in shown])


async def get_prompt_by_id(api: Api, fields: Fields) -> Response:
    """Return the prompt of one case."""
    request = CheckRequest(completion="", eval_set=fields.text("dataset"), case=fields.identifier("id"))
    case = api.sets.case_of(request).case
    return JSONResponse({"id": case.id, "prompt": case.prompt, "labels": {}})


def _files(fields: Fields) -> dict[str, bytes]:
    """Return the files of a request, whose contents are base64."""
    try:
        return {
            name: base64.b64decode(str(content), validate=True)
            for name, content in fields.items()
            if content is not None
        }
    except binascii.Error:
        raise InputError("files: contents must be base64") from None


def _memory(fields: Fields) -> int | None:
    """Return a limit in MiB; -1 means none of the client's own."""
    limit = int(fields.number("memory_limit_MB", -1))
    return limit if limit > 0 else None


def _run_reply(result: ProgramResult) -> dict[str, object]:
    ended = [step for step in (result.build, result.run) if step is not None]
    is_cut = any(step.stdout.truncated or step.stderr.truncated for step in ended)
    succeeded = result.run is not None and result.run.succeeded and not is_cut
    status = "SandboxError" if result.problem else "Success" if succeeded else "Failed"
    return {
        "status": status,
        "message": result.problem or ("the output is longer than is kept" if is_cut else _limits(ended)),
        "compile_result": None if result.build is None else _step(result.build),
        "run_result": None if result.run is None else _step(result.run),
        "executor_pod_name": None,
        "files": {name: base64.b64encode(content).decode() for name, content in result.files.items()},
    }


def _limits(ended: list[ExecResult]) -> str:
    return "; ".join(f"limit reached: {step.limit}" for step in ended if step.limit is not None)


def _step(ended: ExecResult) -> dict[str, object]:
    is_late = ended.limit in {Limit.WALL, Limit.CPU}
    code = ended.exit_code if ended.signal is None else -ended.signal
    return {
        "status": "TimeLimitExceeded" if is_late else "Finished",
        "execution_time": ended.wall_s,
        "return_code": None if is_late else (1 if ended.limit is not None and code == 0 else code),
        "stdout": ended.stdout.decoded(),
        "stderr": ended.stderr.decoded(),
        "cpu_time": ended.cpu_s,
    }


def _submit_reply(request: CheckRequest, checked: Checked) -> dict[str, object]:
    is_accepted = checked.reward == 1
    code = extract(request.completion, checked.case.language).code
    run = {
        "status": "Finished",
        "execution_time": checked.wall_s,
        "return_code": 0 if is_accepted else 1,
        "stdout": "",
        "stderr": checked.outcome.detail,
    }
    timed_out = checked.outcome.facts.classification is Classification.TIMEOUT
    if timed_out:
        run |= {"status": "TimeLimitExceeded", "return_code": None}
    info = {
        "status": "Success" if is_accepted else "Failed",
        "message": "",
        "compile_result": None,
        "run_result": run,
        "executor_pod_name": None,
        "files": {},
    }
    return {
        "id": request.case,
        "accepted": is_accepted,
        "extracted_code": code,
        "full_code": None,
        "test_code": None,  # tests never leave the service
        "tests": [{"passed": is_accepted, "exec_info": info, "test_info": None}],
        "extracted_type": "fenced" if "```" in request.completion else "heuristic" if code else "empty",
        "extra": {"reward": checked.reward, "verdict": checked.outcome.facts.classification},
    }
