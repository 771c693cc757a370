"""Relations: sentences a second for each step of the features, and for the whole ranking.

One thread, in seconds of the processor. The sentences are the first of the abstracts collection
that hold two different names (words with a digit or inner capitals), of which two drawn at random
are the entities. Each sentence is new to every step; words are known from the sentences before, as
far as they have come up.

Run ``RELSENT_DATA=<data folder> python -m benchmarks.relations``.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TypeVar

from benchmarks.common import data_file, print_table
from relsent_ir.records import read_records, split_sentences
from relsent_ir.relations import FeatureSettings, open_ranker
from relsent_ir.relations.candidates import Candidate
from relsent_ir.relations.describing import describe
from relsent_ir.relations.patterns import find_evidence, find_forms
from relsent_ir.relations.structure import BATCH, is_name, place
from relsent_ir.text.parsing import Parsed
from relsent_ir.text.tokens import tokenize

SENTENCES = 4_000
WARM = 10_000  # sentences before, so that common words are known
T = TypeVar("T")


def candidates() -> Iterator[Candidate]:
    """Return sentences with two names."""
    draw = random.Random(0)
    for record in read_records(data_file("abstracts/abstracts.jsonl.gz")):
        for start, end in split_sentences(record.abstract):
            text = record.abstract[start:end]
            spans = tokenize(text)
            named = [
                (span, word)
                for span in spans
                if is_name(word := text[slice(*span)]) and len(word) > 2
            ]
            if len({word for _, word in named}) > 1:
                first, _ = draw.choice(named)
                others = [span for span, _ in named if span != first]
                yield Candidate("1", record.id, text, first, draw.choice(others))


def timed(job: Callable[[], T]) -> tuple[T, float]:
    """Return what a job makes, and its processor seconds."""
    start = time.process_time()
    made = job()
    return made, time.process_time() - start


def main() -> None:
    """Print the table."""
    rest = candidates()
    ranker = open_ranker()
    tagger, chunker = ranker.parser.tagger, ranker.parser.chunker
    ranker.score(list(islice(rest, WARM)))
    rows = []

    def step(name: str, job: Callable[[], T]) -> T:
        made, seconds = timed(job)
        rows.append([name, f"{SENTENCES / seconds:.0f}"])
        return made

    known = list(islice(rest, SENTENCES))
    texts = [candidate.text for candidate in known]
    spans = step("tokens", lambda: [tokenize(text) for text in texts])
    words = [
        [text[start:end] for start, end in offsets]
        for text, offsets in zip(texts, spans, strict=True)
    ]
    batches = [words[i : i + BATCH] for i in range(0, len(words), BATCH)]
    tags = step("tags", lambda: [tagger.tag(batch) for batch in batches])
    pairs = list(zip(batches, tags, strict=True))
    chunks = step("base noun phrases", lambda: [chunker.chunk(*pair) for pair in pairs])
    columns = spans, words, list(chain(*tags)), list(chain(*chunks))
    parsed = [Parsed(*parts) for parts in zip(*columns, strict=True)]
    ready = list(zip(known, parsed, strict=True))
    placed = step("phrases and entities", lambda: [place(*pair) for pair in ready])
    forms = step("simplification", lambda: [find_forms(structure) for structure in placed])
    step("patterns", lambda: [find_evidence(found) for found in forms])
    print(f"{SENTENCES} sentences, {sum(map(len, words))} tokens")
    for name, settings in (
        ("all of the paper's features", FeatureSettings("paper")),
        ("all features", ranker.settings),
    ):
        known = list(islice(rest, SENTENCES))
        step(name, lambda s=settings, k=known: list(describe(k, ranker.parser, s)))
    known = list(islice(rest, SENTENCES))
    step("all features, and scores", lambda: ranker.score(known))
    print_table(["", "sentences/s"], rows)


if __name__ == "__main__":
    main()
