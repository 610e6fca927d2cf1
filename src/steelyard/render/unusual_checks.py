"""Say how many checks of a run did not go as usual."""

from steelyard.model.progress import SubjectProgress


def unusual_checks(total: SubjectProgress) -> list[str]:
    """Return a line for answers that broke their own check, and one for those a busy machine slowed down.

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
    return lines
