"""All tricks on tests that share a process with the answer: those that gain nothing, and those that do."""

from tests.checks.command import forgeries
from tests.checks.command.answers import ATTACKS
from tests.checks.command.tricks import c, go, java, node

STOPPED = (*ATTACKS, *forgeries.STOPPED, *c.STOPPED, *go.STOPPED, *java.STOPPED, *node.STOPPED)
# A grade in a shared process cannot stop these; docs/how-to/check-any-language.md lists them.
FORGED = (*forgeries.FORGED, *c.FORGED, *java.FORGED, *node.FORGED)
