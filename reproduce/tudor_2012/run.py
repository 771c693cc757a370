"""Trains and measures the systems of the page."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from recipes.chunker import train as train_chunker
from recipes.data import data_path
from recipes.relations.corpora import SHARES, UNRELATED, read_corpus, read_statements
from recipes.relations.learning import rows_by_group
from recipes.statements import train as train_statements
from recipes.tagger import train as train_tagger
from recipes.treebank import read_treebank
from relsent_ir.relations import FeatureSettings, open_ranker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import describe
from relsent_ir.relations.ranker import PACKAGED, GradedCandidates
from relsent_ir.text.parsing import Parser
from relsent_ir.trec.significance import holm
from relsent_ir.typing import Floats
from reproduce.page import Page, Request, Steps, plot, prose, table
from reproduce.tudor_2012 import domains, protocol
from reproduce.tudor_2012.measures import RankingScores, evaluate
from reproduce.tudor_2012.protocol import ALL, FULL, PAPER, PLAIN, PPI, SYSTEMS, Set

Ranked = Mapping[str, Floats]
"""Scores by the system's name."""


def data(train: Sequence[Candidate], devel: Sequence[Candidate]) -> str:
    """Count candidates by grade, and the pairs."""
    rows = []
    for name, candidates in (("train", train), ("devel", devel)):
        grades = Counter(candidate.grade for candidate in candidates)
        groups = {candidate.group for candidate in candidates}
        scores = evaluate(candidates, np.zeros(len(candidates)))
        articles = {protocol.article(group) for group in groups}
        counts = [len(articles), len(groups), *(grades[g] for g in (2, 1, 0))]
        rows.append([name, *map(str, (*counts, len(scores.groups), scores.pairs))])
    header = [
        *("", "articles", "documents", "grade 2", "grade 1", "grade 0"),
        *("groups with pairs", "pairs"),
    ]
    return table(header, rows)


def pairs(
    candidates: Sequence[Candidate], scores: Ranked, measured: Mapping[str, RankingScores]
) -> str:
    """Compare Table 4 with our figures."""
    full_text = [candidate.group.startswith("PMC") for candidate in candidates]
    rows = []
    for name in ALL:
        ours = measured[name]
        row = [name, percent(protocol.TABLE4.get(name)), percent(100 * ours.pair_accuracy)]
        for wanted in (False, True):
            places = [i for i, full in enumerate(full_text) if full == wanted]
            part = evaluate([candidates[i] for i in places], scores[name][places])
            row.append(percent(100 * part.pair_accuracy))
        right, pairs = ours.inside
        rows.append([*row, percent(100 * right / max(1, pairs))])
    header = ["", "paper", "ours", "abstracts", "full text", "inside sentences"]
    return table(header, rows)


def significance(measured: Mapping[str, RankingScores]) -> str:
    """Test the differences in pair accuracy."""
    tests = [protocol.significance(measured[a], measured[b]) for a, b in protocol.COMPARED]
    corrected = holm([all_pairs for all_pairs, _, _ in tests])
    rows = []
    for (a, b), p, adjusted in zip(protocol.COMPARED, tests, corrected, strict=True):
        low, high = protocol.interval(measured[a], measured[b])
        gain = measured[a].pair_accuracy - measured[b].pair_accuracy
        means = measured[a].mean("accuracy") - measured[b].mean("accuracy")
        row = [f"{a} over {b}", f"{100 * gain:+.2f}", f"{100 * low:+.2f} to {100 * high:+.2f}"]
        row += [f"{p[0]:.2g}", f"{adjusted:.2g}", f"{100 * means:+.2f}"]
        rows.append([*row, f"{p[1]:.2g}", f"{p[2]:.2g}"])
    header = [
        *("", "all pairs", "95 %", "p, randomisation", "Holm"),
        *("mean of documents", "p, randomisation", "p, t"),
    ]
    return table(header, rows)


def first(
    measured: Mapping[str, RankingScores], candidates: Sequence[Candidate], scores: Ranked
) -> str:
    """Compare Table 5 with our figures."""
    by_group = rows_by_group(candidates)
    groups = [by_group[name] for name in by_group if name in measured[FULL].groups]
    rows = []
    for name in ALL:
        shares = dict.fromkeys((2, 1, 0), 0.0)
        for places in groups:
            of = scores[name][places]
            best = [candidates[places[i]].grade for i in np.flatnonzero(of == of.max())]
            for grade in shares:
                shares[grade] += best.count(grade) / len(best) / len(groups)
        paper = map(str, protocol.TABLE5.get(name, ("–", "–", "–")))
        rows.append([name, *paper, *(f"{100 * share:.1f}" for share in shares.values())])
    header = [
        "",
        *(f"{whose}: {n}" for whose in ("paper", "ours") for n in ("Cat. 1", "Cat. 2", "Cat. 3")),
    ]
    return table(header, rows)


def gain(
    measured: Mapping[str, RankingScores],
    candidates: Sequence[Candidate],
    scores: Ranked,
    plots: dict[str, bytes],
) -> str:
    """Compare the paper's nDCG with ours, and plot ours by the gain of grade 1."""
    rows = [
        [name, percent(protocol.NDCG.get(name)), percent(100 * measured[name].mean("ndcg"))]
        for name in ALL
    ]
    with plot(plots, "tudor-2012-gain", "gain of grade 1 (grade 2 has 1)", "nDCG") as axes:
        for name in (protocol.B1, protocol.B2, protocol.PAPER_PLAIN, PAPER, FULL):
            of = scores[name]
            curve = [protocol.middle_gain(candidates, of, gain) for gain in protocol.GAINS]
            axes.plot(protocol.GAINS, curve, marker=".", label=name)
    return table(["", "paper", "ours"], rows)


def interactions(others: Mapping[str, tuple[list[Candidate], Ranked]]) -> dict[str, str]:
    """Measure corpora that were not learned from, by document and by pair of entities."""
    tables = {}
    for title, regroup in (("Documents", list), ("Entities", protocol.by_entities)):
        counts: dict[str, str] = {}
        rows = [[name] for name in ALL]
        for corpus, (candidates, scores) in others.items():
            grouped = regroup(candidates)
            for row in rows:
                rated = evaluate(grouped, scores[row[0]])
                row.append(percent(100 * rated.pair_accuracy))
                counts[corpus] = f"{corpus} ({rated.pairs} pairs, {len(rated.groups)} groups)"
        tables[title] = table([title, *counts.values()], rows)
    return tables


def all_corpora(others: Mapping[str, tuple[list[Candidate], Ranked]]) -> str:
    """Test the gain from the simplifier over the documents of all corpora."""
    lines = []
    candidates = [candidate for known, _ in others.values() for candidate in known]
    for a, b in ((PAPER, protocol.PAPER_PLAIN), (FULL, PLAIN)):
        first, second = (
            evaluate(candidates, np.concatenate([scores[name] for _, scores in others.values()]))
            for name in (a, b)
        )
        gain = 100 * (first.pair_accuracy - second.pair_accuracy)
        p = protocol.significance(first, second)
        lines.append(f"- {a}: {gain:+.2f} over all pairs (randomisation test, p = {p[0]:.2g})")
    return "\n".join(lines)


def percent(value: float | None) -> str:
    """Write a percentage; a dash for None."""
    return "–" if value is None else f"{value:.2f}"


def run(request: Request) -> Page:
    """Train on BioNLP-ST 2011 GE, test there and on four interaction corpora."""
    step = Steps(request)
    corpus = data_path("relations", "bionlp-st-2011-ge.tar.gz")
    train, devel = list(read_corpus(corpus, "train")), list(read_corpus(corpus, "devel"))
    treebank = data_path("genia", "train.pos_basenp.tsv.gz")
    unseen = {candidate.group.removeprefix("PMID-") for candidate in devel}
    sentences = list(read_treebank(treebank, unseen))
    tagger = train_tagger(sentences)
    step()
    parser = Parser(tagger, train_chunker(sentences))
    step()
    known, test = Set.of(train, parser), Set.of(devel, parser)
    step()
    weights = {}
    for name, settings in SYSTEMS.items():
        weights[name] = protocol.fit(known, settings)
        step()

    def ranked(tested: Set) -> dict[str, Floats]:
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
    stated = list(read_statements(corpus, "train", unrelated=UNRELATED))
    statements = train_statements(stated, parser)
    stated = list(read_statements(corpus, "devel"))
    step()
    domain = domains.corpora(parser, step)
    bare, hedged = (
        GradedCandidates.of(devel, describe(devel, parser, FeatureSettings()), of)
        for of in (None, statements)
    )
    step()
    rankers = {name: open_ranker(name) for name in PACKAGED} | {"the default": open_ranker(None)}
    plots: dict[str, bytes] = {}
    rated = measured[FULL]
    corpora = interactions(others)
    text = prose(
        __name__,
        command=request.command("tudor-2012"),
        data=data(train, devel),
        sentences=str(len(sentences)),
        pairs=str(rated.pairs),
        groups=str(len(rated.groups)),
        inside=str(rated.inside[1]),
        accuracy=pairs(test.candidates, scores, measured),
        significance=significance(measured),
        shares=" : ".join(f"{share:g}" for share in SHARES.values()),
        packaged=domains.packaged(domain, hedged, bare),
        **domains.left_out(domain, parser, step),
        **domains.probabilities(domain, step),
        **protocol.against_rules(stated, statements),
        **protocol.minimal(rankers, statements),
        first_category=f"{100 * np.mean([candidate.grade == 2 for candidate in devel]):.0f}",
        first=first(measured, test.candidates, scores),
        ndcg=gain(measured, test.candidates, scores, plots),
        documents=corpora["Documents"],
        entities=corpora["Entities"],
        simplifier=all_corpora(others),
    )
    return Page(text, plots)
