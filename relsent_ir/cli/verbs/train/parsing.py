"""``relsent-ir train relations``, ``statements``, ``tagger`` and ``chunker``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relsent_ir.cli import options
from relsent_ir.cli.output import Outcome, command_line, progress, saved
from relsent_ir.errors import InputError, UsageError
from relsent_ir.files import file_facts

if TYPE_CHECKING:
    from relsent_ir.text.parsing import Chunker, Tagger
    from relsent_ir.text.treebank import TreeSentence


@options.verb()
def relations(
    sources: tuple[Path, ...] = options.files(
        "--input", "Graded candidates, a corpus a file; may be given again.", metavar="JSONL"
    ),
    corpora: tuple[str, ...] = options.choice(
        "--corpus",
        "A corpus of RELSENT_DATA: events (BioNLP-ST 2011 GE), drug interactions (DDI 2013); may "
        "be given again.  [default, without --input: both]",
        choices=["ge", "ddi"],
        multiple=True,
    ),
    shares: tuple[float, ...] = options.option(
        "--share",
        "What each weighs, --corpus before --input.  [default: ge 1, ddi 0.35; else the number of "
        "its preferences to the power of 0.25]",
        type=options.Finite(0, min_open=True),
        multiple=True,
        metavar="X",
    ),
    kind: str = options.choice(
        "--features",
        "The paper's features alone, or words and paths too.",
        choices=["lexical", "paper"],
        default="lexical",
    ),
    no_simplify: bool = options.flag("Take the sentences as they are."),
    output: Path = options.model_output,
) -> Outcome:
    """Learn which sentences state a relation clearly, from graded ones.

    Each corpus has weights of its own, which are averaged. Weights of --corpus get the LICENSE that
    its annotations ask for.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.relations import FeatureSettings, RelationRanker, read_candidates
    from relsent_ir.relations.corpora import PLACES, SHARES, licence, read_named
    from relsent_ir.text.parsing import default_parser, fingerprint

    if not sources and not corpora:
        corpora = tuple(PLACES)
        shares = shares or tuple(SHARES[name] for name in corpora)
    if shares and len(shares) != len(corpora) + len(sources):
        raise UsageError(f"{len(shares)} --share for {len(corpora) + len(sources)} corpora")
    places = [data_path(*PLACES[name]) for name in corpora]
    graded = [list(read_named(*corpus)) for corpus in zip(corpora, places, strict=True)]
    graded += [list(read_candidates(path, graded=True)) for path in sources]
    paths = [*places, *sources]
    parser = default_parser()
    settings = FeatureSettings(kind, not no_simplify)
    with progress("Training", "sentences") as tick:
        ranker = RelationRanker.train(
            graded, parser, settings, tick, shares=shares or None, where=paths[0]
        )
    candidates = [candidate for corpus in graded for candidate in corpus]
    groups = len({candidate.group for candidate in candidates})
    weights = len(ranker.learned.weights)
    counts = {"candidates": len(candidates), "groups": groups, "weights": weights}
    facts = {
        "command": command_line(),
        "data": {"files": [file_facts(path) for path in paths], **counts},
        "parser": fingerprint(parser),
    }
    line = f"{output}: {weights} weights from {len(candidates)} candidates in {groups} groups"
    outcome = saved(output, ranker, {"features": kind, **counts}, line, facts=facts)
    if text := licence(corpora):
        (output / "LICENSE").write_text(text, encoding="utf-8")
    return outcome


@options.verb()
def statements(
    source: Path | None = options.file(
        "--input", "Events in the shared task's files.  [default: BioNLP-ST 2011 GE]", metavar="TAR"
    ),
    part: str = options.option("The folder inside it.", default="train", show_default=True),
    output: Path = options.model_output,
) -> Outcome:
    """Learn whether a relation is asserted, which way it goes, and which entity acts.

    From events with Negation, Speculation, their types, Theme and Cause.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.relations.corpora import PLACES, UNRELATED, licence, read_statements
    from relsent_ir.relations.statements import Statements, missing_classes
    from relsent_ir.text.parsing import default_parser, fingerprint

    path = source or data_path(*PLACES["ge"])
    stated = list(read_statements(path, part, unrelated=UNRELATED))
    if lacking := missing_classes(stated):
        raise InputError(f"no sentence is {lacking[0]}", where=path)
    parser = default_parser()
    with progress("Training", "sentences") as tick:
        statements = Statements.train(stated, parser, tick)
    facts = {
        "command": command_line(),
        "data": {**file_facts(path), "sentences": len(stated)},
        "parser": fingerprint(parser),
    }
    line = f"{output}: from {len(stated)} pairs of proteins"
    outcome = saved(output, statements, {"sentences": len(stated)}, line, facts=facts)
    if source is None:
        (output / "LICENSE").write_text(licence(["ge"]), encoding="utf-8")
    return outcome


TREEBANK = ("genia", "train.pos_basenp.tsv.gz")


@options.verb()
@click.pass_context
def tagger(
    context: click.Context,
    source: Path | None = options.file(
        "--input",
        "A treebank: token, tag and chunk a line.  [default: GENIA's training part]",
        metavar="FILE",
    ),
    output: Path = options.model_output,
    test: Path | None = options.file("A treebank to measure the model on.", metavar="FILE"),
) -> Outcome:
    """Learn from the sentences of a treebank.

    Without --input, from genia/train.pos_basenp.tsv.gz below the folder that the environment
    variable RELSENT_DATA names.
    """
    from relsent_ir.datasets.catalogue import data_path
    from relsent_ir.text.parsing import Chunker, Tagger
    from relsent_ir.text.treebank import read_treebank

    kind = context.info_name or "tagger"
    path = source or data_path(*TREEBANK)
    sentences = list(read_treebank(path))
    held = list(read_treebank(test)) if test else []
    model = (Tagger if kind == "tagger" else Chunker).train(sentences)
    tokens = sum(len(sentence.words) for sentence in sentences)
    data = {**file_facts(path), "sentences": len(sentences)}
    facts: dict[str, object] = {"command": command_line(), "data": data}
    scores = _measure(model, held) if held else {}
    if test:
        facts |= {"test": {**file_facts(test), **scores}}
    return saved(
        output,
        model,
        {"model": kind, "tokens": tokens, **data, **scores},
        f"{output}: {kind} from {len(sentences)} sentences, {tokens} tokens",
        *(f"{name} {value:.4f}" for name, value in scores.items()),
        facts=facts,
    )


def _measure(model: "Tagger | Chunker", held: "list[TreeSentence]") -> dict[str, float]:
    """Measure a tagger by its tags, and a chunker from the treebank's tags."""
    from relsent_ir.text.parsing import Tagger
    from relsent_ir.text.treebank import base_phrases, right_tags

    words = [sentence.words for sentence in held]
    if isinstance(model, Tagger):
        return {"accuracy": right_tags(held, model.tag(words))}
    chunks = model.chunk(words, [sentence.tags for sentence in held])
    return dict(zip(("precision", "recall", "f1"), base_phrases(held, chunks), strict=True))
