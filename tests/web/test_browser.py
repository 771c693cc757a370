"""The reader's way through the pages, in a real browser, with its scripts and without."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bibtexparser
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

import relsent_ir as rir
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.records import Section, list_inputs
from relsent_ir.trec import write_run
from relsent_ir.trec.cystic_fibrosis import read_cystic_fibrosis_qrels
from relsent_ir.trec.qrels import write_qrels
from relsent_ir.trec.topics import write_topics
from relsent_ir.web import Settings
from tests.invented import index_of
from tests.web.browsing import chromium, served

pytestmark = pytest.mark.slow
PAINT = 100_000  # bytes, of a page of hits with all that it loads
PHONE = 3_000  # pixels of a record, before anything is opened
GRAVE = ("error", "warning")  # kinds of a console's lines that are a problem


@dataclass(frozen=True)
class Site:
    """A served collection: its address, and what is asked of it."""

    at: str
    query: str
    question: str
    names: tuple[str, str]
    topic: str


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium."""
    path = chromium()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module", params=["sample", "cystic fibrosis"])
def site(request, tmp_path_factory) -> Iterator[Site]:
    """The sample, and the real collection where its data are."""
    if request.param == "sample":
        folder, settings = (request.getfixturevalue(name) for name in ("folder", "settings"))
        with served(folder / "sample", settings) as at:
            yield Site(
                at,
                "antibiotics prevent infection in women",
                "Do prophylactic antibiotics prevent recurrent urinary tract infection in women?",
                ("women", "infection"),
                "001",
            )
        return
    data: Path = request.getfixturevalue("data") / "cystic-fibrosis"
    path = tmp_path_factory.mktemp("cf")
    with served(_index(data, path), _settings(data, path)) as at:
        yield Site(
            at,
            "calcium in mucus",
            "Does cimetidine improve pancreatic enzyme therapy in cystic fibrosis?",
            ("calcium", "mucus"),
            "1",
        )


def _index(data: Path, path: Path) -> Path:
    build_index(list_inputs([data])[0], path / "index", tagger=model_tagger(None))
    return path / "index"


def _settings(data: Path, path: Path) -> Settings:
    topics = rir.read_topics(data / "cfquery")
    write_topics(path / "topics.tsv", topics)
    write_qrels(path / "qrels.txt", read_cystic_fibrosis_qrels(data / "cfquery"))
    with rir.open_collection(path / "index") as cf:
        write_run(path / "bm25.txt", cf.search(topics, 50))
        write_run(path / "rm3.txt", cf.search(topics, rir.RM3(), 50))
    runs = (path / "bm25.txt", path / "rm3.txt")
    return Settings(runs=runs, qrels=path / "qrels.txt", topics=path / "topics.tsv")


@pytest.fixture(params=["with scripts", "without"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page whose browser runs scripts, or none; nothing may be refused or fail in it."""
    scripts = request.param == "with scripts"
    yield from _watched(browser.new_context(java_script_enabled=scripts))


@pytest.fixture
def quick(browser: Browser) -> Iterator[Page]:
    """A page whose browser runs scripts."""
    yield from _watched(browser.new_context())


def _watched(context: BrowserContext) -> Iterator[Page]:
    found = context.new_page()
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        # A remark is none, such as that autofocus was left out because a key came before it.
        if message.type in GRAVE:
            problems.append(message.text)

    found.on("console", note)
    found.on("pageerror", lambda error: problems.append(str(error)))
    yield found
    context.close()
    assert problems == []


def _open_related(page: Page) -> None:
    """Open the first related sentences; all of the lit one's where none is worth showing."""
    page.wait_for_load_state("networkidle")
    if not page.locator(".near").count():
        closed = page.locator("a.more", has_text="(")
        (closed if closed.count() else page.locator(".lit a.more")).first.click()


def test_search_to_related_sentence(site: Site, page: Page) -> None:
    """From a search to a sentence, its abstract, a related sentence, and all the way back."""
    page.goto(site.at)
    page.get_by_label("What to search for").fill(site.query)
    page.keyboard.press("Enter")
    sentence = page.locator(".hit .sentence a").first
    expect(sentence.locator("mark").first).to_be_visible()
    said = sentence.inner_text()
    sentence.click()
    lit = page.locator("[aria-current=true]")
    expect(lit).to_be_in_viewport()
    expect(lit).to_contain_text(said)
    first = page.url
    _open_related(page)
    near = page.locator(".near .sentence a, .hits .sentence a").first
    words = near.inner_text()
    near.click()
    expect(page.locator("[aria-current=true]")).to_contain_text(words)
    crumb = page.get_by_role("link", name="Related to:")
    crumb.click()
    expect(page.locator("[aria-current=true]")).to_be_in_viewport()
    page.goto(first)
    page.get_by_role("link", name="Found for:").click()
    expect(page.get_by_label("What to search for")).to_have_value(site.query)


@pytest.mark.parametrize("phone", [False, True])
def test_the_whole_way(site: Site, browser: Browser, phone: bool) -> None:
    """A search narrowed, read, understood, copied with its citation, exported; and the list again.

    On a phone it is dark.
    """
    size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        color_scheme="dark" if phone else "light",
        permissions=["clipboard-read", "clipboard-write"],
    )
    watched = _watched(context)
    page = next(watched)
    page.goto(f"{site.at}/?q={site.query}&rank=bm25")
    page.locator(".chip", has_text="Results").first.click()
    page.locator("summary", has_text="Narrow by").click()
    chip = page.locator(".facet", has_text="Years").locator(".chip").first
    count = int(chip.locator(".count").inner_text().replace(",", ""))
    chip.click()
    expect(page.locator(".chip.on")).to_have_count(2)
    expect(page.locator(".found strong")).to_have_text(f"{count:,}")
    found, ids = (
        page.url,
        page.locator("[data-keep]").evaluate_all("all => all.map(x => x.dataset.keep)"),
    )
    page.locator(".hit .sentence a").first.click()
    lit = page.locator(".lit")
    said = lit.locator(".sentence").first.evaluate("p => [...p.childNodes].map(x => x.textContent)")
    lit.get_by_role("button", name="cite").first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("“")
    assert copied.endswith(f"[{ids[0]}]")
    assert any(part.strip() and part.strip() in copied for part in said)
    _open_related(page)
    near = page.locator(".near .hit").first
    near.locator("a.why").click()
    expect(page.locator(".reason p").first).to_contain_text("Both say")
    lit.get_by_role("button", name="keep").first.click()
    expect(page.get_by_role("link", name="Basket (1)")).to_be_visible()
    page.get_by_role("link", name="Found for:").click()
    expect(page.locator(".chip.on")).to_have_count(2)
    assert page.url == found
    assert page.locator("[data-keep]").evaluate_all("all => all.map(x => x.dataset.keep)") == ids
    with page.expect_download() as download:
        page.get_by_role("link", name="BibTeX").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert not (read := bibtexparser.parse_string(text)).failed_blocks
    assert len(read.entries) == text.count("@article{") > 0
    page.get_by_role("link", name="Basket (1)").click()
    expect(page.locator(".hit")).to_have_count(1)
    next(watched, None)


def test_a_record_on_a_phone(site: Site, browser: Browser) -> None:
    """What is beside it and under its sentences is closed, and one touch opens it."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    watched = _watched(context)
    page = next(watched)
    page.goto(f"{site.at}/?q={site.query}")
    page.locator(".hit .sentence a").first.click()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollHeight") <= PHONE
    expect(page.locator(".near")).to_have_count(0)
    page.locator("a.more", has_text="(").first.click()
    expect(page.locator(".near .sentence a").first).to_be_visible()
    next(watched, None)


def test_a_long_abstract_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Its beginning is shown, and what is around the sentence that led there; a button has all."""
    text = " ".join(f"In group {n} the {n} mice ran {n} miles, and slept." for n in range(2, 62))
    record = rir.Record("1", "Mice", sections=(Section(text),))
    index_of(tmp_path, [record])
    with served(tmp_path / "index", Settings()) as at:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{at}/abstract?id=1&at=40#s40")
        page.wait_for_load_state("networkidle")
        assert sum("near=" in url for url in asked) == 1 + 8 + 5  # of the title too
        assert page.evaluate("document.documentElement.scrollHeight") <= PHONE
        expect(page.locator(".lit")).to_be_in_viewport()
        shown = page.locator(".lines > li:visible")
        expect(shown).to_have_count(8 + 5)
        page.get_by_role("button", name="all 60 sentences").click()
        expect(shown).to_have_count(60)
        page.close()


def test_two_hundred_hits(site: Site, quick: Page) -> None:
    """In BibTeX they are taken whole by a reader of it."""
    text = quick.request.get(f"{site.at}/export/bibtex?q={site.query}&n=200").text()
    read = bibtexparser.parse_string(text)
    assert not read.failed_blocks
    assert len(read.entries) == text.count("@article{") > 10


def test_by_keyboard(site: Site, quick: Page) -> None:
    """From the first page to a related sentence and back without a mouse."""
    quick.goto(site.at)
    quick.keyboard.press("/")
    quick.keyboard.type(site.query)
    quick.keyboard.press("Enter")
    expect(quick.locator(".hit").first).to_be_visible()
    for _ in range(3):
        quick.keyboard.press("j")
    quick.keyboard.press("k")
    link = quick.locator("main > .hits > .hit").nth(1).locator("a").first
    expect(link).to_be_focused()
    quick.keyboard.press("Enter")
    expect(quick.locator(".lit")).to_be_visible()
    _open_related(quick)
    expect(quick.locator(".near .sentence a").first).to_be_visible()
    quick.locator(".near").first.locator("a").first.focus()
    quick.keyboard.press("Escape")
    expect(quick.locator("a.more[aria-expanded=false]").first).to_be_focused()


def test_lately(site: Site, quick: Page) -> None:
    """What this browser asked is on its first page, as text."""
    quick.goto(f"{site.at}/?q=<b>mice</b>")
    quick.goto(site.at)
    expect(quick.locator("[data-history] a")).to_have_text("<b>mice</b>")


def test_why_in_its_place(site: Site, page: Page) -> None:
    """What a score is made of opens under the hit, or as a page of its own."""
    page.goto(f"{site.at}/?q={site.query}")
    page.locator("a.why").first.click()
    expect(page.locator(".reason .bars tr").nth(1)).to_be_visible()
    expect(page.get_by_role("heading", name="Why")).to_have_count(1)


def test_filters(site: Site, page: Page) -> None:
    """Filters are set by hand, are in the address, and stay set."""
    page.goto(f"{site.at}/?q={site.query}")
    page.locator(".filters summary").click()
    page.get_by_label("from").fill("1975")
    page.get_by_label("abstracts").check()
    page.get_by_role("button", name="Search").click()
    assert "from=1975" in page.url
    assert "unit=abstracts" in page.url
    expect(page.get_by_label("from")).to_have_value("1975")
    expect(page.locator(".hit").first).to_be_visible()


def test_question(site: Site, page: Page) -> None:
    """A question is asked, each abstract has its probability, and a sentence leads to its own."""
    page.goto(site.at)
    page.get_by_role("navigation", name="Ways to ask").get_by_role("link", name="question").click()
    page.get_by_label("The question").fill(site.question)
    page.get_by_role("button", name="Ask").click()
    expect(page.locator(".pooled")).to_be_visible()
    told = page.get_by_text("probability that it answers")
    assert not [text for text in told.all_inner_texts() if "<" in text]  # what is unlikely has none
    told.last.scroll_into_view_if_needed()
    expect(told.last).to_be_in_viewport()
    page.locator(".hit .sentence a").last.click()
    expect(page.locator("[aria-current=true]")).to_be_in_viewport()


def test_two_names(site: Site, page: Page) -> None:
    """Two names are looked for in all spellings, and their sentences say why."""
    page.goto(f"{site.at}/names")
    page.get_by_label("One", exact=True).fill(site.names[0])
    page.get_by_label("the other").fill(site.names[1])
    page.get_by_role("button", name="Find").click()
    expect(page.get_by_text("searched as").first).to_be_visible()
    expect(page.locator(".hit mark.one").first).to_be_visible()
    expect(page.locator(".hit mark.other").first).to_be_visible()
    page.locator("a.why").first.click()
    expect(page.locator(".reason .bars").first).to_be_visible()


def test_two_runs(site: Site, page: Page) -> None:
    """From the table of topics to one topic's rankings, a hit explained, and back."""
    page.goto(f"{site.at}/runs")
    page.get_by_label("first").select_option("topic")
    page.get_by_role("button", name="Show").click()
    page.locator("tbody a").first.click()
    expect(page.locator(".sides section")).to_have_count(2)
    expect(page.get_by_text("relevant (").first).to_be_visible()
    page.locator("a.why").first.click()
    expect(page.locator(".reason .bars tr").first).to_be_visible()


def test_theme_comes_later(site: Site, quick: Page) -> None:
    """With scripts the theme comes into the page after it was painted."""
    quick.goto(f"{site.at}/?q={site.query}")
    quick.locator(".hit .sentence a").first.click()
    expect(quick.locator("aside .terms a").first).to_be_visible(timeout=20_000)


def test_keyboard(site: Site, quick: Page) -> None:
    """The slash finds the field, Tab the way round the head, Enter opens and closes the why."""
    quick.goto(f"{site.at}/?q={site.query}")
    quick.keyboard.press("Tab")
    expect(quick.get_by_role("link", name="To the content")).to_be_focused()
    quick.keyboard.press("Enter")
    quick.locator("a.why").first.focus()
    quick.keyboard.press("Enter")
    expect(quick.locator(".part .bars")).to_be_visible()
    expect(quick.locator("a.why").first).to_have_attribute("aria-expanded", "true")
    quick.keyboard.press("Enter")
    expect(quick.locator(".part")).to_have_count(0)
    quick.keyboard.press("/")
    expect(quick.get_by_label("What to search for")).to_be_focused()


def _addresses(site: Site) -> list[str]:
    record = "90000002" if site.topic == "001" else "533"
    one, other = site.names
    return [
        "/", f"/?q={site.query}", f"/?q={site.query}&move=RESULTS&from=2000&to=1990",
        f"/facets?q={site.query}", f"/basket?id={record}&id={record}.1", f"/similar?id={record}",
        f"/?q={site.query}&unit=abstracts&from=1900",
        f"/abstract?id={record}&at=2&q={site.query}", f"/related?id={record}.1",
        f"/question?q={site.question}", f"/names?a={one}&b={other}", "/runs",
        f"/runs/topic?id={site.topic}", f"/theme?id={record}", "/themes", "/api", "/nothing",
    ]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(site: Site, browser: Browser, scheme: str) -> None:
    """No page has a serious barrier, in light or dark, on a desk or a phone."""
    found = []
    for width in (1280, 360):
        context = browser.new_context(
            color_scheme=scheme,
            viewport={"width": width, "height": 800},  # type: ignore[arg-type]
        )
        page = context.new_page()
        for address in _addresses(site):
            page.goto(site.at + address)
            page.wait_for_load_state("networkidle")
            if page.locator("a.why").count():
                page.locator("a.why").first.click()
                page.locator(".reason").first.wait_for()
            found += [
                (address, width, one["id"], one["nodes"][0]["html"])
                for one in Axe().run(page).response["violations"]
                if one["impact"] in ("serious", "critical")
            ]
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{address} is wider than {width}"
        context.close()
    assert found == []


def test_weight(site: Site, quick: Page) -> None:
    """A page of hits, with all that it loads, is under 100 kB, as it comes over the wire."""
    sizes: dict[str, int] = {}
    quick.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    quick.goto(f"{site.at}/?q={site.query}")
    quick.wait_for_load_state("networkidle")
    assert len(sizes) >= 3
    assert sum(sizes.values()) < PAINT


def test_print(site: Site, quick: Page) -> None:
    """On paper there is the text, and nothing to click."""
    quick.goto(f"{site.at}/?q={site.query}")
    quick.emulate_media(media="print")
    expect(quick.locator(".hit .sentence").first).to_be_visible()
    for gone in ("form.ask", "a.why >> nth=0", ".exports", "header nav"):
        expect(quick.locator(gone)).to_be_hidden()
