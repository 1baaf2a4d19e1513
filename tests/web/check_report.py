#!/usr/bin/env python3
"""Opens reports in headless Chromium: one of `greenline study run`, and charts.json, which has a chart
of each kind that takes its data from rows.

The page must load nothing from elsewhere, write nothing to the console, and draw every chart that
its embedded JSON lists: an element [data-chart=KEY] that holds a canvas or an svg. The reports and a
picture of each stay in the output folder.

    check_report.py --binary PATH --output DIR
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path

STUDY = ["study", "run", "llama3-70b", "--on", "128xdgx-h100", "--tokens", "15T", "--grid", "ERCO"]
REPORTS = {
    "report": STUDY,
    "charts": ["report", str(Path(__file__).parent / "charts.json")],
}
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--enable-logging=stderr", "--v=0",
         # Seconds of the page's clock, not of ours: timers and animation frames run to their end.
         "--virtual-time-budget=8000"]
SKIPPED = 77


class Page(HTMLParser):
    """What the test looks at in a page: its data, its charts, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.data = ""
        self.drawn = {}      # chart key -> number of canvas and svg elements inside
        self.loaded = []
        self._in_data = False
        self._open = []      # (tag, chart key it is inside of)
        self.feed(text)

    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
            "track", "wbr"}

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        inside = self._open[-1][1] if self._open else None
        key = attributes.get("data-chart", inside)
        if "data-chart" in attributes:
            self.drawn.setdefault(key, 0)
        if tag in ("canvas", "svg") and key is not None:
            self.drawn[key] += 1
        if tag in ("script", "link", "img", "iframe"):
            address = attributes.get("src") or attributes.get("href") or ""
            if address and not address.startswith("data:"):
                self.loaded.append(f"<{tag}> {address}")
        self._in_data = tag == "script" and attributes.get("id") == "greenline-data"
        if tag not in self.VOID:
            self._open.append((tag, key))

    def handle_endtag(self, tag):
        self._in_data = False
        if tag in (name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if self._in_data:
            self.data += data


class Browser:
    def __init__(self, program, folder):
        self._program, self._folder = program, folder

    def run(self, page, *flags):
        """(standard output, console lines) of opening a local page."""
        with tempfile.TemporaryDirectory(dir=self._folder) as profile:
            done = subprocess.run([self._program, *FLAGS, f"--user-data-dir={profile}", *flags,
                                   page.resolve().as_uri()], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{self._program} exited with {done.returncode}:\n{done.stderr}")
        # Chromium logs what a page writes to its console under this name, whatever its severity.
        console = [line for line in done.stderr.splitlines() if re.search(r":CONSOLE[:(]", line)]
        return done.stdout, console


def check_browser_reports_errors(browser, folder):
    """The proof that silence means something: a page that throws must be heard."""
    page = folder / "throws.html"
    page.write_text("<script>throw new Error('planted')</script>", encoding="utf-8")
    _, console = browser.run(page, "--dump-dom")
    if not any("Uncaught" in line and "planted" in line for line in console):
        raise RuntimeError(f"the browser did not report a planted error: {console}")


def check_report(browser, report):
    """Problems of the report, as text lines, and the number of its charts."""
    shipped = Page(report.read_text(encoding="utf-8"))
    problems = [f"loads something from outside of the file: {what}" for what in shipped.loaded]
    dom, console = browser.run(report, "--dump-dom")
    problems += [f"writes to the console: {line}" for line in console]
    if not shipped.data:
        return [*problems, 'has no <script id="greenline-data">'], 0
    charts = json.loads(shipped.data)["report"]["charts"]
    if not charts:
        problems.append("lists no charts")
    drawn = Page(dom).drawn
    for chart in charts:
        if chart["key"] not in drawn:
            problems.append(f'chart {chart["key"]}: no element [data-chart="{chart["key"]}"]')
        elif drawn[chart["key"]] == 0:
            problems.append(f'chart {chart["key"]}: nothing drawn, neither canvas nor svg')
    return problems, len(charts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        print("no chromium on this machine: apt-get install chromium")
        return 1 if os.environ.get("GREENLINE_REQUIRE_BROWSER") else SKIPPED

    options.output.mkdir(parents=True, exist_ok=True)
    browser = Browser(program, options.output)
    check_browser_reports_errors(browser, options.output)
    num_problems = 0
    for name, command in REPORTS.items():
        report, picture = options.output / f"{name}.html", options.output / f"{name}.png"
        subprocess.run([options.binary, *command, "--quiet", "-o", report], check=True,
                       stdout=subprocess.DEVNULL)
        problems, num_charts = check_report(browser, report)
        browser.run(report, f"--screenshot={picture.resolve()}", "--window-size=1200,4000")
        if not picture.is_file() or picture.stat().st_size == 0:
            problems.append("the browser took no picture")
        for problem in problems:
            print(f"{report}: {problem}")
        print(f"{num_charts} charts, {len(problems)} problem(s), picture in {picture}")
        num_problems += len(problems)
    return 1 if num_problems else 0


if __name__ == "__main__":
    sys.exit(main())
