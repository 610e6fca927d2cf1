"""Fetch a file of a dataset from the Hugging Face hub, or from another service that HF_ENDPOINT names."""

import shutil
from pathlib import Path

from steelyard.errors import InfrastructureError, UserError, install_extra


def fetch_from_hub(repository: str, path: str, *, revision: str, folder: Path) -> Path:
    """Fetch a file into a folder, and return where it lies; the library shows how far it is."""
    try:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415  # the extra `hub`
        from huggingface_hub.errors import HfHubHTTPError  # noqa: PLC0415
    except ImportError as error:
        raise UserError(
            f"{repository} is on the Hugging Face hub, which needs the extra `hub` "
            f"({install_extra('hub')}); or name a copy of your own: `--benchmark-data FILE`"
        ) from error
    try:
        fetched = hf_hub_download(
            repository, path, repo_type="dataset", revision=revision, local_dir=folder / "hub"
        )
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise InfrastructureError(
            f"{repository}: {path} at {revision} cannot be fetched from the hub: {error}; or name a copy of "
            f"your own: `--benchmark-data FILE`"
        ) from error
    index = folder / Path(path).name
    shutil.move(fetched, index)
    return index
