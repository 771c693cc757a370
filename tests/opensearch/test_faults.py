"""What goes wrong between us and a cluster: it passes, or it is one line with the fix."""

import pytest

import relsent_ir as rir
from relsent_ir.errors import InputError, MismatchError, MissingError
from relsent_ir.opensearch import client, mapping, sending
from tests.opensearch.conftest import export
from tests.opensearch.proxy import Proxy, certificate

pytestmark = pytest.mark.slow

TEXT = {"1": "asthma in children"}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """No wait is long."""
    monkeypatch.setattr(client, "WAITS", (0.01,) * 8)


def _found(address):
    with rir.open_collection(address) as collection:
        return collection.search(TEXT, 20)


@pytest.mark.parametrize("fault", [429, 503, 504, "drop"])
def test_what_passes(node, sent, fault):
    """A busy cluster and a broken connection are asked again; the hits are the same."""
    with Proxy(node.ports[0]) as proxy, rir.open_collection(f"{proxy.address}/sample") as there:
        there.search(TEXT, 20)
        proxy.faults += [fault] * 3
        assert there.search(TEXT, 20) == _found(sent)
        assert not proxy.faults


@pytest.mark.parametrize("fault", [429, 503, "drop"])
def test_sending(node, sent, sample, capsys, fault):
    """A collection arrives whole, however often the cluster is busy meanwhile."""
    with Proxy(node.ports[0]) as proxy:
        proxy.faults += [0, 0, fault, 0, fault, fault, 0, 0, fault, 0, 0, fault, fault]
        assert export(sample, f"{proxy.address}/busy-{fault}") == 0
        assert not proxy.faults
    assert _found(f"{node.address}/busy-{fault}") == _found(sent)


def test_never_again(node, sent):
    """A cluster that stays busy is one line; redirects are not followed."""
    with Proxy(node.ports[0]) as proxy, rir.open_collection(f"{proxy.address}/sample") as there:
        proxy.faults += [429] * 100
        with pytest.raises(MissingError, match="cannot answer now"):
            there.search(TEXT, 20)
    with Proxy(node.ports[0]) as proxy:
        proxy.faults.append("http://127.0.0.1:1/elsewhere")
        with pytest.raises(MismatchError, match="redirects"):
            rir.open_collection(f"{proxy.address}/sample")


def test_certificates(node, sent, tmp_path, monkeypatch):
    """A certificate that nobody knows is refused; --ca makes it known."""
    pem = certificate(tmp_path)
    with Proxy(node.ports[0], pem=pem) as proxy:
        with pytest.raises(MissingError, match="certificate is not trusted"):
            rir.open_collection(f"{proxy.address}/sample")
        monkeypatch.setenv(client.CA, str(tmp_path / "ca.pem"))
        assert _found(f"{proxy.address}/sample") == _found(sent)


def test_passwords(node, sent, monkeypatch):
    """A wrong one is refused in a line that does not name it."""
    with Proxy(node.ports[0], login="me:secret") as proxy:
        address = f"{proxy.scheme}://me@{proxy.address.partition('://')[2]}/sample"
        monkeypatch.setenv(client.PASSWORD, "guess")
        with pytest.raises(InputError, match="not accepted") as caught:
            rir.open_collection(address)
        assert "guess" not in str(caught.value)
        monkeypatch.setenv(client.PASSWORD, "secret")
        assert _found(address) == _found(sent)


def test_other_formats(node, sample):
    """A collection of another format, or that is not ours, is refused."""
    address = f"{node.address}/other"
    assert export(sample, address) == 0
    (name,) = node.ask("/_alias/other-abstracts")
    meta = node.ask(f"/{name}/_mapping")[name]["mappings"]["_meta"]
    meta["relsent-ir"]["format"] = 99
    node.ask(f"/{name}/_mapping", body={"_meta": meta}, method="PUT")
    with pytest.raises(MismatchError, match="of format 99"):
        rir.open_collection(address)
    node.ask(f"/{name}/_mapping", body={"_meta": {}}, method="PUT")
    with pytest.raises(MismatchError, match="not made by relsent-ir"):
        rir.open_collection(address)


@pytest.mark.parametrize(
    ("module", "name", "value", "told"),
    [
        (sending, "VERSIONS", (1,), "this is opensearch 2.19"),
        (mapping, "_POSSESSIVE", {"type": "uppercase"}, "analyses otherwise than we do"),
    ],
)
def test_other_clusters(node, sample, monkeypatch, capsys, module, name, value, told):
    """Nothing is sent to a cluster of a version that is not known, or of another analysis."""
    monkeypatch.setattr(module, name, value)
    assert export(sample, f"{node.address}/unlike") == 5
    assert told in capsys.readouterr().err
    assert not any("aliases" in of and of["aliases"] for of in node.ask("/unlike*/_alias").values())


def test_missing_copies(node, sample):
    """A copy that no node can have is told by stats; hits are there."""
    address = f"{node.address}/alone"
    assert export(sample, address, "--replicas", "1") == 0
    with rir.open_collection(address) as there:
        assert there.indexes.abstracts.statistics()["missing_copies"] == 1
    assert _found(address)


def test_missing_shards(three, sample):
    """Where a shard is nowhere no hits are given, but a line; with its node back all are."""
    address = f"{three.address}/lacking"
    assert export(sample, address, "--shards", "3", "--replicas", "0") == 0
    found = _found(address)
    three.kill(2)
    try:
        with pytest.raises(MissingError, match="cannot answer now"):
            _found(address)
    finally:
        three.start(2)
        three.wait()
    three.ask("/_cluster/health?wait_for_status=yellow&timeout=60s")
    assert _found(address) == found


def test_full_disk(node, sample, capsys):
    """A cluster whose disks are full takes nothing: one line; with room the command goes on."""
    address = f"{node.address}/full"
    node.ask(
        "/_index_template/full",
        method="PUT",
        body={
            "index_patterns": ["full-sentences-*"],
            "template": {"settings": {"index.blocks.read_only_allow_delete": True}},
        },
    )
    assert export(sample, address) == 6
    told = capsys.readouterr().err
    assert "free its disks" in told
    assert told.count("error") == 1
    node.ask("/_index_template/full", method="DELETE")
    (name,) = node.ask("/full-sentences-*/_settings")
    body = {"index.blocks.read_only_allow_delete": None}
    node.ask(f"/{name}/_settings", body=body, method="PUT")
    assert export(sample, address) == 0
    assert _found(address)
