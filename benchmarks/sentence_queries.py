"""Processor time of queries as people write them: ranked sentences, strategies with facets, stars.

In milliseconds of one process a query, its Java included, after four that are not counted:

- *ranked sentences*: the first eleven by the packaged ranker, as the page asks for them.
- *wording*: other spellings, abbreviations and what is misspelt.
- *strategy with facets*: six strategies in turn; the first hits, and what the set is counted by.
- *twenty stars*: twenty truncated words with some hundred terms each, at most 1,000, and a facet.

Run ``python -m benchmarks.sentence_queries --index DIR --topics FILE``.
"""

import argparse
import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.common import print_table
from relsent_ir.feedback import Engine
from relsent_ir.feedback.wording import meant, read_alternatives
from relsent_ir.lucene.jvm import call
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.facets import count_facets
from relsent_ir.lucene.read.filters import Filters
from relsent_ir.lucene.read.index import Index
from relsent_ir.lucene.read.search import Searcher
from relsent_ir.lucene.read.strategy import EXPANSIONS
from relsent_ir.methods import Ranker
from relsent_ir.searching import Search
from relsent_ir.trec import read_topics

WARM: int = 4
STRATEGIES: tuple[str, ...] = (
    "(asthma OR wheez*) AND children[tiab] NOT review[pt]",
    '"heart failure"[tiab] AND (beta* OR carvedilol) AND 1995:2005[dp]',
    "(diabetes[mh] OR insulin) AND randomized[tiab]",
    "(cancer OR tumor* OR neoplasm*) AND (survival OR mortality)",
    "infection NEAR/5 lung OR pneumonia[ti]",
    'hypertension AND (stroke OR "myocardial infarction") NOT rats',
)
FACETS: tuple[str, ...] = ("year", "move", "publication_type", "journal")


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", required=True, type=Path)
    parser.add_argument("--topics", required=True, type=Path)
    chosen = parser.parse_args()
    texts = list(read_topics(chosen.topics).values())[:24]
    with Indexes(chosen.index) as collection:
        search = Search(Engine(collection, "sentences"), Ranker())
        index = collection.sentences

        def wording(text: str) -> None:
            read_alternatives(text, index)
            meant(text, index)

        def strategy(text: str) -> None:
            filters = Filters(strategy=text)
            Searcher(index, filters=filters).search({"": "asthma children heart"}, 11)
            count_facets(index, filters.query(index), FACETS, 6)

        stars = " OR ".join(f"{beginning}*" for beginning in _beginnings(index))
        rows = [
            ["ranked sentences", *_times(lambda text: search.search({"": text}, 11), texts)],
            ["wording", *_times(wording, texts)],
            ["strategy with facets", *_times(strategy, STRATEGIES * 4)],
            ["twenty stars", *_times(strategy, [stars] * 12)],
        ]
    print_table(["ms a query", "median", "most"], rows)


def _beginnings(index: Index) -> list[str]:
    """Return the twenty beginnings of two or three letters that stand for most terms."""
    counted = []
    for letters in itertools.product("abcdefghilmnoprstuv", "aeiourlnhpt", ["", *"aeioulnrst"]):
        beginning = "".join(letters)
        arguments = index.reader, "contents", beginning
        count = int(call("Strategy.expansions", *arguments, where=index.folder))
        if count <= EXPANSIONS:
            counted.append((count, beginning))
    return [beginning for _, beginning in sorted(counted, reverse=True)[:20]]


def _times(work: Callable[[str], object], texts: Sequence[str]) -> list[str]:
    times = []
    for text in texts:
        start = time.process_time()
        work(text)
        times.append(1000 * (time.process_time() - start))
    return [f"{median(times[WARM:]):.0f}", f"{max(times[WARM:]):.0f}"]


if __name__ == "__main__":
    main()
