"""Refuse reports whose samples were drawn until something happened, where counts are compared as they are."""

from steelyard.errors import UserError
from steelyard.model.report import Report


def require_fixed_samples(report: Report, *, where: str) -> None:
    """Require a fixed number of samples: the counts of a case that a stop rule ended cannot be compared."""
    rule = report.settings.stop_rule
    if rule is not None:
        raise UserError(
            f"{where}: sampling stopped by the rule {rule}, so that passes / samples is biased and two runs "
            f"cannot be compared by it.\nDraw both runs with a fixed number of samples"
        )
