#!/usr/bin/env python3
"""Holds the rooms of src/ to their floors.

A room may include rooms of lower floors and none of its own, except where TABLE says otherwise.
Heavy third-party headers may appear only in the files that HEAVY names. Each violation is printed
as file:line, what is wrong, and the mend. Exit 1 when there is one.

    scripts/check_layers.py [--root DIR]
"""
import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple


class Room(NamedTuple):
    floor: int
    only: tuple = ()   # when given, the complete list of the rooms it may include
    also: tuple = ()   # rooms of its own floor that it may include besides the lower ones


TABLE = {
    "base": Room(0),
    "io": Room(1),
    "solve": Room(1),
    "verb": Room(1, also=("io",)),
    "catalog": Room(2),
    "model": Room(3),
    "footprint": Room(3),
    "meter": Room(3, also=("model",)),
    "plan": Room(4),
    "trace": Room(4),
    "dlrm": Room(4),
    "llm": Room(4),
    "mlperf": Room(4),
    "grid": Room(4),
    "curate": Room(4),
    "recsys": Room(4),
    "study": Room(5),
    "render": Room(6, only=("base", "io", "verb")),
    "mpi": Room(6),
    "app": Room(7),
    "cli": Room(8, only=("base", "verb", "render", "mpi", "app")),
    "server": Room(8, only=("base", "verb", "render", "mpi", "app")),
    "python": Room(8, only=("base", "verb", "render", "mpi", "app")),
}

# Floors whose rooms speak of verbs in verbs.cpp only, or verbs_<name>.cpp of one large verb.
VERB_FLOORS = range(2, 6)

# Headers that cost seconds of compile time or tie us to a library: where each may be included.
# A place is a file, a folder ending in '/', or '*.cpp' for any source.
HEAVY = [
    (r"CLI/", ("cli/options.cpp",)),
    (r"nlohmann/", ("io/json.cpp", "render/json.cpp")),
    (r"simdjson\.h", ("io/json_structure.cpp",)),
    (r"toml\+\+/", ("io/toml.cpp",)),
    (r"(libdeflate|zstd|zlib)\.h", ("io/compress.cpp",)),
    (r"openssl/", ("io/digest.cpp",)),
    (r"date/", ("base/calendar.cpp",)),
    (r"(oneapi/)?tbb/", ("base/parallel.cpp",)),
    (r"sqlite3\.h", ("render/ledger.cpp",)),
    (r"(coin/)?(Clp|Cbc|Coin|Osi|Highs)\w*\.h", ("solve/",)),
    (r"(httplib\.h|curl/)", ("server/", "recsys/", "meter/")),
    (r"mpi\.h", ("mpi/",)),
    (r"xgboost/", ("grid/", "curate/")),
    (r"fmt/", ("*.cpp",)),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def check_room(room, file_name, target):
    """What is wrong with a file of `room` including a header of the room `target`, or None."""
    if target not in TABLE:
        return (f'"{target}" is not a room',
                'include our headers as "room/thing.hpp"; a new room needs a row in '
                "scripts/check_layers.py and a reason in docs/adr")
    if target == room:
        return None
    here, there = TABLE[room], TABLE[target]
    if here.only and target not in here.only:
        return (f"{room} may include only {', '.join(here.only)}, not {target}",
                "take what is needed as an argument, or move it into one of those rooms")
    if there.floor > here.floor:
        return (f"{room} (floor {here.floor}) includes {target} (floor {there.floor}), which lies above it",
                f"move what both need down to floor {here.floor} or below, or let the caller on the "
                "upper floor pass it in")
    if there.floor == here.floor and target not in here.also:
        return (f"{room} and {target} share floor {here.floor} and may not include each other",
                f"move what both need to a room below floor {here.floor}")
    if target == "verb" and here.floor in VERB_FLOORS and not re.fullmatch(r"verbs(_\w+)?\.cpp", file_name):
        return (f"only {room}/verbs.cpp and {room}/verbs_<name>.cpp may include verb",
                "forward-declare verb::Fields and verb::Report in the header, and define describe "
                f"and present in {room}/verbs.cpp")
    return None


def check_heavy(relative, header):
    """What is wrong with src/<relative> including the external <header>, or None."""
    for pattern, places in HEAVY:
        if not re.match(pattern, header):
            continue
        for place in places:
            if relative == place or (place.endswith("/") and relative.startswith(place)):
                return None
            if place == "*.cpp" and relative.endswith(".cpp"):
                return None
        return (f"<{header}> belongs in {' or '.join(places)} only",
                "call the functions that file offers, or add one there")
    return None


def check(root):
    """All violations under root/src, as (path, line number, problem, mend)."""
    source = root / "src"
    found = []
    for path in sorted(source.rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".inc") or not path.is_file():
            continue
        relative = path.relative_to(source).as_posix()
        room = relative.split("/")[0]
        if room not in TABLE:
            found.append((path, 1, f'"{room}" is not a room', "put the file into a room of "
                          "src/README.md, or add the room to scripts/check_layers.py"))
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, header = match[1] == '"', match[2]
            if header.startswith("greenline/"):
                wrong = ("our own source does not include itself as installed",
                         f'write "{header.removeprefix("greenline/")}"')
            elif quoted:
                wrong = check_room(room, path.name, header.split("/")[0])
            else:
                wrong = check_heavy(relative, header)
            if wrong:
                found.append((path, number, *wrong))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    if not (root / "src").is_dir():
        sys.exit(f"check_layers: {root / 'src'} is not a folder")
    found = check(root)
    for path, number, problem, mend in found:
        print(f"{path.relative_to(root)}:{number}: {problem}\n    mend: {mend}")
    print(f"layers: {len(found)} violation(s)" if found else "layers: every include goes down")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
