"""Texts from elsewhere show no secrets."""

from steelyard.providers.secrets import secret_values, without_secrets


def test_a_secret_that_holds_another_is_hidden_as_a_whole() -> None:
    secrets = {"SHORT_KEY": "abcdefgh", "LONG_KEY": "abcdefgh-ijkl"}

    assert without_secrets("with abcdefgh-ijkl and abcdefgh", secrets) == "with [LONG_KEY] and [SHORT_KEY]"


def test_a_variable_that_is_named_is_a_secret_whatever_its_name() -> None:
    env = {"LAB_ACCESS": "abcdefgh", "LAB_PLACE": "ijklmnop"}

    assert secret_values(env, "LAB_ACCESS", None) == {"LAB_ACCESS": "abcdefgh"}
