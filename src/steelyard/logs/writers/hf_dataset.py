"""Write a data set for the Hugging Face hub: JSON lines of answers, and a card.

`datasets.load_dataset("json", …)`, `steelyard score` and `steelyard import` can read it.
"""

from pathlib import Path

from steelyard.logs.writing import unsupported, write_lines, write_whole
from steelyard.model.log import Exported, ExportedRun, LogRow

UNSUPPORTED = ("expected answers", "cached or reasoning tokens", "numbers of tests", "finish reasons")
CARD = """\
---
configs:
- config_name: default
  data_files:
  - split: test
    path: data/answers.jsonl
---

# {id}

{rows} answers of {models} to {cases} cases, exported by {generator}. A row is one answer: `passed` is null
where the infrastructure failed, `score` lies between 0 and 1, money is in US dollars and time in seconds.
"""


class HfDatasetWriter:
    """Writes a data set into a folder."""

    def write(self, run: ExportedRun, folder: Path) -> Exported:
        """Write the answers and the card."""
        answers = write_lines(folder / "data" / "answers.jsonl", map(_line, run.rows))
        models = ", ".join(f"`{model}`" for model in dict.fromkeys(row.model for row in run.rows))
        card = CARD.format(
            id=run.id,
            rows=len(run.rows),
            models=models,
            cases=len({(row.suite, row.case) for row in run.rows}),
            generator=run.generator,
        )
        readme = write_whole(folder / "README.md", lambda path: path.write_text(card, encoding="utf-8"))
        dropped = unsupported(run.rows, "the data set", *UNSUPPORTED)
        return Exported(files=(answers, readme), rows=len(run.rows), left_out=dropped)


def _line(row: LogRow) -> dict[str, object]:
    return {
        "model": row.model,
        "tier": row.tier,
        "suite": row.suite,
        "case_id": row.case,
        "attempt": row.attempt,
        "classification": None if row.classification is None else str(row.classification),
        "passed": row.passed,
        "score": row.score,
        "cost_usd": row.cost_usd,
        "latency_s": row.latency_s,
        "tokens_in": row.tokens_in,
        "tokens_out": row.tokens_out,
        "prompt": row.prompt,
        "answer": row.answer,
        "output": row.output,
    }
