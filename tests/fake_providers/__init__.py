"""A server on loopback that speaks as OpenAI, Anthropic and Google do, and misbehaves on demand."""
