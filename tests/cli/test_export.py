"""``relsent-ir export``, without a cluster."""

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
def test_bad_addresses(relsent, here, sample_indexes, address, code, told):
    """One line each, and no password in it."""
    ran = relsent("export", "--index", sample_indexes, "--to", address)
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert told in ran.err
    assert "secret" not in ran.err


def test_refused(refused, here, sample_indexes):
    """A cluster ranks by two models alone; an address that nobody answers at is one line."""
    to = ("--to", "opensearch+http://127.0.0.1:9/x", "--rank-by", "Smart('ltc.atn')")
    refused(2, "", "export", "--index", sample_indexes, *to)
    for code, kind in ((3, "opensearch+http"), (2, "elsewhere")):
        refused(code, "", "search", "--index", f"{kind}://127.0.0.1:9/medline", "--text", "x")
