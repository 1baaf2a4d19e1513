#!/usr/bin/env python3
"""Runs every ```console block of README.md and docs/**/*.md and compares what it prints.

In a block, a line `$ command` (continued by lines `> more`) is run by bash in a temporary folder
that all blocks of one page share, with the binary's folder first on PATH and examples/ at hand. It
has to exit 0, or with N where `# exit N` stands behind the command. The lines below it have to
appear in the output (stdout and stderr together) in that order; an ellipsis (…) in a line stands for
any text, and a line that is only … for any number of lines. Commands that start with ./run, git
clone, cd or sudo are not run here: .ci/run does what they do.

    check_console_blocks.py --binary PATH --root DIR [--write] [PAGE...]

With --write, a line without an ellipsis that begins with the same label (up to two spaces in a row)
as a line of the output becomes that line: how the samples follow a new calibration.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ELSEWHERE = ("./run", "git clone", "cd ", "sudo ")


class Command(NamedTuple):
    line: int
    text: str
    exit_code: int
    expected: list


def read_commands(text):
    """The commands of all console blocks of a page."""
    commands, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            match = re.match(r"\$ (.*?)(?:\s+# exit (\d+))?$", line)
            commands.append(Command(number, match[1], int(match[2] or 0), []))
        elif inside and line.startswith("> ") and commands and not commands[-1].expected:
            last = commands.pop()
            commands.append(last._replace(text=last.text + "\n" + line[2:]))
        elif inside and commands and line.strip():
            commands[-1].expected.append((number, line.rstrip()))
    return commands


def pattern_of(line):
    return re.compile(".*".join(re.escape(part) for part in re.split("…", line)) + r"\s*$")


def first_missing(expected, output):
    """(line number, text) of the first expected line that does not follow in the output, or None."""
    lines = iter(output.splitlines())
    for number, line in expected:
        if line.strip() == "…":
            continue
        pattern = pattern_of(line)
        if not any(pattern.match(candidate) for candidate in lines):
            return number, line
    return None


def label_of(line):
    return re.split(r" {2,}", line.strip())[0]


def rewritten(expected, output):
    """line number -> the line of the output that now stands for an expected one."""
    lines, changes = output.splitlines(), {}
    for number, line in expected:
        found = next((i for i, other in enumerate(lines) if label_of(other) == label_of(line)), None)
        if "…" not in line and found is not None:
            changes[number] = lines[found].rstrip()
            lines = lines[found + 1:]
    return changes


def write_page(path, changes):
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in changes.items():
        lines[number - 1] = line
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_page(path, root, environment, write=False):
    """(problems, number of commands run) of one page."""
    problems, num_run, changes = [], 0, {}
    with tempfile.TemporaryDirectory() as folder:
        if (root / "examples").is_dir():
            Path(folder, "examples").symlink_to(root / "examples")
        for command in read_commands(path.read_text(encoding="utf-8")):
            if command.text.startswith(ELSEWHERE):
                continue
            num_run += 1
            done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
            where = f"{path.relative_to(root)}:{command.line}"
            if done.returncode != command.exit_code:
                problems.append(f"{where}: $ {command.text}\n    exit {done.returncode}, expected "
                                f"{command.exit_code}; it printed:\n{done.stdout}")
                continue
            if write:
                changes |= rewritten(command.expected, done.stdout)
                continue
            missing = first_missing(command.expected, done.stdout)
            if missing:
                problems.append(f"{path.relative_to(root)}:{missing[0]}: $ {command.text}\n"
                                f"    did not print (in this order): {missing[1]}\n"
                                f"    it printed:\n{done.stdout}")
    if changes:
        write_page(path, changes)
    return problems, num_run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    environment = dict(os.environ, NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8",
                       PATH=f"{options.binary.resolve().parent}:{os.environ['PATH']}")
    root = options.root.resolve()
    pages = options.pages or [root / "README.md", *sorted((root / "docs").rglob("*.md"))]

    problems, num_run = [], 0
    for page in pages:
        found, ran = check_page(page.resolve(), root, environment, options.write)
        problems += found
        num_run += ran
    for problem in problems:
        print(problem)
    print(f"{num_run} commands of {len(pages)} pages, {len(problems)} problem(s)")
    return 1 if problems or num_run == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
