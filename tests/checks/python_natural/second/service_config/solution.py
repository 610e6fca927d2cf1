import yaml
from attrs import asdict, define, field, fields, frozen


class ConfigError(Exception):
    pass


@frozen
class Service:
    name: str
    image: str
    replicas: int = 1
    env: dict[str, str] = field(factory=dict)
    ports: list[tuple[int, int]] = field(factory=list)


@define
class Config:
    version: int
    services: dict[str, Service]


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _env(value):
    if isinstance(value, list):
        value = dict(entry.partition("=")[::2] for entry in value)
    return {key: _text(item) for key, item in (value or {}).items()}


def _port(value, path):
    parts = str(value).split(":")
    if len(parts) > 2 or not all(part.isdigit() for part in parts):
        raise ConfigError(f"{path}: invalid port {value!r}")
    return int(parts[0]), int(parts[-1])


def _service(name, settings):
    path = f"services.{name}"
    settings = settings or {}
    known = {attribute.name for attribute in fields(Service)} - {"name"}
    for key in settings:
        if key not in known:
            raise ConfigError(f"{path}: unknown key {key!r}")
    if not settings.get("image"):
        raise ConfigError(f"{path}: image is required")
    replicas = settings.get("replicas", 1)
    if not isinstance(replicas, int) or replicas < 1:
        raise ConfigError(f"{path}.replicas: must be at least 1")
    ports = [_port(port, f"{path}.ports") for port in settings.get("ports") or []]
    return Service(name, settings["image"], replicas, _env(settings.get("env")), ports)


def load_config(text):
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"invalid YAML: {error}") from error
    if not isinstance(data, dict) or data.get("version") not in (1, 2):
        raise ConfigError("version: must be 1 or 2")
    services = data.get("services") or {}
    return Config(data["version"], {name: _service(name, settings) for name, settings in services.items()})


def dump_config(config):
    services = {}
    for name, service in config.services.items():
        settings = asdict(service)
        del settings["name"]
        settings["ports"] = [f"{host}:{container}" for host, container in service.ports]
        services[name] = settings
    return yaml.safe_dump({"version": config.version, "services": services}, sort_keys=False)
