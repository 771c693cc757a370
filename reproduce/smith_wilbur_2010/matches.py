"""The best matches of sentences by several methods."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.index import Index
from relsent_ir.models import load
from relsent_ir.related.matching.matcher import Matcher

FORMULA: Final = "I1.5"
SHOWN: Final = 10


@dataclass(frozen=True)
class Matched:
    """What was found.

    Attributes
    ----------
    best : dict of str to dict of str to (str, float)
        For each method and sentence id, the best match and its score.
    agreement : dict of (str, str) to float
        The share of sentences for which two methods name the same one.
    shown : list of str
        Ids of sentences to show.
    texts : str
        The shown sentences and their matches; "" if not asked for.
    """

    best: dict[str, dict[str, tuple[str, float]]]
    agreement: dict[tuple[str, str], float]
    shown: list[str]
    texts: str


def match_sentences(
    folder: Path, models: Mapping[str, Path], ids: Sequence[str], with_texts: bool
) -> Matched:
    """Match sentences of an index with all others, exactly.

    Parameters
    ----------
    folder : Path
        The collection's indexes.
    models : mapping of str to Path
        Trained models by name, the last of them Huber+.
    ids : sequence of str
        The sentences.
    with_texts : bool
        Give the texts of those that are shown.
    """
    best: dict[str, dict[str, tuple[str, float]]] = {}
    with Indexes(folder) as collection:
        lines = collection.sentences.raw(ids)
        topics = {
            name: str(json.loads(line)["contents"]) for name, line in zip(ids, lines, strict=True)
        }
        for name, model in {FORMULA: FORMULA, **models}.items():
            found = Matcher(collection, str(model)).related(topics, 1, without_own=True)
            best[name] = {
                topic: (str(hits.ids[0]), float(hits.scores[0])) for topic, hits in found.items()
            }
    agreement = {
        (a, b): float(np.mean([best[a][topic][0] == best[b][topic][0] for topic in topics]))
        for a, b in product(best, best)
    }
    last = list(best)[-1]
    calibration = load(models[last], "related").calibration
    least = calibration.min_score() if calibration else -np.inf
    shown = [topic for topic in topics if best[last][topic][1] >= least][:SHOWN]
    texts = _texts(folder, topics, shown, best) if with_texts else ""
    return Matched(best, agreement, shown, texts)


def _texts(
    folder: Path,
    topics: Mapping[str, str],
    shown: Sequence[str],
    best: Mapping[str, Mapping[str, tuple[str, float]]],
) -> str:
    """Write each sentence with its matches under it."""
    with Index(folder, "sentences") as index:
        parts = []
        for topic in shown:
            parts.append(f"{topic}  {topics[topic]}\n")
            for name, matches in best.items():
                match, score = matches[topic]
                text = json.loads(index.raw([match])[0])["contents"]
                parts.append(f"- {name} {score:.3g}: {match}  {text}\n")
    return "\n".join(parts)
