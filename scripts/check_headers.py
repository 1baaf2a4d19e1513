#!/usr/bin/env python3
"""Every header compiles alone, starts with #pragma once, and base/quantity.hpp stays cheap.

    scripts/check_headers.py [--root DIR] [--compiler c++] [--jobs N] [FILE...]
"""
import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Nearly every file includes these, so their own cost is multiplied by the size of the tree:
# header and the most CPU seconds it may take to parse.
BUDGETS = {"base/quantity.hpp": 0.3}


def compile_alone(compiler, source, header):
    """(error text or None, CPU seconds) of the header as the only include of a file."""
    command = [*compiler.split(), "-std=c++20", "-fsyntax-only", "-I", str(source), "-x", "c++", "-"]
    text = f'#include "{header}"\n'.encode()
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
    child.stdin.write(text)
    child.stdin.close()
    output = child.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return (output if child.returncode else None), usage.ru_utime + usage.ru_stime


def first_code_line(text):
    """The first line that is neither blank nor a // comment."""
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("//"):
            return line.strip()
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=Path, help="headers (default: all of src/)")
    options = parser.parse_args()
    source = options.root / "src"
    paths = [p.resolve() for p in options.files] or sorted(source.rglob("*.hpp"))
    headers = [p.relative_to(source.resolve() if options.files else source).as_posix() for p in paths]

    failures = []
    for path, header in zip(paths, headers):
        if first_code_line(path.read_text(encoding="utf-8")) != "#pragma once":
            failures.append(f"src/{header}:1: the first line of code must be #pragma once")
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda h: compile_alone(options.compiler, source, h), headers))
    for header, (error, _) in zip(headers, results):
        if error:
            failures.append(f"src/{header}:1: does not compile alone; mend: include what it uses\n"
                            f"{error.rstrip()}")
    for header, budget in BUDGETS.items():
        if header in headers and not results[headers.index(header)][0]:
            # The least of five: other programs on the machine only ever add to it.
            cost = min(compile_alone(options.compiler, source, header)[1] for _ in range(5))
            if cost > budget:
                failures.append(f"src/{header}:1: takes {cost:.2f} s of CPU to parse, its budget is "
                                f"{budget} s; mend: drop a heavy standard header")
    for failure in failures:
        print(failure)
    print(f"headers: {len(failures)} of {len(headers)} failed" if failures
          else f"headers: {len(headers)} compile alone")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
