"""SandboxFusion's clients get whole output, the right status, and 504 where they should try again."""

import base64
from typing import Any

import pytest

from tests.service.servers import DOUBLE, WRONG, Server


def run(server: Server, code: str, language: str = "python", **fields: object) -> Any:  # noqa: ANN401
    return server.request("POST", "/run_code", {"code": code, "language": language, **fields}).json


def test_a_program_reads_its_input_and_its_output_comes_back_whole(server: Server) -> None:
    result = run(server, "print(input() * 100_000)", stdin="abcde")

    assert (result["status"], result["run_result"]["return_code"]) == ("Success", 0)
    assert result["run_result"]["stdout"] == "abcde" * 100_000 + "\n"


def test_a_program_that_fails_is_failed(server: Server) -> None:
    result = run(server, "import sys\nprint('out')\nsys.exit(3)")

    assert (result["status"], result["run_result"]["return_code"]) == ("Failed", 3)
    assert result["run_result"]["stdout"] == "out\n"


def test_a_program_out_of_time_has_no_exit_code(server: Server) -> None:
    result = run(server, "import time\ntime.sleep(60)", run_timeout=0.5)

    assert result["status"] == "Failed"
    assert (result["run_result"]["status"], result["run_result"]["return_code"]) == (
        "TimeLimitExceeded",
        None,
    )


def test_files_go_in_and_come_out(server: Server) -> None:
    files = {"data/in.txt": base64.b64encode(b"hello").decode()}
    code = "open('out.txt', 'w').write(open('data/in.txt').read().upper())"

    result = run(server, code, files=files, fetch_files=["out.txt"])

    assert base64.b64decode(result["files"]["out.txt"]) == b"HELLO"


def test_an_unknown_language_is_422(server: Server) -> None:
    assert server.request("POST", "/run_code", {"code": "", "language": "verilog"}).status == 422


@pytest.mark.parametrize(("answer", "is_accepted"), [(DOUBLE, True), (WRONG, False)])
def test_submit_grades_a_case_of_a_served_set(server: Server, answer: str, is_accepted: bool) -> None:  # noqa: FBT001
    body = {"dataset": "small", "id": "double", "completion": f"```python\n{answer}```", "config": {}}

    result = server.request("POST", "/submit", body).json

    assert result["accepted"] is is_accepted
    assert result["tests"][0]["passed"] is is_accepted
    assert result["extracted_code"].strip() == answer.strip()


def test_submit_runs_no_code_of_its_client(server: Server) -> None:
    body = {"dataset": "small", "id": "double", "completion": "", "config": {"custom_extract_logic": "1"}}

    assert server.request("POST", "/submit", body).status == 422


def test_prompts_are_listed_without_tests(server: Server) -> None:
    prompts = server.request("POST", "/get_prompts", {"dataset": "small", "offset": 1, "limit": 2}).json

    assert server.request("GET", "/list_datasets").json[0] == "small"
    assert [prompt["id"] for prompt in prompts] == ["patient", "add"]
    assert server.request("POST", "/list_ids", {"dataset": "small"}).json[0] == "double"
    assert set(prompts[0]) == {"id", "prompt", "labels"}


def test_programs_in_compiled_languages_run(server: Server) -> None:
    code = '#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }\n'

    right = run(server, code, "cpp", stdin="2 3", compile_timeout=60)
    broken = run(server, "int main() { return }", "cpp", compile_timeout=60)

    assert (right["status"], right["run_result"]["stdout"]) == ("Success", "5\n")
    assert (broken["status"], broken["run_result"]) == ("Failed", None)
    assert broken["compile_result"]["return_code"] != 0
