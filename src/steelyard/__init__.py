"""Steelyard weighs code written by language models.

Public names only. Each one is loaded when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steelyard.analysis.compare import compare_reports as compare_reports
    from steelyard.analysis.gate import confirm_reports as confirm_reports
    from steelyard.analysis.gate import gate_anytime as gate_anytime
    from steelyard.analysis.gate import gate_reports as gate_reports
    from steelyard.analysis.gate import look_at_reports as look_at_reports
    from steelyard.analysis.gate import plan_confirmation as plan_confirmation
    from steelyard.analysis.plan import allocate_samples as allocate_samples
    from steelyard.analysis.plan import plan_samples as plan_samples
    from steelyard.analysis.plan import plan_samples_by_profile as plan_samples_by_profile
    from steelyard.app.baseline import find_report as find_report
    from steelyard.app.baseline import has_baseline as has_baseline
    from steelyard.app.baseline import list_baselines as list_baselines
    from steelyard.app.baseline import read_baseline as read_baseline
    from steelyard.app.baseline import set_baseline as set_baseline
    from steelyard.app.evaluate import evaluate_directory as evaluate_directory
    from steelyard.app.report import report_at as report_at
    from steelyard.app.report import report_run as report_run
    from steelyard.app.run_handle import Run as Run
    from steelyard.app.run_handle import open_run as open_run
    from steelyard.app.score import score_files as score_files
    from steelyard.errors import SteelyardError as SteelyardError
    from steelyard.metrics.cost import TokenPrice as TokenPrice
    from steelyard.metrics.cost import cost_of_pass as cost_of_pass
    from steelyard.metrics.cost import cost_usd as cost_usd
    from steelyard.metrics.grades import letter_grade as letter_grade
    from steelyard.metrics.intervals import mean_interval as mean_interval
    from steelyard.metrics.intervals import rerun_interval as rerun_interval
    from steelyard.metrics.pass_at_k import pass_at_k as pass_at_k
    from steelyard.metrics.pass_at_k import pass_hat_k as pass_hat_k
    from steelyard.metrics.regression import change_kind as change_kind
    from steelyard.metrics.rules import RuleChoice as RuleChoice
    from steelyard.metrics.scoring import build_test_lint_score as build_test_lint_score
    from steelyard.metrics.scoring import composite_score as composite_score
    from steelyard.metrics.suites import overall_score as overall_score
    from steelyard.metrics.suites import suite_score as suite_score
    from steelyard.metrics.summaries import statistics as statistics
    from steelyard.metrics.tiers import tier_uplift as tier_uplift
    from steelyard.model.baseline import Baseline as Baseline
    from steelyard.model.comparison import Comparison as Comparison
    from steelyard.model.evalset import EvalSet as EvalSet
    from steelyard.model.gate import GateReport as GateReport
    from steelyard.model.naming import Naming as Naming
    from steelyard.model.options import LatencyBounds as LatencyBounds
    from steelyard.model.options import ReportOptions as ReportOptions
    from steelyard.model.plan import Demand as Demand
    from steelyard.model.policy import Duplicates as Duplicates
    from steelyard.model.policy import Errors as Errors
    from steelyard.model.policy import Missing as Missing
    from steelyard.model.policy import SpreadLimit as SpreadLimit
    from steelyard.model.report import Report as Report
    from steelyard.model.verdict import GateRule as GateRule
    from steelyard.model.verdict import Inconclusive as Inconclusive
    from steelyard.model.verdict import Verdict as Verdict
    from steelyard.sources.evalset.read import read_eval_set as read_eval_set
    from steelyard.sources.evaluation_config import read_evaluation_config as read_evaluation_config
    from steelyard.sources.record_file import read_report as read_report
    from steelyard.sources.synthetic import SyntheticPlan as SyntheticPlan
    from steelyard.sources.synthetic import write_synthetic as write_synthetic
    from steelyard.store.run.excerpts import sample_excerpts as sample_excerpts
    from steelyard.store.run.export import export_run as export_run
    from steelyard.store.run.importing import import_files as import_files
    from steelyard.store.run.query import Rows as Rows

_HOMES = {
    "Baseline": "steelyard.model.baseline",
    "Comparison": "steelyard.model.comparison",
    "Demand": "steelyard.model.plan",
    "Duplicates": "steelyard.model.policy",
    "Errors": "steelyard.model.policy",
    "EvalSet": "steelyard.model.evalset",
    "GateReport": "steelyard.model.gate",
    "GateRule": "steelyard.model.verdict",
    "Inconclusive": "steelyard.model.verdict",
    "LatencyBounds": "steelyard.model.options",
    "Missing": "steelyard.model.policy",
    "Naming": "steelyard.model.naming",
    "Report": "steelyard.model.report",
    "ReportOptions": "steelyard.model.options",
    "Rows": "steelyard.store.run.query",
    "RuleChoice": "steelyard.metrics.rules",
    "Run": "steelyard.app.run_handle",
    "SpreadLimit": "steelyard.model.policy",
    "SteelyardError": "steelyard.errors",
    "SyntheticPlan": "steelyard.sources.synthetic",
    "TokenPrice": "steelyard.metrics.cost",
    "Verdict": "steelyard.model.verdict",
    "allocate_samples": "steelyard.analysis.plan",
    "build_test_lint_score": "steelyard.metrics.scoring",
    "change_kind": "steelyard.metrics.regression",
    "compare_reports": "steelyard.analysis.compare",
    "composite_score": "steelyard.metrics.scoring",
    "confirm_reports": "steelyard.analysis.gate",
    "cost_of_pass": "steelyard.metrics.cost",
    "cost_usd": "steelyard.metrics.cost",
    "evaluate_directory": "steelyard.app.evaluate",
    "export_run": "steelyard.store.run.export",
    "find_report": "steelyard.app.baseline",
    "gate_anytime": "steelyard.analysis.gate",
    "gate_reports": "steelyard.analysis.gate",
    "has_baseline": "steelyard.app.baseline",
    "import_files": "steelyard.store.run.importing",
    "letter_grade": "steelyard.metrics.grades",
    "list_baselines": "steelyard.app.baseline",
    "look_at_reports": "steelyard.analysis.gate",
    "mean_interval": "steelyard.metrics.intervals",
    "open_run": "steelyard.app.run_handle",
    "overall_score": "steelyard.metrics.suites",
    "pass_at_k": "steelyard.metrics.pass_at_k",
    "pass_hat_k": "steelyard.metrics.pass_at_k",
    "plan_confirmation": "steelyard.analysis.gate",
    "plan_samples": "steelyard.analysis.plan",
    "plan_samples_by_profile": "steelyard.analysis.plan",
    "read_baseline": "steelyard.app.baseline",
    "read_eval_set": "steelyard.sources.evalset.read",
    "read_evaluation_config": "steelyard.sources.evaluation_config",
    "read_report": "steelyard.sources.record_file",
    "report_at": "steelyard.app.report",
    "report_run": "steelyard.app.report",
    "rerun_interval": "steelyard.metrics.intervals",
    "sample_excerpts": "steelyard.store.run.excerpts",
    "score_files": "steelyard.app.score",
    "set_baseline": "steelyard.app.baseline",
    "statistics": "steelyard.metrics.summaries",
    "suite_score": "steelyard.metrics.suites",
    "tier_uplift": "steelyard.metrics.tiers",
    "write_synthetic": "steelyard.sources.synthetic",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # one list of names, not two that can drift apart


def __getattr__(name: str) -> object:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'steelyard' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
