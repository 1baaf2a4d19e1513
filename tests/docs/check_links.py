#!/usr/bin/env python3
"""Relative links of the Markdown pages lead to files, and their #anchors to headings.

    check_links.py --root DIR
"""
import argparse
import re
import sys
from pathlib import Path

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BESIDE = ("*.md", "docs/**/*.md", "src/*.md", "news/*.md", "data/*.md", "web/*.md", "tests/**/*.md")


def prose_of(text):
    """The page without its code, where a bracket is no link."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors_of(page):
    """The anchors of headings as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problems_of(page, root):
    for target in LINK.findall(prose_of(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue  # the network is not asked
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists():
            yield f"{page.relative_to(root)}: links to {target}, and there is no such file"
        elif anchor and anchor not in anchors_of(path):
            yield f"{page.relative_to(root)}: links to {target}, and there is no such heading"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, required=True)
    root = parser.parse_args().root.resolve()
    pages = sorted({page for pattern in BESIDE for page in root.glob(pattern)})
    problems = [problem for page in pages for problem in problems_of(page, root)]
    for problem in problems:
        print(problem)
    print(f"{len(pages)} pages, {len(problems)} problem(s)")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
