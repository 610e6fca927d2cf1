# --- prompt
# `solution.py` is a script as well: run with numbers as arguments it prints their maximum; without, it exits with 2.
# --- right
import sys


def main(args):
    if not args:
        return 2
    print(max(map(int, args)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
# --- wrong
import sys


def main(args):
    if not args:
        return 2
    print(max(args))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
# --- tests
import subprocess
import sys

import solution


def run(*args):
    return subprocess.run([sys.executable, solution.__file__, *args], capture_output=True, text=True)


def test_script():
    assert run("9", "10").stdout == "10\n"
    assert run().returncode == 2
