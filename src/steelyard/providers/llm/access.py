"""Find a vendor's address and key, from the settings or its environment variables.

A vendor's key is sent to the vendor's own address only; other addresses get the key named in their settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings

NO_KEY = "no-key"  # placeholder for services without keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """Defaults of a vendor: its address and the names of its variables."""

    url: str | None = None
    url_names: tuple[str, ...]
    key_names: tuple[str, ...]
    needs_key: bool = True
    has_one_address: bool = True  # False: each user has their own address, and the key belongs to it


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Address and key of a service; `is_foreign`: a compatible one, not the vendor's."""

    kind: str
    url: str
    key: str = field(repr=False)
    is_foreign: bool = False


OPENAI = Vendor(
    url="https://api.openai.com/v1",
    url_names=("OPENAI_BASE_URL",),
    key_names=("OPENAI_API_KEY",),
)
VENDORS: Mapping[str, Vendor] = {
    "openai": OPENAI,
    "openai-responses": OPENAI,
    "anthropic": Vendor(
        url="https://api.anthropic.com",
        url_names=("ANTHROPIC_BASE_URL",),
        key_names=("ANTHROPIC_API_KEY",),
    ),
    "google": Vendor(
        url="https://generativelanguage.googleapis.com",
        url_names=("GOOGLE_GEMINI_BASE_URL",),
        key_names=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
    "openrouter": Vendor(
        url="https://openrouter.ai/api/v1",
        url_names=("OPENROUTER_BASE_URL",),
        key_names=("OPENROUTER_API_KEY",),
    ),
    "azure": Vendor(
        url_names=("AZURE_OPENAI_ENDPOINT",),
        key_names=("AZURE_OPENAI_API_KEY",),
        has_one_address=False,
    ),
    "ollama": Vendor(
        url="http://localhost:11434/v1",
        url_names=("OLLAMA_BASE_URL",),
        key_names=("OLLAMA_API_KEY",),
        needs_key=False,
        has_one_address=False,
    ),
    "vllm": Vendor(
        url="http://localhost:8000/v1",
        url_names=("VLLM_BASE_URL",),
        key_names=("VLLM_API_KEY",),
        needs_key=False,
        has_one_address=False,
    ),
}


def access(settings: ProviderSettings, environ: Mapping[str, str]) -> Access:
    """Return address and key of a provider; raises UserError, naming the variable, if one is missing."""
    vendor = VENDORS[settings.adapter]
    url = settings.base_url or _find_variable(environ, vendor.url_names) or vendor.url
    if not url:
        raise UserError(
            f"no address for {settings.name!r}: set `base_url` under [providers.{settings.name}] in "
            f"steelyard.toml or the environment variable {vendor.url_names[0]}"
        )
    is_foreign = vendor.has_one_address and settings.base_url is not None
    key = _find_key(
        settings, vendor if not is_foreign else replace(vendor, key_names=(), needs_key=False), environ
    )
    return Access(kind=settings.adapter, url=url, key=key, is_foreign=is_foreign)


def _find_key(settings: ProviderSettings, vendor: Vendor, environ: Mapping[str, str]) -> str:
    names = (settings.api_key_env,) if settings.api_key_env else vendor.key_names
    key = _find_variable(environ, names)
    if key is None and (settings.api_key_env or vendor.needs_key):
        raise UserError(
            f"no key for {settings.name!r}: set {' or '.join(names)} in the environment (the command "
            f"also reads .env), or name another in `api_key_env` under [providers.{settings.name}] "
            f"in steelyard.toml"
        )
    return key or NO_KEY


def _find_variable(environ: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := environ.get(name, "").strip())), None)
