"""Many readers at once see what one sees."""

import functools
import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

READERS = 16
Remembering = type(functools.lru_cache(len))
PAGES = (
    "/api/search?q=antibiotics+prevent+infection+in+women",
    "/api/search?q=randomised+trials&unit=abstracts",
    "/api/search?q=relations+and+activations&rank=bm25",
    "/api/abstract?id=90000002&q=infection",
    "/api/abstract?id=90000041",
    "/api/related?id=90000018.1",
    "/api/theme?id=90000002",
    "/api/question?q=Do+antibiotics+prevent+recurrent+infections+in+women%3F",
    "/api/question?q=Does+cranberry+treat+infection%3F",
    "/api/names?a=women&b=infection",
    "/api/runs/topic?id=001",
)


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns far more often than they do."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.slow
def test_many_readers(client: TestClient, hurried: None) -> None:
    """Sixteen ask for all pages at once, in another order each; nothing is remembered for them."""
    expected = [client.get(page).json() for page in PAGES]
    for found in gc.get_objects():
        if isinstance(found, Remembering) and str(found.__module__).startswith("relsent_ir"):
            found.cache_clear()
    client.app.state.shelf.library.indexes._cache.tagged.clear()  # type: ignore[attr-defined]

    def read(reader: int) -> list[object]:
        return [
            client.get(PAGES[n % len(PAGES)]).json() == expected[n % len(PAGES)]
            for n in range(reader, reader + len(PAGES))
        ]

    with ThreadPoolExecutor(READERS) as threads:
        assert all(all(some) for some in threads.map(read, range(READERS)))
