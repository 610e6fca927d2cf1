def merge_intervals(intervals):
    """Merge overlapping intervals."""
    for start, end in intervals:
        if end < start:
            raise ValueError(f"invalid interval: ({start}, {end})")
    merged = []
    for start, end in sorted(intervals):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
