"""Write a log of Inspect with any number of samples, by Inspect's own library; for `view_peers`.

The library writes one sample, and the others are copies with numbers of their own: its writer takes 12 ms for
each. Run by a Python that has inspect-ai: inspect_log.py FILE SAMPLES ANSWER
"""

import json
import sys
import zipfile
from pathlib import Path

import zipfile_zstd  # noqa: F401  # teaches `zipfile` how Inspect compresses
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score

NAME = "case-NUMBER"
NUMBER = "NUMBER"
MODEL = "vendor/model-00"


def main() -> int:
    """Write the log."""
    path, samples, answer = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    one = path.with_name("one.eval")
    write_eval_log(_log(samples, answer), str(one))
    _multiply(one, path, samples)
    one.unlink()
    return 0


def _log(samples: int, answer: str) -> EvalLog:
    answer = f"{answer}\n# {NUMBER}"
    asked = f"Write function {NUMBER}."
    sample = EvalSample(
        id=NAME,
        epoch=1,
        input=asked,
        target="pass",
        messages=[ChatMessageUser(content=asked), ChatMessageAssistant(content=answer)],
        output=ModelOutput.from_content(MODEL, answer),
        scores={"verify": Score(value="C", answer=answer)},
    )
    accuracy = EvalScore(
        name="verify", scorer="verify", metrics={"accuracy": EvalMetric(name="accuracy", value=1)}
    )
    return EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-11-17T00:00:00+00:00",
            task="scale",
            dataset=EvalDataset(name="scale", samples=samples),
            model=MODEL,
            config=EvalConfig(),
        ),
        plan=EvalPlan(),
        results=EvalResults(total_samples=samples, completed_samples=samples, scores=[accuracy]),
        stats=EvalStats(),
        samples=[sample],
    )


def _multiply(one: Path, path: Path, samples: int) -> None:
    with zipfile.ZipFile(one) as small, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as large:
        for name in ("_journal/start.json", "header.json"):
            large.writestr(name, small.read(name))
        sample = small.read(f"samples/{NAME}_epoch_1.json").decode()
        (summary,) = json.loads(small.read("summaries.json"))
        numbers = [f"{number:07d}" for number in range(samples)]
        for number in numbers:
            large.writestr(f"samples/case-{number}_epoch_1.json", sample.replace(NUMBER, number))
        text = json.dumps(summary)
        large.writestr("summaries.json", f"[{','.join(text.replace(NUMBER, number) for number in numbers)}]")


if __name__ == "__main__":
    sys.exit(main())
