#!/usr/bin/env python3
"""Names that say something, files of a readable length, and no trace of one person's machine.

    scripts/check_names.py [--root DIR]
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

# Names under which anything could be put, and so everything is.
EMPTY_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"}

CODE = {".cpp", ".hpp", ".py", ".ts", ".cmake", ".sh"}
LINES_NOTICE, LINES_WALL = 500, 1000

TYPE = re.compile(r"^\s*(?:template\s*<[^>]*>\s*)?(?:class|struct|enum(?: class)?)\s+(\w+)")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

# What is true on one machine or in one place of discussion only; a reader of a clone has neither.
FOREIGN = [
    (re.compile(r"(?<![\w.~}$)])/(?:home|work|root|Users|mnt)/\w"),
     "an absolute path of one machine", "use a path relative to the repository, or an argument"),
    (re.compile(r"\b(?:[Ii]ssue|PR)\s+#?\d|\b(?:[Ff]ix(?:es|ed)?|[Cc]loses?|[Ss]ee)\s+#\d"),
     "a number of a tracker", "say the reason itself"),
    (re.compile(r"(?<![\w/.-])specs/\w"),
     "a document outside the repository", "cite the paper by its key in data/sources.bib"),
]
# Text that others wrote or a tool built.
VERBATIM = {"LICENSE", "web/package-lock.json"}
VERBATIM_FOLDERS = ("web/dist/", "tests/fuzz/corpus/", "data/")

PACKAGE_HOST = "https://registry.npmjs.org/"


def repository_files(root):
    """Tracked and new files, as paths relative to root; everything but build/ outside of git."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        names = sorted(set(listing.stdout.decode().split("\0")) - {""})
    else:
        names = sorted(p.relative_to(root).as_posix() for p in root.rglob("*")
                       if p.is_file() and "build" not in p.relative_to(root).parts)
    return [name for name in names if (root / name).is_file()]


def check_file_name(name):
    words = re.split(r"[^A-Za-z]+", Path(name).stem.lower())
    for word in EMPTY_NAMES.intersection(words):
        yield 1, f'the file name says "{word}"', "name the file after what is in it"


def check_types(lines):
    for number, line in enumerate(lines, 1):
        match = TYPE.match(line)
        if match:
            for word in EMPTY_NAMES.intersection(w.lower() for w in WORD.findall(match[1])):
                yield number, f'the type {match[1]} says "{word}"', "name the type after what it is"


def check_length(lines, suffix):
    if suffix in CODE and len(lines) > LINES_WALL:
        yield (LINES_WALL + 1, f"{len(lines)} lines, {LINES_WALL} is the wall",
               "split the file along what its parts are about")


def check_foreign(lines):
    for number, line in enumerate(lines, 1):
        for pattern, what, mend in FOREIGN:
            match = pattern.search(line)
            if match:
                yield number, f'"{match[0].strip()}" is {what}', mend


def check_package_hosts(name, lines):
    if name.endswith("package-lock.json"):
        for number, line in enumerate(lines, 1):
            match = re.search(r'"resolved":\s*"([^"]+)"', line)
            if match and not match[1].startswith(PACKAGE_HOST):
                yield number, "a package address that others cannot reach", \
                    f"write addresses that start with {PACKAGE_HOST}"


def check(root):
    """(violations, notices), each (name, line, problem, mend)."""
    violations, notices = [], []
    for name in repository_files(root):
        path = root / name
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        found = list(check_file_name(name)) + list(check_package_hosts(name, lines))
        if name not in VERBATIM and not name.startswith(VERBATIM_FOLDERS):
            found += list(check_length(lines, path.suffix)) + list(check_foreign(lines))
            if path.suffix in (".cpp", ".hpp"):
                found += list(check_types(lines))
            if path.suffix in CODE and LINES_NOTICE < len(lines) <= LINES_WALL:
                notices.append((name, 1, f"{len(lines)} lines", "consider a split"))
        violations += [(name, *entry) for entry in found]
    return violations, notices


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    violations, notices = check(parser.parse_args().root)
    for name, number, problem, mend in notices:
        print(f"{name}:{number}: notice: {problem}; {mend}")
    for name, number, problem, mend in violations:
        print(f"{name}:{number}: {problem}\n    mend: {mend}")
    print(f"names: {len(violations)} violation(s)" if violations else "names: none to mend")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
