"""The MiniLM encoder as an ONNX graph: BERT, mean pooling and unit length in one file, in float32 or in int8; and the
reader of wishes, which goes on where the encoder's lower layers end.

Inputs `input_ids` and `attention_mask`, int64 of shape (batch, length); outputs, float32: `embedding` of shape
(batch, 384), unit rows, and `lower`, (batch, length, 384): what the first LOWER layers make of the tokens. Every token
has type 0, so the type embedding is folded into the positions.

The reader has upper layers of its own, fitted by low-rank changes of the encoder's (LoRA, Hu et al. 2021). Inputs
`lower`, of one turn behind the one before it, and `share`, float32 (1, length), how much of the mean each token is;
output `logit`, (1,): how surely the turn wishes something to be forgotten.

The int8 graph stores each weight matrix with one scale per output column and each word vector with its own scale, and
quantises activations per run. A few columns of a layer normalisation are five times larger than the rest and would set
the scale for all of them: they are divided out of the activations and multiplied into the following weights
(SmoothQuant, Xiao et al. 2023), which halves the error. What the graph computes in float32 stays the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LAYERS = 6
LOWER = 4
HEADS = 12
WIDTH = 384
EPSILON = 1e-12
SMOOTHING = 0.7  # 0 leaves all spread in the activations, 1 moves all of it to the weights
WEIGHT_STEPS = 100
"""The largest weight of a row in steps, of 127 that fit. Processors with AVX2 and without VNNI add two products of a
weight and an activation of up to 255 in 16 bits, which saturate with 127: there the vectors were twice as far from the
float32 model as elsewhere. With 64 no sum saturates, but steps are coarser; 100 is best on such a processor.
"""
CONTRIB = "com.microsoft"
READER_WEIGHT, READER_BIAS = "logit.weight", "logit.bias"

Weights = Mapping[str, NDArray[np.float32]]
# Largest magnitude of each column, by the name of the layer normalisation that makes it.
Peaks = Mapping[str, NDArray[np.float32]]


@dataclass(slots=True)
class Graph:
    """Nodes and constants under construction; every method returns the name of the tensor it adds."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        """A constant tensor."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator: str, inputs: list[str], name: str, domain: str = "", **attributes: Any) -> str:
        """An operator with one output."""
        self.nodes.append(helper.make_node(operator, inputs, [name], name, domain=domain, **attributes))
        return name

    def model(
        self, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
    ) -> onnx.ModelProto:
        """The finished model, checked for well-formedness."""
        graph = helper.make_graph(self.nodes, name, inputs, outputs, self.constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="remembrancer")
        onnx.checker.check_model(model)
        return model


def float_model(weights: Weights) -> onnx.ModelProto:
    """The encoder in float32; beside its outputs it gives the layer normalisations that `quantised_model` smooths."""
    encoder = _Encoder(weights, peaks=None)
    return encoder.build(extra_outputs=smoothed_normalisations())


def quantised_model(weights: Weights, peaks: Peaks) -> onnx.ModelProto:
    """The encoder in int8, smoothed by the `peaks` that the float model showed on the calibration texts."""
    return _Encoder(weights, peaks).build(extra_outputs=[])


def smoothed_normalisations(first: int = 0) -> list[str]:
    """Names of the layer normalisations that feed a matrix product from this layer on, in order."""
    names = [] if first else ["embeddings.LayerNorm"]
    for layer in range(first, LAYERS):
        names.append(f"encoder.layer.{layer}.attention.output.LayerNorm")
        if layer < LAYERS - 1:
            names.append(f"encoder.layer.{layer}.output.LayerNorm")
    return names


def reader_weights(weights: Weights, changes: Weights) -> Weights:
    """The encoder's weights with the low-rank `changes`: of a matrix (out, in), `….up` (out, rank) and `….down`
    (rank, in); and the weights of the logit, (768,), with its bias.
    """
    found = dict(weights)
    for name, up in changes.items():
        if name.endswith(".up"):
            matrix = name.removesuffix(".up")
            change = up.astype(np.float32) @ changes[f"{matrix}.down"].astype(np.float32)
            found[f"{matrix}.weight"] = weights[f"{matrix}.weight"] + change
    return found | {name: changes[name].astype(np.float32) for name in (READER_WEIGHT, READER_BIAS)}


def float_reader(weights: Weights) -> onnx.ModelProto:
    """The reader in float32; beside `logit` it gives the layer normalisations that `quantised_reader` smooths."""
    return _Encoder(weights, peaks=None).build_reader(extra_outputs=smoothed_normalisations(LOWER))


def quantised_reader(weights: Weights, peaks: Peaks) -> onnx.ModelProto:
    """The reader in int8; `peaks` as for the encoder, and those of `lower`."""
    return _Encoder(weights, peaks).build_reader(extra_outputs=[])


@dataclass(slots=True)
class _Hidden:
    """One layer normalisation: as it is, for the residual, and divided by `smoothing`, for the next product."""

    plain: str
    smoothed: str
    smoothing: NDArray[np.float32]


class _Encoder:
    def __init__(self, weights: Weights, peaks: Peaks | None) -> None:
        self.weights = weights
        self.peaks = peaks
        self.graph = Graph()

    def build(self, extra_outputs: list[str]) -> onnx.ModelProto:
        graph = self.graph
        graph.constant("axis_1", np.array([1], np.int64))
        graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
        hidden = self._normalise(self._embed(), "embeddings.LayerNorm", self._attention_weight(0))
        for layer in range(LAYERS):
            hidden = self._layer(layer, hidden, "mask")
            if layer == LOWER - 1:
                graph.node("Identity", [hidden.plain], "lower")
        self._pool(hidden.plain)
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in ("input_ids", "attention_mask")
        ]
        outputs = [
            _of_floats("embedding", "batch", WIDTH),
            *(_of_floats(name, "batch", "length", WIDTH) for name in ("lower", *extra_outputs)),
        ]
        return graph.model("all-MiniLM-L6-v2", inputs, outputs)

    def build_reader(self, extra_outputs: list[str]) -> onnx.ModelProto:
        graph = self.graph
        hidden = self._lower(self._attention_weight(LOWER))
        for layer in range(LOWER, LAYERS):
            hidden = self._layer(layer, hidden, "")
        graph.constant("axis_1", np.array([1], np.int64))
        graph.constant("first", np.array([0], np.int64))
        graph.node("Unsqueeze", ["share", "axis_1"], "share_row")
        graph.node("MatMul", ["share_row", hidden.plain], "mean")
        graph.node("Gather", [hidden.plain, "first"], "beginning", axis=1)
        graph.node("Concat", ["mean", "beginning"], "read", axis=2)
        graph.node("MatMul", ["read", graph.constant(READER_WEIGHT, self.weights[READER_WEIGHT])], "product")
        graph.node("Add", ["product", graph.constant(READER_BIAS, self.weights[READER_BIAS])], "sum")
        graph.node("Squeeze", ["sum", "axis_1"], "logit")
        inputs = [_of_floats("lower", 1, "length", WIDTH), _of_floats("share", 1, "length")]
        outputs = [_of_floats("logit", 1), *(_of_floats(name, 1, "length", WIDTH) for name in extra_outputs)]
        return graph.model("reader of wishes", inputs, outputs)

    def _lower(self, following: NDArray[np.float32]) -> _Hidden:
        """The reader's input; `following` is the matrix (out, in) that reads it."""
        if self.peaks is None:
            return _Hidden("lower", "lower", np.ones(WIDTH, np.float32))
        smoothing = smoothing_factors(self.peaks["lower"], following)
        divided = self.graph.node("Div", ["lower", self.graph.constant("lower.smoothing", smoothing)], "lower.smoothed")
        return _Hidden("lower", divided, smoothing)

    def _embed(self) -> str:
        graph = self.graph
        words = self.weights["embeddings.word_embeddings.weight"]
        if self.peaks is None:
            graph.constant("words", words)
            graph.node("Gather", ["words", "input_ids"], "word")
        else:
            table, scales = quantise_rows(words)
            graph.constant("words", table)
            graph.constant("word_scales", scales[:, None])
            graph.node("Gather", ["words", "input_ids"], "word_int8")
            graph.node("Cast", ["word_int8"], "word_integer", to=TensorProto.FLOAT)
            graph.node("Gather", ["word_scales", "input_ids"], "word_scale")
            graph.node("Mul", ["word_integer", "word_scale"], "word")
        token_type = self.weights["embeddings.token_type_embeddings.weight"][0]
        graph.constant("positions", self.weights["embeddings.position_embeddings.weight"] + token_type)
        graph.constant("start", np.array([0], np.int64))
        graph.node("Shape", ["input_ids"], "length", start=1, end=2)
        graph.node("Slice", ["positions", "start", "length", "start"], "position")
        return graph.node("Add", ["word", "position"], "embedded")

    def _normalise(self, total: str, name: str, following: NDArray[np.float32] | None) -> _Hidden:
        """Layer normalisation; `following` is the matrix (out, in) that reads it, if any."""
        graph = self.graph
        scale, shift = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        if self.peaks is None or following is None:
            inputs = [total, graph.constant(f"{name}.weight", scale), graph.constant(f"{name}.bias", shift)]
            graph.node("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)
            return _Hidden(name, name, np.ones(WIDTH, np.float32))
        smoothing = smoothing_factors(self.peaks[name], following)
        graph.constant(f"{name}.weight", scale / smoothing)
        graph.constant(f"{name}.bias", shift / smoothing)
        inputs = [total, f"{name}.weight", f"{name}.bias"]
        smoothed = graph.node("LayerNormalization", inputs, f"{name}.smoothed", axis=-1, epsilon=EPSILON)
        plain = graph.node("Mul", [smoothed, graph.constant(f"{name}.smoothing", smoothing)], name)
        return _Hidden(plain, smoothed, smoothing)

    def _layer(self, layer: int, hidden: _Hidden, mask: str) -> _Hidden:
        """`mask` names the tokens that count; empty where all do."""
        graph, weights, name = self.graph, self.weights, f"encoder.layer.{layer}"
        context = self._attend(layer, hidden, mask)
        widening = weights[f"{name}.intermediate.dense.weight"]
        attended = self._linear(
            context,
            weights[f"{name}.attention.output.dense.weight"],
            weights[f"{name}.attention.output.dense.bias"],
            f"{name}.attention.output.dense",
        )
        graph.node("Add", [attended, hidden.plain], f"{name}.attention.sum")
        hidden = self._normalise(f"{name}.attention.sum", f"{name}.attention.output.LayerNorm", widening)
        wide = self._linear(
            hidden.smoothed,
            widening * hidden.smoothing,
            weights[f"{name}.intermediate.dense.bias"],
            f"{name}.intermediate.dense",
        )
        active = graph.node("Gelu", [wide], f"{name}.gelu", CONTRIB)  # the erf form, as the model was trained
        narrow = self._linear(
            active, weights[f"{name}.output.dense.weight"], weights[f"{name}.output.dense.bias"], f"{name}.output.dense"
        )
        graph.node("Add", [narrow, hidden.plain], f"{name}.output.sum")
        following = self._attention_weight(layer + 1) if layer + 1 < LAYERS else None
        return self._normalise(f"{name}.output.sum", f"{name}.output.LayerNorm", following)

    def _attention_weight(self, layer: int) -> NDArray[np.float32]:
        """Query, key and value under one another: (3 x 384, 384)."""
        prefix = f"encoder.layer.{layer}.attention.self"
        return np.concatenate([self.weights[f"{prefix}.{part}.weight"] for part in ("query", "key", "value")])

    def _attend(self, layer: int, hidden: _Hidden, mask: str) -> str:
        graph, name = self.graph, f"encoder.layer.{layer}.attention.self"
        weight = self._attention_weight(layer) * hidden.smoothing
        bias = np.concatenate([self.weights[f"{name}.{part}.bias"] for part in ("query", "key", "value")])
        graph.constant(f"{name}.bias", bias)
        if self.peaks is None:
            inputs = [hidden.smoothed, graph.constant(f"{name}.weight", weight.T), f"{name}.bias", mask]
            return graph.node("Attention", inputs, name, CONTRIB, num_heads=HEADS)
        quantised = [f"{name}.input", f"{name}.input_scale", f"{name}.input_zero"]
        graph.nodes.append(
            helper.make_node("DynamicQuantizeLinear", [hidden.smoothed], quantised, f"{name}.input_quantised")
        )
        matrix, scale, zero = self._quantised_matrix(weight, name)
        inputs = [quantised[0], matrix, f"{name}.bias", quantised[1], scale, mask, quantised[2], zero]
        return graph.node("QAttention", inputs, name, CONTRIB, num_heads=HEADS)

    def _linear(self, tensor: str, weight: NDArray[np.float32], bias: NDArray[np.float32], name: str) -> str:
        graph = self.graph
        graph.constant(f"{name}.bias", bias)
        if self.peaks is None:
            graph.node("MatMul", [tensor, graph.constant(f"{name}.weight", weight.T)], f"{name}.product")
            return graph.node("Add", [f"{name}.product", f"{name}.bias"], name)
        inputs = [tensor, *self._quantised_matrix(weight, name), f"{name}.bias"]
        return graph.node("DynamicQuantizeMatMul", inputs, name, CONTRIB)

    def _quantised_matrix(self, weight: NDArray[np.float32], name: str) -> tuple[str, str, str]:
        rows, scales = quantise_rows(weight, steps=WEIGHT_STEPS)
        return (
            self.graph.constant(f"{name}.weight", rows.T),
            self.graph.constant(f"{name}.scale", scales),
            self.graph.constant(f"{name}.zero", np.zeros(len(scales), np.int8)),
        )

    def _pool(self, hidden: str) -> None:
        """Mean over the unmasked tokens at unit length: the division by their number cancels out."""
        graph = self.graph
        graph.node("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
        graph.node("Unsqueeze", ["mask_float", "axis_1"], "mask_row")
        graph.node("MatMul", ["mask_row", hidden], "sum_row")
        graph.node("Squeeze", ["sum_row", "axis_1"], "sum")
        graph.node("LpNormalization", ["sum"], "embedding", axis=-1, p=2)


def _of_floats(name: str, *shape: str | int) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def quantise_rows(matrix: NDArray[np.float32], *, steps: int = 127) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 with one scale a row: `rows * scales[:, None]` is within half a step of `matrix`."""
    scales = np.maximum(np.abs(matrix).max(axis=1), np.finfo(np.float32).tiny) / steps
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def smoothing_factors(peaks: NDArray[np.float32], weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """The divisor of each column of the activations; `weight` (out, in) is multiplied by the same factors."""
    activation = np.maximum(peaks, peaks.mean() / 10)
    factors = activation**SMOOTHING / np.abs(weight).max(axis=0) ** (1 - SMOOTHING)
    return np.asarray(factors / np.exp(np.log(factors).mean()), np.float32)
