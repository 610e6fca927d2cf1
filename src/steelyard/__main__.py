"""The command `steelyard`, also as `python -m steelyard`; its command line is `steelyard.cli.main`."""

import sys

from steelyard.errors import INTERRUPTED


def main() -> int:
    """Run the command of the command line; Ctrl-C while it is still being loaded is no bug."""
    try:
        from steelyard.cli.main import main as run_command  # noqa: PLC0415  # it takes a while to load
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was begun\n")
        return INTERRUPTED
    return run_command()


if __name__ == "__main__":
    sys.exit(main())
