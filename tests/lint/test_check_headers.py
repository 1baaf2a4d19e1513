#!/usr/bin/env python3
"""The header script rejects headers that do not stand alone."""
import unittest

from planted_tree import PlantedTree


class Headers(PlantedTree):
    script = "check_headers.py"

    def test_accepts_a_header_that_includes_what_it_uses(self):
        self.plant("src/base/names.hpp", "// Names.\n#pragma once\n#include <string>\n"
                                         "std::string first();\n")
        self.assert_accepted()

    def test_rejects_a_header_that_leans_on_its_includer(self):
        self.plant("src/base/names.hpp", "#pragma once\nstd::string first();\n")
        self.assert_rejected("src/base/names.hpp:1: does not compile alone")

    def test_rejects_a_header_without_a_guard(self):
        self.plant("src/base/names.hpp", "int first();\n")
        self.assert_rejected("src/base/names.hpp:1: the first line of code must be #pragma once")

    def test_rejects_a_quantity_header_over_its_budget(self):
        self.plant("src/base/quantity.hpp", "#pragma once\n#include <bits/stdc++.h>\n")
        self.assert_rejected("its budget is 0.3 s")


if __name__ == "__main__":
    unittest.main()
