"""``relsent-ir export``, without a cluster."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("address", "code", "told"),
    [
        ("medline", 2, "no address"),
        ("opensearch://host:9200/Medline", 2, "no address"),
        ("opensearch://me:secret@host:9200/medline", 2, "holds no password"),
        ("opensearch://h,other:99999/medline", 2, "no host"),
        ("opensearch+http://127.0.0.1:9/medline", 3, "no answer"),
    ],
)
def test_bad_addresses(
    relsent: Callable[..., object], here: Path, sample_indexes: Path, address, code, told
):
    """One line each, and no password in it."""
    ran = relsent("export", "--index", sample_indexes, "--to", address)
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert told in ran.err
    assert "secret" not in ran.err


def test_bad_models(relsent: Callable[..., object], here: Path, sample_indexes: Path):
    """A cluster ranks by BM25 and query likelihood alone."""
    to = ("--to", "opensearch+http://127.0.0.1:9/x", "--rank-by", "Smart('ltc.atn')")
    ran = relsent("export", "--index", sample_indexes, *to)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


def test_no_cluster(relsent: Callable[..., object], here: Path):
    """An address that nobody answers at is one line, by any verb."""
    ran = relsent("search", "--index", "opensearch+http://127.0.0.1:9/medline", "--text", "x")
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    ran = relsent("search", "--index", "elsewhere://127.0.0.1:9/medline", "--text", "x")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
