"""The meaning of a ranker's features, recorded as their values for nine artificial records.

`relsent_ir.models.check_columns` refuses a model whose columns have other values now: a change of
k1, of a root or of idf is noticed, whereas a rephrased description is not.
"""

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from relsent_ir.counts.matrix import Counts
from relsent_ir.counts.store import NO_MOVE, CountStore
from relsent_ir.counts.weighting import TermQuery
from relsent_ir.engines import TermVectors
from relsent_ir.feedback.expansion import expand
from relsent_ir.feedback.pool import Pool
from relsent_ir.hits import Hits
from relsent_ir.models import Columns, digest, figures
from relsent_ir.moves import MOVES
from relsent_ir.ranker import likeness
from relsent_ir.ranker.candidates import FEEDBACKS, RelatedScorer, TopicCandidates, TopicVectors
from relsent_ir.ranker.features import CLOSING, OPENING, POSITIONS, PREFIX, RELATED_SENTENCES, group
from relsent_ir.text.vocabulary import Vocabulary
from relsent_ir.typing import Floats, NDArray

if TYPE_CHECKING:
    from relsent_ir.related.features import Sentences

TOLERANCE: Final = 1e-4
"""Relative difference of values that count as equal: likeness is computed in float32."""
SCALE: Final = "scale"
CONSTANTS: Final = "constants"
_RECORDS: Final = 9
_BODY: Final = 3  # sentences of an abstract
_TERMS: Final = tuple(
    f"{a}{b}" for a in ("glucos", "larv", "murin") for b in ("ase", "in", "ite", "ol")
)
_TOPIC: Final = {0: 2.0, 5: 1.0, 7: 1.0}  # counts of the topic's terms, by column


def columns(groups: Sequence[str]) -> Columns:
    """Compute the columns of a model: features, their common scale, and bounds too large to test.

    Parameters
    ----------
    groups : sequence of str
        Groups of features in the order of the model.
    """
    candidates = probe(tuple(name for name in groups if name.startswith(PREFIX)))
    told: dict[str, Sequence[float] | str] = {}
    for name in groups:
        values = group(name).compute(candidates)
        told |= {feature: figures(values[feature]) for feature in group(name).features}
    told[SCALE] = figures(likeness.standard(np.array([1.0, 2.0, 4.0])))
    larger = (OPENING, CLOSING) if POSITIONS.name in groups else ()  # than the artificial records
    told[CONSTANTS] = digest(likeness.POOL, likeness.NEAREST, RELATED_SENTENCES, *larger)
    return told


@cache
def probe(runs: tuple[str, ...] = ()) -> TopicCandidates:
    """Create artificial records that are candidates of one topic, with all that can be computed.

    Parameters
    ----------
    runs : tuple of str
        Names of other systems' runs, with the prefix of their groups.
    """
    from relsent_ir.related.features import Sentences

    i, t = np.arange(_RECORDS)[:, None], np.arange(len(_TERMS))
    title = ((5 * i + 3 * t) % 7 == 0).astype(np.uint16)
    j = np.arange(_BODY)[:, None]
    body = np.maximum(0, ((2 * j + 1) * i[:, :, None] + 5 * j + 7 * t) % 6 - 3).astype(np.uint16)
    mesh = ((i + 2 * t) % 5 == 0).astype(np.uint16)
    contents = title + body.sum(axis=1, dtype=np.uint16) + mesh
    sentences = np.concatenate([title[:, None], body], axis=1).reshape(-1, len(_TERMS))
    said = [" ".join(_TERMS[column] for column in np.flatnonzero(row)) for row in sentences]
    texts = Sentences.from_texts(said, ())
    model: Any = SimpleNamespace(stopwords=(), query_scores=_shared)
    others = np.arange(_RECORDS)
    fields = {
        "contents": contents,
        "title": title,
        "abstract": body.sum(axis=1, dtype=np.uint16),
        "mesh": mesh,
        "sentences": sentences,
        "references": ((3 * i + 5 * np.arange(8)) % 4 == 0).astype(np.uint16),
        "links": (((i + others) % 4 == 1) & (i != others)).astype(np.uint16),
        "headings": ((i * (np.arange(6) + 1)) % 4 == 0).astype(np.uint16),
    }
    moves = np.full((_RECORDS, 1 + _BODY), NO_MOVE, np.int8)
    moves[:, 1:] = (i + np.arange(_BODY)) % len(MOVES)
    names = [str(number) for number in range(_RECORDS)]
    store = CountStore(
        ids=Vocabulary.of(names),
        terms=Vocabulary.of(_TERMS),
        counts={name: _counts(dense) for name, dense in fields.items()},
        frequencies=contents.sum(axis=0, dtype=np.int64),
        starts=(np.arange(_RECORDS + 1) * (1 + _BODY)).astype(np.int32),
        places=np.arange(len(sentences), dtype=np.int32),
        titles=np.tile(np.arange(1 + _BODY) == 0, _RECORDS),
        moves=moves.ravel(),
    )
    topic = TermQuery(np.array(list(_TOPIC), np.intp), np.array(list(_TOPIC.values())))
    vectors = 1.2 + np.cos(i * np.arange(1, 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[-1] = 0.0  # a record without a vector
    hits = Hits.ranked(names[2:6], [4.0, 3.5, 2.0, 1.0])
    return TopicCandidates(
        store,
        " ".join(_TERMS[column] for column in _TOPIC),
        names,
        np.arange(_RECORDS),
        topic,
        _expanded(store.counts["contents"]),
        {name.removeprefix(PREFIX): hits for name in runs},
        RelatedScorer(model, SimpleNamespace(sentences=texts)),  # type: ignore[arg-type]
        TopicVectors(np.array([0.8, 0.0, 0.6, 0.0], np.float32), vectors),
    )


def _counts(dense: NDArray[np.uint16]) -> Counts:
    from scipy.sparse import csr_array

    sums = dense.sum(axis=1)
    df = (dense > 0).sum(axis=0).astype(np.int32)
    return Counts(csr_array(dense), df, float(sums[sums > 0].mean()))


def _expanded(counts: Counts) -> dict[str, TermQuery]:
    """Expand the topic with each kind of feedback from the first five records."""
    from scipy.sparse import csr_array, eye_array

    first = 5
    pool = Pool(
        [str(row) for row in range(first)],
        np.array([3, 2.5, 2, 1, 0.5], np.float32),
        np.array([0, first]),
        [str(row) for row in range(first)],
        csr_array(eye_array(first)),
        TermVectors(counts.matrix[:first].astype(np.int32), list(_TERMS)),
        np.minimum(counts.df, 2).astype(np.int64),
        20,
        counts.mean,
        4.0,
    )
    bag = {_TERMS[column]: weight for column, weight in _TOPIC.items()}
    expanded = {}
    for name, (_, feedback) in FEEDBACKS.items():
        weights = expand(feedback, [bag], pool)[0].weights
        places = np.array([_TERMS.index(term) for term in weights], np.intp)
        expanded[name] = TermQuery(places, np.array(list(weights.values())))
    return expanded


def _shared(sentences: "Sentences", query: int, rows: NDArray[np.integer]) -> Floats:
    """Score a sentence against others: shared words minus a tenth of the words of the other."""
    words = sentences.words
    shared = (words[rows] @ words[[query]].T).toarray().ravel()
    scores: Floats = shared - 0.1 * np.diff(words.indptr)[rows]
    return scores
