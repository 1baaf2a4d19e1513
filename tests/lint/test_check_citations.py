#!/usr/bin/env python3
"""The citation script rejects facts without a source, a unit or a sane range."""
import unittest

from planted_tree import PlantedTree

HEADER = "id,quantity,value,unit,low,high,source,year,note\n"
GOOD = "h100.tdp,board power,700,W,650,750,nvidia2023,2023,\n"


class Citations(PlantedTree):
    script = "check_citations.py"

    def setUp(self):
        super().setUp()
        self.plant("data/sources.bib", "@misc{nvidia2023,\n  title = {H100},\n}\n")

    def facts(self, *rows):
        self.plant("data/facts.csv", HEADER + "".join(rows))

    def test_accepts_good_facts(self):
        self.facts(GOOD, "h100.name,name,\"H100, SXM\",text,,,nvidia2023,2023,\n",
                   "grid.x,intensity,361,gCO2e/kWh,,,nvidia2023,2023,\n",
                   "h100.bf16,dense peak,989.4,TFLOP/s,,,nvidia2023,2023,\n",
                   "tib,size,1,TiB,,,nvidia2023,2023,\n")
        self.assert_accepted()

    def test_rejects_bad_rows_with_their_line(self):
        for row, why in {
            GOOD.replace(",W,", ",watts,"): 'unit "watts" does not parse',
            GOOD.replace("650", "710"): "low <= value <= high does not hold: 710, 700, 750",
            GOOD.replace("650", ""): "low and high go together",
            GOOD.replace("700", "nan"): "value, low and high must be finite numbers (nan)",
            GOOD.replace("700", "1,000"): "10 fields, 9 expected",
            GOOD.replace("nvidia2023", "nobody"): 'source "nobody" is not in data/sources.bib',
            GOOD.replace("nvidia2023", ""): 'source "" is not in data/sources.bib',
            GOOD.replace(",2023,", ",soon,"): 'year "soon" is not a year',
            GOOD.replace("h100.tdp", "h100 tdp"): 'id "h100 tdp" has to be',
            "h100.name,name,,text,,,nvidia2023,2023,\n": "the value is empty",
        }.items():
            with self.subTest(why=why):
                self.facts(row)
                self.assert_rejected(f"data/facts.csv:2: {why}")

    def test_rejects_an_id_given_twice_across_files(self):
        self.facts(GOOD)
        self.plant("data/more/facts.csv", HEADER + GOOD)
        self.assert_rejected("data/more/facts.csv:2: id h100.tdp is already given at data/facts.csv:2")

    def test_rejects_other_columns(self):
        self.plant("data/facts.csv", "id,value\nx,1\n")
        self.assert_rejected("data/facts.csv:1: the columns have to be id,quantity,value")

    def test_rejects_a_source_defined_twice_and_a_missing_bibliography(self):
        self.plant("data/sources.bib", "@misc{a,\n}\n@misc{a,\n}\n")
        self.assert_rejected("data/sources.bib:3: source a is defined twice")
        (self.root / "data/sources.bib").unlink()
        self.assert_rejected("data/sources.bib:1: the bibliography is missing")


if __name__ == "__main__":
    unittest.main()
