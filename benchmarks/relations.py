"""Relations: sentences a second for each step of the features, and for the whole ranking.

One thread, in seconds of the processor. The sentences are the first of the abstracts collection
that hold two different names (words with a digit or inner capitals), of which two drawn at random
are the entities. Each sentence is new to every step, as in a ranking.

Run ``RELSENT_DATA=<data folder> python benchmarks/relations.py``.
"""

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice

from common import data_file, print_table

from relsent_ir.collection import read_records, split_sentences
from relsent_ir.relations import Candidate, Settings, default_ranker
from relsent_ir.relations.evidence import find_evidence, find_forms
from relsent_ir.relations.ranker import extract
from relsent_ir.relations.stems import is_name
from relsent_ir.relations.structure import BATCH, place
from relsent_ir.text.tokens import tokenize, words_of

SENTENCES = 20_000
WARM = 2_000  # sentences before, so that common words are known


def candidates() -> Iterator[Candidate]:
    """Give sentences with two names."""
    draw = random.Random(0)
    for record in read_records(data_file("abstracts/abstracts.jsonl.gz")):
        for start, end in split_sentences(record.abstract):
            text = record.abstract[start:end]
            spans = tokenize(text)
            named = [
                (span, word)
                for span, word in zip(spans, words_of(text, spans), strict=True)
                if is_name(word) and len(word) > 2
            ]
            if len({word for _, word in named}) > 1:
                first, _ = draw.choice(named)
                others = [span for span, _ in named if span != first]
                yield Candidate("1", record.id, text, first, draw.choice(others))


def seconds(job: Callable[[], object]) -> float:
    """Processor seconds of a job."""
    start = time.process_time()
    job()
    return time.process_time() - start


def main() -> None:
    """Print the table."""
    known = list(islice(candidates(), WARM + SENTENCES))
    warm, known = known[:WARM], known[WARM:]
    ranker = default_ranker()
    ranker.score(warm)
    texts = [candidate.text for candidate in known]
    batches = [texts[i : i + BATCH] for i in range(0, len(texts), BATCH)]
    tagger, chunker = ranker.parser.tagger, ranker.parser.chunker
    words = [[words_of(text, tokenize(text)) for text in batch] for batch in batches]
    tags = [tagger.tag(batch) for batch in words]
    parsed = [sentence for batch in batches for sentence in ranker.parser.parse(batch)]
    placed = [place(*pair) for pair in zip(known, parsed, strict=True)]
    forms = [find_forms(structure) for structure in placed]
    paper = Settings("paper")
    steps: dict[str, Callable[[], object]] = {
        "tokens": lambda: [tokenize(text) for text in texts],
        "tags": lambda: [tagger.tag(batch) for batch in words],
        "chunks": lambda: [chunker.chunk(*pair) for pair in zip(words, tags, strict=True)],
        "phrases, entities": lambda: [place(*pair) for pair in zip(known, parsed, strict=True)],
        "simplification": lambda: [find_forms(structure) for structure in placed],
        "patterns": lambda: [find_evidence(found) for found in forms],
        "all of the paper's features": lambda: list(extract(known, ranker.parser, paper)),
        "all features": lambda: list(extract(known, ranker.parser, ranker.settings)),
        "all features, and scores": lambda: ranker.score(known),
    }
    print(f"{len(known)} sentences, {sum(len(w) for batch in words for w in batch)} tokens")
    rows = [[name, f"{len(known) / seconds(job):.0f}"] for name, job in steps.items()]
    print_table(["", "sentences/s"], rows)


if __name__ == "__main__":
    main()
