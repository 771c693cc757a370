"""Learns and ranks what the page measures."""

import numpy as np

from relsent_ir.datasets.catalogue import data_path
from relsent_ir.relations import Settings, Statements, evaluate, open_ranker
from relsent_ir.relations.bionlp import read_corpus, read_statements
from relsent_ir.relations.corpora import SHARES
from relsent_ir.relations.learning import Graded
from relsent_ir.relations.ranker import PACKAGED
from relsent_ir.text.parsing import Chunker, Parser, Tagger
from relsent_ir.text.treebank import read_treebank
from relsent_ir.typing import Floats
from reproduce.page import Page, Request, Steps, prose
from reproduce.tudor_2012 import attempts, domains, protocol, stating, tables
from reproduce.tudor_2012.protocol import FULL, PPI, SYSTEMS, Set


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
    statements = Statements.train(list(read_statements(corpus, "train")), parser)
    stated = list(read_statements(corpus, "devel"))
    step()
    domain = domains.corpora(parser, step)
    bare, asked = (Graded.of(devel, parser, Settings(), told) for told in (None, statements))
    step()
    rankers = {name: open_ranker(name) for name in PACKAGED} | {"the default": open_ranker(None)}
    plots: dict[str, bytes] = {}
    rated = measured[FULL]
    corpora = tables.interactions(others)
    cross_validated, simplified = tables.validation(known, step)
    text = prose(
        __name__,
        command=request.command("tudor-2012"),
        data=tables.data(train, devel),
        sentences=str(len(sentences)),
        **tables.parsing(parser),
        pairs=str(rated.pairs),
        groups=str(len(rated.groups)),
        inside=str(rated.inside[1]),
        accuracy=tables.pairs(test.candidates, scores, measured),
        grades=tables.grades(test.candidates, scores),
        significance=tables.significance(measured),
        shares=" : ".join(f"{share:g}" for share in SHARES.values()),
        packaged=domains.packaged(domain, asked, bare),
        **domains.left_out(domain, parser, step),
        **domains.probabilities(domain, step),
        **stating.against_rules(stated, statements),
        **stating.minimal(rankers, statements),
        first_category=f"{100 * np.mean([one.grade == 2 for one in devel]):.0f}",
        first=tables.first(measured, test.candidates, scores),
        ndcg=tables.gain(measured, test.candidates, scores, plots),
        documents=corpora["Documents"],
        entities=corpora["Entities"],
        simplifier=tables.all_corpora(others),
        folds=str(protocol.FOLDS),
        simplified=simplified,
        validation=cross_validated,
        ablation=tables.ablation(known, test, step),
        full=prose(
            __name__,
            "full.md",
            **tables.full(known, step),
            **attempts.attempts(domain, bare, step),
        )
        if request.full
        else "",
    )
    return Page(text, plots)
