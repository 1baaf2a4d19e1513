#!/usr/bin/env python3
"""docs/verbs is what the binary writes today: no page missing, stale or left over.

    check_verb_pages.py --binary PATH --root DIR
"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

MEND = "write them again with ./run bless"


def pages_of(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--root", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([options.binary.resolve(), "doctor", "--verb-pages", folder, "--json"],
                       stdout=subprocess.DEVNULL, timeout=60, check=True)
        written = pages_of(Path(folder))
    committed = pages_of(options.root / "docs" / "verbs")

    problems = [f"docs/verbs/{name}: missing" for name in written if name not in committed]
    problems += [f"docs/verbs/{name}: no verb writes it" for name in committed if name not in written]
    problems += [f"docs/verbs/{name}: not what the binary writes" for name, text in written.items()
                 if committed.get(name, text) != text]
    for problem in problems:
        print(f"{problem}; {MEND}")
    print(f"{len(written)} pages, {len(problems)} problem(s)")
    return 1 if problems or not written else 0


if __name__ == "__main__":
    sys.exit(main())
