"""Run the check service as replicas of Ray Serve: the same application, scaled by requests in flight.

    serve run steelyard.service.ray_serve:replicas eval_sets=/evals/a.toml,/evals/b.toml workers=4 maximum=8

Replicas share nothing: each keeps its own workers and its own memory of equal answers.
"""

import os
from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp

from steelyard.app.validate import load_eval_set
from steelyard.service.access import TOKEN, Access
from steelyard.service.api import Api, ServiceSettings
from steelyard.service.application import application

WORKERS = 4  # of a replica
MOST_REPLICAS = 4
IN_FLIGHT = 16  # per worker, before another replica starts


def replicas(arguments: Mapping[str, str]) -> Any:  # noqa: ANN401  # an application of Ray Serve, which has no types
    """Return the application. Arguments: eval_sets (with commas), workers, minimum, maximum, sandbox."""
    from ray import serve  # noqa: PLC0415  # `ray[serve]` is more than our extra `ray`

    names = tuple(filter(None, arguments.get("eval_sets", "").split(",")))
    settings = ServiceSettings(
        workers=int(arguments.get("workers", WORKERS)), sandbox=arguments.get("sandbox", "bubblewrap")
    )
    for name in names:
        load_eval_set(name)  # a wrong set fails here, and not in each replica

    def build() -> ASGIApp:
        api = Api([load_eval_set(name) for name in names], settings)
        return application(api, Access(token=os.environ.get(TOKEN) or None))

    deployment = serve.deployment(
        name="steelyard",
        max_ongoing_requests=settings.queue_limit,
        autoscaling_config={
            "min_replicas": int(arguments.get("minimum", 1)),
            "max_replicas": int(arguments.get("maximum", MOST_REPLICAS)),
            "target_ongoing_requests": IN_FLIGHT * settings.workers,
        },
        ray_actor_options={"num_cpus": settings.workers / 2},
    )(serve.ingress(build)())
    return deployment.bind()
