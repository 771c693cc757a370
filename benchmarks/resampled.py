"""Collections of many times the abstracts: new records that are neither copies nor noise.

In each copy, a record gets a new id, and takes each sentence, at about the same place, from one of
some sixteen records of its source that are near it in a latent space, others in each copy. So
records have no duplicates, and are about one subject. Then a fifth of the words that are in five
records or more and in a hundredth of all at most are replaced by one of their ten nearest words in
that space, so that sentences have no duplicates. Some of the words that are in a single record are
replaced by combinations of two of them, as many as make the vocabulary grow by Heaps' law, as
within the collection. Other words, punctuation and order stay.
"""

import gzip
import json
import re
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.decomposition import TruncatedSVD

from relsent_ir.records import read_records
from relsent_ir.text.vocabulary import ranges

SEED = 20240229
DIMENSIONS, ALIKE, NEAREST = 32, 16, 10
REPLACED, FREQUENT, SHARE = 0.2, 5, 0.01
FIRST_ID = 40_000_000  # no PMID yet
SOME = 2_000  # records that are written together

Numbers = NDArray[np.integer]


class Resampler:
    """Writes copies of a collection.

    Parameters
    ----------
    path : Path
        Its records.
    """

    def __init__(self, path: Path) -> None:
        table: dict[str, int] = {}
        pieces: list[int] = []
        sizes, counts, self.facts = [], [], []
        packed = path.suffix == ".gz"
        with (gzip.open if packed else open)(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                read = json.loads(line)
                self.facts.append({name: read[name] for name in ("source", "mesh") if name in read})
        for record in read_records(path):
            sentences = list(record.sentences())
            if sentences[0].n:
                sentences.insert(0, None)
            for sentence in sentences:
                parts = re.findall(r"[^\W_]+|[\W_]+", sentence.text if sentence else "")
                sizes.append(len(parts))
                pieces += [table.setdefault(piece, len(table)) for piece in parts]
            counts.append(len(sentences))
        self.pieces = np.array(pieces, dtype=np.int32)
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.first = np.concatenate([[0], np.cumsum(counts)])  # sentences of each record
        self._learn(list(table))
        _, self.source = np.unique([fact["source"] for fact in self.facts], return_inverse=True)

    def _learn(self, names: list[str]) -> None:
        """Compute the places of words and records in the latent space, and Heaps' exponent."""
        lower = {name: i for i, name in enumerate(dict.fromkeys(map(str.lower, names)))}
        word = np.array([lower[name.lower()] for name in names])
        self.table = [*names, *lower]  # what a replaced word is written as: in small letters
        is_word = np.array([name[0].isalnum() for name in lower])
        owner = np.repeat(np.arange(len(self.facts)), np.diff(self.starts[self.first]))
        used = word[self.pieces]
        words = is_word[used]
        pairs = np.divmod(np.unique(owner[words] * len(lower) + used[words]), len(lower))
        held = np.bincount(pairs[1], minlength=len(lower))
        frequent = np.flatnonzero((held >= FREQUENT) & (held <= SHARE * len(self.facts)))
        column = np.full(len(lower), -1)
        column[frequent] = np.arange(len(frequent))
        rows, columns = pairs[0], column[pairs[1]]
        there = columns >= 0
        weights = np.log(len(self.facts) / held[frequent])[columns[there]].astype(np.float32)
        shape = len(self.facts), len(frequent)
        matrix = csr_array((weights, (rows[there], columns[there])), shape=shape)
        reduced = TruncatedSVD(min(DIMENSIONS, len(frequent) - 1), random_state=SEED)
        self.records = reduced.fit_transform(matrix)
        self.records /= np.maximum(np.linalg.norm(self.records, axis=1, keepdims=True), 1e-9)
        near = _nearest(np.ascontiguousarray(reduced.components_.T, dtype=np.float32))
        self.near = np.full((len(names), NEAREST), -1, dtype=np.int32)
        mine = column[word]
        placed = mine >= 0
        self.near[placed] = len(names) + frequent[near[mine[placed]]]
        self.once = np.flatnonzero((held == 1)[word] & is_word[word])
        # Heaps' law: the vocabulary of the first fourth, and of all.
        quarter = len(np.unique(pairs[1][pairs[0] < len(self.facts) // 4]))
        self.vocabulary = len(np.unique(pairs[1]))
        self.heaps = float(np.log(self.vocabulary / quarter) / np.log(4))

    def write(self, copy: int, path: Path) -> None:
        """Write the copy with a number; the same number always gives the same copy."""
        chance = np.random.default_rng([SEED, copy])
        leaf, members = self._groups(chance)
        grown = self.vocabulary * ((copy + 1) ** self.heaps - copy**self.heaps)
        share = min(1.0, grown / max(1, len(self.once)) / (1 - np.exp(-1)))  # some are not drawn
        renamed = self.once[chance.random(len(self.once)) < share]
        tails = [self.table[i] for i in chance.choice(self.once, len(renamed))]
        new = np.arange(len(self.table), dtype=np.int32)
        new[renamed] = np.arange(len(self.table), len(self.table) + len(renamed))
        heads = [self.table[i] for i in renamed]
        both = zip(heads, tails, strict=True)
        words = [a[: (len(a) + 1) // 2] + b[len(b) // 2 :] for a, b in both]
        table = np.array([*self.table, *words], dtype=object)
        with path.open("w", encoding="utf-8") as file:
            for start in range(0, len(self.facts), SOME):
                records = np.arange(start, min(start + SOME, len(self.facts)))
                drawn = self._draw(records, leaf, members, chance)
                texts = iter(self._texts(drawn, new, table, chance))
                for record in records.tolist():
                    size = int(self.first[record + 1] - self.first[record])
                    title, *others = islice(texts, size)
                    written = {
                        "id": str(FIRST_ID + copy * 100_000 + record),
                        "title": title or None,
                        "abstract": " ".join(others),
                        **self.facts[record],
                    }
                    file.write(json.dumps(written, ensure_ascii=False) + "\n")

    def _groups(self, chance: np.random.Generator) -> tuple[Numbers, list[Numbers]]:
        """Halve each source along random directions, down to groups of similar records."""
        leaf = np.empty(len(self.facts), dtype=np.int64)
        members: list[Numbers] = []
        left = [np.flatnonzero(self.source == source) for source in np.unique(self.source)]
        while left:
            some = left.pop()
            if len(some) <= ALIKE:
                leaf[some] = len(members)
                members.append(some)
                continue
            a, b = self.records[chance.choice(some, 2)]
            order = some[np.argsort(self.records[some] @ (a - b), kind="stable")]
            left += [order[: len(order) // 2], order[len(order) // 2 :]]
        return leaf, members

    def _draw(
        self, records: Numbers, leaf: Numbers, members: list[Numbers], chance: np.random.Generator
    ) -> Numbers:
        """Draw the sentences of records: a title from a title, others from similar places."""
        drawn = []
        for record in records.tolist():
            size = int(self.first[record + 1] - self.first[record]) - 1
            givers = chance.choice(members[leaf[record]], size + 1)
            firsts = self.first[givers]
            theirs = self.first[givers + 1] - firsts - 1
            at = (np.arange(size) + chance.random(size)) / max(1, size)
            places = np.append(0, 1 + np.floor(at * theirs[1:])).astype(np.int64)
            places = np.minimum(places, theirs)  # of a record with a title only, that
            drawn.append(firsts + places)
        return np.concatenate(drawn)

    def _texts(
        self, sentences: Numbers, new: Numbers, table: NDArray, chance: np.random.Generator
    ) -> Iterable[str]:
        sizes = self.starts[sentences + 1] - self.starts[sentences]
        pieces = self.pieces[ranges(self.starts[sentences], sizes)]
        near = self.near[pieces, chance.integers(NEAREST, size=len(pieces))]
        replaced = (near >= 0) & (chance.random(len(pieces)) < REPLACED)
        written = table[np.where(replaced, near, new[pieces])].tolist()
        ends = np.cumsum(sizes).tolist()
        for start, end in zip([0, *ends], ends, strict=False):
            yield "".join(written[start:end])


def _nearest(vectors: NDArray[np.float32]) -> Numbers:
    """Find the nearest others of each vector by the cosine."""
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    count = min(NEAREST, len(vectors) - 1)
    rows = []
    for start in range(0, len(vectors), 1000):
        alike = vectors[start : start + 1000] @ vectors.T
        alike[np.arange(len(alike)), np.arange(start, start + len(alike))] = -2
        rows.append(np.argpartition(-alike, count, axis=1)[:, :count])
    near = np.concatenate(rows)
    return near[:, np.arange(NEAREST) % count]
