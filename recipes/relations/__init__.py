"""Train a ranker of relations: the default one of the package, or another.

The three that come with the package, from the events of BioNLP-ST 2011 GE (ge) and the drug
interactions of DDI 2013 (ddi)::

    python -m recipes relations
    python -m recipes relations --corpus ge --output relsent_ir/relations/events
    python -m recipes relations --corpus ge --features paper --output relsent_ir/relations/paper

``--input FILE`` learns from graded candidates of your own instead.
"""

import argparse
import shlex
from pathlib import Path

from recipes.chain import fingerprint
from recipes.data import data_path
from recipes.relations.corpora import PLACES, SHARES, licence, read_named
from recipes.relations.learning import COSTS, train_ranker
from relsent_ir import models
from relsent_ir.files import file_facts
from relsent_ir.relations.candidates import read_candidates
from relsent_ir.relations.describing import FeatureSettings
from relsent_ir.text.parsing import default_parser


def main(arguments: list[str]) -> None:
    """Train and save; weights of a corpus get the LICENSE that its annotations ask for."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser("python -m recipes relations", description=summary)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--corpus", choices=PLACES, nargs="+", default=list(PLACES))
    source.add_argument("--input", type=Path, nargs="+", help="graded candidates, a corpus a file")
    parser.add_argument("--features", choices=COSTS, default="lexical")
    parser.add_argument("--output", type=Path, default=models.packaged("relations"))
    options = parser.parse_args(arguments)
    corpora = [] if options.input else options.corpus
    paths = options.input or [data_path(*PLACES[name]) for name in corpora]
    if corpora:
        graded = [list(read_named(*corpus)) for corpus in zip(corpora, paths, strict=True)]
    else:
        graded = [list(read_candidates(path, graded=True)) for path in paths]
    parsing, settings = default_parser(), FeatureSettings(options.features)
    shares = [SHARES[name] for name in corpora]
    ranker = train_ranker(graded, parsing, settings, shares=shares or None, where=paths[0])
    candidates = [candidate for corpus in graded for candidate in corpus]
    counts = {
        "candidates": len(candidates),
        "groups": len({candidate.group for candidate in candidates}),
        "weights": len(ranker.learned.weights),
    }
    words = ["--corpus", *corpora] if corpora else ["--input", *(path.name for path in paths)]
    command = shlex.join([*words, "--features", options.features])
    facts = {
        "command": f"python -m recipes relations {command}",
        "data": {"files": [file_facts(path) for path in paths], **counts},
        "parser": fingerprint(parsing),
    }
    models.save(options.output, ranker, facts)
    if corpora:
        (options.output / "LICENSE").write_text(licence(corpora), encoding="utf-8")
    print("{}: {weights} weights from {candidates} candidates".format(options.output, **counts))
