"""Encoders: vectors that agree, what a folder says, and folders that are none."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relsent_ir.dense.bert import read_weights
from relsent_ir.dense.encoder import Encoder, open_encoder
from relsent_ir.dense.retrieval import Vectors
from relsent_ir.errors import InputError, MissingError, UsageError
from tests.dense.tiny import CONFIG, WORDS, write_model

TEXTS = ("Asthma in children.", "blood pressures", "", "the " * 100)


def by_hand(folder: Path, tokens: list[int]) -> np.ndarray:
    """The mean state of a text, by loops over tokens, heads and positions, in double precision."""
    weights = {n: w.astype(float) for n, w in read_weights(folder / "model.safetensors").items()}

    def dense(name: str, x: np.ndarray) -> np.ndarray:
        return weights[f"{name}.weight"] @ x + weights[f"{name}.bias"]

    def norm(name: str, x: np.ndarray) -> np.ndarray:
        shifted = (x - x.mean()) / math.sqrt(x.var() + 1e-12)
        return shifted * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]

    words, places, kinds = (
        weights[f"embeddings.{name}_embeddings.weight"]
        for name in ("word", "position", "token_type")
    )
    states = [norm("embeddings", words[t] + places[i] + kinds[0]) for i, t in enumerate(tokens)]
    heads = CONFIG["num_attention_heads"]
    size = CONFIG["hidden_size"] // heads
    for number in range(CONFIG["num_hidden_layers"]):
        at = f"encoder.layer.{number}."
        query, key, value = (
            [dense(f"{at}attention.self.{name}", x) for x in states]
            for name in ("query", "key", "value")
        )
        after = []
        for i, x in enumerate(states):
            attended = np.zeros(len(x))
            for head in range(heads):
                part = slice(head * size, (head + 1) * size)
                logits = [query[i][part] @ k[part] / math.sqrt(size) for k in key]
                shares = np.exp(logits) / np.exp(logits).sum()
                attended[part] = sum(s * v[part] for s, v in zip(shares, value, strict=True))
            x = norm(f"{at}attention.output", x + dense(f"{at}attention.output.dense", attended))
            raised = dense(f"{at}intermediate.dense", x)
            curved = np.array([r * 0.5 * (1 + math.erf(r / math.sqrt(2))) for r in raised])
            after.append(norm(f"{at}output", x + dense(f"{at}output.dense", curved)))
        states = after
    return np.mean(states, axis=0)


def test_vectors_agree(tiny: Path) -> None:
    """ONNX Runtime, NumPy and loops over the weights agree to 1e-5; 8 bits come close."""
    tokens = [2, WORDS.index("asthma"), WORDS.index("in"), WORDS.index("children"),
              WORDS.index("."), 3]  # fmt: skip
    mean = by_hand(tiny, tokens)
    expected = mean / np.linalg.norm(mean)
    for compute in ("numpy", "fp32"):
        vector = open_encoder(tiny, compute=compute).encode("Asthma in children.").vector
        assert vector.dtype == np.float32
        assert np.abs(vector - expected).max() < 1e-5
    encoders = [open_encoder(tiny, compute=compute) for compute in ("numpy", "fp32", "8bit")]
    for text in TEXTS:
        plain, full, eight = (encoder.encode(text) for encoder in encoders)
        assert np.abs(plain.vector - full.vector).max() < 1e-5
        assert float(plain.vector @ eight.vector) > 0.98
        assert plain.cut == full.cut == (text == TEXTS[-1])


def test_the_first_token(tmp_path: Path) -> None:
    """Pooled by CLS, a vector is the first state; a prefix stands before the text."""
    model = write_model(tmp_path / "m", pooling="cls_token")
    (model / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "risk of ", "passage": "the "}})
    )
    encoder = open_encoder(model, compute="numpy")
    tokens = np.array([2, WORDS.index("lung"), 3], np.int32)
    first = encoder.bert.states(tokens)[0]
    assert np.allclose(encoder.encode("lung").vector, first / np.linalg.norm(first), atol=1e-6)
    expected = encoder.encode("risk of lung").vector
    assert np.array_equal(Vectors(None, encoder).encode("lung"), expected)
    assert encoder.way.passage == "the "
    mean = open_encoder(model, pooling="mean", query_prefix="", compute="numpy")
    assert not np.allclose(mean.encode("lung").vector, encoder.encode("lung").vector)


@pytest.mark.parametrize("wrong", [{"compute": "4bit"}, {"pooling": "max"}])
def test_ways_that_there_are_not(tmp_path: Path, wrong: dict[str, str]) -> None:
    """They are refused, and not taken for others."""
    model = write_model(tmp_path / "m")
    with pytest.raises(UsageError, match=r"no way to encode '(4bit|max)'"):
        open_encoder(model, **wrong)


def test_models_of_files(tmp_path: Path) -> None:
    """The least limit that any file says holds; vectors of NaN would follow, so refused."""
    model = write_model(tmp_path / "m")
    assert open_encoder(model).way.limit == 48
    (model / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    encoder = open_encoder(model, compute="numpy")
    assert encoder.way.limit == 5
    assert not encoder.encode("lung lung lung").cut
    assert encoder.encode("lung lung lung heart").cut
    data = bytearray((model / "model.safetensors").read_bytes())
    data[-4:] = np.float32(np.nan).tobytes()
    (model / "model.safetensors").write_bytes(data)
    with pytest.raises(InputError, match="not finite"):
        open_encoder(model)


def damaged(folder: Path, name: str) -> None:
    """Write something else into a file."""
    (folder / name).write_bytes(b"\xff\x00nothing")


@pytest.mark.parametrize(
    ("change", "error", "problem"),
    [
        (lambda m: (m / "config.json").unlink(), InputError, "no config.json"),
        (lambda m: (m / "tokenizer.json").unlink(), InputError, "no tokenizer.json"),
        (lambda m: (m / "model.safetensors").unlink(), InputError, "no model.safetensors"),
        (
            lambda m: (m / "model.safetensors").rename(m / "pytorch_model.bin"),
            InputError,
            "no pickle is read; convert to safetensors",
        ),
        (lambda m: damaged(m, "config.json"), InputError, "no JSON object"),
        (lambda m: damaged(m, "tokenizer.json"), InputError, "no tokenizer"),
        (lambda m: damaged(m, "model.safetensors"), InputError, "weights are damaged"),
        (lambda m: (m / "1_Pooling" / "config.json").unlink(), UsageError, "--pooling mean or cls"),
    ],
)
def test_folders_that_are_no_model(tmp_path, change, error, problem):
    """Each is told in a line."""
    model = write_model(tmp_path / "m")
    change(model)
    with pytest.raises(error, match=problem):
        open_encoder(model)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"model_type": "roberta"}, "type 'roberta'"),
        ({"hidden_act": "relu"}, "activation 'relu'"),
        ({"position_embedding_type": "relative_key"}, "positions"),
        ({"num_attention_heads": 5}, "do not divide"),
        ({"num_hidden_layers": 3}, "no weights 'encoder.layer.2"),
        ({"hidden_size": 2**40}, "hidden_size"),
        ({"vocab_size": "many"}, "vocab_size"),
        ({"vocab_size": 7}, "of shape"),
    ],
)
def test_models_that_are_not_known(tmp_path: Path, changed: dict[str, Any], problem: str) -> None:
    """A configuration that does not fit is refused, and so are weights of another shape."""
    model = write_model(tmp_path / "m")
    (model / "config.json").write_text(json.dumps(CONFIG | changed))
    with pytest.raises(InputError, match=problem):
        open_encoder(model)


def test_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, a file, and an id where there is no network."""
    with pytest.raises(InputError, match="no such folder"):
        open_encoder(tmp_path / "none")
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="this is a file"):
        open_encoder(tmp_path / "file")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(MissingError, match="hf download some-body/model --local-dir DIR"):
        open_encoder("some-body/model")


def test_a_missing_package(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what to install; NumPy needs no ONNX Runtime."""
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    encoder = open_encoder(tiny)
    with pytest.raises(MissingError, match=r"relsent-ir\[dense\]"):
        encoder.encode("lung")
    assert isinstance(open_encoder(tiny, compute="numpy"), Encoder)
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(MissingError, match="tokenizers"):
        open_encoder(tiny)
