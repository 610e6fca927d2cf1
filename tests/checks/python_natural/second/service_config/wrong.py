import yaml
from attrs import asdict, define, field, frozen


class ConfigError(Exception):
    pass


@frozen
class Service:
    name: str
    image: str
    replicas: int = 1
    env: dict = field(factory=dict)
    ports: list = field(factory=list)


@define
class Config:
    version: int
    services: dict


def _port(value):
    host, _, container = str(value).partition(":")
    return int(host), int(container or host)


def load_config(text):
    data = yaml.safe_load(text)
    if data["version"] not in (1, 2):
        raise ConfigError("version: must be 1 or 2")
    services = {}
    for name, settings in data["services"].items():
        if "image" not in settings:
            raise ConfigError(f"services.{name}: image is required")
        env = settings.get("env", {})
        if isinstance(env, list):
            env = dict(entry.split("=") for entry in env)
        services[name] = Service(
            name,
            settings["image"],
            settings.get("replicas", 1),
            {key: str(value) for key, value in env.items()},
            [_port(port) for port in settings.get("ports", [])],
        )
    return Config(data["version"], services)


def dump_config(config):
    return yaml.safe_dump(asdict(config))
