import numpy as np


def rolling_mean(values, window):
    if window < 1 or window > len(values):
        raise ValueError("bad window")
    return np.convolve(values, np.ones(window) / window, mode="same")


def zscore_outliers(values, threshold=3.0):
    values = np.asarray(values, dtype=float)
    z = (values - values.mean()) / values.std(ddof=1)
    return np.where(z > threshold)[0]


def one_hot(labels, classes=None):
    classes = list(dict.fromkeys(labels)) if classes is None else list(classes)
    matrix = np.zeros((len(labels), len(classes)))
    matrix[np.arange(len(labels)), [classes.index(label) for label in labels]] = 1
    return matrix
