"""Features of the candidates of a topic, in groups.

They are computed from texts (the whole record, title and sentences, before and after feedback),
from what records share, and from outside the index: a model of related sentences, runs, and an
encoder. All are standardised over the candidates of a topic; so weights learned with one encoder
suit another whose cosines are higher or closer together.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from relsent_ir.counts.weighting import MU, idf
from relsent_ir.ranker import likeness
from relsent_ir.ranker.candidates import FEEDBACKS, FeatureGroup, TopicCandidates
from relsent_ir.ranker.likeness import standard
from relsent_ir.typing import Floats

BM25S: Final = {"bm25": (0.9, 0.4), "bm25-larger": (1.2, 0.75)}


def _first_stage(candidates: TopicCandidates) -> dict[str, Floats]:
    rows, query, store = candidates.contents, candidates.query, candidates.store
    shares = store.frequencies[query.columns] / max(1, int(store.frequencies.sum()))
    values = {name: rows.bm25(query, k1, b) for name, (k1, b) in BM25S.items()}
    values["likelihood"] = rows.likelihood(query, shares)
    values["smart"] = rows.smart(query)
    values["covered"] = rows.covered(query)
    if "abstract" in store.counts:
        values["abstract-bm25"] = candidates.of("abstract").bm25(query, *BM25S["bm25"])
    return values


FIRST_STAGE: Final = FeatureGroup(
    "first-stage",
    "Robertson & Zaragoza 2009; Zhai & Lafferty 2001; Salton & Buckley 1988",
    {
        **{name: f"BM25, k1 {k1}, b {b}" for name, (k1, b) in BM25S.items()},
        "likelihood": f"query likelihood, Dirichlet, mu {MU:g}",
        "smart": "ltc.atn",
        "covered": "share of the topic's idf in the record",
        "abstract-bm25": "BM25 of the abstract, k1 0.9, b 0.4",
    },
    _first_stage,
)


def _feedback(candidates: TopicCandidates) -> dict[str, Floats]:
    return {
        name: candidates.lead
        if name == "medline"
        else candidates.expansion(candidates.contents, name)
        for name in FEEDBACKS
    }


FEEDBACK: Final = FeatureGroup(
    "feedback",
    "Rocchio 1971; Abdul-Jaleel et al. 2004 (RM3)",
    {name: f"{ranker!r} after {feedback!r}" for name, (ranker, feedback) in FEEDBACKS.items()},
    _feedback,
)


def _titles(candidates: TopicCandidates) -> dict[str, Floats]:
    rows = candidates.of("title")
    return {
        "title-bm25": rows.bm25(candidates.query, 0.9, 0.4),
        "title-covered": np.asarray(rows.covered(candidates.query)),
        "title-expanded": candidates.expansion(rows),
    }


TITLES: Final = FeatureGroup(
    "titles",
    "Robertson, Zaragoza, Taylor 2004 (fields)",
    {
        "title-bm25": "BM25 of the title, k1 0.9, b 0.4",
        "title-covered": "share of the topic's idf in the title",
        "title-expanded": "BM25 of the title for the topic after feedback",
    },
    _titles,
    ("title",),
)


def _sentences(candidates: TopicCandidates) -> dict[str, Floats]:
    sentences = candidates.sentences
    body = ~sentences.title
    return {
        "sentence-best": sentences.best(sentences.own, body),
        "sentence-mean": sentences.mean_best(sentences.own, body),
        "sentence-covered": sentences.best(sentences.covered, body),
        "expanded-best": sentences.best(sentences.expanded, body),
        "expanded-mean": sentences.mean_best(sentences.expanded, body),
    }


SENTENCES: Final = FeatureGroup(
    "sentences",
    "Callan 1994 (passages); Yilmaz et al. 2019 (the best sentences of a document)",
    {
        "sentence-best": "BM25 of the best sentence",
        "sentence-mean": "mean BM25 of the best three sentences",
        "sentence-covered": "largest share of the topic's idf in a sentence",
        "expanded-best": "BM25 of the best sentence for the topic after feedback",
        "expanded-mean": "mean BM25 of the best three sentences for the topic after feedback",
    },
    _sentences,
    ("sentences",),
)


def _references(candidates: TopicCandidates) -> dict[str, Floats]:
    first, scores = candidates.first, likeness.standard(candidates.lead)
    near = likeness.like_first(candidates, candidates.of("references"))
    values = likeness.compared(candidates, near, "coupling")
    n = len(candidates.store)
    links = candidates.store.counts.get("links")
    if links is None:
        return values | dict.fromkeys(("links-first", "links"), np.zeros(len(candidates)))
    linked = links.matrix[candidates.rows]
    leading = first[: likeness.FIRST[-1]]
    weights = np.zeros(n)
    weights[candidates.rows[leading]] = 1 / np.sqrt(np.arange(1, len(leading) + 1))
    values["links-first"] = linked @ weights
    weights[:] = 0.0
    weights[candidates.rows] = np.maximum(scores, 0.0)
    values["links"] = (linked @ weights) / np.sqrt(1 + np.diff(linked.indptr))
    return values


REFERENCES: Final = FeatureGroup(
    "references",
    "Kessler 1963 (coupling); Fowler & Croft 1988 (citation links in retrieval)",
    {
        **{f"coupling-{k}": f"references shared with the first {k} hits" for k in likeness.FIRST},
        "coupling-smoothed": f"score after feedback of the {likeness.NEAREST} nearest by coupling",
        "links-first": f"cites, or is cited by, the first {likeness.FIRST[-1]} hits",
        "links": "scores after feedback of what it cites and is cited by",
    },
    _references,
    ("references",),
)


def _mesh(candidates: TopicCandidates) -> dict[str, Floats]:
    near = likeness.like_first(candidates, candidates.of("headings"))
    scores = candidates.of("mesh").bm25(candidates.query, 0.9, 0.4)
    return {"mesh-bm25": scores, **likeness.compared(candidates, near, "headings")}


MESH: Final = FeatureGroup(
    "mesh",
    "Lin & Wilbur 2007 (shared headings); Srinivasan 1996 (headings of the first hits)",
    {
        "mesh-bm25": "BM25 of the headings, k1 0.9, b 0.4",
        **{f"headings-{k}": f"headings shared with the first {k} hits" for k in likeness.FIRST},
        "headings-smoothed": f"score after feedback of the {likeness.NEAREST} nearest by headings",
    },
    _mesh,
    ("mesh", "headings"),
)


OPENING: Final = 40
CLOSING: Final = 50
"""A sentence is in a record's opening if it begins before this number of its terms, and in its
closing if it begins after all but this number of its terms."""


def _positions(candidates: TopicCandidates) -> dict[str, Floats]:
    sentences, query, contents = candidates.sentences, candidates.query, candidates.contents.counts
    counted = ~sentences.title | ("title" in candidates.store.counts)
    lengths = sentences.rows.lengths * counted
    totals = np.bincount(sentences.owners, lengths, len(candidates))
    left = np.cumsum(totals)[sentences.owners] - np.cumsum(lengths)
    begin = totals[sentences.owners] - left - lengths
    _, rows, columns = sentences.rows.matching(query)
    terms = query.over(len(candidates.store.terms), np.arange(float(len(query.columns))))[columns]
    factors = idf(contents.df[query.columns], contents.matrix.shape[0])
    factors /= factors.sum() or 1.0
    values = {}
    for name, chosen in (("opening", begin < OPENING), ("closing", left < CLOSING)):
        some = np.flatnonzero((chosen & counted)[rows])
        present = np.zeros((len(candidates), len(factors)))
        present[sentences.owners[rows[some]], terms[some].astype(np.intp)] = 1.0
        values[f"{name}-covered"] = present @ factors
    return values


POSITIONS: Final = FeatureGroup(
    "positions",
    "Baxendale 1958; Edmundson 1969 (what is first and last in a text)",
    {
        "opening-covered": f"share of the topic's idf in the sentences that begin within the first"
        f" {OPENING} terms of the record",
        "closing-covered": f"share of the topic's idf in the sentences that end within the last"
        f" {CLOSING}",
    },
    _positions,
    ("sentences",),
)


RELATED_SENTENCES: Final = 2
"""Number of sentences of each candidate that Huber+ scores, besides the title."""


def _related(candidates: TopicCandidates) -> dict[str, Floats]:
    from relsent_ir.related.features import with_text

    assert candidates.related
    model, store = candidates.related.model, candidates.related.store
    sentences = candidates.sentences
    title = np.flatnonzero(sentences.title)
    best = sentences.leading(sentences.expanded, ~sentences.title, RELATED_SENTENCES)
    places = np.concatenate([title, best])
    stored = candidates.store.places[sentences.numbers[places]]
    few = with_text(candidates.text, store.sentences, stored, model.stopwords)
    scores = model.query_scores(few, 0, 1 + np.arange(len(places)))
    least = float(scores.min(initial=0.0))
    owners = sentences.owners[places]
    best_scores = {}
    for name, chosen in (
        ("related-title", slice(0, len(title))),
        ("related", slice(len(title), None)),
    ):
        best_scores[name] = np.full(len(candidates), least)
        np.maximum.at(best_scores[name], owners[chosen], scores[chosen])
    return best_scores


RELATED: Final = FeatureGroup(
    "related",
    "Smith & Wilbur 2010 (Huber), with learned associations (Huber+)",
    {
        "related": f"Huber+ of the best of {RELATED_SENTENCES} sentences",
        "related-title": "Huber+ of the title",
    },
    _related,
)


PREFIX: Final = "run:"
RRF_K: Final = 60.0
"""The constant of reciprocal ranks (Cormack, Clarke, Büttcher 2009)."""


def run_group(name: str) -> FeatureGroup:
    """Return the group of features of a run, by the run's name in the model."""

    def compute(candidates: TopicCandidates) -> dict[str, Floats]:
        hits = candidates.runs[name]
        place = {hit: number for number, hit in enumerate(hits.ids.tolist())}
        places = np.array([place.get(hit, -1) for hit in candidates.ids], dtype=np.intp)
        retrieved = places >= 0
        scores = np.full(len(places), float(hits.scores.min()) if len(hits) else 0.0)
        ranks = np.zeros(len(places))
        scores[retrieved] = hits.scores[places[retrieved]]
        ranks[retrieved] = 1 / (RRF_K + 1 + places[retrieved])
        return {f"{name}-score": scores, f"{name}-rank": ranks}

    return FeatureGroup(
        PREFIX + name,
        "Fox & Shaw 1994 (several runs); Cormack et al. 2009 (reciprocal ranks)",
        {
            f"{name}-score": f"score in the run {name}; its least where it is not in it",
            f"{name}-rank": f"1/({RRF_K:g} + rank) in the run {name}, 0 where it is not in it",
        },
        compute,
    )


def _vectors(candidates: TopicCandidates) -> dict[str, Floats]:
    vectors = candidates.vectors
    assert vectors
    cosines = np.einsum("ij,j->i", vectors.rows, vectors.topic, dtype=np.float64)
    known = vectors.rows.any(axis=1)
    cosines[~known] = cosines[known].min(initial=1.0)
    return {"vector-cosine": cosines}


DENSE: Final = FeatureGroup(
    "dense",
    "Karpukhin et al. 2020 (dense retrieval)",
    {"vector-cosine": "cosine of topic and record by an encoder"},
    _vectors,
)


GROUPS: Final = {
    each.name: each
    for each in (
        FIRST_STAGE,
        FEEDBACK,
        TITLES,
        SENTENCES,
        POSITIONS,
        likeness.NEIGHBOURS,
        REFERENCES,
        MESH,
        RELATED,
        DENSE,
    )
}
OPTIONAL: Final = ("references", "mesh", "titles", "related", "dense")
"""Groups that an index may lack; other systems' runs (`PREFIX`) may be missing too."""

EXACT: Final = ("first-stage", "feedback", "sentences", "positions", "dense")
"""Groups for the probability that a candidate is the one record wanted (`relsent_ir.ranker.model`);
likeness to other hits has no part in it."""
ONLY_EXACT: Final = ("positions",)
"""Groups for this probability only: they harm broad topics."""


def group(name: str) -> FeatureGroup:
    """Return a group by its name; ``run:NAME`` is the group of a run."""
    return run_group(name.removeprefix(PREFIX)) if name.startswith(PREFIX) else GROUPS[name]


def has(candidates: TopicCandidates, name: str) -> bool:
    """Return whether a group can be computed for candidates."""
    if name.startswith(PREFIX):
        return name.removeprefix(PREFIX) in candidates.runs
    if name == "related":
        return candidates.related is not None
    if name == "dense":
        return candidates.vectors is not None
    return all(need in candidates.store.counts for need in group(name).needs)


def names_of(groups: Sequence[str]) -> list[str]:
    """Return the names of the features of groups, in order."""
    return [feature for name in groups for feature in group(name).features]


def features(candidates: TopicCandidates, groups: Sequence[str]) -> Floats:
    """Compute groups of features; a group that cannot be computed is 0.

    Each feature has mean 0 and standard deviation 1 over the candidates of the topic, or is 0 if it
    is the same for all; so topics with long and with short texts weigh the same.

    Returns
    -------
    ndarray of float64, shape (n, features)
        In the order of the groups, and of the features within each.
    """
    rows = np.zeros((len(names_of(groups)), len(candidates)))
    at = 0
    for name in groups:
        wanted = group(name)
        values = wanted.compute(candidates) if len(candidates) and has(candidates, name) else {}
        for feature in wanted.features:
            rows[at] = values.get(feature, 0.0)
            at += 1
    return np.ascontiguousarray(standard(rows).T)
