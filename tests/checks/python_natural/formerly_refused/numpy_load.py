# --- prompt
# `store(path, rows)` saves rows as a float array in `.npy`.
# --- right
import numpy as np


def store(path, rows):
    np.save(path, np.array(rows, dtype=float))
# --- wrong
import numpy as np


def store(path, rows):
    np.save(path, np.array(rows, dtype=int))
# --- tests
import numpy as np

from solution import store


def test_load(tmp_path):
    store(tmp_path / "a.npy", [[1, 2.5]])
    loaded = np.load(tmp_path / "a.npy")
    assert loaded.dtype == float
    assert loaded.tolist() == [[1.0, 2.5]]
