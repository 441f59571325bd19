"""Chat models that judge what needs judgement, with quotes."""
