# --- prompt
# `save(value, path)` pickles a value to a file and returns the number of bytes.
# --- right
import pickle


def save(value, path):
    with open(path, "wb") as handle:
        return handle.write(pickle.dumps(value))
# --- wrong
import pickle


def save(value, path):
    with open(path, "wb") as handle:
        return handle.write(pickle.dumps(str(value)))
# --- tests
import pickle as p

from solution import save


def test_load(tmp_path):
    path = tmp_path / "value.pkl"
    size = save({"a": [1, 2]}, path)
    assert path.stat().st_size == size
    with path.open("rb") as handle:
        assert p.load(handle) == {"a": [1, 2]}
