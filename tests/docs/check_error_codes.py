#!/usr/bin/env python3
"""docs/errors.md lists every error code that src/ throws, and none that it does not name.

    check_error_codes.py --root DIR
"""
import argparse
import re
import sys
from pathlib import Path

# The code is the first text after the name of an error class, or the second argument of the macro.
# fail, refuse and error are what our readers call the function that throws with a place in the file.
THROWN = re.compile(
    r'\b(?:(?:UserError|DataError|UnsupportedError|GL_USER_CHECK)\s*[({][^;"]*?|(?:fail|refuse|error)\()'
    r'"([a-z0-9]+(?:-[a-z0-9]+)+)"')
UNKNOWN = "unknown-name"
LISTED = re.compile(r"^\| `([a-z0-9-]+)` \|", re.MULTILINE)


def thrown_codes(source):
    """code -> the first place that throws it."""
    codes = {}
    for path in sorted(source.rglob("*.[ch]pp")):
        text = re.sub(r"^[ \t]*//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for match in THROWN.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            # unknown-model, unknown-flag, …: one row of the table, since one function makes them all.
            code = UNKNOWN if match[1].startswith("unknown-") else match[1]
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
                 if code not in thrown and code not in literals and code != UNKNOWN]
    problems += [f"docs/errors.md: lists {code} twice" for code in sorted(set(listed))
                 if listed.count(code) > 1]
    for problem in problems:
        print(problem)
    print(f"{len(thrown)} error codes, {len(problems)} problem(s)")
    return 1 if problems or not thrown else 0


if __name__ == "__main__":
    sys.exit(main())
