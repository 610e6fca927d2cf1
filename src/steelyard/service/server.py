"""Start the service and run it until it is asked to stop; SIGTERM lets checks in flight finish."""

import socket
from collections.abc import Callable, Sequence

import uvicorn

from steelyard.errors import InfrastructureError
from steelyard.model.evalset import EvalSet
from steelyard.service.access import Access
from steelyard.service.api import Api, ServiceSettings
from steelyard.service.application import application

BACKLOG = 4_096
DRAIN_S = 30


def serve(
    eval_sets: Sequence[EvalSet],
    settings: ServiceSettings,
    access: Access,
    *,
    port: int,
    announce: Callable[[str], None],
) -> None:
    """Answer requests until the process is interrupted."""
    listener = _listener(access.host, port)
    app = application(Api(eval_sets, settings), access)
    announce(f"http://{access.host}:{listener.getsockname()[1]}")
    config = uvicorn.Config(
        app,
        access_log=False,  # requests hold answers and tests
        log_level="warning",
        lifespan="on",
        ws="none",
        server_header=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=DRAIN_S,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise InfrastructureError(f"{host}:{port}: cannot listen: {error.strerror or error}") from error
