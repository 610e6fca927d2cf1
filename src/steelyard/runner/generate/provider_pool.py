"""Create the providers of a run once and close them together."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import cast

from steelyard import plugins
from steelyard.errors import UnknownName, UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.nearest_name import did_you_mean
from steelyard.plugins import known, load
from steelyard.ports import Provider, ProviderMaker, Sandbox
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.requests import provider_name
from steelyard.sources.answers.read import read_answers

GROUP = "providers"
PROVIDERS = {**plugins.PROVIDERS, "replay": f"{__name__}:replay_provider"}


def unknown_providers(
    names: Iterable[str], settings: Mapping[str, ProviderSettings]
) -> dict[str, tuple[str, ...]]:
    """Map each unknown provider to similar known names."""
    adapters = known(PROVIDERS, group=GROUP)
    misspelt = [name for name in names if name not in settings and name not in adapters]
    return {name: tuple(get_close_matches(name, [*adapters, *settings], n=1)) for name in misspelt}


class ProviderPool:
    """The providers of one event loop, by the prefix of the model's name."""

    def __init__(
        self, settings: Mapping[str, ProviderSettings], sandbox: Sandbox, *, instead: Provider | None = None
    ) -> None:
        """With `instead`, one provider answers for all."""
        self._settings = settings
        self._sandbox = sandbox
        self._instead = instead
        self._made: dict[str, Provider] = {}

    def prepare(self, models: Iterable[str], names: Iterable[str] | None = None) -> None:
        """Create the providers of all models, to report missing keys before any call.

        `names` are the providers to create if agents call some of the models.
        """
        models = tuple(models)
        for model in models:
            if self._instead is None and not all(model.partition("/")):
                raise UserError(
                    f"{model!r} is no model: name it provider/name, such as anthropic/claude-opus-4"
                )
        for name in map(provider_name, models) if names is None else names:
            self.of(name)

    def of(self, name: str) -> Provider:
        """Return a provider."""
        if self._instead is not None:
            return self._instead
        if name not in self._made:
            self._made[name] = self._make(self.settings_of(name))
        return self._made[name]

    def settings_of(self, name: str) -> ProviderSettings:
        """Return the settings of a provider, by default only its name."""
        return self._settings.get(name, ProviderSettings(name=name))

    async def close(self) -> None:
        """Close all connections."""
        for provider in self._made.values():
            await provider.close()
        if self._instead is not None:
            await self._instead.close()

    def _make(self, settings: ProviderSettings) -> Provider:
        if settings.adapter not in known(PROVIDERS, group=GROUP):
            hint = did_you_mean(settings.adapter, sorted({*PROVIDERS, *self._settings}))
            raise UnknownName(
                f"no provider is called {settings.adapter!r}; {hint} (A model is named provider/name; "
                f"further providers are described in steelyard.toml under [providers.NAME].)"
            )
        make = cast("ProviderMaker", load(PROVIDERS, settings.adapter, group=GROUP))
        return make(settings, sandbox=self._sandbox)


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
