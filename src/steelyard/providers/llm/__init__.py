"""Language model services, each vendor's protocol behind one provider."""

from importlib.util import find_spec

from steelyard.errors import UserError

if find_spec("aiohttp") is None:
    raise UserError("calling a model needs an HTTP client: pip install 'steelyard[llm]'")
