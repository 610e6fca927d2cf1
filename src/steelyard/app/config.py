"""Load the configuration: models, providers, prices and limits that hold for all runs."""

from pathlib import Path

from steelyard.model.config import Config
from steelyard.sources.config.read import read_config

ConfigSource = Config | str | Path | None  # None: `steelyard.toml` of this folder, if it exists


def load_config(source: ConfigSource) -> Config:
    """Return a configuration: as it is, from a file, or from the file of this folder."""
    if isinstance(source, Config):
        return source
    return read_config(None if source is None else Path(source))
