"""Reading an index's sentences."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from relsent_ir.errors import InputError
from relsent_ir.lucene.read.index import Index
from relsent_ir.records import Record, Section
from relsent_ir.related.corpus import held_out, read_corpus
from relsent_ir.related.tokens import words
from tests.related.conftest import STOPWORDS


def test_read(index: Index, collection: Path):
    """Every sentence but titles, in the order of ids and numbers, with its words."""
    corpus = read_corpus(index, STOPWORDS)
    with Index(collection, "sentences") as by_sentence:
        bodies = [name for name in by_sentence.ids() if not name.endswith(".0")]
        assert sorted(corpus.ids) == sorted(bodies)
        import json

        for i, line in enumerate(by_sentence.raw(corpus.ids)):
            row = slice(*corpus.sentences.words.indptr[i : i + 2])
            found = {
                corpus.sentences.lexicon.words[w]: c
                for w, c in zip(
                    corpus.sentences.words.indices[row],
                    corpus.sentences.words.data[row],
                    strict=True,
                )
            }
            expected = words(json.loads(line)["contents"], STOPWORDS)
            assert found == {word: expected.count(word) for word in expected}
    assert corpus.records == sorted(corpus.records)
    assert len(corpus.records) == 60
    assert corpus.fingerprint["sources"] == [index.facts.sources[0].sha256]


def test_no_sentences(build: Callable[[Sequence[Record]], Path]):
    """An index of titles only has no sentences for pairs."""
    folder = build([Record("a", "A title.")])
    with Index(folder) as opened, pytest.raises(InputError, match="the records have no sentences"):
        read_corpus(opened, ())


def test_records_without_abstract(build: Callable[[Sequence[Record]], Path]):
    """They count as records and have no sentences; dots in ids are no matter."""
    folder = build([Record("a", "A title."), Record("a.b", "", sections=(Section("One two."),))])
    with Index(folder) as opened:
        corpus = read_corpus(opened, ())
    assert (corpus.records, corpus.ids) == (["a", "a.b"], ["a.b.1"])


def test_held_out():
    """A third, whatever else is in the collection; another seed gives another third."""
    names = [f"r{i}" for i in range(3000)]
    chosen = held_out(names, 1)
    assert 900 < chosen.sum() < 1100
    assert held_out(names[::-1], 1).tolist() == chosen[::-1].tolist()
    assert 200 < (held_out(names, 2) & chosen).sum() < 450
