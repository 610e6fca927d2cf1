"""Where a vendor is found, and which key goes where."""

import pytest

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.providers.llm.access import NO_KEY, VENDORS, access


@pytest.mark.parametrize("kind", ["openai", "anthropic", "google", "openrouter", "azure"])
def test_a_missing_key_is_named_before_anything_is_asked(kind: str) -> None:
    environ = {"AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com"}

    with pytest.raises(UserError) as caught:
        access(ProviderSettings(name=kind), environ)

    assert " or ".join(VENDORS[kind].key_names) in str(caught.value)


@pytest.mark.parametrize("kind", VENDORS)
def test_the_vendors_own_variables_are_honoured(kind: str) -> None:
    vendor = VENDORS[kind]
    environ = {vendor.url_names[0]: "http://proxy.example/v1", vendor.key_names[-1]: " secret\n"}

    found = access(ProviderSettings(name=kind), environ)

    assert (found.url, found.key, found.is_foreign) == ("http://proxy.example/v1", "secret", False)


def test_a_vendors_key_does_not_go_to_another_address() -> None:
    elsewhere = ProviderSettings(name="mine", kind="openai", base_url="http://127.0.0.1:1/v1")

    found = access(elsewhere, {"OPENAI_API_KEY": "secret"})

    assert (found.key, found.is_foreign) == (NO_KEY, True)


def test_another_address_gets_the_key_that_its_settings_name() -> None:
    elsewhere = ProviderSettings(
        name="mine", kind="openai", base_url="http://127.0.0.1:1/v1", api_key_env="MY_KEY"
    )

    assert access(elsewhere, {"OPENAI_API_KEY": "secret", "MY_KEY": "mine"}).key == "mine"
    with pytest.raises(UserError, match="MY_KEY"):
        access(elsewhere, {"OPENAI_API_KEY": "secret"})


def test_a_server_of_ones_own_is_looked_for_on_this_machine() -> None:
    assert access(ProviderSettings(name="ollama"), {}).url == "http://localhost:11434/v1"


def test_azure_must_be_told_where_it_is() -> None:
    with pytest.raises(UserError, match="AZURE_OPENAI_ENDPOINT"):
        access(ProviderSettings(name="azure"), {"AZURE_OPENAI_API_KEY": "secret"})


def test_a_key_is_not_shown_with_the_rest() -> None:
    found = access(ProviderSettings(name="openai"), {"OPENAI_API_KEY": "secret"})

    assert "secret" not in repr(found)
