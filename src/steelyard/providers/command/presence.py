"""Look whether an agent is there, without asking it: it may choose the exit code by which a shell says no.

Only our own words run, in a fresh sandbox that shows what the agent's shows.
"""

from dataclasses import replace

from steelyard.model.execution import Command, ExecResult

# Follow the first lines of scripts to a program; `env` stands for the first of its words that is a name.
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
    """Return what looks for a program, and for what its first line names, where a command would be run."""
    words = ("/bin/sh", "-c", LOOK, "sh", program)
    return replace(command, argv=words, stdin=b"", keep=(), keep_matching=())


def is_missing(found: ExecResult) -> bool:
    """Whether the program was not found."""
    return found.exit_code == IS_MISSING and found.limit is None
