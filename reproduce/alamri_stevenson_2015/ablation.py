"""Ablation of our answer model, by cross-validation on the training split."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from relsent_ir.answers.evaluation import MEASURES, score
from relsent_ir.answers.features import GROUPS
from relsent_ir.answers.linear import Example, Judged
from relsent_ir.datasets.catalogue import data_path
from relsent_ir.related.weights import WeightModel
from relsent_ir.typing import Progress
from reproduce.alamri_stevenson_2015.systems import (
    Prepared,
    best_only,
    cross_validate_linear,
    with_columns,
    without,
)
from reproduce.page import silent, table

PAIRS: Final = 8000
LAMBDA0: Final = 1e-5
LEFT_OUT: Final = (*GROUPS, "words", "grams", "meaning", "cosine", "behind the best")
Forms = dict[str, list[Example]]


def ablation(train: Mapping[str, Prepared], taught: Prepared, progress: Progress) -> dict[str, str]:
    """Measure variants of our model, and set them below it.

    Parameters
    ----------
    train : mapping of str to Prepared
        The questions by form.
    taught : Prepared
        All forms that the model learns from.
    progress : callable
    """
    tests: Forms = {form: of.examples for form, of in train.items()}
    learned = taught.examples
    variants: dict[str, tuple[list[Example], Forms]] = {"ours": (learned, tests)}
    for group in LEFT_OUT:
        left = {form: without(of, group) for form, of in tests.items()}
        variants[f"− {group}"] = without(learned, group), left
    model = huber()
    more = {form: with_columns(of, train[form].related(model)) for form, of in tests.items()}
    variants["+ Huber relatedness"] = with_columns(learned, taught.related(model)), more
    parted = [e for e, p in zip(learned, taught.posed, strict=True) if not p.whole]
    variants["− questions taken whole"] = parted, tests
    whole = {form: _whole(of) for form, of in train.items()}
    variants["no rule fits: ours"] = learned, whole
    variants["no rule fits: − questions taken whole"] = parted, whole
    rows = []
    for n, (name, (examples, asked)) in enumerate(variants.items(), 9):
        judged = cross_validate_linear(examples, asked, next(iter(train.values())).records)
        rows.append([name, *_cells(train, judged)])
        if name == "ours":
            alone = {form: best_only(of) for form, of in judged.items()}
            rows.append(["… its best sentence only", *_cells(train, alone)])
        progress(n, None)
    text = table(["", *(f"{form}: {m}" for form in train for m in MEASURES)], rows)
    return {"pairs": str(PAIRS), "lambda0": f"{LAMBDA0:.0e}", "ablation": text}


def _whole(data: Prepared) -> list[Example]:
    """Take all questions whole; which slot they want stays known."""
    whole = Prepared([replace(p, whole=True) for p in data.posed], data.vectors).examples
    return [replace(e, asked=o.asked) for e, o in zip(whole, data.examples, strict=True)]


def _cells(train: Mapping[str, Prepared], judged: Mapping[str, Sequence[Judged]]) -> list[str]:
    found = {form: score(train[form].posed, of).to_dict() for form, of in judged.items()}
    return [f"{found[form][m]:.4f}" for form in train for m in MEASURES]


def huber() -> WeightModel:
    """Train a model of related sentences on the RCT training abstracts."""
    from relsent_ir.records import read_records
    from relsent_ir.related.features import Sentences
    from relsent_ir.related.pairs import surviving
    from relsent_ir.related.store.corpus import Corpus
    from relsent_ir.related.training.learning import Task, train_huber
    from relsent_ir.text.words import default_stopwords

    records = sorted(read_records(data_path("rct", "rct-train.xml.gz")), key=lambda r: r.id)
    spoken = ((place, s) for place, record in enumerate(records) for s in record.sentences())
    found = [(place, s.n, s.text) for place, s in spoken if s.n]
    stops = default_stopwords()
    place, number = (np.array([row[i] for row in found], dtype=np.int32) for i in (0, 1))
    sentences = Sentences.from_texts((text for _, _, text in found), stops)
    corpus = Corpus(sentences, [record.id for record in records], place, number)
    everything = np.ones(len(records), dtype=bool)
    kept = surviving(corpus, 0.5)
    task = Task(corpus, kept, everything, PAIRS, 0, stops, LAMBDA0, {}, lambda _: silent)
    return train_huber(task)
