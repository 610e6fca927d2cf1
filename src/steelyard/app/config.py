"""Load the configuration: models, providers, prices and limits of all runs."""

from pathlib import Path

from steelyard.model.config import Config
from steelyard.sources.config.read import read_config

ConfigSource = Config | str | Path | None  # None: `steelyard.toml` of this folder, if it exists


def load_config(source: ConfigSource) -> Config:
    """Return a given configuration, or read it from a file; default: `steelyard.toml`."""
    if isinstance(source, Config):
        return source
    return read_config(None if source is None else Path(source))
