"""The uses of related sentences, beside methods that do without them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from typing import Final

import numpy as np

from recipes.data import data_path
from relsent_ir import models
from relsent_ir.hits import owner
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.methods import BM25
from relsent_ir.records import Record, list_inputs, read_records
from relsent_ir.related.features import Sentences
from relsent_ir.related.formulas import FORMULAS, FormulaModel, Statistics
from relsent_ir.related.matching.matcher import Matcher
from relsent_ir.related.model import Model, method_scores
from relsent_ir.related.pairs import Corpus, break_even, draw_pairs, held_out, surviving
from relsent_ir.related.tokens import words
from relsent_ir.text.words import default_stopwords, read_stopwords
from relsent_ir.typing import Floats, NDArray
from reproduce.data import FILES, collection_index
from reproduce.page import Page, Request, Steps, interval, prose, table

SEED: Final = 0
TEST_PAIRS: Final = 5_000
ABSTRACTS: Final = 150  # that are summed up, or cut
LEAST: Final = 6  # sentences of an abstract that is summed up, or cut
METHODS: Final = ("D", "T1", "O1", "I1.5")
PACKAGED: Final = "huber-plus"
WORD: Final = "ventilation"
SENSES: Final = {
    "of a patient, by a machine": (
        r"mechanical|ventilator|intubat|mask|positive.pressure|weaning|icu|intensive|invasive"
        r"|respiratory failure"
    ),
    "breathing": (
        r"minute|exercise|alveolar|perfusion|v/?q|hypercapn|ve|voluntary|tidal|breath(?:ing|s)?"
    ),
    "of a room": (
        r"rooms?|buildings?|indoor|households?|houses?|air exchange|natural|kitchens?|stoves?"
        r"|workplaces?|exhaust"
    ),
}
"""Words that show the sense of *ventilation* in a sentence, if they are of one sense alone."""


def run(request: Request) -> Page:
    """Measure the uses of related sentences on the abstracts, and on those of RCTs."""
    steps = Steps(request)
    inputs, _ = list_inputs(data_path(file) for file in FILES["rct"])
    records = [record for path, form in inputs for record in read_records(path, form)]
    steps()
    lists = {
        "ours (scikit-learn)": default_stopwords(),
        "the paper's (NLM)": tuple(read_stopwords(data_path("lists", "nlm-313.txt"))),
        "PubMed's": tuple(read_stopwords(data_path("lists", "pubmed-133.txt"))),
        "none": (),
    }
    stopped = {name: stop_word_break_even(records, listed) for name, listed in lists.items()}
    steps()
    folder = collection_index(request, "abstracts")
    with Indexes(folder) as collection:
        matcher = Matcher(collection, PACKAGED)
        texts = find_senses(collection)
        senses = same_sense(texts, judges(matcher.store.statistics, matcher.model))
    steps()
    third = held_out([record.id for record in records], SEED)
    unseen = [r for r, left_out in zip(records, third, strict=True) if left_out and structured(r)]
    unseen = unseen[:ABSTRACTS]
    sentences = Sentences.from_texts((t for r in unseen for t in body(r)), default_stopwords())
    statistics = Statistics.collect(sentences, np.arange(len(sentences)))
    by = judges(statistics, models.load(None, "related"))
    return Page(
        prose(
            __name__,
            rct=f"{len(records):,}",
            stop_words=_stop_word_table(lists, stopped),
            sentences=f"{len(texts):,}",
            **_sense_tables(texts, senses),
            unseen=f"{len(unseen):,}",
            summaries=_summary_table(unseen, by),
            segments=_segment_table(unseen, by),
        )
    )


def stop_word_break_even(records: Sequence[Record], stopwords: Sequence[str]) -> dict[str, float]:
    """Measure break-even of formulas on a third of the records, half of their sentences kept."""
    texts = [(i, n, text) for i, r in enumerate(records) for n, text in enumerate(body(r), 1)]
    record, number = (np.array([row[i] for row in texts], dtype=np.int32) for i in (0, 1))
    sentences = Sentences.from_texts((text for _, _, text in texts), stopwords)
    corpus = Corpus(sentences, [r.id for r in records], record, number)
    kept, unseen = surviving(corpus, 0.5), held_out(corpus.records, SEED)
    training = np.flatnonzero(kept & ~unseen[record])
    statistics = Statistics.collect(sentences, training)
    pairs = draw_pairs(corpus, kept, unseen, TEST_PAIRS, SEED)
    made = [FORMULAS[name](statistics) for name in METHODS]
    scores = method_scores(made, sentences, pairs.a, pairs.b)
    return {n: break_even(s, pairs.related, SEED) for n, s in zip(METHODS, scores, strict=True)}


def judges(statistics: Statistics, packaged: Model) -> dict[str, Model]:
    """Return the formulas with some statistics, and the packaged model."""
    stopwords = default_stopwords()
    formulas = {name: FormulaModel(name, statistics, stopwords) for name in METHODS}
    return {**formulas, PACKAGED: packaged}


def scored(model: Model, texts: Sequence[str], pairs: Iterable[tuple[int, int]]) -> Floats:
    """Score pairs of some texts; one without a word scores nothing."""
    sentences = Sentences.from_texts(texts, default_stopwords())
    a, b = np.array(list(pairs), dtype=np.intp).reshape(-1, 2).T
    return model.scores(sentences, a, b)


def find_senses(collection: Indexes) -> dict[str, tuple[str, str]]:
    """Find the sentences that say the word, with the sense that their other words show."""
    hits = Searcher(collection.sentences, BM25()).search({"": WORD}, 10_000)[""]
    ids = sorted(hits.ids.tolist())
    texts = {}
    for name, text in zip(ids, collection.texts(ids), strict=True):
        senses = [sense for sense, cues in SENSES.items() if _has(cues, text)]
        if len(senses) == 1 and _has(WORD, text):
            texts[name] = senses[0], text
    return texts


def _has(pattern: str, text: str) -> bool:
    return re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE) is not None


def same_sense(
    texts: Mapping[str, tuple[str, str]], methods: Mapping[str, Model]
) -> dict[tuple[str, bool], list[tuple[str, bool]]]:
    """Take the sense of each sentence from its best match in other records.

    Returns
    -------
    dict of (method, whether the words that show the sense were left out) to list
        Of each sentence its sense, and whether the match's is the same.
    """
    names, of = list(texts), [owner(name) for name in texts]
    every = "|".join([WORD, *SENSES.values()])
    cut = [re.sub(rf"\b(?:{every})\b", " ", t, flags=re.IGNORECASE) for _, t in texts.values()]
    rated: dict[tuple[str, bool], list[tuple[str, bool]]] = {}
    for without, versions in ((False, [text for _, text in texts.values()]), (True, cut)):
        sentences = Sentences.from_texts(versions, default_stopwords())
        rows = np.arange(len(versions))
        for method, model in methods.items():
            same = rated[method, without] = []
            for i, name in enumerate(names):
                others = rows[np.array([record != of[i] for record in of])]
                scores = model.query_scores(sentences, i, others)
                best = names[int(others[int(np.argmax(scores))])]
                same.append((texts[name][0], texts[best][0] == texts[name][0]))
    return rated


def body(record: Record) -> list[str]:
    """Return the sentences of an abstract that have a word."""
    return [text for _, text in record.body() if words(text, default_stopwords())]


def structured(record: Record) -> bool:
    """Return whether an abstract has sections, enough sentences, and a title."""
    sections = {section.category for section in record.sections if section.category}
    return len(sections) > 1 and len(body(record)) >= LEAST and bool(record.title)


def summarise(record: Record, model: Model) -> int:
    """Return the place of the sentence that the others are most related to."""
    texts = body(record)
    pairs = list(combinations(range(len(texts)), 2))
    sums = np.zeros(len(texts))
    for pair, score in zip(pairs, scored(model, texts, pairs).tolist(), strict=True):
        sums[[*pair]] += score
    return int(np.argmax(sums))


def covered(record: Record, place: int) -> float:
    """Return the share of the title's words, stop words left out, that a sentence has."""
    title = set(words(record.title, default_stopwords()))
    return len(title & set(words(body(record)[place], default_stopwords()))) / max(1, len(title))


def borders(record: Record) -> NDArray[np.bool_]:
    """Return whether another section begins after each sentence but the last."""
    kept = [s for s, text in record.body() if words(text, default_stopwords())]
    return np.array([a is not b for a, b in pairwise(kept)])


def gaps(record: Record, model: Model, width: int) -> Floats:
    """Return how related the sentences before and after each gap are, `width` on either side."""
    texts = body(record)
    n = len(texts)
    sides = [
        [*product(range(max(0, end - width), end), range(end, min(n, end + width)))]
        for end in range(1, n)
    ]
    scores = scored(model, texts, chain.from_iterable(sides))
    ends = np.cumsum([*map(len, sides)])
    return np.array([part.mean() for part in np.split(scores, ends[:-1])])


def cut_right(record: Record, model: Model, width: int) -> float:
    """Return the share of borders among as many gaps of the least related sides."""
    true = borders(record)
    order = np.argsort(gaps(record, model, width), kind="stable")
    return float(true[order[: int(true.sum())]].mean())


def _mean(values: Sequence[float]) -> str:
    low, high = interval(values, np.zeros(len(values)))
    return f"{np.mean(values):.3f} ({low:.3f} to {high:.3f})"


def _stop_word_table(
    lists: Mapping[str, Sequence[str]], measured: Mapping[str, Mapping[str, float]]
) -> str:
    rows = [
        [name, f"{len(lists[name])}", *(f"{of[method]:.2f}" for method in METHODS)]
        for name, of in measured.items()
    ]
    return table(["Stop words", "how many", *METHODS], rows)


def _sense_tables(
    texts: Mapping[str, tuple[str, str]],
    rated: Mapping[tuple[str, bool], Sequence[tuple[str, bool]]],
) -> dict[str, str]:
    counts = {sense: sum(s == sense for s, _ in texts.values()) for sense in SENSES}
    n = max(1, sum(counts.values()) - 1)
    tables = {}
    for mark, without in (("senses", False), ("senses_cut", True)):
        chance = [f"{max(0, count - 1) / n:.3f}" for count in counts.values()]
        total = sum(c * max(0, c - 1) for c in counts.values()) / max(1, n * (n + 1))
        rows = [["chance", *chance, f"{total:.3f}"]]
        for (method, left_out), pairs in rated.items():
            if left_out == without:
                shares = [
                    np.mean([ok for s, ok in pairs if s == sense] or [False]) for sense in SENSES
                ]
                every = np.mean([ok for _, ok in pairs] or [False])
                rows.append([method, *(f"{share:.3f}" for share in (*shares, every))])
        tables[mark] = table(
            ["Best match by", *(f"{s} ({c})" for s, c in counts.items()), "all"], rows
        )
    return tables


def _summary_table(records: Sequence[Record], methods: Mapping[str, Model]) -> str:
    last = [len(body(record)) - 1 for record in records]
    chosen: dict[str, Sequence[int]] = {"the first": [0] * len(records), "the last": last}
    for name, model in methods.items():
        chosen[f"most related by {name}"] = [summarise(record, model) for record in records]
    rows = [
        [
            "any, on average",
            _mean([float(np.mean([covered(r, i) for i in range(len(body(r)))])) for r in records]),
        ]
    ]
    for name, places in chosen.items():
        shares = [covered(record, place) for record, place in zip(records, places, strict=True)]
        rows.append([name, _mean(shares)])
    return table(["Sentence", "share of the title's words (95 %)"], rows)


def _segment_table(records: Sequence[Record], methods: Mapping[str, Model]) -> str:
    cut = [record for record in records if borders(record).any()]
    rows = [["chance", *[_mean([float(borders(record).mean()) for record in cut])] * 2]]
    for name, model in methods.items():
        rows.append([name, *(_mean([cut_right(r, model, w) for r in cut]) for w in (1, 2))])
    return table(["Gap by", "one sentence on either side (95 %)", "two (95 %)"], rows)
