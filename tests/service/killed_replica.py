"""Run the service on Ray Serve, kill its replica, and print the rewards before and after.

Usage: python killed_replica.py EVAL_SET; in a Python with this package and ray[serve].
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

from steelyard.service.ray_serve import replicas

PORT = 8397
TRIES = 90
ANSWER = "def double(n):\n    return {}\n"


def reward(code: str) -> object:
    """Return the reward of an answer."""
    body = {"eval_set": "small", "case": "double", "completion": ANSWER.format(code)}
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/v1/check", json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=120) as reply:  # noqa: S310  # our own address
        return json.load(reply)["reward"]


def reward_after_restart(code: str) -> object:
    """Return the reward once the replica is back."""
    for _ in range(TRIES):
        try:
            return reward(code)
        except (urllib.error.URLError, ConnectionError):
            time.sleep(1)
    return None


def main(eval_set: str) -> None:
    """Print the rewards."""
    import ray  # noqa: PLC0415  # only in the other Python, as `ray[serve]`
    from ray import serve  # noqa: PLC0415

    ray.init(num_cpus=4, include_dashboard=False)
    serve.start(http_options={"port": PORT})
    serve.run(replicas({"eval_sets": eval_set, "workers": "1", "maximum": "1"}))
    first = reward("2 * n"), reward("n + 2")
    rows = subprocess.run(["ps", "-wweo", "pid=,args="], capture_output=True, text=True, check=True).stdout
    for row in rows.splitlines():
        if "ServeReplica" in row:
            os.kill(int(row.split()[0]), signal.SIGKILL)
    again = reward_after_restart("n * 2")
    serve.shutdown()  # type: ignore[no-untyped-call]
    ray.shutdown()
    sys.stdout.write(f"rewards {first[0]} {first[1]}, after a kill {again}\n")


if __name__ == "__main__":
    main(sys.argv[1])
