"""All tricks on tests that share a process with the answer: those that gain nothing, and those that do."""

from tests.checks.forms.tests import forgeries
from tests.checks.forms.tests.answers import ATTACKS
from tests.checks.forms.tests.tricks import c, careless, go, java, native, node

STOPPED = (*ATTACKS, *forgeries.STOPPED, *c.STOPPED, *go.STOPPED, *java.STOPPED, *node.STOPPED)
# A grade in a shared process cannot stop these; docs/how-to/check-any-language.md lists them.
UNSTOPPABLE = (*native.FORGED, *go.FORGED, *java.FORGED, *node.FORGED)
# The author of the tests can stop these, by tests that leave no door open.
AVOIDABLE = careless.FORGED
