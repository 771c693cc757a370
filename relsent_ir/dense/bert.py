"""BERT (Devlin et al. 2019): its shape, its weights, and its states computed with NumPy alone.

NumPy serves where onnxruntime is missing, and for short texts, which are not worth a graph.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

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
_MOST: Final = 1 << 20  # of any size: more is no BERT's


@dataclass(frozen=True)
class Layer:
    """The weights of a layer; matrices stand as inputs by outputs.

    Attributes
    ----------
    qkv, qkv_bias : ndarray, shapes (hidden, 3 hidden) and (3 hidden,)
    out, out_bias, out_scale, out_shift : ndarray
        Of attention's output, and of the norm behind it.
    up, up_bias, down, down_bias, down_scale, down_shift : ndarray
        Of the two matrices behind it, (hidden, inner) and (inner, hidden), and of their norm.
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
    """A BERT, which computes the states of one text at a time.

    Attributes
    ----------
    words, places, kinds : ndarray, shapes (vocabulary, hidden), (positions, hidden), (2, hidden)
        Embeddings.
    scale, shift : ndarray, shape (hidden,)
        Of the norm of their sum.
    layers : tuple of Layer
    heads : int
    epsilon : float
        Of the norms.
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
        for layer in self.layers:
            x = self._norm(x + self._attention(x, layer), layer.out_scale, layer.out_shift)
            inner = x @ layer.up + layer.up_bias
            curved: Array = inner * np.float32(0.5) * (1 + erf(inner * np.float32(0.5**0.5)))
            x = self._norm(
                x + curved @ layer.down + layer.down_bias, layer.down_scale, layer.down_shift
            )
        return x

    def _attention(self, x: Array, layer: Layer) -> Array:
        size = self.hidden // self.heads
        parts = (x @ layer.qkv + layer.qkv_bias).reshape(len(x), 3, self.heads, size)
        query, key, value = parts.transpose(1, 2, 0, 3)
        logits = query @ key.transpose(0, 2, 1) * np.float32(size**-0.5)
        weights = np.exp(logits - logits.max(axis=2, keepdims=True))
        weights /= weights.sum(axis=2, keepdims=True)
        joined = (weights @ value).transpose(1, 0, 2).reshape(len(x), self.hidden)
        return np.asarray(joined @ layer.out + layer.out_bias)

    def _norm(self, x: Array, scale: Array, shift: Array) -> Array:
        centred = x - x.mean(axis=1, keepdims=True)
        spread = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + np.float32(self.epsilon))
        return np.asarray(centred / spread * scale + shift)


def make_bert(config: Mapping[str, Any], weights: Mapping[str, Array]) -> Bert:
    """Put together a BERT.

    Parameters
    ----------
    config : mapping of str to JSON value
        As in ``config.json``.
    weights : mapping of str to ndarray
        By the names of transformers' BertModel, or of a model around one.

    Raises
    ------
    ValueError
        If it is no BERT of a known form, or a matrix is missing or of another shape; the message
        is the problem in words.
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
