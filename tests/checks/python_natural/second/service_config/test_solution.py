from textwrap import dedent

import attrs
import pytest

from solution import Config, ConfigError, Service, dump_config, load_config

EXAMPLE = dedent(
    """
    version: 2
    services:
      web:
        image: nginx:1.27
        replicas: 3
        env: {DEBUG: true, WORKERS: 4, NAME: front}
        ports: [443, "8080:80"]
      worker:
        image: app
        env:
          - QUEUE=high
          - QUERY=a=b
    """
)


@pytest.fixture(scope="module")
def config():
    return load_config(EXAMPLE)


def test_services(config):
    assert config.version == 2
    assert list(config.services) == ["web", "worker"]
    assert config.services["web"] == Service(
        name="web",
        image="nginx:1.27",
        replicas=3,
        env={"DEBUG": "true", "WORKERS": "4", "NAME": "front"},
        ports=[(443, 443), (8080, 80)],
    )


def test_defaults(config):
    worker = config.services["worker"]
    assert (worker.replicas, worker.ports) == (1, [])
    assert worker.env == {"QUEUE": "high", "QUERY": "a=b"}


def test_frozen(config):
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        config.services["web"].replicas = 5
    assert attrs.evolve(config.services["web"], replicas=5).replicas == 5


def test_defaults_are_not_shared():
    assert Service("a", "x").env is not Service("b", "x").env


def test_round_trip(config):
    assert load_config(dump_config(config)) == config


def test_no_services():
    assert load_config("version: 1\nservices:\n") == Config(version=1, services={})


@pytest.mark.parametrize(
    "settings, message",
    [
        ("{image: x, replicas: 0}", "services.web.replicas: must be at least 1"),
        ("{image: x, replicas: many}", "services.web.replicas: must be at least 1"),
        ("{replicas: 2}", "services.web: image is required"),
        ("", "services.web: image is required"),
        ("{imge: x}", "services.web: unknown key 'imge'"),
        ("{image: x, ports: ['80:x']}", "services.web.ports: invalid port '80:x'"),
    ],
)
def test_errors(settings, message):
    with pytest.raises(ConfigError) as info:
        load_config(f"version: 1\nservices:\n  web: {settings}\n")
    assert str(info.value) == message


@pytest.mark.parametrize("text", ["version: 3", "services: {}", "", "- a"])
def test_version(text):
    with pytest.raises(ConfigError, match="^version: must be 1 or 2$"):
        load_config(text)


def test_bad_yaml():
    with pytest.raises(ConfigError):
        load_config("version: [1")


def test_objects_are_not_constructed():
    with pytest.raises(ConfigError):
        load_config("version: !!python/object/apply:os.getcwd []")
