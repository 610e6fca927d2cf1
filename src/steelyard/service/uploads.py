"""Read an eval set that was uploaded as one TOML text."""

from pathlib import Path
from tempfile import TemporaryDirectory

from steelyard.model.evalset import EvalSet
from steelyard.sources.evalset.read import read_eval_set


def uploaded_set(content: bytes) -> EvalSet:
    """Return the eval set; raises InputError. It can name no file: there is none beside it."""
    with TemporaryDirectory(prefix="steelyard-upload-") as folder:
        path = Path(folder) / "uploaded.toml"
        path.write_bytes(content)
        return read_eval_set(str(path))
