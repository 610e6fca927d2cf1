"""Read scored generations of CRUXEval: answers and verdicts, in two tables by sample."""

from collections.abc import Sequence
from pathlib import Path

from steelyard.errors import InputError
from steelyard.logs.collect import Collector, model_name
from steelyard.logs.files import document, top
from steelyard.logs.record import Record, clean
from steelyard.model.log import Log, LogOptions, LogRow

ANSWERS, VERDICTS = "raw_generations", "raw_scored_generations"


class CruxEvalReader:
    """Reads scored generations of CRUXEval."""

    def recognise(self, path: Path) -> bool:
        """Whether a file has answers and verdicts by sample."""
        return {ANSWERS, VERDICTS} <= top(path).keys()

    def read(self, paths: Sequence[Path], options: LogOptions) -> Log:
        """Read scored generations."""
        collector = Collector()
        for path in paths:
            scored = Record(document(path), str(path))
            answers, verdicts = scored.record(ANSWERS), scored.record(VERDICTS)
            for case in verdicts:
                graded, texts = verdicts.items(case), answers.items(case)
                if len(texts) != len(graded):
                    raise InputError(f"{path}: {case}: {len(graded)} verdicts, but {len(texts)} answers")
                for attempt, (passed, text) in enumerate(zip(graded, texts, strict=True)):
                    if not isinstance(passed, bool):
                        verdicts.refuse(case, "a list of true and false")
                    collector.rows.append(
                        LogRow(
                            model=model_name(options, path),
                            tier=options.tier,
                            suite=options.suite or "cruxeval",
                            case=case,
                            attempt=attempt,
                            passed=passed,
                            answer=clean(text) if isinstance(text, str) else None,
                        )
                    )
        return collector.log("CRUXEval")
