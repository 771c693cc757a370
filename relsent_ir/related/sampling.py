"""The best matches of sentences that are drawn from an index, by several methods."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from relsent_ir.errors import MismatchError
from relsent_ir.lucene.index import Index
from relsent_ir.related.matching import Matcher
from relsent_ir.related.pairs import LEAST_WORDS
from relsent_ir.typing import Progress


def best_matches(
    folder: Path,
    models: Sequence[str],
    sentences: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[dict[str, dict[str, tuple[str, float]]], dict[str, str]]:
    """Draw sentences, and let each method name the best one of other records.

    Titles are left out, and sentences of fewer than three words. Exactly where the method allows
    it, else among the first candidates.

    Parameters
    ----------
    folder : Path
        The collection's indexes.
    models : sequence of str
        Formulas' names, and folders of trained models.
    sentences : int
        How many, or all if there are fewer.
    seed : int
    progress : callable, optional
        Gets the number of methods done, and of all.

    Returns
    -------
    matches : dict of method to dict of sentence id to (match id, score)
    texts : dict of sentence id to text
        Of both.

    Raises
    ------
    MismatchError
        If no sentence can be drawn.
    """
    matches: dict[str, dict[str, tuple[str, float]]] = {}
    topics: dict[str, str] = {}
    for done, name in enumerate(models, 1):
        with Matcher(folder, name) as matcher:
            if not topics:
                topics = _draw(matcher, sentences, seed)
            ways = "bm25" if matcher.scorer is None else "exact"
            run = matcher.related(topics, 1, candidates=ways, without_own=True)
        matches[name] = {t: (str(h.ids[0]), float(h.scores[0])) for t, h in run.items() if len(h)}
        if progress:
            progress(done, len(models))
    ids = sorted({hit for found in matches.values() for hit, _ in found.values()} - topics.keys())
    return matches, {**topics, **_texts(folder, ids)}


def _draw(matcher: Matcher, sentences: int, seed: int) -> dict[str, str]:
    store = matcher.store
    long = np.flatnonzero(store.sentences.lengths >= LEAST_WORDS)
    bodies = [row for row in long.tolist() if store.ids[row].rpartition(".")[2] != "0"]
    if not bodies:
        raise MismatchError(f"no sentence of {LEAST_WORDS} words or more can be drawn")
    drawn = np.random.default_rng(seed).permutation(bodies)[:sentences]
    return _texts(matcher.index.folder, [store.ids[row] for row in drawn.tolist()])


def _texts(folder: Path, ids: Sequence[str]) -> dict[str, str]:
    with Index(folder, "sentences") as index:
        lines = index.raw(ids)
    return {name: str(json.loads(line)["contents"]) for name, line in zip(ids, lines, strict=True)}
