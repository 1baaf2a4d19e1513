#!/usr/bin/env python3
"""Every fact of data/**/*.csv has a unit that parses, a sane range and a source that exists.

    scripts/check_citations.py [--root DIR]
"""
import argparse
import csv
import math
import re
import sys
from pathlib import Path

COLUMNS = ["id", "quantity", "value", "unit", "low", "high", "source", "year", "note"]

# The units of src/base/unit_table.cpp that facts use. A unit is symbols joined by '/' and '*', each
# with an optional prefix; `text` marks a name instead of a number, `1` a plain number. That the
# library reads each of them the same way is for the test of the catalogue to say.
PREFIXED = {"s", "J", "Wh", "W", "g", "gCO2e", "gCO2", "gCO2eq", "t", "tCO2e", "B", "bit", "FLOP"}
PREFIXES = ["", "n", "u", "µ", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi"]
PLAIN = {"1", "min", "h", "day", "week", "year", "USD", "token", "tokens", "m2", "cm2", "mm2", "lb",
         "lbCO2e"}
KEY = re.compile(r"^\s*@(\w+)\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._:-]*$")


def unit_parses(unit):
    if unit == "text":
        return True
    factors = re.split(r"[/*]", unit)
    return all(f in PLAIN or any(f == p + u for u in PREFIXED for p in PREFIXES) for f in factors)


def read_sources(path):
    """(keys, problems) of the bibliography."""
    text = path.read_text(encoding="utf-8")
    keys, problems = set(), []
    for match in KEY.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        if match[2] in keys:
            problems.append((path, line, f"source {match[2]} is defined twice"))
        keys.add(match[2])
    return keys, problems


def number(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def check_range(row):
    """What is wrong with the numbers of a row whose value is not a name."""
    try:
        value = number(row["value"])
        low = number(row["low"]) if row["low"] else None
        high = number(row["high"]) if row["high"] else None
    except ValueError as error:
        yield f"value, low and high must be finite numbers ({error})"
        return
    if (low is None) != (high is None):
        yield "low and high go together: give both or neither"
    if low is not None and high is not None and not low <= value <= high:
        yield f"low <= value <= high does not hold: {row['low']}, {row['value']}, {row['high']}"


def check_row(row, sources, seen, where):
    if not ID.match(row["id"]):
        yield f'id "{row["id"]}" has to be letters, digits and . _ : -'
    if row["id"] in seen:
        yield f'id {row["id"]} is already given at {seen[row["id"]]}'
    seen.setdefault(row["id"], where)
    if not unit_parses(row["unit"]):
        yield f'unit "{row["unit"]}" does not parse (a plain number has unit 1, a name has unit text)'
    if row["unit"] == "text":
        if not row["value"]:
            yield "the value is empty"
    else:
        yield from check_range(row)
    for source in re.split(r"[;\s]+", row["source"]):
        if source not in sources:
            yield f'source "{source}" is not in data/sources.bib'
    if not re.fullmatch(r"(19|20)\d\d", row["year"]):
        yield f'year "{row["year"]}" is not a year'


def check_file(path, sources, seen, root):
    with path.open(encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream)
        header = next(reader, [])
        if header != COLUMNS:
            yield path, 1, f"the columns have to be {','.join(COLUMNS)}, they are {','.join(header)}"
            return
        for values in reader:
            line = reader.line_num
            if len(values) != len(COLUMNS):
                yield path, line, f"{len(values)} fields, {len(COLUMNS)} expected"
                continue
            where = f"{path.relative_to(root)}:{line}"
            for problem in check_row(dict(zip(COLUMNS, values)), sources, seen, where):
                yield path, line, problem


def check(root):
    """(problems, number of files, number of facts): each problem is (path, line, text)."""
    bibliography = root / "data" / "sources.bib"
    if not bibliography.is_file():
        return [(bibliography, 1, "the bibliography is missing")], 0, 0
    sources, problems = read_sources(bibliography)
    seen = {}
    paths = sorted((root / "data").rglob("*.csv"))
    for path in paths:
        problems += check_file(path, sources, seen, root)
    return problems, len(paths), len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    problems, num_files, num_facts = check(root)
    for path, line, text in problems:
        print(f"{path.relative_to(root)}:{line}: {text}")
    print(f"citations: {len(problems)} problem(s)" if problems
          else f"citations: {num_facts} facts in {num_files} files, each with a source")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
