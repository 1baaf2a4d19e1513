#!/usr/bin/env python3
"""docs/errors.md lists every error code that src/ throws, and none that it does not name.

    check_error_codes.py --root DIR
"""
import argparse
import re
import sys
from pathlib import Path

# The code is the first text after the name of an error class, or the second argument of the macro.
THROWN = re.compile(
    r'(?:UserError|DataError|UnsupportedError|GL_USER_CHECK)\s*[({](?:[^;"]*?)"([a-z0-9]+(?:-[a-z0-9]+)+)"')
# unknown_name("model", …) throws unknown-model.
NAMED = re.compile(r'unknown_name\s*\(\s*"([a-z ]+)"')
LISTED = re.compile(r"^\| `([a-z0-9-]+)` \|", re.MULTILINE)


def thrown_codes(source):
    """code -> the first place that throws it."""
    codes = {}
    for path in sorted(source.rglob("*.[ch]pp")):
        text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        found = [(m.start(1), m[1]) for m in THROWN.finditer(text)]
        found += [(m.start(1), "unknown-" + m[1].replace(" ", "-")) for m in NAMED.finditer(text)]
        for position, code in found:
            line = text.count("\n", 0, position) + 1
            codes.setdefault(code, f"{path.relative_to(source.parent)}:{line}")
    return codes


def all_literals(source):
    """Every code-like string of src/: a code may reach its error through a variable."""
    return {literal for path in source.rglob("*.cpp")
            for literal in re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', path.read_text(encoding="utf-8"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, required=True)
    root = parser.parse_args().root
    thrown = thrown_codes(root / "src")
    listed = LISTED.findall((root / "docs" / "errors.md").read_text(encoding="utf-8"))
    problems = [f"{place}: throws {code}, which docs/errors.md does not list"
                for code, place in thrown.items() if code not in listed]
    literals = all_literals(root / "src")
    problems += [f"docs/errors.md: lists {code}, which nothing throws" for code in listed
                 if code not in thrown and code not in literals]
    problems += [f"docs/errors.md: lists {code} twice" for code in sorted(set(listed))
                 if listed.count(code) > 1]
    for problem in problems:
        print(problem)
    print(f"{len(thrown)} error codes, {len(problems)} problem(s)")
    return 1 if problems or not thrown else 0


if __name__ == "__main__":
    sys.exit(main())
