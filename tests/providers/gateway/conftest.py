import pytest

from tests.providers.gateway.trials import KEY, KEY_NAME


@pytest.fixture(autouse=True)
def lab_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)
