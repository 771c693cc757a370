"""The screenshots of docs/web.md, of the bundled sample: ``python -m tests.web.screenshots``."""

import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import relsent_ir as rir
from relsent_ir.lucene.write.changing import model_tagger
from relsent_ir.lucene.write.indexing import build_index
from relsent_ir.trec import write_run
from relsent_ir.web import Settings
from tests.web.browsing import chromium, served
from tests.web.conftest import SAMPLE

DOCS = Path(__file__).parents[2] / "docs" / "web"
QUERY = "antibiotics+prevent+infection+in+women"
COLOURS = 160  # with fewer, moves lose theirs to the shades of black


def main() -> None:
    """Serve the sample with two runs, and take them."""
    with tempfile.TemporaryDirectory() as folder:
        index, runs = Path(folder, "sample"), [Path(folder, f"{n}.txt") for n in ("bm25", "rm3")]
        tagger = model_tagger(None)
        build_index([(SAMPLE / "sample.xml", "pubmed-xml")], index, tagger=tagger)
        topics = rir.read_topics(SAMPLE / "topics.tsv")
        with rir.open_collection(index) as sample:
            write_run(runs[0], sample.search(topics, 50))
            write_run(runs[1], sample.search(topics, rir.RM3(), 50))
        settings = Settings(
            runs=tuple(runs), qrels=SAMPLE / "qrels.txt", topics=SAMPLE / "topics.tsv"
        )
        with served(index, settings) as at, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            record = f"{at}/abstract?id=90000037"
            _shoot(browser, "abstract", (1280, 960), "light", record)
            _shoot(browser, "search", (820, 900), "light", f"{at}/?q={QUERY}", "a.why")
            _shoot(browser, "phone", (390, 844), "dark", f"{record}&at=4#s4")
            _shoot(browser, "runs", (1280, 800), "light", f"{at}/runs/topic?id=003")
            browser.close()


def _shoot(
    browser: Browser, name: str, size: tuple[int, int], scheme: str, address: str, *clicks: str
) -> None:
    width, height = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.goto(address)
    for click in clicks:
        page.locator(click).first.click()
    page.wait_for_load_state("networkidle")
    page.evaluate("document.activeElement.blur()")
    path = DOCS / f"{name}.png"
    page.screenshot(path=path)
    page.close()
    few = Image.open(path).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


if __name__ == "__main__":
    main()
