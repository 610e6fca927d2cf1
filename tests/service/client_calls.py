"""Call a service with unchanged clients of trainers, in a Python that has them; print JSON.

Usage: python client_calls.py URL. It needs sandbox-fusion, and verl without its dependencies.
"""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
TESTS = {"inputs": ["1 2\n", "5 -7\n"], "outputs": ["3\n", "-2\n"]}
ANSWER = "```python\ndef double(n): return {}\n```"
FUNCTION = {"inputs": ["[1, 2]\n3", "[]\n0"], "outputs": ["[1, 2, 3]", "[0]"], "fn_name": "append"}


def verl_scorer() -> ModuleType:
    """Load verl's module for SandboxFusion; the whole package would need torch."""
    spec = importlib.util.find_spec("verl")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "utils/reward_score/sandbox_fusion/__init__.py"
    loaded = importlib.util.spec_from_file_location(
        "verl_fusion", path, submodule_search_locations=[str(path.parent)]
    )
    assert loaded is not None
    assert loaded.loader is not None
    module = importlib.util.module_from_spec(loaded)
    sys.modules["verl_fusion"] = module
    loaded.loader.exec_module(module)
    return module


def verl_score(module: ModuleType, url: str, code: str, tests: object, *, first: bool = False) -> float:
    """Return verl's score of an answer."""
    score, _ = module.compute_score(
        f"{url}/run_code", None, 512, f"```python\n{code}```", json.dumps(tests), continuous=first, timeout=10
    )
    return float(score)


def main(url: str) -> dict[str, Any]:
    """Return what each client made of the service's replies."""
    from sandbox_fusion import (  # type: ignore[import-not-found]  # noqa: PLC0415  # only in the other Python
        RunCodeRequest,
        SubmitRequest,
        run_code,
        set_endpoint,
        submit,
    )

    set_endpoint(url)
    ran = run_code(RunCodeRequest(code=ADD, language="python", stdin="20 22"))
    late = run_code(RunCodeRequest(code="while True: pass", language="python", run_timeout=1))
    right, wrong = (
        submit(SubmitRequest(dataset="small", id="double", completion=ANSWER.format(result), config={}))
        for result in ("2 * n", "n")
    )
    verl = verl_scorer()
    appended = "class Solution:\n    def append(self, a, b):\n        return a + [b]\n"
    return {
        "run": [ran.status, ran.run_result.stdout, ran.run_result.return_code],
        "late": [late.status, late.run_result.status],
        "submit": [right.accepted, wrong.accepted],
        "verl": [
            verl_score(verl, url, ADD, TESTS),
            verl_score(verl, url, ADD, TESTS, first=True),
            verl_score(verl, url, ADD.replace("+", "*"), TESTS),
            verl_score(verl, url, appended, FUNCTION),
        ],
    }


if __name__ == "__main__":
    json.dump(main(sys.argv[1]), sys.stdout)
