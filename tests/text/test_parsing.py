"""The package's tagger and chunker, and models of them on disk."""

from pathlib import Path

import pytest

from recipes.treebank import base_phrases, read_treebank, right_tags
from relsent_ir import models
from relsent_ir.errors import InputError, MismatchError
from relsent_ir.text.parsing import Parser, Remembering, default_parser
from relsent_ir.text.tokens import WORDS_MAX


def test_parse() -> None:
    """Tokens, tags and chunks of a plain sentence."""
    parsed = default_parser().parse(["The new kinase phosphorylates Abc1 in vitro."])[0]
    assert parsed.words[:3] == ["The", "new", "kinase"]
    assert parsed.tags[:5] == ["DT", "JJ", "NN", "VBZ", "NN"]
    assert parsed.chunks[:5] == ["B-NP", "I-NP", "I-NP", "O", "B-NP"]
    assert parsed.spans[2] == (8, 14)


def test_batches_do_not_matter() -> None:
    """A sentence is tagged alike among others; an empty or endless one has no tokens."""
    texts = ["Abc1 binds Xyz2.", "", "We saw nothing", "((( ;", "too long " * WORDS_MAX]
    parser = default_parser()
    parsed = parser.parse(texts)
    assert parsed == [parser.parse([text])[0] for text in texts]
    assert not parsed[-1].words


def test_store(tmp_path: Path) -> None:
    """A written model is the same when it is read, and has the facts."""
    parser = default_parser()
    models.save(tmp_path / "t", parser.tagger, {"command": "made"})
    again = models.load(tmp_path / "t", "tagger")
    assert again.tag([["Abc1", "binds"]]) == parser.tagger.tag([["Abc1", "binds"]])
    assert '"made"' in (tmp_path / "t" / "model.json").read_text()


def test_remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that comes again is parsed once, and parsed as by itself."""
    parser = default_parser()
    texts = ["Abc1 binds Xyz2.", "Xyz2 is bound.", "Abc1 binds Xyz2."]
    known = parser.parse(texts)
    parsed: list[str] = []
    plain = Parser.parse
    monkeypatch.setattr(Parser, "parse", lambda p, new: parsed.extend(new) or plain(p, new))
    remembering = Remembering(parser.tagger, parser.chunker)
    assert [remembering.parse([text])[0] for text in texts] == known == remembering.parse(texts)
    assert parsed == texts[:2]


def test_no_such_model(tmp_path: Path) -> None:
    """A chunker is no tagger; a folder without a model is one line."""
    with pytest.raises(MismatchError, match="a model of kind chunker, not of tags"):
        models.load(models.packaged("chunker"), "tagger")
    with pytest.raises(InputError, match="no such model"):
        models.load(tmp_path / "none", "chunker")


def test_quality(data: Path) -> None:
    """The floors on GENIA's dev part: 98.1 % of the tags, F1 0.90 of the base noun phrases."""
    sentences = list(read_treebank(data / "genia" / "dev.pos_basenp.tsv.gz"))
    words = [sentence.words for sentence in sentences]
    parser = default_parser()
    tags = parser.tagger.tag(words)
    assert right_tags(sentences, tags) > 0.981
    assert base_phrases(sentences, parser.chunker.chunk(words, tags))[2] > 0.90
