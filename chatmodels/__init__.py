"""Chat models behind one interface: OpenAI-compatible endpoints, scripted stand-ins, structured output, cache."""
