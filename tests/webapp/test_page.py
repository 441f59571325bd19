"""The page in a real browser: what a person sees, wide and narrow."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import missing

RUN = "demo-14-5-3"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def address(demo_home: Path) -> Iterator[str]:
    if CHROMIUM is None:
        missing("Chromium", "apt-get install chromium")
    port = _free_port()
    command = [sys.executable, "-c", "from anamnesis.cli import main; main()", "app", "--headless", "--port", str(port)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"ANAMNESIS_HOME": str(demo_home)},
    )
    url = f"http://127.0.0.1:{port}"
    for _ in range(150):
        time.sleep(0.2)
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    break
        except OSError:
            continue
    yield url
    process.terminate()
    process.wait(timeout=20)


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    if CHROMIUM is None:
        missing("Chromium", "apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.mark.parametrize(("width", "height"), [(1400, 1000), (420, 900)])
def test_leaderboard_and_replay(address: str, browser: object, width: int, height: int, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})  # type: ignore[attr-defined]
    page.goto(f"{address}/?run={RUN}")
    page.get_by_text("of 10 consultations finished").wait_for(timeout=60_000)
    page.get_by_text("Failure patterns").wait_for(timeout=60_000)
    page.locator("[data-testid=stImage]").nth(1).wait_for(timeout=60_000)
    if width < 800:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Replay", exact=True).click()
    page.get_by_text("weighted average").wait_for(timeout=60_000)
    page.locator(".status").first.wait_for(timeout=60_000)
    assert page.locator(".status").count() >= 5
    assert re.search("→ (given|denied|unknown)", page.locator(".status").first.inner_text())
    page.screenshot(path=tmp_path / f"replay-{width}.png", full_page=True)
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 2, "the page scrolls sideways"
    assert "Traceback" not in page.content()
    page.close()


def test_the_report_opens_a_transcript_from_its_link(demo_home: Path, browser: object) -> None:
    page = browser.new_page(viewport={"width": 1300, "height": 900})  # type: ignore[attr-defined]
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((demo_home / "reports" / f"{RUN}.html").as_uri())
    link = page.locator("table.cases a").first
    target = link.get_attribute("href").removeprefix("#")
    assert not page.locator(f"#{target} .turn").first.is_visible()
    link.click()
    page.locator(f"#{target} .turn").first.wait_for(timeout=10_000)
    assert all(url.startswith("file:") for url in requests), "the report fetched something"
    page.close()
