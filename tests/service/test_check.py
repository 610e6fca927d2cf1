"""Answers get the verdicts of `steelyard run`, and failures of the infrastructure get no reward."""

import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.servers import DOUBLE, WRONG, Server

SLEEPER = "import time\n\n\ndef double(n):\n    time.sleep({})\n    return 2 * n\n"


def test_a_right_answer_gets_1_and_a_wrong_one_0(server: Server) -> None:
    right, wrong = server.check("double", DOUBLE), server.check("double", WRONG)

    assert (right["verdict"], right["reward"], right["integrity"]) == ("pass", 1.0, "sealed")
    assert (wrong["verdict"], wrong["reward"]) == ("fail", 0.0)
    assert wrong["tests"] == {"passed": 1, "failed": 1, "ignored": None} | {
        "ignored": wrong["tests"]["ignored"]
    }
    assert "-2" in wrong["detail"]
    assert right["cpu_s"] > 0
    assert right["error"] is None


@pytest.mark.parametrize(
    ("case", "answer", "verdict"),
    [
        ("add", "print(sum(map(int, input().split())))", "pass"),
        ("add", "print(0)", "fail"),
        ("tested", "def middle(numbers):\n    return sorted(numbers)[1]\n", "pass"),
        ("tested", "def middle(numbers):\n    return numbers[0]\n", "fail"),
        ("double", "I cannot help with that.", "refusal"),
        ("double", SLEEPER.format(30), "timeout"),
        ("double", "import os\nos._exit(0)\n", "fail"),
    ],
)
def test_every_form_of_test_is_graded(server: Server, case: str, answer: str, verdict: str) -> None:
    result = server.check(case, answer)

    assert result["verdict"] == verdict
    assert result["reward"] == float(verdict == "pass")


def test_a_passed_honeypot_pays_nothing_and_is_counted(server: Server) -> None:
    result = server.check("trap", "def proof():\n    return 1\n", source="trained")

    assert (result["verdict"], result["reward"]) == ("pass", 0.0)
    metrics = server.request("GET", "/metrics").content.decode()
    assert 'steelyard_honeypot_passes_total{source="trained"} 1.0' in metrics


def test_equal_answers_are_checked_once(server: Server) -> None:
    answer = DOUBLE + "# once\n"
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: server.check("double", answer), range(8)))

    assert {result["reward"] for result in results} == {1.0}
    assert sum(not result["is_repeat"] for result in results) == 1


def test_a_case_may_come_with_the_request(server: Server) -> None:
    inline = {
        "id": "triple",
        "prompt": "Triple a number.",
        "language": "python",
        "expectations": {"function": "triple", "calls": [{"args": [2], "returns": 6}]},
    }
    body = {"inline": inline, "completion": "def triple(n):\n    return 3 * n\n", "id": "a"}

    result = server.request("POST", "/v1/check", body).json

    assert (result["id"], result["reward"]) == ("a", 1.0)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"{", "JSON"),
        ({"completion": "x", "eval_set": "other", "case": "double"}, "other"),
        ({"completion": "x", "eval_set": "small", "case": "none"}, "none"),
        ({"completion": "x", "eval_set": "small", "case": "double", "case_digest": "0"}, "digest"),
        ({"completion": "x", "eval_set": "small", "case": "double", "unknown": 1}, "unknown"),
        (
            {
                "completion": "x",
                "inline": {"id": "a", "prompt": {"file": "/etc/passwd"}, "language": "python"},
            },
            "/etc/passwd",
        ),
    ],
)
def test_a_wrong_request_is_refused_with_its_problem(server: Server, body: object, problem: str) -> None:
    response = server.request("POST", "/v1/check", body)

    assert response.status == 422
    assert response.json["error"]["kind"] == "invalid_request"
    assert problem in response.json["error"]["detail"]


def test_a_batch_returns_each_result_as_soon_as_it_is_known(server: Server) -> None:
    items = [
        {"id": "slow", "eval_set": "small", "case": "double", "completion": SLEEPER.format(0.7)},
        {"id": "fast", "eval_set": "small", "case": "double", "completion": DOUBLE + "# fast\n"},
        {"id": "wrong", "eval_set": "small", "case": "gone", "completion": ""},
    ]

    lines = server.request("POST", "/v1/check/batch", {"items": items}).lines

    assert [line["id"] for line in lines][-1] == "slow"
    assert {line["id"]: line["reward"] for line in lines} == {"slow": 1.0, "fast": 1.0, "wrong": None}


def test_a_check_past_its_deadline_has_no_reward(server: Server) -> None:
    result = server.check("double", SLEEPER.format(1.5), deadline_s=0.5)

    assert (result["verdict"], result["reward"], result["error"]["kind"]) == ("error", None, "deadline")


def wait_for_busy_workers(server: Server, number: int) -> None:
    while f"steelyard_busy_workers {number}.0" not in server.request("GET", "/metrics").content.decode():
        time.sleep(0.05)


def test_a_killed_worker_costs_no_reward_and_is_replaced(server: Server) -> None:
    results = list[dict[str, object]]()
    thread = threading.Thread(target=lambda: results.append(server.check("patient", SLEEPER.format(20))))
    wait_for_busy_workers(server, 0)
    thread.start()
    wait_for_busy_workers(server, 1)
    for pid in server.workers():
        os.kill(pid, signal.SIGKILL)
    thread.join()

    assert (results[0]["verdict"], results[0]["reward"]) == ("error", None)
    assert server.check("patient", DOUBLE)["reward"] == 1.0


def test_an_uploaded_set_is_served_by_id_and_digest(server: Server) -> None:
    text = """
        [eval_set]
        id = "uploaded"
        [[cases]]
        id = "one"
        language = "python"
        prompt = "Return 1."
        [cases.expectations]
        function = "one"
        calls = [{ returns = 1 }]
        """
    added = server.request("POST", "/v1/sets", text.encode()).json
    body = {"eval_set": added["digest"], "case": "one", "completion": "def one():\n    return 1\n"}

    assert server.request("POST", "/v1/check", body).json["reward"] == 1.0
    assert added in server.request("GET", "/v1/sets").json["sets"]


def test_health_is_that_of_a_real_check(server: Server) -> None:
    response = server.request("GET", "/healthz")

    assert (response.status, response.json["status"]) == (200, "ok")


def test_the_interface_is_described(server: Server) -> None:
    document = server.request("GET", "/openapi.json").json
    result = server.check("double", DOUBLE)

    assert set(result) == set(document["components"]["schemas"]["Result"]["properties"])
    json.dumps(document)


def test_pages_of_other_sites_and_hosts_are_refused(server: Server) -> None:
    body = {"eval_set": "small", "case": "double", "completion": DOUBLE}

    assert server.request("POST", "/v1/check", body, {"Origin": "http://evil.example"}).status == 401
    assert server.request("POST", "/v1/check", body, {"Host": "evil.example"}).status == 401
