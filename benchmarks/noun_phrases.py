"""Noun phrases that match themselves: drawn from an index, each given as it stands.

Run ``python -m benchmarks.noun_phrases INDEX [NUMBER]``. Of every phrase the sentence that it was
drawn from must be found, by the index and then by eye. Common words and single characters are
answered with a hint; they are counted apart.
"""

import random
import sys
import time
from pathlib import Path

from benchmarks.common import print_table
from relsent_ir.lucene.jvm import java
from relsent_ir.lucene.read.collection import Indexes
from relsent_ir.lucene.read.conjunctions import Conjunctions
from relsent_ir.text.names import Names, is_common, pieces, spellings
from relsent_ir.text.parsing import Parsed, default_parser

SEED = 38
SHOWN = 10
BATCH = 500


def drawn(collection: Indexes, number: int) -> list[tuple[str, str, str]]:
    """Draw noun phrases: one of a sentence, with the sentence's id and text."""
    ids = collection.sentences.ids()
    draw = random.Random(SEED)
    some = draw.sample(ids, min(len(ids), 2 * number))
    rows: list[tuple[str, str, str]] = []
    texts = collection.texts(some)
    for start in range(0, len(some), BATCH):
        batch = texts[start : start + BATCH]
        parsed = default_parser().parse(batch)
        for name, text, sentence in zip(some[start:], batch, parsed, strict=False):
            phrases = [phrase for phrase in noun_phrases(text, sentence) if pieces(phrase)]
            if phrases and len(rows) < number:
                rows.append((name, text, draw.choice(phrases)))
    return rows


def noun_phrases(text: str, sentence: Parsed) -> list[str]:
    """Return the base noun phrases of a sentence as they stand."""
    found: list[list[int]] = []
    for (start, end), chunk in zip(sentence.spans, sentence.chunks, strict=True):
        if chunk == "B-NP" or (chunk == "I-NP" and not found):
            found.append([start, end])
        elif chunk == "I-NP":
            found[-1][1] = end
    return [text[start:end] for start, end in found]


def main() -> None:
    """Print the table."""
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    found = common = 0
    lost: list[list[str]] = []
    with Indexes(Path(sys.argv[1])) as collection:
        rows = drawn(collection, number)
        conjunctions = Conjunctions(collection.sentences)
        term, query = (
            java(f"org.apache.lucene.{name}") for name in ("index.Term", "search.TermQuery")
        )
        start = time.process_time()
        for name, text, phrase in rows:
            if is_common(phrase):
                common += 1
                continue
            one = conjunctions.name(spellings(phrase))
            hits = conjunctions.search([[one, query(term("id", name))]], 1)[0] if one else []
            in_index, in_text = bool(len(hits)), bool(Names([phrase]).find(text))
            found += in_index and in_text
            if not (in_index and in_text):
                lost.append([name, phrase, "index" if not in_index else "text"])
        spent = time.process_time() - start
    asked = len(rows) - common
    print_table(
        ["phrases", "common", "asked", "found", "share", "ms each"],
        [
            [
                str(len(rows)),
                str(common),
                str(asked),
                str(found),
                f"{found / asked:.4f}",
                f"{1000 * spent / asked:.1f}",
            ]
        ],
    )
    print_table(["sentence", "not found", "in the"], lost[:SHOWN])


if __name__ == "__main__":
    main()
