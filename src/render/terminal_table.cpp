#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "render/figures.hpp"
#include "render/terminal_blocks.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

constexpr int kIndent = 2, kGap = 2;
constexpr int kNarrowestText = 20, kNarrowestBar = 8, kWidestBar = 24;

enum class ColumnKind { text, number, range };

struct GridColumn {
  ColumnKind kind;
  std::string label, unit;
  std::vector<std::string> cells;
  int width = 0;
};

std::vector<GridColumn> grid_of(const ShownTable& table, std::size_t max_rows) {
  std::vector<GridColumn> grid;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const FigureColumn shown = show_column(table, c, max_rows);
    GridColumn column{
        shown.is_number ? ColumnKind::number : ColumnKind::text, shown.label, shown.unit, {}, 0};
    GridColumn range{ColumnKind::range, std::string(kRangeLabel), "", {}, 0};
    for (const Figure& figure : shown.cells) {
      column.cells.push_back(figure.text);
      range.cells.push_back(figure.low.empty() ? "" : "[" + figure.range(" – ") + "]");
    }
    grid.push_back(std::move(column));
    if (shown.has_range) grid.push_back(std::move(range));
  }
  for (GridColumn& column : grid) {
    column.width = std::max(display_width(column.label), display_width(column.unit));
    for (const std::string& cell : column.cells)
      column.width = std::max(column.width, display_width(cell));
  }
  return grid;
}

int width_of(const std::vector<GridColumn>& grid) {
  int width = kIndent;
  for (const GridColumn& column : grid) width += column.width + kGap;
  return width - kGap;
}

// Narrows texts, widest first, down to kNarrowestText; long labels of numbers wrap too.
void narrow(std::vector<GridColumn>& grid, int width) {
  const auto floor_of = [](const GridColumn& column) {
    int floor = column.kind == ColumnKind::text ? kNarrowestText : display_width(column.unit);
    if (column.kind != ColumnKind::text)
      for (const std::string& cell : column.cells) floor = std::max(floor, display_width(cell));
    for (std::string_view rest = column.label; column.kind != ColumnKind::text && !rest.empty();) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      floor = std::max(floor, display_width(rest.substr(0, space)));
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    return floor;
  };
  for (int excess = width_of(grid) - width; excess > 0; excess = width_of(grid) - width) {
    GridColumn* widest = nullptr;
    for (GridColumn& column : grid)
      if (column.width > floor_of(column) && (widest == nullptr || column.width > widest->width))
        widest = &column;
    if (widest == nullptr) return;
    widest->width = std::max(floor_of(*widest), widest->width - excess);
  }
}

// Makes the grid fit: narrower texts, then only the first column's range, then fewer columns from
// the right. Returns the labels left out.
std::vector<std::string> fit(std::vector<GridColumn>& grid, int width) {
  std::vector<std::string> left_out;
  narrow(grid, width);
  if (width_of(grid) <= width) return left_out;
  bool first = true;
  const auto later_range = [&first](const GridColumn& c) {
    return c.kind == ColumnKind::range && !std::exchange(first, false);
  };
  if (std::erase_if(grid, later_range) > 0) left_out.push_back("ranges");
  while (width_of(grid) > width && grid.size() > 1) {
    left_out.insert(left_out.begin(), grid.back().label);
    grid.pop_back();
  }
  return left_out;
}

// The column that a bar chart of this table draws, when its values fit a text picture.
std::optional<std::size_t> bar_column(const ShownTable& table,
                                      const std::vector<const ShownChart*>& charts) {
  for (const ShownChart* chart : charts) {
    if (!chart->is_bars() || chart->y.size() != 1) continue;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (chart->y.front() == table.path + "." + table.columns[c].key) return c;
  }
  return std::nullopt;
}

// `eighths` eighths of a column from the left.
std::string blocks(int eighths) {
  static constexpr std::string_view kPartial[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  std::string bar;
  for (int i = 0; i < eighths / 8; ++i) bar += "█";
  return bar += kPartial[eighths % 8];
}

// Bars from a common zero; negative ones grow to the left of it, in whole columns.
std::vector<std::string> bars(const ShownTable& table, std::size_t column, std::size_t num_rows,
                              int width) {
  std::vector<double> values(num_rows, 0);
  for (std::size_t i = 0; i < num_rows; ++i)
    if (const Datum& cell = table.rows[i][column]; cell.is_number()) values[i] = cell.number();
  double low = 0, high = 0;
  for (const double x : values) low = std::min(low, x), high = std::max(high, x);
  const double span = high / 2 - low / 2;  // halves keep it finite
  if (!(span > 0)) return {};
  // Each side that has a bar keeps at least one column.
  const int share = static_cast<int>(std::lround(width * (-low / 2 / span)));
  const int left = low < 0 ? std::clamp(share, 1, high > 0 ? width - 1 : width) : 0;
  const int right = width - left;
  std::vector<std::string> drawn;
  for (const double x : values) {
    if (x < 0) {
      const int cells = std::max(1, static_cast<int>(std::lround(left * (x / low))));
      std::string bar(static_cast<std::size_t>(std::max(0, left - cells)), ' ');
      drawn.push_back(bar + blocks(8 * std::min(cells, left)));
    } else {
      const int eighths = high > 0 ? static_cast<int>(std::lround(8 * right * (x / high))) : 0;
      drawn.push_back(x > 0 ? std::string(static_cast<std::size_t>(left), ' ') +
                                  blocks(std::max(1, eighths))
                            : "");
    }
  }
  return drawn;
}

class GridWriter {
 public:
  GridWriter(const std::vector<GridColumn>& grid, const Paint& paint)
      : grid_(grid), paint_(paint) {}

  void header() {
    std::vector<std::vector<std::string>> labels;
    for (const GridColumn& column : grid_) labels.push_back(wrap(column.label, column.width));
    rows(labels, "", true);
    const bool units = std::any_of(grid_.begin(), grid_.end(),
                                   [](const GridColumn& c) { return !c.unit.empty(); });
    if (!units) return;
    std::vector<std::vector<std::string>> cells;
    for (const GridColumn& column : grid_) cells.push_back({column.unit});
    rows(cells, "", true);
  }

  void row(std::size_t i, const std::string& bar) {
    std::vector<std::vector<std::string>> cells;
    for (const GridColumn& column : grid_) {
      if (column.kind == ColumnKind::text)
        cells.push_back(wrap(column.cells[i], column.width));
      else
        cells.push_back({column.cells[i]});
    }
    rows(cells, bar, false);
  }

  std::string take() { return std::move(out_); }

 private:
  // One row of the table, as many lines as its tallest cell.
  void rows(const std::vector<std::vector<std::string>>& cells, const std::string& bar,
            bool is_header) {
    std::size_t height = 1;
    for (const auto& cell : cells) height = std::max(height, cell.size());
    for (std::size_t k = 0; k < height; ++k) {
      std::string line(kIndent, ' ');
      for (std::size_t c = 0; c < grid_.size(); ++c) {
        // Headers stand at the bottom of their line, so that they touch their column.
        const std::size_t skip = is_header ? height - cells[c].size() : 0;
        const std::string text = k >= skip && k - skip < cells[c].size() ? cells[c][k - skip] : "";
        if (c > 0) line.append(kGap, ' ');
        line += grid_[c].kind == ColumnKind::number ? pad_left(text, grid_[c].width)
                                                    : pad_right(text, grid_[c].width);
      }
      if (k > 0 || bar.empty()) line.erase(line.find_last_not_of(' ') + 1);
      if (is_header) line = paint_(line, Tone::faint);
      if (k == 0 && !bar.empty()) line += "  " + paint_(bar, Tone::bar);
      out_ += line + "\n";
    }
  }

  const std::vector<GridColumn>& grid_;
  const Paint& paint_;
  std::string out_;
};

}  // namespace

std::string table_block(const ShownTable& table, const std::vector<const ShownChart*>& charts,
                        const TerminalOptions& options, const Paint& paint) {
  if (table.rows.empty() || table.columns.empty()) return "  no rows\n";
  const std::size_t num_rows =
      table.whole ? table.rows.size()
                  : std::min(table.rows.size(), std::max<std::size_t>(1, options.max_rows));
  std::vector<GridColumn> grid = grid_of(table, num_rows);
  const std::vector<std::string> left_out = fit(grid, options.width);

  std::vector<std::string> pictures;
  const int room = std::min(kWidestBar, options.width - width_of(grid) - kGap);
  if (const auto column = bar_column(table, charts);
      column && room >= kNarrowestBar && num_rows == table.rows.size())
    pictures = bars(table, *column, num_rows, room);

  GridWriter writer(grid, paint);
  writer.header();
  for (std::size_t i = 0; i < num_rows; ++i) writer.row(i, pictures.empty() ? "" : pictures[i]);
  std::string out = writer.take();
  std::vector<std::string> notes;
  if (num_rows < table.rows.size())
    notes.push_back(show_count(table.rows.size() - num_rows) + " more");
  if (!left_out.empty()) notes.push_back("left out for width: " + join(left_out, ", "));
  if (!notes.empty())
    for (const std::string& line :
         wrap("… " + join(notes, "; ") + "; see --json or -o report.html", options.width - kIndent))
      out += "  " + paint(line, Tone::faint) + "\n";
  return out;
}

}  // namespace greenline::render
