#include <algorithm>

#include <gtest/gtest.h>

#include "io/json.hpp"
#include "render/document.hpp"
#include "render/figures.hpp"
#include "unit/render/sample.hpp"

namespace greenline::render {
namespace {

TEST(Terminal, ReadsWellInAHundredColumns) {
  EXPECT_EQ(terminal(sample_document(), {}),
            R"view(Pre-training llama3-70b on 128 × dgx-h100 with the grid of ERCO

                                        5–95 %
  Duration                   54.2 days  [48.1 – 62.9]  modelled
  Energy at the meter        7.85 GWh   [6.91 – 9.02]  modelled
  Covered by wind and solar  45.1 %

  Devices     1024
  Peak power  1.23 MW
    At the facility meter, power usage effectiveness included.

Operational carbon
                               5–95 %
  Location based  2.83 ktCO2e  [2.4 – 3.35]  modelled
  Market based    n/a (no contractual instrument was given)

Why this long
  Part of an iteration  Time  Share
                           s      %
  matrix products       9.21   80.4  ████████████████████████
  attention             1.50   13.1  ███▉
  all-reduce            0.75    6.5  ██

What would change it
  Option            Difference  5–95 %
                         tCO2e
  grid CISO               -750  [-900 – -600]  ███████████████████████
  half the devices          25  [10 – 40]                             █

Hour by hour: 1300 rows in hours, see --json or -o report.html

Load
  ▁▃█▆
  1 MW to 4 MW; 4 values from 2021-01-01 00:00 UTC, one each 60 min

Notices
  ! The run is longer than the grid's year; the year is repeated by calendar hour.

Not included
  - The embodied carbon of the building.

Assumed
  --pue 1.1 (uptime-2023) · goodput 0.9 (assumed)

greenline 0.1.0 · study run · seed 20230325 · 1 input · 1 catalogue fact · 2 threads · 2.1 s
Next: -o result.json, greenline explain result.json duration_s · -o report.html for charts
)view");
}

TEST(Terminal, WrapsInSixtyColumns) {
  EXPECT_EQ(terminal(sample_document(), {.width = 60, .colour = false, .max_rows = 24}),
            R"view(Pre-training llama3-70b on 128 × dgx-h100 with the grid of
ERCO

                                     5–95 %
  Duration                54.2 days  [48.1 – 62.9]  modelled
  Energy at the meter     7.85 GWh   [6.91 – 9.02]  modelled
  Covered by wind and     45.1 %
  solar

  Devices     1024
  Peak power  1.23 MW
    At the facility meter, power usage effectiveness
    included.

Operational carbon
                               5–95 %
  Location based  2.83 ktCO2e  [2.4 – 3.35]  modelled
  Market based    n/a (no contractual instrument was given)

Why this long
  Part of an iteration  Time  Share
                           s      %
  matrix products       9.21   80.4  ███████████████████████
  attention             1.50   13.1  ███▊
  all-reduce            0.75    6.5  █▉

What would change it
  Option            Difference  5–95 %
                         tCO2e
  grid CISO               -750  [-900 – -600]  ████████████
  half the devices          25  [10 – 40]                  █

Hour by hour: 1300 rows in hours, see --json or -o
report.html

Load
  ▁▃█▆
  1 MW to 4 MW; 4 values from 2021-01-01 00:00 UTC, one each
  60 min

Notices
  ! The run is longer than the grid's year; the year is
    repeated by calendar hour.

Not included
  - The embodied carbon of the building.

Assumed
  --pue 1.1 (uptime-2023) · goodput 0.9 (assumed)

greenline 0.1.0 · study run · seed 20230325 · 1 input · 1
catalogue fact · 2 threads · 2.1 s
Next: -o result.json, greenline explain result.json
duration_s · -o report.html for charts
)view");
}

TEST(Terminal, ColoursOnlyWhenAsked) {
  EXPECT_EQ(terminal(sample_document(), {}).find('\x1b'), std::string::npos);
  const std::string coloured =
      terminal(sample_document(), {.width = 100, .colour = true, .max_rows = 24});
  EXPECT_NE(coloured.find("\x1b[1mOperational carbon\x1b[0m"), std::string::npos);
}

TEST(Terminal, CountsTheRowsItLeavesOut) {
  const std::string text =
      terminal(sample_document(), {.width = 100, .colour = false, .max_rows = 2});
  EXPECT_NE(text.find("… 1 more; see --json or -o report.html"), std::string::npos) << text;
  EXPECT_EQ(text.find("all-reduce"), std::string::npos);
}

TEST(Terminal, NamesTheColumnsThatDoNotFit) {
  verb::Report r;
  auto table = r.table("t", "Wide");
  for (int i = 0; i < 12; ++i)
    table.column("c" + std::to_string(i), std::vector<std::string>{"some text that is long"});
  const std::string text = terminal(make_document(r.take(), sample_provenance(), {}),
                                    {.width = 80, .colour = false, .max_rows = 24});
  EXPECT_NE(text.find("left out for width: C3, C4, C5, C6, C7, C8, C9, C10, C11"),
            std::string::npos)
      << text;
}

// The first interval is what a table of options is for; it outlives later columns.
TEST(Terminal, KeepsTheFirstRangeWhenATableIsTooWide) {
  verb::Report r;
  const auto x = base::from_driver<base::Carbon>(
      {"x", 5e6, 4e6, 7e6, base::DriverScale::automatic, "s"}, base::Evidence::modelled, "s", 1);
  auto table = r.table("t", "Wide");
  table.column("name", std::vector<std::string>{"some text that is long"});
  for (int i = 0; i < 6; ++i)
    table.column("c" + std::to_string(i), std::vector<base::Estimate<base::Carbon>>{x});
  const std::string text = terminal(make_document(r.take(), sample_provenance(), {}),
                                    {.width = 60, .colour = false, .max_rows = 24});
  EXPECT_NE(text.find("[4.01 – 6.98]"), std::string::npos) << text;
  EXPECT_NE(text.find("left out for width: C3, C4, C5, ranges"), std::string::npos) << text;
}

TEST(Terminal, SaysWhenARunWasInterrupted) {
  Provenance p = sample_provenance();
  p.interrupted = true;
  const io::Value document = make_document(sample_report(), p, {});
  EXPECT_NE(terminal(document, {}).find("Interrupted: these are the best values so far."),
            std::string::npos);
  EXPECT_NE(markdown(document).find("Interrupted"), std::string::npos);
  EXPECT_NE(html(document).find("Interrupted"), std::string::npos);
}

TEST(Markdown, IsReadableAsText) {
  EXPECT_EQ(markdown(sample_document()),
            R"view(# Pre-training llama3-70b on 128 × dgx-h100 with the grid of ERCO

|  | value | 5–95 % | evidence |
|---|---|---|---|
| Duration | 54.2 days | 48.1 – 62.9 | modelled |
| Energy at the meter | 7.85 GWh | 6.91 – 9.02 | modelled |
| Covered by wind and solar | 45.1 % |  |  |

|  | value | 5–95 % | evidence |
|---|---|---|---|
| Devices | 1024 |  |  |
| Peak power (At the facility meter, power usage effectiveness included.) | 1.23 MW |  |  |

## Operational carbon

|  | value | 5–95 % | evidence |
|---|---|---|---|
| Location based | 2.83 ktCO2e | 2.4 – 3.35 | modelled |
| Market based | n/a (no contractual instrument was given) |  |  |

## Why this long

| Part of an iteration | Time (s) | Share (%) |
|---|---:|---:|
| matrix products | 9.21 | 80.4 |
| attention | 1.50 | 13.1 |
| all-reduce | 0.75 | 6.5 |

## What would change it

| Option | Difference (tCO2e) |
|---|---:|
| grid CISO | -750 (-900 – -600) |
| half the devices | 25 (10 – 40) |

## Hour by hour

1300 rows, in the JSON and HTML forms.

## Load

1 MW to 4 MW; 4 values from 2021-01-01 00:00 UTC, in the JSON and HTML forms.

## Notices

- The run is longer than the grid's year; the year is repeated by calendar hour.

## Not included

- The embodied carbon of the building.

## Assumed

| what | value | source |
|---|---|---|
| --pue | 1.1 | uptime-2023 |
| goodput | 0.9 | assumed |

## Provenance

greenline 0.1.0, study run, 2026-11-30 12:00 UTC, seed 20230325

    greenline study run llama3-70b --on 128xdgx-h100

- grid/erco.csv (SHA-256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08)
)view");
}

TEST(Markdown, EscapesMarkup) {
  verb::Report r;
  r.title("a_b*c|d <script>");
  EXPECT_TRUE(markdown(make_document(r.take(), sample_provenance(), {}))
                  .starts_with("# a\\_b\\*c\\|d &lt;script>\n"));
}

TEST(Csv, HasOneRowForEachNumber) {
  const std::string text = csv(sample_document());
  EXPECT_TRUE(text.starts_with("path,index,value,unit,low,high,evidence\n"));
  EXPECT_NE(text.find("\ncoverage,,0.4512,,,,\n"), std::string::npos);
  EXPECT_NE(text.find("\nparts.time_s,1,1.5,s,,,\n"), std::string::npos);
  EXPECT_NE(text.find("\noptions.delta_kgco2e,0,-750000,kgCO2e,"), std::string::npos);
  EXPECT_NE(text.find("\nload_w.step_s,,3600,s,,,\nload_w,0,1e+06,W,,,\n"), std::string::npos)
      << text.substr(text.size() - 200);
  // 7 values, 3 × 3 + 2 × 2 + 1300 × 2 cells, 4 points with start and step, the header.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7 + 9 + 4 + 2600 + 6 + 1);
}

TEST(Figures, AreShortAndInOneUnit) {
  const KeyUnit energy{3.6e6, base::kEnergy, false}, number{1, base::kDimensionless, false},
      share{1, base::kDimensionless, true};
  EXPECT_EQ(show_number(1234.0, energy), "1.23 MWh");
  EXPECT_EQ(show_number(999.96, energy), "1 MWh");
  EXPECT_EQ(show_number(0, energy), "0 kWh");
  EXPECT_EQ(show_number(-0.5, energy), "-500 Wh");
  EXPECT_EQ(show_number(1024, number), "1024");
  EXPECT_EQ(show_number(20480, number), "20 480");
  EXPECT_EQ(show_number(15e12, number), "15 T");
  EXPECT_EQ(show_number(0.123456, number), "0.123");
  EXPECT_EQ(show_number(0.123456, share), "12.3 %");
  EXPECT_EQ(show_number(7.5612e24, {1, base::kWork, false}), "7.56e24 FLOP");
  EXPECT_EQ(show_number(1.7e308, energy), "1.7e308 kWh");  // beyond the range of joules in a double
  EXPECT_EQ(show_instant("2026-11-30T12:00:00Z"), "2026-11-30 12:00 UTC");
  EXPECT_EQ(show_instant("2026-11-30T12:00:07Z"), "2026-11-30T12:00:07Z");
}

TEST(Figures, AColumnThatSpansTooMuchKeepsAUnitPerCell) {
  verb::Report r;
  r.table("t").column("energy",
                      std::vector<base::Energy>{1.0 * base::units::Wh, 5.0 * base::units::GWh});
  const io::Value document = make_document(r.take(), sample_provenance(), {});
  const Outline outline = read_outline(document);
  const FigureColumn column =
      show_column(std::get<ShownTable>(outline.sections[0].items[0]), 0, 10);
  EXPECT_EQ(column.unit, "");
  EXPECT_EQ(column.cells[0].text, "1 Wh");
  EXPECT_EQ(column.cells[1].text, "5 GWh");
}

TEST(Figures, AShareInAColumnNeedsNoDigitsOfItsOwn) {
  verb::Report r;
  r.table("t").column("share", std::vector<double>{0.722, 0.12345, 0.0002, 0}, "share", true);
  const io::Value document = make_document(r.take(), sample_provenance(), {});
  const Outline outline = read_outline(document);
  const FigureColumn column =
      show_column(std::get<ShownTable>(outline.sections[0].items[0]), 0, 10);
  EXPECT_EQ(column.label, "Share");
  EXPECT_EQ(column.unit, "%");
  EXPECT_EQ(column.cells[0].text, "72.2");
  EXPECT_EQ(column.cells[1].text, "12.3");
  EXPECT_EQ(column.cells[2].text, "0.0");
  EXPECT_EQ(column.cells[3].text, "0");  // an exact zero stays apart from a small share
}

TEST(Figures, ANumberNearZeroKeepsTheUnitOfItsColumn) {
  using base::units::tCO2e;
  verb::Report r;
  r.table("t").column("delta", std::vector<base::Estimate<base::Carbon>>{
                                   even(-1600.0 * tCO2e, -2300.0 * tCO2e, -1300.0 * tCO2e),
                                   even(0.3 * tCO2e, -90.0 * tCO2e, 60.0 * tCO2e)});
  const io::Value document = make_document(r.take(), sample_provenance(), {});
  const Outline outline = read_outline(document);
  const FigureColumn column =
      show_column(std::get<ShownTable>(outline.sections[0].items[0]), 0, 10);
  EXPECT_EQ(column.unit, "ktCO2e");
  EXPECT_EQ(column.cells[1].text, "0.000");
  EXPECT_EQ(column.cells[1].range("–"), "-0.090–0.060");
}

TEST(Figures, ARangeOfEqualEndsIsNotShown) {
  using base::units::GWh;
  verb::Report r;
  r.table("t").column(
      "delta", std::vector<base::Estimate<base::Energy>>{even(0.0 * GWh, 0.0 * GWh, 0.0 * GWh),
                                                         even(2.0 * GWh, 1.0 * GWh, 3.0 * GWh)});
  r.value("same", even(2.0 * GWh, 2.0 * GWh, 2.0 * GWh));
  const io::Value document = make_document(r.take(), sample_provenance(), {});
  const Outline outline = read_outline(document);
  const FigureColumn column =
      show_column(std::get<ShownTable>(outline.sections[0].items[0]), 0, 10);
  EXPECT_TRUE(column.has_range);
  EXPECT_EQ(column.cells[0].range("–"), "");
  EXPECT_EQ(column.cells[1].range("–"), "1.00–3.00");
  EXPECT_EQ(show(std::get<ShownValue>(outline.sections[0].items[1])).range("–"), "");
}

}  // namespace
}  // namespace greenline::render
