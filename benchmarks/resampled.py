"""Collections of many times the abstracts: new records that are neither copies nor noise.

In copy after copy, each record gets a new id, and each of its sentences from one of some sixteen
records that are of its source and like it (neighbours in a latent space, others each time), from
about the same place in it. So records have no twin, and are about something. Then a fifth of the
words that are in five records or more and in a hundredth of all at most are replaced by one of
their ten nearest in that space, so that sentences have no twins; and some of the words that are in
one record only by two of them put together, as many as let the vocabulary grow on by Heaps' law, as
it does within the collection. Words in between, punctuation and order stay.
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
                found = re.findall(r"[^\W_]+|[\W_]+", sentence.text if sentence else "")
                sizes.append(len(found))
                pieces += [table.setdefault(piece, len(table)) for piece in found]
            counts.append(len(sentences))
        self.pieces = np.array(pieces, dtype=np.int32)
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.first = np.concatenate([[0], np.cumsum(counts)])  # sentences of each record
        self._learn(list(table))
        _, self.source = np.unique([fact["source"] for fact in self.facts], return_inverse=True)

    def _learn(self, names: list[str]) -> None:
        """Find the words' and records' places in the latent space, and Heaps' law."""
        lower = {name: i for i, name in enumerate(dict.fromkeys(map(str.lower, names)))}
        word = np.array([lower[name.lower()] for name in names])
        self.table = [*names, *lower]  # what a replaced word is written as: in small letters
        is_word = np.array([name[0].isalnum() for name in lower])
        owner = np.repeat(np.arange(len(self.facts)), np.diff(self.starts[self.first]))
        used = word[self.pieces]
        words = is_word[used]
        pairs = np.divmod(np.unique(owner[words] * len(lower) + used[words]), len(lower))
        held = np.bincount(pairs[1], minlength=len(lower))
        known = np.flatnonzero((held >= FREQUENT) & (held <= SHARE * len(self.facts)))
        column = np.full(len(lower), -1)
        column[known] = np.arange(len(known))
        rows, columns = pairs[0], column[pairs[1]]
        there = columns >= 0
        weights = np.log(len(self.facts) / held[known])[columns[there]].astype(np.float32)
        shape = len(self.facts), len(known)
        matrix = csr_array((weights, (rows[there], columns[there])), shape=shape)
        reduced = TruncatedSVD(min(DIMENSIONS, len(known) - 1), random_state=SEED)
        self.records = reduced.fit_transform(matrix)
        self.records /= np.maximum(np.linalg.norm(self.records, axis=1, keepdims=True), 1e-9)
        near = _nearest(np.ascontiguousarray(reduced.components_.T, dtype=np.float32))
        self.near = np.full((len(names), NEAREST), -1, dtype=np.int32)
        mine = column[word]
        found = mine >= 0
        self.near[found] = len(names) + known[near[mine[found]]]
        self.once = np.flatnonzero((held == 1)[word] & is_word[word])
        # Heaps' law: the vocabulary of the first fourth, and of all.
        quarter = len(np.unique(pairs[1][pairs[0] < len(self.facts) // 4]))
        self.vocabulary = len(np.unique(pairs[1]))
        self.heaps = float(np.log(self.vocabulary / quarter) / np.log(4))

    def write(self, copy: int, path: Path) -> None:
        """Write a copy; each number gives another, always the same."""
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
        made = [a[: (len(a) + 1) // 2] + b[len(b) // 2 :] for a, b in both]
        table = np.array([*self.table, *made], dtype=object)
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
        """Cut each source in halves along drawn directions, down to some records that are alike."""
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
        """Draw the sentences of records: title from a title, the others from like places."""
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
    found = []
    for start in range(0, len(vectors), 1000):
        alike = vectors[start : start + 1000] @ vectors.T
        alike[np.arange(len(alike)), np.arange(start, start + len(alike))] = -2
        found.append(np.argpartition(-alike, count, axis=1)[:, :count])
    near = np.concatenate(found)
    return near[:, np.arange(NEAREST) % count]
