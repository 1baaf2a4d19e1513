#!/usr/bin/env python3
"""The layers script accepts our tree and rejects planted includes with file, line and mend."""
import unittest

from planted_tree import PlantedTree


class OurTree(PlantedTree):
    script = "check_layers.py"
    copied = ("src",)

    def test_is_accepted(self):
        self.assert_accepted()

    def test_rejects_a_planted_upward_include(self):
        header = self.root / "src" / "base" / "quantity.hpp"
        lines = header.read_text(encoding="utf-8").splitlines()
        self.plant("src/base/quantity.hpp", "\n".join([*lines, '#include "grid/simulate.hpp"', ""]))
        self.assert_rejected(f"src/base/quantity.hpp:{len(lines) + 1}: base (floor 0) includes grid "
                             "(floor 4), which lies above it", "mend: move what both need down")


class Rules(PlantedTree):
    script = "check_layers.py"

    def include(self, name, header):
        self.plant(f"src/{name}", f"#pragma once\n\n#include {header}\n")

    def test_lower_floors_and_the_own_room_are_fine(self):
        self.include("study/run.cpp", '"grid/simulate.hpp"')
        self.include("grid/simulate.cpp", '"grid/simulate.hpp"')
        self.include("grid/simulate.hpp", '"base/quantity.hpp"')
        self.assert_accepted()

    def test_rooms_of_one_floor_keep_apart(self):
        self.include("plan/estimate.cpp", '"grid/simulate.hpp"')
        self.assert_rejected("src/plan/estimate.cpp:3:", "plan and grid share floor 4", "mend:")

    def test_named_exceptions_of_one_floor(self):
        self.include("verb/fields.hpp", '"io/value.hpp"')
        self.include("meter/model_meter.hpp", '"model/power.hpp"')
        self.assert_accepted()

    def test_exceptions_hold_in_one_direction(self):
        self.include("io/value.hpp", '"verb/fields.hpp"')
        self.assert_rejected("src/io/value.hpp:3:", "io and verb share floor 1")

    def test_the_installed_spelling_is_no_way_around(self):
        self.include("plan/memory.cpp", "<greenline/study/study.hpp>")
        self.assert_rejected("src/plan/memory.cpp:3:", 'write "study/study.hpp"')

    def test_verb_is_for_verbs_cpp(self):
        self.include("grid/verbs.cpp", '"verb/fields.hpp"')
        self.include("grid/verbs_size.cpp", '"verb/fields.hpp"')
        self.include("app/registry.cpp", '"verb/registry.hpp"')
        self.assert_accepted()
        self.include("grid/simulate.hpp", '"verb/fields.hpp"')
        self.assert_rejected("src/grid/simulate.hpp:3:", "only grid/verbs.cpp and grid/verbs_<name>.cpp may include verb")

    def test_render_and_the_shells_have_short_lists(self):
        self.include("render/html.cpp", '"catalog/embedded.hpp"')
        self.include("cli/main.cpp", '"grid/simulate.hpp"')
        self.assert_rejected("src/render/html.cpp:3: render may include only base, io, verb",
                             "src/cli/main.cpp:3: cli may include only")

    def test_heavy_headers_have_one_home(self):
        for home, header in {"io/json.cpp": "<nlohmann/json.hpp>", "io/toml.cpp": "<toml++/toml.h>",
                             "cli/options.cpp": "<CLI/CLI.hpp>", "io/digest.cpp": "<openssl/evp.h>",
                             "base/calendar.cpp": "<date/tz.h>", "base/parallel.cpp": "<tbb/parallel_for.h>",
                             "render/ledger.cpp": "<sqlite3.h>", "io/compress.cpp": "<libdeflate.h>",
                             "grid/report.cpp": "<fmt/format.h>"}.items():
            with self.subTest(header=header):
                self.include(home, header)
                self.assert_accepted()
                self.include("base/thing.hpp", header)
                self.assert_rejected("src/base/thing.hpp:3:", f"{header} belongs in")
                (self.root / "src/base/thing.hpp").unlink()

    def test_unknown_rooms(self):
        self.include("base/thing.hpp", '"quantity.hpp"')
        self.include("stuff/thing.hpp", "<vector>")
        self.assert_rejected('src/base/thing.hpp:3: "quantity.hpp" is not a room',
                             'src/stuff/thing.hpp:1: "stuff" is not a room')


if __name__ == "__main__":
    unittest.main()
