"""Let `python -m steelyard` do what the `steelyard` command does.

Nothing else: the command line itself is `steelyard.cli.main`.
"""

import sys

from steelyard.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
