"""Examples for each command's help; a test parses them all."""

from collections.abc import Iterable, Mapping
from typing import Any

EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "init": ("init", "init my-set --from-csv tasks.csv"),
    "validate": ("validate evals/my-set", "validate evals/my-set --references"),
    "audit": ("audit evals/my-set", "audit evals/my-set --runs 5 --mutants 50 --json"),
    "serve": ("serve evals/my-set", "serve evals/my-set --host 0.0.0.0 --workers 8"),
    "doctor": ("doctor", "doctor --json"),
    "benchmarks list": ("benchmarks list",),
    "benchmarks show": ("benchmarks show humaneval+",),
    "benchmarks fetch": ("benchmarks fetch humaneval+",),
    "benchmarks verify": ("benchmarks verify humaneval+",),
    "run": (
        "run evals/my-set --models openai/gpt-4o,anthropic/sonnet-4 --dry-run",
        "run evals/my-set --models openai/gpt-4o --samples 5 --max-usd 2 -o report.html",
        "run --resume runs/my-run",
    ),
    "regrade": ("regrade runs/my-run --eval-set evals/my-set",),
    "score": (
        "score outcomes.csv --pass-k 1,5",
        "score results.jsonl --map case=name --map passed=scores.verify.value",
        "score table.csv --wide gpt-4,claude-3 -o report.html",
    ),
    "report": ("report runs/my-run", "report runs/my-run --pass-k 1,5 -o report.html"),
    "view": ("view runs/my-run",),
    "runs": ("runs", "runs s3://bucket/runs --json"),
    "show": ("show runs/my-run", "show runs/my-run my-case", "show runs/before my-case --beside runs/after"),
    "compare": (
        "compare --baseline before.json --current after.json",
        "compare before.json after.json",
        "compare runs/my-run",
        "compare runs/my-run --subjects openai/gpt-4o anthropic/sonnet-4",
    ),
    "gate": (
        "gate --baseline main --current runs/my-run",
        "gate --baseline before.csv --current after.csv --margin 0.1",
    ),
    "ci": ("ci --current runs/my-run --comment", "ci --current runs/my-run --keep"),
    "plan": ("plan --from runs/my-run --drop 0.05", "plan --profile u-shaped --cases 100"),
    "import": ("import results.jsonl --run runs/imported", "import logs/eval.eval --run runs/imported"),
    "merge": ("merge runs/shard-1 runs/shard-2 --into runs/whole",),
    "export": ("export runs/my-run -o rows.parquet",),
    "pass-at-k": (
        "pass-at-k outcomes.csv --k-values 1 5 10",
        "pass-at-k --config evaluation_config.json",
    ),
    "baseline set": ("baseline set main runs/my-run",),
    "baseline list": ("baseline list", "baseline list --json"),
    "baseline show": ("baseline show main",),
    "baseline remove": ("baseline remove main",),
    "baseline history": ("baseline history",),
}


def examples_of(path: str, parameters: Iterable[Any]) -> str:
    """Format a command's examples and the environment variables of its options."""
    program, _, command = path.partition(" ")
    lines = [f"  {program} {example}" for example in EXAMPLES.get(command, ())]
    epilogue = ["Examples:", *lines] if lines else []
    options = [
        parameter
        for parameter in parameters
        if parameter.param_type_name == "option" and parameter.allow_from_autoenv
    ]
    if options:
        prefix = path.upper().replace(" ", "_").replace("-", "_")
        first = options[0]
        variable = first.envvar or f"{prefix}_{first.name.upper()}"
        epilogue += ["", f"Environment: {prefix}_OPTION sets an option, as {variable} sets {first.opts[0]}."]
    return "\n".join(epilogue) + "\n"
