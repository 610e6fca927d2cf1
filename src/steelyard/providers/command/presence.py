"""Check whether an agent's program exists, without running it: its exit code proves nothing.

A shell script searches for it in a fresh sandbox with the agent's binds.
"""

from dataclasses import replace

from steelyard.model.execution import Command, ExecResult

# Follow the first lines of scripts to a program; for `env`, the first of its arguments that is a name.
LOOK = """
set -f
for level in 1 2 3 4; do
    at=$(command -v "$1") || exit 1
    case $at in */*) ;; *) exit 0 ;; esac
    [ -e "$at" ] || exit 1
    line=$(head -c 256 "$at" | tr -d '\\000' | head -n 1)
    case $line in '#!'*) set -- ${line#??} ;; *) exit 0 ;; esac
    case $1 in
        */env)
            shift
            while case $1 in -*|*=*) true ;; *) false ;; esac; do shift; done ;;
    esac
done
"""
IS_MISSING = 1


def look_for(program: str, command: Command) -> Command:
    """Return a command that searches for a program and the interpreters of its scripts."""
    words = ("/bin/sh", "-c", LOOK, "sh", program)
    return replace(command, argv=words, stdin=b"", keep=(), keep_matching=())


def is_missing(result: ExecResult) -> bool:
    """Whether the program was not found."""
    return result.exit_code == IS_MISSING and result.limit is None
