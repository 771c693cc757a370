"""A BERT as an ONNX graph of ONNX Runtime's fused operators, in fp32 or with weights of 8 bits.

A graph takes the tokens of one text, shape (1, tokens), and returns their states, shape (1, tokens,
hidden). In 8 bits, matrices have a scale for each column, and the inputs of Attention and MatMul
are quantized dynamically; embeddings, norms and biases are not. Each text is encoded separately, so
that its vector does not depend on other texts.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.dense.bert import Array, Bert, Layer

_OWN: Final = "com.microsoft"
_LEVELS: Final = 127


@dataclass(frozen=True, eq=False)
class Graph:
    """Build the graph of a BERT."""

    _bert: Bert
    _eight_bits: bool
    _nodes: list[Any] = field(default_factory=list)
    _arrays: list[Any] = field(default_factory=list)

    def build(self) -> bytes:
        """Return the serialised graph."""
        from onnx import TensorProto, helper

        bert = self._bert
        embeddings = {"words": bert.words, "places": bert.places, "kinds": bert.kinds}
        names = [self._array(name, array) for name, array in embeddings.items()]
        norm = [self._array("scale", bert.scale), self._array("shift", bert.shift)]
        x = "embedded"
        inputs = ["tokens", "segments", *names, *norm]
        self._add("EmbedLayerNormalization", inputs, [x, "unused"], epsilon=bert.epsilon)
        for number, layer in enumerate(bert.layers):
            x = self._layer(f"{number}.", x, layer)
        wide = [1, None, bert.hidden]
        tokens = [
            helper.make_tensor_value_info(name, TensorProto.INT32, [1, None])
            for name in ("tokens", "segments")
        ]
        states = helper.make_tensor_value_info(x, TensorProto.FLOAT, wide)
        graph = helper.make_graph(self._nodes, "bert", tokens, [states], self._arrays)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_OWN, 1)]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        return bytes(made.SerializeToString())

    def _layer(self, at: str, x: str, layer: Layer) -> str:
        attended = self._attention(at, x, layer)
        projected = self._product(f"{at}out", attended, layer.out)
        normed = self._norm(
            f"{at}norm", projected, x, layer.out_scale, layer.out_shift, layer.out_bias
        )
        raised = self._product(f"{at}up", normed, layer.up)
        bias = self._array(f"{at}up-bias", layer.up_bias)
        self._add("BiasGelu", [raised, bias], [f"{at}curved"])
        lowered = self._product(f"{at}down", f"{at}curved", layer.down)
        return self._norm(
            f"{at}last", lowered, normed, layer.down_scale, layer.down_shift, layer.down_bias
        )

    def _attention(self, at: str, x: str, layer: Layer) -> str:
        name, heads = f"{at}attended", self._bert.heads
        bias = self._array(f"{at}qkv-bias", layer.qkv_bias)
        if not self._eight_bits:
            inputs = [x, self._array(f"{at}qkv", layer.qkv), bias]
            self._add("Attention", inputs, [name], num_heads=heads)
            return name
        matrix, scale, zero = self._quantized(f"{at}qkv", layer.qkv)
        eight = [f"{at}x8", f"{at}x-scale", f"{at}x-zero"]
        self._add("DynamicQuantizeLinear", [x], eight, domain="")
        inputs = [eight[0], matrix, bias, eight[1], scale, "", eight[2], zero]
        self._add("QAttention", inputs, [name], num_heads=heads)
        return name

    def _product(self, name: str, x: str, matrix: Array) -> str:
        if self._eight_bits:
            self._add("DynamicQuantizeMatMul", [x, *self._quantized(name, matrix)], [f"{name}-of"])
        else:
            self._add("MatMul", [x, self._array(name, matrix)], [f"{name}-of"], domain="")
        return f"{name}-of"

    def _norm(self, name: str, x: str, skip: str, scale: Array, shift: Array, bias: Array) -> str:
        arrays = [
            self._array(f"{name}-{part}", array)
            for part, array in (("scale", scale), ("shift", shift), ("bias", bias))
        ]
        epsilon = self._bert.epsilon
        self._add("SkipLayerNormalization", [x, skip, *arrays], [name], epsilon=epsilon)
        return name

    def _quantized(self, name: str, matrix: Array) -> list[str]:
        """Write a matrix in 8 bits with a scale per column; return its name, scales and zeros."""
        scales = np.abs(matrix).max(axis=0) / np.float32(_LEVELS)
        scales[scales == 0] = 1
        eight = np.rint(matrix / scales).astype(np.int8)
        return [
            self._array(name, eight),
            self._array(f"{name}-scales", scales),
            self._array(f"{name}-zeros", np.zeros(len(scales), np.int8)),
        ]

    def _array(self, name: str, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self._arrays.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _add(
        self, operator: str, inputs: list[str], outputs: list[str], domain: str = _OWN, **rest: Any
    ) -> None:
        from onnx import helper

        self._nodes.append(helper.make_node(operator, inputs, outputs, domain=domain, **rest))
