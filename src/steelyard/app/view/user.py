"""Name the person at this machine, who makes marks."""

import os
from getpass import getuser


def this_user() -> str:
    """Return the name of the user, or the number where it has no name, as in some containers."""
    try:
        return getuser()
    except (KeyError, OSError):
        return str(os.getuid())
