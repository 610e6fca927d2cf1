"""Records of HumanEval-X become cases, those with an upstream defect too."""

from steelyard.benchmarks.humaneval_x import cpp
from tests.benchmarks.records import CPP


def test_a_declaration_that_holds_half_of_the_solution_is_not_taken() -> None:
    head, body = "#include <vector>\nint twice(int n){\n", "    for (;;) {\n        return 2 * n;\n    }\n}\n"
    record = {**CPP, "declaration": head, "prompt": f"/* Doubles n. */{head}", "canonical_solution": body}

    assert cpp({**record, "declaration": f"{head}    for (;;) {{\n"}) == cpp(record)
    assert cpp(record).solution == head + body
