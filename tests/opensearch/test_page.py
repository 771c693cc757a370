"""The reader's page on a collection in a cluster, with the cluster there, gone, and back."""

import pytest
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.web import Settings, create_app
from relsent_ir.web.settings import LOCAL
from tests.opensearch.proxy import Proxy

pytestmark = pytest.mark.slow


def _page(address):
    settings = Settings(hosts=(*LOCAL, "testserver"), seconds=600.0)
    return TestClient(create_app(rir.open_collection(address), settings))


def test_pages(sent, sample):
    """Searches, abstracts and questions are those of the index here; what is refused says so."""
    with rir.open_collection(sample) as here:
        name = here.search("asthma in children", 1).hits.ids[0]
    with _page(sent) as there, _page(str(sample)) as local:
        for path in (
            "/api/search?q=asthma+in+children",
            "/api/search?q=asthma+in+children&unit=sentences",
            "/api/search?q=asthma+in+children&year=2009:2010",
            "/api/search?q=asthma+in+children&strategy=asthma%5Btiab%5D+NOT+adult*",
            "/api/question?q=Do+steroids+help+children+with+asthma%3F",
        ):
            answers = [of.get(path) for of in (there, local)]
            assert [answer.status_code for answer in answers] == [200, 200], path
            key = "records" if "question" in path else "hits"
            assert answers[0].json()[key] == answers[1].json()[key]
        pages = [of.get(f"/api/abstract?id={name}") for of in (there, local)]
        texts = [[line["text"] for line in page.json()["sentences"]] for page in pages]
        assert texts[0] == texts[1]
        refused = there.get(f"/api/related?id={name}.1")
        assert refused.status_code == 400
        assert "over a cluster" in refused.text


def test_gone_and_back(node, sent):
    """Without the cluster a page is 503 and a line; with it the page answers again."""
    with Proxy(node.ports[0]) as proxy, _page(f"{proxy.address}/sample") as page:
        assert page.get("/?q=asthma").status_code == 200
        proxy.faults += ["drop"] * 1000
        gone = page.get("/?q=children")
        assert gone.status_code == 503
        assert "No answer" in gone.text
        proxy.faults.clear()
        assert page.get("/?q=children").status_code == 200
