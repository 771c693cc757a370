"""A tiny BERT with random weights, written as Hugging Face writes one."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from relsent_ir.dense.rows import VectorRows

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "asthma", "children", "blood", "pressure", "adults"),
    *("of", "in", "the", "and", "a", "with", "vitamin", "##s", "##d", "trial", "patient", "risk"),
    *("treatment", "care", ".", ",", ":", "-", "placebo", "randomized", "lung", "heart"),
]
CONFIG: dict[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 40,
    "vocab_size": len(WORDS),
    "max_position_embeddings": 48,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}


def shapes(config: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """The matrices of a BERT, by transformers' names."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    found = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], hidden),
        "embeddings.LayerNorm.weight": (hidden,),
        "embeddings.LayerNorm.bias": (hidden,),
    }
    for number in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{number}."
        for name, rows, columns in (
            *((f"attention.self.{part}", hidden, hidden) for part in ("query", "key", "value")),
            ("attention.output.dense", hidden, hidden),
            ("intermediate.dense", inner, hidden),
            ("output.dense", hidden, inner),
        ):
            found |= {f"{at}{name}.weight": (rows, columns), f"{at}{name}.bias": (rows,)}
        for name in ("attention.output", "output"):
            found |= {f"{at}{name}.LayerNorm.{part}": (hidden,) for part in ("weight", "bias")}
    return found


def write_safetensors(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write float32 arrays as the format has them."""
    header, at = {}, 0
    for name, array in arrays.items():
        header[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    body = b"".join(array.tobytes() for array in arrays.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)


def write_model(
    folder: Path, *, seed: int = 0, pooling: str | None = "mean_tokens", **changed: Any
) -> Path:
    """Write an encoder; gives its folder."""
    folder.mkdir(parents=True)
    config = CONFIG | changed
    (folder / "config.json").write_text(json.dumps(config))
    random = np.random.default_rng(seed)
    arrays = {
        name: random.normal(0, 0.4, shape).astype("<f4") + ("LayerNorm.weight" in name)
        for name, shape in shapes(config).items()
    }
    write_safetensors(folder / "model.safetensors", arrays)
    special = [
        {"id": n, "content": w, "special": True, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False}
        for n, w in enumerate(WORDS[:4])
    ]  # fmt: skip
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {word: n for n, word in enumerate(WORDS)}},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    if pooling:
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(
            json.dumps({f"pooling_mode_{pooling}": True})
        )
    return folder


def named(rows: VectorRows) -> list[str]:
    """All ids, in the order of the rows."""
    return rows.names(np.arange(len(rows))).tolist()
