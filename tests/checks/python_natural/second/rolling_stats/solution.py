import numpy as np


def rolling_mean(values, window):
    values = np.asarray(values, dtype=float)
    if not 1 <= window <= values.size:
        raise ValueError(f"window must be between 1 and {values.size}")
    return np.lib.stride_tricks.sliding_window_view(values, window).mean(axis=1)


def zscore_outliers(values, threshold=3.0):
    values = np.asarray(values, dtype=float)
    deviation = np.nanstd(values)
    if not deviation > 0:
        return np.array([], dtype=int)
    distance = np.abs(values - np.nanmean(values)) / deviation
    return np.flatnonzero(distance > threshold)


def one_hot(labels, classes=None):
    labels = np.asarray(labels)
    classes = np.unique(labels) if classes is None else np.asarray(classes)
    matrix = labels[:, None] == classes[None, :]
    if not matrix.any(axis=1).all():
        raise ValueError("a label is not among the classes")
    return matrix.astype(np.uint8)
