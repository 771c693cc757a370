"""The collection as tools for agents, by the official client."""

import asyncio
import json
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from starlette.testclient import TestClient

import relsent_ir as rir
from relsent_ir.budget import private_memory
from relsent_ir.web import Settings
from relsent_ir.web.agents import TOOLS, Agents
from tests.web.conftest import SECONDS

JSON = {"Content-Type": "application/json"}
UNREADABLE = (
    "no JSON",
    "NaN",
    '{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": {"name": "\\ud800"}}',
    "[" * 3000,
)
QUESTION = "Do antibiotics prevent infection in women?"


@pytest.fixture(scope="module")
def agents(folder: Path) -> Iterator[Agents]:
    """The sample, open for agents."""
    settings = Settings(related="I1.5", seconds=SECONDS, hosts=("testserver",))
    made = Agents(rir.open_collection(folder / "sample"), settings)
    library = made._shelf.library
    library.begin()
    library.opened.wait(SECONDS)
    yield made
    made._work.close()
    made._shelf.library.close()


def _asked(agents: Agents, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def ask() -> Any:
        async with Client(agents.server) as client:
            return await work(client)

    return asyncio.run(ask())


async def _call(client: Client, name: str, /, **given: Any) -> dict[str, Any]:
    answer = await client.call_tool(name, given)
    assert not answer.is_error, answer.content
    found: dict[str, Any] = answer.structured_content
    assert json.loads(answer.content[1].text) == found  # type: ignore[union-attr]
    return found


def test_tools(agents: Agents) -> None:
    """Each says what it takes, within which bounds, and what it gives; it only reads."""

    async def work(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert [tool.name for tool in listed] == [tool.name for tool in TOOLS]
        search = next(tool for tool in listed if tool.name == "search")
        assert search.input_schema["properties"]["q"]["maxLength"] == 1000
        assert search.input_schema["properties"]["page"]["maximum"] == 100
        assert search.annotations
        assert search.annotations.read_only_hint
        assert "never instructions" in (search.description or "")

    _asked(agents, work)
    assert agents.server.instructions
    assert "sample: " in agents.server.instructions
    assert " MEDLINE records with " in agents.server.instructions


def test_ids_lead_to_the_very_text(agents: Agents) -> None:
    """What any tool gives as a hit, `record` gives by its id, word for word."""

    async def work(client: Client) -> int:
        first = (await _call(client, "search", q="women infection"))["hits"]
        hits = [
            *first,
            *[h for r in (await _call(client, "answer", q=QUESTION))["records"] for h in r["hits"]],
            *(await _call(client, "related", id=first[0]["id"]))["hits"],
            *(await _call(client, "names", a="women", b="infection"))["hits"],
        ]
        terms = (await _call(client, "entity", name="women"))["terms"]
        hits += [term["sentence"] for term in terms if term["sentence"]]
        for hit in hits:
            read = await _call(client, "record", id=hit["id"])
            texts = {line["id"]: line["text"] for line in read["sentences"]}
            assert texts[hit["id"]] == hit["text"]
        for hit in (await _call(client, "similar", id=first[0]["record"]))["hits"]:
            read = await _call(client, "record", id=hit["id"])
            assert read["sentences"][0]["text"] == hit["title"]
        return len(hits)

    assert _asked(agents, work) > 30


def test_same_as_the_page(agents: Agents, client: TestClient) -> None:
    """A tool gives what the page's JSON gives."""
    found = _asked(agents, lambda c: _call(c, "search", q="women infection", rank="bm25"))
    assert found == client.get("/api/search?q=women+infection&rank=bm25").json()
    asked = {"q": "women AND infection*[tiab]", "unit": "abstracts"}
    strategy = _asked(agents, lambda c: _call(c, "search", **asked))
    assert [one["kind"] for one in strategy["others"]] == ["heeded"]
    words = _asked(agents, lambda c: _call(c, "search", **asked, written=True))
    assert strategy["found"] < words["found"]


def test_check(agents: Agents) -> None:
    """A hundred true quotes stand there; with one word changed, none does, and each is found."""
    library = agents._shelf.library
    ids = library.indexes.sentences.ids()
    chosen = random.Random(0).sample([i for i in ids if not i.endswith(".0")], 100)
    texts = library.indexes.texts(chosen)
    true = [{"id": name, "text": text} for name, text in zip(chosen, texts, strict=True)]
    false = []
    for n, quote in enumerate(true):
        words = quote["text"].split()
        words[n % len(words)] = "xylophone"
        false.append({"id": quote["id"] if n % 3 else "", "text": " ".join(words)})

    async def work(client: Client) -> list[dict[str, Any]]:
        return [
            checked
            for quotes in (true, false)
            for half in (quotes[:50], quotes[50:])
            for checked in (await _call(client, "check", quotes=half))["quotes"]
        ]

    found = _asked(agents, work)
    assert [one["verbatim"] for one in found] == [True] * 100 + [False] * 100
    nearest = [one["nearest"]["text"] for one in found[100:]]
    assert sum(a == b for a, b in zip(nearest, texts, strict=True)) >= 95

    async def odd(client: Client) -> list[dict[str, Any]]:
        part = " ".join(texts[0].split()[1:4])
        quotes = [{"id": chosen[0], "text": f"  {part} "}, {"id": "nobody.1", "text": texts[0]},
                  {"id": chosen[0].rpartition(".")[0], "text": texts[0]}, {"text": texts[1]},
                  {"id": chosen[0], "text": texts[0][1:]}]  # fmt: skip
        found: list[dict[str, Any]] = (await _call(client, "check", quotes=quotes))["quotes"]
        return found

    found = _asked(agents, odd)
    assert [one["verbatim"] for one in found] == [True, False, True, True, False]
    assert found[1]["problem"] == "there is no record or sentence with this id"


def test_mistakes(agents: Agents) -> None:
    """Each reaches the agent as a line with its fix."""
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("search", {"q": "x", "page": 101}, "page: "),
        ("search", {"q": "x", "first": 1990}, "search has no argument 'first' (q, move, from, to"),
        ("search", {"q": "x", "from": 2000, "to": 1990}, "no year from 2000 to 1990 (put"),
        ("search", {"q": "x", "method": "Rerank('x')"}, "no method"),
        ("record", {"id": "nobody"}, "this collection has no such record"),
        ("related", {"id": "nobody.1"}, "this collection has no such sentence"),
        ("names", {"a": "?", "b": "x"}, "neither letter nor digit"),
        ("check", {"quotes": []}, "quotes: "),
        ("nothing", {}, "no tool 'nothing' (one of search, answer"),
    )

    async def work(client: Client) -> None:
        for name, given, told in cases:
            answer = await client.call_tool(name, given)
            assert answer.is_error
            assert told in answer.content[0].text, (name, answer.content)  # type: ignore[union-attr]

    _asked(agents, work)


@pytest.mark.slow
def test_a_thousand_calls(agents: Agents) -> None:
    """Whatever is asked, it lives, and stays small, whatever this process did before."""
    before, chance = private_memory(), random.Random(1)
    ids = agents._shelf.library.indexes.sentences.ids()
    words = ["women", "infection", "the", "?", "\u202e", "x" * 900, "", "calcium", "of"]
    values: list[Any] = [*words, 0, 1, 100, -1, None, True, 2000, [], ["RESULTS"], {"text": "x"}]

    async def work(client: Client) -> int:
        answered = 0
        for _ in range(1000):
            tool = chance.choice(TOOLS)
            names = list(tool.described().input_schema["properties"])
            given: dict[str, Any] = {"q": chance.choice(words), "id": chance.choice(ids)}
            given |= {"a": chance.choice(words), "b": chance.choice(words)}
            given = {name: value for name, value in given.items() if name in names}
            if chance.random() < 0.5:
                given[chance.choice(names)] = chance.choice(values)
            answered += not (await client.call_tool(tool.name, given)).is_error
        return answered

    assert _asked(agents, work) > 100
    assert private_memory() - before < 500


def test_stdio(folder: Path) -> None:
    """Nothing but the protocol is on stdout; when the client goes, the process ends."""
    command = [sys.executable, "-m", "relsent_ir.cli.main", "mcp", "--index", folder / "sample"]
    asked = [
        {"method": "initialize", "id": 1, "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"method": "tools/call", "id": 2, "params": {
            "name": "search", "arguments": {"q": "women infection"}}},
    ]  # fmt: skip
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        told = []
        for message in asked:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            process.stdin.flush()
            if "id" in message:
                told.append(json.loads(process.stdout.readline()))
        for line in UNREADABLE:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            refused = json.loads(process.stdout.readline())
            assert (refused["id"], refused["error"]["code"]) == (None, -32700)
        process.stdin.close()
        assert process.wait(5) == 0
        assert process.stdout.read() == ""
    assert "invented" not in told[0]["result"]["instructions"]
    assert told[1]["result"]["structuredContent"]["hits"]


def test_http(agents: Agents) -> None:
    """Over HTTP it has the page's guard."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "search", "arguments": {"q": "women"}}}  # fmt: skip
    accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    with TestClient(agents.app(), base_url="http://testserver") as client:
        answer = client.post("/mcp", json=call, headers=accept)
        assert answer.json()["result"]["structuredContent"]["hits"]
        for line in UNREADABLE:
            refused = client.post("/mcp", content=line, headers={**accept, **JSON})
            assert (refused.status_code, "error" in refused.json()) == (400, True)
        refused = client.post("/mcp", json=call, headers={**accept, "Host": "evil.example"})
        assert refused.status_code == 400
        cross = {**accept, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"}
        assert client.post("/mcp", json=call, headers=cross).status_code == 403
