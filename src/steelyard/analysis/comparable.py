"""Refuse two reports that cannot be compared."""

from steelyard.analysis.fixed_samples import require_fixed_samples
from steelyard.errors import UserError
from steelyard.model.report import Report


def require_comparable(baseline: Report, current: Report) -> None:
    """Refuse scores that were given by different rules, and samples that a stop rule ended."""
    before, after = baseline.settings.scoring, current.settings.scoring
    if before != after:
        raise UserError(
            f"the reports were scored by different rules ({before.name} version {before.version} with "
            f"{before.parameters or 'no parameters'}; {after.name} version {after.version} with "
            f"{after.parameters or 'no parameters'}); score both the same way first"
        )
    if baseline.settings.errors is not current.settings.errors:
        raise UserError(
            "one report counts infrastructure errors as failures (`errors=fail`), the other excludes them; "
            "score both the same way first"
        )
    require_fixed_samples(baseline, where="the baseline")
    require_fixed_samples(current, where="the current report")
