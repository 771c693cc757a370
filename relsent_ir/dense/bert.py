"""BERT (Devlin et al. 2019): its shape, its weights, and its states computed by NumPy.

NumPy is used if onnxruntime is missing, and for short texts, for which a graph does not pay.
Weights are in safetensors files (a length, a JSON header and the numbers), which are mapped into
memory after the header is checked. Pickles are never read.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import InputError
from relsent_ir.files import input_errors

Array = NDArray[np.float32]
_SIZES: Final = {
    "hidden": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "inner": "intermediate_size",
    "words": "vocab_size",
    "positions": "max_position_embeddings",
    "types": "type_vocab_size",
}
_MOST: Final = 1 << 20  # limit of any dimension: no BERT has more


@dataclass(frozen=True)
class Layer:
    """The weights of a layer; matrices have the shape inputs × outputs.

    Attributes
    ----------
    qkv, qkv_bias : ndarray, shapes (hidden, 3 hidden) and (3 hidden,)
    out, out_bias, out_scale, out_shift : ndarray
        The output of attention, and the following norm.
    up, up_bias, down, down_bias, down_scale, down_shift : ndarray
        The two following matrices, (hidden, inner) and (inner, hidden), and their norm.
    """

    qkv: Array
    qkv_bias: Array
    out: Array
    out_bias: Array
    out_scale: Array
    out_shift: Array
    up: Array
    up_bias: Array
    down: Array
    down_bias: Array
    down_scale: Array
    down_shift: Array


@dataclass(frozen=True)
class Bert:
    """A BERT that computes the states of one text at a time.

    Attributes
    ----------
    words, places, kinds : ndarray, shapes (vocabulary, hidden), (positions, hidden), (2, hidden)
        The embeddings.
    scale, shift : ndarray, shape (hidden,)
        The norm of the sum of the embeddings.
    layers : tuple of Layer
    heads : int
    epsilon : float
        The constant in the norms.
    """

    words: Array
    places: Array
    kinds: Array
    scale: Array
    shift: Array
    layers: tuple[Layer, ...]
    heads: int
    epsilon: float

    @property
    def hidden(self) -> int:
        """The dimension of the states."""
        return int(self.words.shape[1])

    def states(self, tokens: NDArray[np.int32]) -> Array:
        """Return the last layer's state of each token; shape (tokens, hidden)."""
        from scipy.special import erf

        x = self.words[tokens] + self.places[: len(tokens)] + self.kinds[0]
        x = self._norm(x, self.scale, self.shift)
        size = self.hidden // self.heads
        for layer in self.layers:
            parts = (x @ layer.qkv + layer.qkv_bias).reshape(len(x), 3, self.heads, size)
            query, key, value = parts.transpose(1, 2, 0, 3)
            logits = query @ key.transpose(0, 2, 1) * np.float32(size**-0.5)
            weights = np.exp(logits - logits.max(axis=2, keepdims=True))
            weights /= weights.sum(axis=2, keepdims=True)
            attended = (weights @ value).transpose(1, 0, 2).reshape(len(x), self.hidden)
            attended = attended @ layer.out + layer.out_bias
            x = self._norm(x + attended, layer.out_scale, layer.out_shift)
            inner = x @ layer.up + layer.up_bias
            curved: Array = inner * np.float32(0.5) * (1 + erf(inner * np.float32(0.5**0.5)))
            x = self._norm(
                x + curved @ layer.down + layer.down_bias, layer.down_scale, layer.down_shift
            )
        return x

    def _norm(self, x: Array, scale: Array, shift: Array) -> Array:
        centred = x - x.mean(axis=1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + np.float32(self.epsilon))
        return np.asarray(centred / spread * scale + shift)


def make_bert(config: Mapping[str, Any], weights: Mapping[str, Array]) -> Bert:
    """Create a BERT from its configuration and weights.

    Parameters
    ----------
    config : mapping of str to JSON value
        The content of ``config.json``.
    weights : mapping of str to ndarray
        Weights by their names in transformers' BertModel, or in a model that contains one.

    Raises
    ------
    ValueError
        If it is not a BERT of a known form, or a matrix is missing or has another shape; the
        message describes the problem.
    """
    if (kind := config.get("model_type")) != "bert":
        raise ValueError(f"a model of type {kind!r}, only 'bert' is known")
    if (curve := config.get("hidden_act", "gelu")) != "gelu":
        raise ValueError(f"a BERT with the activation {curve!r}, only 'gelu' is known")
    if (way := config.get("position_embedding_type", "absolute")) != "absolute":
        raise ValueError(f"a BERT with {way!r} positions, only 'absolute' ones are known")
    sizes: dict[str, int] = {}
    for name, key in _SIZES.items():
        size = config.get(key)
        if type(size) is not int or not 0 < size <= _MOST:
            raise ValueError(f"a configuration with {key} {size!r}")
        sizes[name] = size
    hidden, inner, heads = sizes["hidden"], sizes["inner"], sizes["heads"]
    if hidden % heads:
        raise ValueError(f"{heads} attention heads that do not divide {hidden}")
    around = "bert." if "bert.embeddings.word_embeddings.weight" in weights else ""

    def take(name: str, *shape: int) -> Array:
        array = weights.get(around + name)
        if array is None:
            raise ValueError(f"no weights {name!r}")
        if array.shape != shape:
            raise ValueError(f"weights {name!r} of shape {array.shape}, not {shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"weights {name!r} that are not finite")
        return array

    def norm(name: str) -> tuple[Array, Array]:
        return take(f"{name}.LayerNorm.weight", hidden), take(f"{name}.LayerNorm.bias", hidden)

    def dense(name: str, rows: int, columns: int) -> tuple[Array, Array]:
        return take(f"{name}.weight", columns, rows).T, take(f"{name}.bias", columns)

    layers = []
    for number in range(sizes["layers"]):
        at = f"encoder.layer.{number}."
        qkv = [dense(f"{at}attention.self.{n}", hidden, hidden) for n in ("query", "key", "value")]
        layers.append(
            Layer(
                np.concatenate([matrix for matrix, _ in qkv], axis=1),
                np.concatenate([bias for _, bias in qkv]),
                *dense(f"{at}attention.output.dense", hidden, hidden),
                *norm(f"{at}attention.output"),
                *dense(f"{at}intermediate.dense", hidden, inner),
                *dense(f"{at}output.dense", inner, hidden),
                *norm(f"{at}output"),
            )
        )
    return Bert(
        take("embeddings.word_embeddings.weight", sizes["words"], hidden),
        take("embeddings.position_embeddings.weight", sizes["positions"], hidden),
        take("embeddings.token_type_embeddings.weight", sizes["types"], hidden),
        *norm("embeddings"),
        tuple(layers),
        heads,
        float(config.get("layer_norm_eps", 1e-12)),
    )


FILE: Final = "model.safetensors"
_LONGEST: Final = 1 << 24  # bytes of a header; BERT-large's has 50,000
_BYTES: Final = {"F32": 4, "F16": 2, "BF16": 2, "F64": 8, "I64": 8, "I32": 4, "I8": 1, "U8": 1}
_FLOATS: Final = {"F32": "<f4", "F16": "<f2"}
_MEND: Final = "fetch the model again"


def read_weights(path: Path) -> dict[str, NDArray[np.float32]]:
    """Map the float arrays of a safetensors file into memory; other arrays are ignored.

    Half precision is converted to single precision in memory.

    Raises
    ------
    InputError
        If the file cannot be read, or its header does not match the numbers in the file; this is
        checked before any number is read.
    """
    with input_errors(path), path.open("rb") as file:
        size = path.stat().st_size
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(size - 8, _LONGEST):
            raise _damaged(path, "its header is longer than the file")
        header = file.read(length)
    try:
        described = json.loads(header)
        parts = {name: _part(part) for name, part in described.items() if name != "__metadata__"}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise _damaged(path, "its header cannot be read") from None
    start, end = 8 + length, 0
    for name, (_, shape, first, last, wide) in sorted(parts.items(), key=lambda item: item[1][2:4]):
        if first < end or last > size - start:
            what = "overlaps another" if first < end else "ends behind the file"
            raise _damaged(path, f"{name[:80]} {what}")
        if last - first != wide * math.prod(shape):
            raise _damaged(path, f"{name[:80]} has another size than its shape {shape[:8]}")
        end = last
    if size == start:
        return {}
    whole: Any = np.memmap(path, np.uint8, "r", start)
    weights = {}
    for name, (dtype, shape, first, last, _) in parts.items():
        data = whole[first:last]
        if dtype == "BF16":  # the upper half of a single-precision number
            numbers = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
            weights[name] = numbers.reshape(shape)
        elif dtype in _FLOATS:
            numbers = np.frombuffer(data, _FLOATS[dtype]).astype(np.float32, copy=False)
            weights[name] = numbers.reshape(shape)
    return weights


def _part(described: Any) -> tuple[str, tuple[int, ...], int, int, int]:
    """Check the types of a header entry: dtype, shape, offsets, and bytes per number."""
    dtype, shape = described["dtype"], tuple(described["shape"])
    first, last = described["data_offsets"]
    if not all(type(number) is int and number >= 0 for number in (*shape, first, last)):
        raise ValueError(dtype)
    if len(shape) > 8 or first > last:
        raise ValueError(dtype)
    return dtype, shape, first, last, _BYTES[dtype]


def _damaged(path: Path, problem: str) -> InputError:
    return InputError(f"the weights are damaged: {problem}", where=path, fix=_MEND)
