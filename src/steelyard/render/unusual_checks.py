"""Say how many checks of a run did not go as usual."""

from steelyard.model.progress import SubjectProgress


def unusual_checks(total: SubjectProgress) -> list[str]:
    """Return a line for each unusual condition of checks, with the number of answers.

    >>> unusual_checks(SubjectProgress(broke_their_check=1, had_longer=2))[0]
    'broke their own check, counted as failures: 1 (the check of a known answer worked)'
    """
    lines = []
    if total.broke_their_check:
        count = f"{total.broke_their_check:,}"
        lines.append(
            f"broke their own check, counted as failures: {count} (the check of a known answer worked)"
        )
    if total.had_longer:
        lines.append(f"got longer than their time limit, since the machine was busy: {total.had_longer:,}")
    if total.memory_unlimited:
        count = f"{total.memory_unlimited:,}"
        lines.append(
            f"memory: not limited (no control groups; see `steelyard doctor`), answers checked: {count}"
        )
    return lines
