"""Work on a Ray cluster."""

from importlib.util import find_spec

from steelyard.errors import UserError, install_extra

if find_spec("ray") is None:
    raise UserError(f"the engine 'ray' needs Ray: {install_extra('ray')}")
