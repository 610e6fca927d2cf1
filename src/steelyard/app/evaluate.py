"""Evaluate a folder of fixes: outcome files, pass@k for each model, and a summary.

Files with the column `plausible_fix` are counted; the others are validated in a sandbox first.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import cast

from steelyard.app.score import score_files
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.options import ColumnMapping, ReportOptions
from steelyard.model.report import Report
from steelyard.plugins import SANDBOXES, VALIDATORS, load
from steelyard.ports import Fix, Sandbox, Validator, ValidatorMaker
from steelyard.render.passk_table import pass_at_k_csv
from steelyard.sources.evaluation_config import DataType, EvaluationConfig
from steelyard.sources.fixes_file import fix_rows, outcome_table
from steelyard.sources.synthetic import PROBLEMS_FILE, SyntheticPlan, write_synthetic
from steelyard.store.files import input_files, models_of_files
from steelyard.store.headers import header

SUMMARY_FILE = "summary_pass_at_k.csv"
NAMES_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Result of a folder evaluation: one report per model, and written files."""

    reports: tuple[Report, ...]
    problems: Path | None
    written: tuple[Path, ...]

    @property
    def rows(self) -> list[tuple[str, list[float | None]]]:
        """The table: model, then pass@k for each k."""
        return _list_rows(self.reports)


def evaluate_directory(config: EvaluationConfig, *, validator: Validator | None = None) -> Evaluation:
    """Evaluate the selected files of `fixes_dir` and write the results to `output_dir`.

    Args:
        config: Folders, models, k and selection.
        validator: Validates fixes without outcomes. Default: the configured plug-in.

    Raises:
        InputError: A folder or a file is missing or invalid.
    """
    fixes_dir, output_dir = Path(config.fixes_dir), Path(config.output_dir)
    if config.generate_synthetic_data:
        write_synthetic(fixes_dir, SyntheticPlan())
    chosen = _select_files(fixes_dir, config)
    problems = _find_problems(config)
    _make_folder(output_dir)
    reports, written = [], []
    for path, model in models_of_files(chosen, any_name=True).items():
        outcomes = _provide_outcomes(path, output_dir / f"{model}_fixes.csv", config, validator)
        # Read existing outcomes in place: errors must name the user's file.
        report = score_files(
            [path if _has_outcomes(path) else outcomes],
            problems=problems,
            naming=ColumnMapping(model=model),
            options=ReportOptions(pass_k=tuple(sorted(set(config.k_values)))),
        )
        table = output_dir / f"{model}_pass_at_k.csv"
        _write_text(table, pass_at_k_csv(_list_rows([report]), report.settings.pass_k))
        reports.append(report)
        written += [outcomes, table]
    summary = output_dir / SUMMARY_FILE
    _write_text(summary, pass_at_k_csv(_list_rows(reports), reports[0].settings.pass_k))
    return Evaluation(reports=tuple(reports), problems=problems, written=(*written, summary))


def _select_files(folder: Path, config: EvaluationConfig) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; set fixes_dir to the folder of CSV files")
    paths = [path for path in sorted(folder.glob("*.csv")) if _is_fixes_file(path)]
    chosen = [path for path in paths if _is_selected(path.name, config)]
    if not chosen:
        names = ", ".join(path.name for path in paths[:NAMES_SHOWN]) or "no CSV file"
        more = f" and {len(paths) - NAMES_SHOWN} more" if len(paths) > NAMES_SHOWN else ""
        raise InputError(
            f"{folder}: no file matches models={list(config.models)} and data_type={config.data_type}; "
            f"the folder has {names}{more}"
        )
    return [file.path for file in input_files(chosen)]


def _is_fixes_file(path: Path) -> bool:
    # The folder may contain results of an earlier evaluation.
    return path.name != PROBLEMS_FILE and not path.stem.endswith("_pass_at_k")


def _is_selected(name: str, config: EvaluationConfig) -> bool:
    is_synthetic = "synthetic" in name
    if config.data_type is DataType.SYNTHETIC and not is_synthetic:
        return False
    if config.data_type is DataType.REAL and is_synthetic:
        return False
    return not config.models or any(model in name for model in config.models)


def _find_problems(config: EvaluationConfig) -> Path | None:
    if config.problems_csv is not None:
        return Path(config.problems_csv)
    candidates = (Path(folder) / PROBLEMS_FILE for folder in (config.fixes_dir, config.output_dir))
    return next((path for path in candidates if path.is_file()), None)


def _has_outcomes(path: Path) -> bool:
    return "plausible_fix" in {name.lower() for name in header(path, delimiter=",").columns}


def _provide_outcomes(
    path: Path, outcomes: Path, config: EvaluationConfig, validator: Validator | None
) -> Path:
    """Return the file of a model's outcomes; write or copy it if it is in another folder."""
    is_same_folder = path.parent.resolve() == outcomes.parent.resolve()
    if _has_outcomes(path):
        if is_same_folder:
            return path  # the next evaluation would count a copy as another model
        _copy_file(path, outcomes)
        return outcomes
    if is_same_folder:
        raise InputError(
            f"{path}: is in the output_dir, where its outcomes would overwrite it; choose another output_dir"
        )
    _write_text(outcomes, _validate_fixes(path, config, validator))
    return outcomes


def _validate_fixes(path: Path, config: EvaluationConfig, validator: Validator | None) -> str:
    rows = fix_rows(path)
    checker = validator if validator is not None else _load_validator(config)
    fixes = [
        Fix(case=row["oid"], attempt=row["iteration_id"], filename=row["filename"], text=row["fixed_file"])
        for row in rows
    ]
    verdicts = checker.validate(fixes, clones_dir=config.clones_dir)
    if len(verdicts) != len(fixes):
        raise InfrastructureError(
            f"{path}: the validator returned {len(verdicts)} results for {len(fixes)} fixes"
        )
    return outcome_table(rows, verdicts)


def _load_validator(config: EvaluationConfig) -> Validator:
    make = cast("ValidatorMaker", load(VALIDATORS, config.validator, group="validators"))
    sandbox = cast("Callable[[], Sandbox]", load(SANDBOXES, "bubblewrap", group="sandboxes"))
    return make(sandbox(), providers=config.providers_dir)


def _list_rows(reports: Sequence[Report]) -> list[tuple[str, list[float | None]]]:
    return [
        (subject.model, [at_k.estimate.value for at_k in subject.pass_at_k])
        for report in reports
        for subject in report.subjects
    ]


def _make_folder(folder: Path) -> None:
    with _translate_errors(folder, "created"):
        folder.mkdir(parents=True, exist_ok=True)


def _copy_file(source: Path, target: Path) -> None:
    with _translate_errors(target, "written"):
        copyfile(source, target)


def _write_text(path: Path, text: str) -> None:
    with _translate_errors(path, "written"):
        path.write_text(text, encoding="utf-8", newline="")


@contextmanager
def _translate_errors(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a NUL in a path is a ValueError
        raise InputError(f"{path}: cannot be {what} ({getattr(error, 'strerror', None) or error})") from None
