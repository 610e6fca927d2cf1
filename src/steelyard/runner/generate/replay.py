"""Create the provider `replay`, which returns recorded answers."""

from pathlib import Path

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.ports import Sandbox
from steelyard.providers.replay import ReplayProvider
from steelyard.sources.answers.read import read_answers

PATH = "path"


def replay_provider(settings: ProviderSettings, *, sandbox: Sandbox) -> ReplayProvider:  # noqa: ARG001  # as the port has it
    """Return a provider of the answers in the file of the option `path`."""
    path = settings.options.get(PATH)
    if not path:
        raise UserError(
            f"the provider {settings.name!r} needs a file of recorded answers: set its option {PATH!r}"
        )
    unknown = sorted(set(settings.options) - {PATH})
    if unknown:
        raise UserError(
            f"the provider {settings.name!r} has no option {unknown[0]!r}; its option is {PATH!r}"
        )
    if Path(path).is_dir():
        raise UserError(
            f"{path} is a folder; write the answers of a run to a file first: "
            f"steelyard export {path} --table samples -o answers.jsonl"
        )
    return ReplayProvider(read_answers(path).find, where=path)
