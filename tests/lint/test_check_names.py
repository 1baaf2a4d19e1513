#!/usr/bin/env python3
"""The names script rejects names that say nothing, endless files and traces of one machine."""
import unittest

from planted_tree import PlantedTree


class Names(PlantedTree):
    script = "check_names.py"

    def test_accepts_names_that_say_something(self):
        self.plant("src/base/random.hpp", "struct SharedRandomNumbers;\n")
        self.plant("docs/page.md", "See https://example.org/a/b#1 and `a/home/b`, colour #112233.\n")
        self.assert_accepted()

    def test_rejects_empty_file_names(self):
        for name in ("src/base/util.hpp", "src/base/csv_helpers.cpp", "docs/misc.md"):
            with self.subTest(name=name):
                self.plant(name, "\n")
                self.assert_rejected(f"{name}:1: the file name says")
                (self.root / name).unlink()

    def test_rejects_empty_type_names(self):
        self.plant("src/base/a.hpp", "\nclass ThreadManager {};\n")
        self.assert_rejected('src/base/a.hpp:2: the type ThreadManager says "manager"')

    def test_rejects_files_behind_the_wall(self):
        self.plant("src/base/a.cpp", "\n" * 1001)
        self.assert_rejected("src/base/a.cpp:1001: 1001 lines")
        self.plant("src/base/a.cpp", "\n" * 501)
        code, output = self.run_script()
        self.assertEqual(code, 0, output)
        self.assertIn("src/base/a.cpp:1: notice: 501 lines", output)

    def test_rejects_traces_of_one_machine(self):
        for text in ("cd /" + "home/ada/greenline", "see Issue" + " 12", "fixes #" + "12", "as in spec" + "s/perf.md"):
            with self.subTest(text=text):
                self.plant("docs/page.md", f"one\n{text}\n")
                self.assert_rejected("docs/page.md:2:")

    def test_rejects_package_addresses_that_others_cannot_reach(self):
        self.plant("web/package-lock.json", '{"resolved": "http://mirror.example.org/a.tgz"}\n')
        self.assert_rejected("web/package-lock.json:1: a package address")


if __name__ == "__main__":
    unittest.main()
