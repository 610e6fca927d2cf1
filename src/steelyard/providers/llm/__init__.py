"""Language model services, each vendor's protocol behind one provider."""

from importlib.util import find_spec

from steelyard.errors import UserError, install_extra

if find_spec("aiohttp") is None:
    raise UserError(f"calling a model needs an HTTP client: {install_extra('llm')}")
