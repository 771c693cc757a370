"""Encoders: the folder of a BERT in Hugging Face's form, which turns texts into unit vectors.

The model is ``config.json``, ``model.safetensors`` and ``tokenizer.json``; pooling, prefixes and
the length limit come from the files of sentence-transformers. Each text is encoded separately, so
that its vector does not depend on other texts.
"""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256 as _sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from relsent_ir.dense.bert import FILE, Array, Bert, make_bert, read_weights
from relsent_ir.errors import InputError, MissingError, UsageError
from relsent_ir.files import open_bytes, sha256

COMPUTES: Final = ("8bit", "fp32", "numpy")
"""How to compute vectors: ONNX Runtime with weights of 8 bits or 32 bits, or NumPy."""
POOLINGS: Final = ("mean", "cls")
EXTRA: Final = "pip install 'relsent-ir[dense]'"
_LARGEST: Final = 1 << 26  # bytes of a description
_READ: Final = ("config.json", FILE, "tokenizer.json")
_FETCHED: Final = [*_READ, "*.json", "1_Pooling/config.json"]
_ID: Final = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Way:
    """How a text becomes a vector.

    Attributes
    ----------
    pooling : {"mean", "cls"}
        The mean of the states of the tokens, or the state of the first token.
    query, passage : str
        Prefixes of queries and of passages.
    limit : int
        Largest number of tokens of a text; further tokens are cut off.
    """

    pooling: str
    query: str
    passage: str
    limit: int


class Encoded(NamedTuple):
    """The unit vector of a text, and whether the text was cut."""

    vector: Array
    cut: bool


class Encoder:
    """An open encoder.

    Parameters
    ----------
    folder : Path
    way : Way
    compute : {"8bit", "fp32", "numpy"}

    Raises
    ------
    InputError
        If the folder has no model, a model other than a BERT, or a damaged model.
    MissingError
        If a package is missing.
    """

    def __init__(self, folder: Path, way: Way, compute: str = "8bit") -> None:
        self.folder = folder
        self.way = way
        self.compute = compute
        config = _json(folder / "config.json")
        try:
            self.bert: Bert = make_bert(config, read_weights(folder / FILE))
        except ValueError as error:
            raise InputError(str(error), where=folder) from None
        if way.limit > len(self.bert.places):
            most = len(self.bert.places)
            raise InputError(f"texts of {way.limit} tokens, the model takes {most}", where=folder)
        self.tokenizer = _tokenizer(folder / "tokenizer.json", way.limit, len(self.bert.words))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the path, for other processes."""
        return Encoder, (self.folder, self.way, self.compute)

    def encode(self, text: str) -> Encoded:
        """Encode one text, without adding prefixes.

        Raises
        ------
        InputError
            If the vector is 0 or not finite.
        """
        encoding = self.tokenizer.encode(text)  # cut at the length limit of the model
        tokens = np.array(encoding.ids, dtype=np.int32)
        if self._session is None:
            states = self.bert.states(tokens)
        else:
            inputs = {"tokens": tokens[None], "segments": np.zeros_like(tokens)[None]}
            states = np.asarray(self._session.run(None, inputs)[0][0])
        pooled = states[0] if self.way.pooling == "cls" else states.mean(axis=0)
        return Encoded(unit(pooled, self.folder), bool(encoding.overflowing))

    @cached_property
    def _session(self) -> Any:
        """The session of ONNX Runtime on one thread; None if NumPy computes."""
        if self.compute == "numpy":
            return None
        try:
            import onnxruntime

            from relsent_ir.dense.graph import Graph

            graph = Graph(self.bert, self.compute == "8bit").build()
        except ImportError as error:
            raise _missing(error) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def open_encoder(
    model: str | Path,
    *,
    pooling: str | None = None,
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
    compute: str | None = None,
) -> Encoder:
    """Open an encoder.

    Parameters
    ----------
    model : str or Path
        A folder, or an id of Hugging Face, whose files are downloaded if there is a network.
    pooling : {"mean", "cls"}, optional
        The pooling, instead of the folder's.
    query_prefix, passage_prefix : str, optional
        The prefixes, instead of the folder's.
    compute : {"8bit", "fp32", "numpy"}, optional
        How to compute; 8 bits if None.

    Raises
    ------
    InputError, MissingError
        As in `Encoder`; also if the folder does not exist, or there is no network.
    UsageError
        If neither the folder nor `pooling` defines the pooling of tokens, or the pooling or
        `compute` is unknown.
    """
    for value, choices in ((compute, COMPUTES), (pooling, POOLINGS)):
        if value is not None and value not in choices:
            raise UsageError(f"no way to encode {value!r}", fix=f"one of {', '.join(choices)}")
    folder = find_model(model)
    prompts = _json(folder / "config_sentence_transformers.json", optional=True).get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    passage = prompts.get("passage", prompts.get("document", ""))
    limits = [
        _json(folder / "config.json").get("max_position_embeddings"),
        _json(folder / "sentence_bert_config.json", optional=True).get("max_seq_length"),
        _json(folder / "tokenizer_config.json", optional=True).get("model_max_length"),
    ]
    way = Way(
        pooling or _pooling(folder),
        str(prompts.get("query", "")) if query_prefix is None else query_prefix,
        str(passage) if passage_prefix is None else passage_prefix,
        min([limit for limit in limits if type(limit) is int and limit > 2], default=512),
    )
    return Encoder(folder, way, compute or "8bit")


def find_model(model: str | Path) -> Path:
    """Return the folder of a model; if it is an id of Hugging Face, download the model first.

    Raises
    ------
    InputError
        If the model does not exist, or its weights are a pickle.
    MissingError
        If the model cannot be downloaded.
    """
    folder = Path(model)
    if not folder.exists() and _ID.fullmatch(str(model)) and not str(model).startswith("."):
        folder = _fetched(str(model))
    if not folder.is_dir():
        problem = "this is a file" if folder.exists() else "there is no such folder"
        raise InputError(problem, where=model, fix="give the folder of a model")
    for name in _READ:
        if not (folder / name).is_file():
            if name == FILE and (folder / "pytorch_model.bin").exists():
                fix = "no pickle is read; convert to safetensors"
                raise InputError("only pytorch_model.bin is there", where=folder, fix=fix)
            raise InputError(f"this model has no {name}", where=folder)
    return folder


def digest_of(folder: Path) -> str:
    """Return a digest of the files that determine a model's vectors."""
    digest = _sha256("".join(sha256(folder / name) for name in _READ).encode())
    return digest.hexdigest()[:16]


def unit(vector: Array, where: str | Path) -> Array:
    """Scale a vector to length 1.

    Raises
    ------
    InputError
        If the vector is 0 or not finite.
    """
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if not np.isfinite(length) or not length:
        what = "0 throughout" if length == 0 else "not finite"
        raise InputError(f"a vector that is {what}", where=where)
    return np.asarray(vector / length, dtype=np.float32)


def _fetched(name: str) -> Path:
    fix = f"where there is one: hf download {name} --local-dir DIR; then give DIR"
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, allow_patterns=_FETCHED, etag_timeout=5))
    except ImportError as error:
        raise _missing(error) from error
    except Exception as error:  # any exception that the client raises
        problem = f"there is no folder {name}, and it cannot be fetched without a network"
        raise MissingError(problem, fix=fix) from error


def _pooling(folder: Path) -> str:
    settings = _json(folder / "1_Pooling" / "config.json", optional=True)
    chosen = [key for key, value in settings.items() if key.startswith("pooling_mode_") and value]
    known = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}
    if len(chosen) != 1 or chosen[0] not in known:
        problem = f"{folder} does not say how tokens are pooled, or in a way that is not known"
        raise UsageError(problem, fix="--pooling mean or cls, as its authors say")
    return known[chosen[0]]


def _tokenizer(path: Path, limit: int, words: int) -> Any:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise _missing(error) from error
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises nothing else  # noqa: BLE001
        raise InputError(f"this is no tokenizer ({error})", where=path) from None
    if max(tokenizer.get_vocab(with_added_tokens=True).values(), default=0) >= words:
        raise InputError(f"tokens beyond the model's {words}", where=path)
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)
    return tokenizer


def _missing(error: ImportError) -> MissingError:
    return MissingError(f"the package {error.name or error} is missing", fix=EXTRA)


def _json(path: Path, *, optional: bool = False) -> dict[str, Any]:
    if optional and not path.is_file():
        return {}
    with open_bytes(path, most=_LARGEST) as file:
        try:
            content = json.loads(file.read())
        except (ValueError, RecursionError):
            content = None
    if not isinstance(content, dict):
        raise InputError("this is no JSON object", where=path, fix="fetch the model again")
    return content
