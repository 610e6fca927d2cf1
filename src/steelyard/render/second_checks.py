"""Say how many checks of a run had to be looked into twice."""

from steelyard.model.progress import SubjectProgress


def checked_twice(total: SubjectProgress) -> list[str]:
    """Return a line for answers that broke their own check, and one for those a busy machine slowed down.

    >>> checked_twice(SubjectProgress(broke_their_check=1, ran_again=2))[0]
    'broke their own check, counted as failures: 1 (the check of a known answer worked)'
    """
    lines = []
    if total.broke_their_check:
        count = f"{total.broke_their_check:,}"
        lines.append(
            f"broke their own check, counted as failures: {count} (the check of a known answer worked)"
        )
    if total.ran_again:
        lines.append(f"timed out on a busy machine, run once more alone: {total.ran_again:,}")
    return lines
