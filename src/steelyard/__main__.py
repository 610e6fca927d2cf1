"""The command `steelyard`, also as `python -m steelyard`; its command line is `steelyard.cli.main`."""

import sys

from steelyard.errors import INTERRUPTED

RUN_ANSWERS = {"benchmarks", "doctor", "gate", "pass-at-k", "regrade", "run", "serve", "validate"}


def main() -> int:
    """Run the command of the command line; Ctrl-C while it is still being loaded is no bug."""
    if sys.platform == "linux" and sys.argv[1:2] and sys.argv[1] in RUN_ANSWERS:
        from steelyard.sandbox.cgroups.user_scope import enter_user_scope  # noqa: PLC0415  # Linux only

        enter_user_scope()
    try:
        from steelyard.cli.main import main as run_command  # noqa: PLC0415  # it takes a while to load
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was started\n")
        return INTERRUPTED
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
