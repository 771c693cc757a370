"""Addresses and secrets, without a cluster."""

import pytest

from relsent_ir.errors import InputError, UsageError
from relsent_ir.opensearch.client import PASSWORD, Address


def test_addresses():
    """Several nodes, a user, and one slash of the two, as a path keeps it."""
    address = Address.parse("opensearch:/me@n1:9201,n2/medline")
    assert address == Address(("https://n1:9201", "https://n2:9200"), "medline", "me")
    assert str(address) == "opensearch://n1:9201,n2:9200/medline"
    assert Address.parse("http://[::1]/x").hosts == ("http://[::1]:9200",)


def test_password_of_the_environment(monkeypatch):
    """It is taken with the user of the address, and never sent to another machine in the clear."""
    monkeypatch.setenv(PASSWORD, "secret")
    assert Address.parse("opensearch://me@n1/x").login() == ("me", "secret")
    assert Address.parse("opensearch+http://me@127.0.0.1/x").login() == ("me", "secret")
    with pytest.raises(UsageError, match="unencrypted"):
        Address.parse("opensearch+http://me@n1/x").login()


def test_password_of_a_file(monkeypatch, tmp_path):
    """A netrc file that others may read is refused; without one nobody logs in."""
    monkeypatch.delenv(PASSWORD, raising=False)
    path = tmp_path / "netrc"
    monkeypatch.setenv("NETRC", str(path))
    assert Address.parse("opensearch://n1/x").login() is None
    with pytest.raises(UsageError, match="no password for me"):
        Address.parse("opensearch://me@n1/x").login()
    path.write_text("machine n1 login me password secret\n")
    path.chmod(0o644)
    with pytest.raises(InputError, match="others may read") as caught:
        Address.parse("opensearch://n1/x").login()
    assert "secret" not in str(caught.value)
    path.chmod(0o600)
    assert Address.parse("opensearch://n1/x").login() == ("me", "secret")
    assert Address.parse("opensearch://n1/x").login() == ("me", "secret")
