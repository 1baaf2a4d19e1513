#include "render/terminal_charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "render/chart_data.hpp"
#include "render/figures.hpp"
#include "render/terminal_plot.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

constexpr int kIndent = 2, kGap = 2, kNarrowestBar = 10, kWidestBar = 72;

std::string spaces(int n) { return std::string(static_cast<std::size_t>(std::max(0, n)), ' '); }

std::string cut(const std::string& text, int width) {
  if (display_width(text) <= width) return text;
  return wrap(text, std::max(1, width - 1)).front() + "…";
}

int widest(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, display_width(text));
  return width;
}

std::string faint_lines(const std::string& text, const TerminalOptions& options,
                        const Paint& paint) {
  std::string out;
  for (const std::string& line : wrap(text, options.width - kIndent))
    out += spaces(kIndent) + paint(line, Tone::faint) + "\n";
  return out;
}

// A letter for each name, its own initial where that is free.
std::vector<std::string> initials(const std::vector<std::string>& names) {
  std::vector<std::string> marks;
  std::string taken;
  const auto take = [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter || taken.find(c) != std::string::npos) return false;
    taken += c;
    marks.emplace_back(1, c);
    return true;
  };
  for (const std::string& name : names) {
    bool found = false;
    for (const char c : name) {
      const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if ((found = take(upper) || take(lower))) break;
    }
    for (std::size_t i = 0; !found && i < 52; ++i) found = take(mark_of(i).front());
    if (!found) marks.emplace_back("*");
  }
  return marks;
}

// --- timeline ---------------------------------------------------------------------------------

struct TimelineData {
  ChartColumn lane, start, end, name;
};

std::optional<TimelineData> timeline_data(const ShownChart& chart, const Outline& outline) {
  if (chart.y.size() != 2) return std::nullopt;
  const auto lane = chart_column(outline, chart.x), start = chart_column(outline, chart.y[0]),
             end = chart_column(outline, chart.y[1]), name = chart_column(outline, chart.name);
  if (!lane || !start || !end || !name || lane->size() == 0) return std::nullopt;
  for (const auto& column : {start, end, name})
    if (column->table != lane->table) return std::nullopt;
  return TimelineData{*lane, *start, *end, *name};
}

// Rows with both times, in order, and the span of all.
struct Span {
  double from = std::numeric_limits<double>::infinity();
  double to = -std::numeric_limits<double>::infinity();
  bool empty() const { return !(from < to); }
  // Where a time stands, 0 to 1; halves keep the span finite.
  double share(double t) const { return (t / 2 - from / 2) / (to / 2 - from / 2); }
};
Span span_of(const TimelineData& data) {
  Span span;
  for (std::size_t i = 0; i < data.lane.size(); ++i) {
    const auto start = data.start.number(i), end = data.end.number(i);
    if (!start || !end) continue;
    span.from = std::min(span.from, *start);
    span.to = std::max(span.to, *end);
  }
  return span;
}

// One cell of a lane: how much of it each name fills.
using Cell = std::map<std::size_t, double>;

std::vector<std::vector<Cell>> timeline_cells(const TimelineData& data, const Categories& lanes,
                                              const Categories& names, const Span& span,
                                              int width) {
  std::vector<std::vector<Cell>> cells(lanes.names.size(),
                                       std::vector<Cell>(static_cast<std::size_t>(width)));
  for (std::size_t i = 0; i < data.lane.size(); ++i) {
    const auto start = data.start.number(i), end = data.end.number(i);
    if (!start || !end || !(*start < *end)) continue;
    const double from = span.share(*start) * width, to = span.share(*end) * width;
    for (int c = std::max(0, static_cast<int>(from)); c < width && c < to; ++c)
      cells[lanes.of_row[i]][static_cast<std::size_t>(c)][names.of_row[i]] +=
          std::min(to, c + 1.0) - std::max(from, static_cast<double>(c));
  }
  return cells;
}

std::string mark_in(const Cell& cell, const std::vector<std::string>& marks) {
  const auto most = std::max_element(
      cell.begin(), cell.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  double busy = 0;
  for (const auto& [name, share] : cell) busy += share;
  // A cell that is mostly idle shows that; the picture has one mark for each cell.
  return most == cell.end() || busy < 0.5 ? "·" : marks[most->first];
}

std::string timeline_block(const ShownChart& chart, const Outline& outline,
                           const TerminalOptions& options, const Paint& paint) {
  const auto data = timeline_data(chart, outline);
  if (!data) return "";
  const Categories lanes = categories_of(data->lane), names = categories_of(data->name);
  const Span span = span_of(*data);
  const int label = std::min(widest(lanes.names), options.width / 3);
  const int width = std::min(kWidestBar, options.width - kIndent - label - kGap);
  if (span.empty() || width < kNarrowestBar) return "";
  const std::vector<std::string> marks = initials(names.names);
  const auto cells = timeline_cells(*data, lanes, names, span, width);
  const std::size_t num_lanes = std::min(lanes.names.size(), options.max_rows);
  std::string out;
  for (std::size_t lane = 0; lane < num_lanes; ++lane) {
    std::string picture;
    for (const Cell& cell : cells[lane]) picture += mark_in(cell, marks);
    out += spaces(kIndent) + pad_right(cut(lanes.names[lane], label), label) + spaces(kGap) +
           paint(picture, Tone::bar) + "\n";
  }
  if (num_lanes < lanes.names.size())
    out += faint_lines(fmt::format("… {} more lanes", show_count(lanes.names.size() - num_lanes)),
                       options, paint);
  const KeyUnit& unit = data->start.shown().unit;
  const std::string left = show_number(span.from, unit), right = show_number(span.to, unit);
  out +=
      spaces(kIndent + label + kGap) +
      paint(left + pad_left(right, std::max(display_width(right) + 1, width - display_width(left))),
            Tone::faint) +
      "\n";
  std::vector<std::string> legend;
  for (std::size_t i = 0; i < names.names.size(); ++i)
    legend.push_back(marks[i] + " " + names.names[i]);
  return out + faint_lines(join(legend, ", ") + ", · idle", options, paint);
}

// --- stacked bars -----------------------------------------------------------------------------

struct StackedData {
  ChartColumn place;
  std::vector<ChartColumn> parts;
  std::vector<std::string> labels;
};

std::optional<StackedData> stacked_data(const ShownChart& chart, const Outline& outline) {
  const auto place = chart_column(outline, chart.x);
  if (!place) return std::nullopt;
  StackedData data{*place, {}, {}};
  for (std::size_t i = 0; i < chart.y.size(); ++i) {
    const auto part = chart_column(outline, chart.y[i]);
    if (!part || part->table != place->table ||
        part->shown().unit.dimension != chart_column(outline, chart.y[0])->shown().unit.dimension)
      return std::nullopt;
    data.parts.push_back(*part);
    data.labels.push_back(i < chart.labels.size() ? chart.labels[i] : part->shown().label);
  }
  return data;
}

// The sum of each row; none where a part is negative or all are missing.
std::optional<double> total_of(const StackedData& data, std::size_t row) {
  double total = 0;
  bool any = false;
  for (const ChartColumn& part : data.parts) {
    const auto x = part.number(row);
    if (x && *x < 0) return std::nullopt;
    any = any || x.has_value();
    total += x.value_or(0);
  }
  return any && std::isfinite(total) ? std::optional(total) : std::nullopt;
}

std::string stacked_block(const ShownChart& chart, const Outline& outline,
                          const TerminalOptions& options, const Paint& paint) {
  static constexpr std::array<std::string_view, 8> kFills{"█", "▒", "░", "▓", "#", "=", "+", ":"};
  const auto data = stacked_data(chart, outline);
  if (!data || data->parts.size() > kFills.size()) return "";
  const std::size_t num_rows = std::min(data->place.size(), options.max_rows);
  const KeyUnit& unit = data->parts.front().shown().unit;
  std::vector<std::string> places, totals;
  double largest = 0;
  for (std::size_t i = 0; i < num_rows; ++i) {
    const auto total = total_of(*data, i);
    places.push_back(data->place.text(i));
    totals.push_back(total ? show_number(*total, unit) : "n/a");
    largest = std::max(largest, total.value_or(0));
  }
  const int label = std::min(widest(places), options.width / 3);
  const int width =
      std::min(kWidestBar, options.width - kIndent - label - 2 * kGap - widest(totals));
  if (!(largest > 0) || width < kNarrowestBar) return "";
  std::string out;
  for (std::size_t i = 0; i < num_rows; ++i) {
    std::string bar;
    double sum = 0;
    int drawn = 0;
    for (std::size_t p = 0; total_of(*data, i) && p < data->parts.size(); ++p) {
      sum += data->parts[p].number(i).value_or(0);
      // Ends are rounded, not lengths: the whole bar has the length of its total.
      for (const int end = static_cast<int>(std::lround(sum / largest * width)); drawn < end;
           ++drawn)
        bar += kFills[p];
    }
    out += spaces(kIndent) + pad_right(cut(places[i], label), label) + spaces(kGap) +
           paint(bar, Tone::bar) + spaces(kGap) + totals[i] + "\n";
  }
  std::vector<std::string> legend;
  for (std::size_t p = 0; p < data->parts.size(); ++p)
    legend.push_back(std::string(kFills[p]) + " " + data->labels[p]);
  return out + faint_lines(join(legend, ", "), options, paint);
}

// --- heat map ---------------------------------------------------------------------------------

std::string heat_block(const ShownChart& chart, const Outline& outline,
                       const TerminalOptions& options, const Paint& paint) {
  const auto across = chart_column(outline, chart.x), down = chart_column(outline, chart.y.front()),
             value = chart_column(outline, chart.colour);
  if (!across || !down || !value || down->table != across->table || value->table != across->table ||
      across->size() == 0)
    return "";
  const Categories columns = categories_of(*across), rows = categories_of(*down);
  const FigureColumn figures = show_column(*value->table, value->column, value->size());
  std::map<std::pair<std::size_t, std::size_t>, std::string> texts;
  std::size_t num_hidden = 0;  // values behind the last one of their place
  std::vector<int> widths;
  for (const std::string& name : columns.names) widths.push_back(display_width(name));
  for (std::size_t i = 0; i < value->size(); ++i) {
    const bool is_new =
        texts.insert_or_assign({rows.of_row[i], columns.of_row[i]}, figures.cells[i].text).second;
    num_hidden += is_new ? 0 : 1;
    int& width = widths[columns.of_row[i]];
    width = std::max(width, display_width(figures.cells[i].text));
  }
  const int label = std::min(widest(rows.names), options.width / 3);
  std::size_t num_columns = 0;
  for (int used = kIndent + label; num_columns < widths.size(); ++num_columns) {
    used += kGap + widths[num_columns];
    if (used > options.width) break;
  }
  const std::size_t num_rows = std::min(rows.names.size(), options.max_rows);
  std::string out = spaces(kIndent + label);
  std::string header;
  for (std::size_t c = 0; c < num_columns; ++c)
    header += spaces(kGap) + pad_left(columns.names[c], widths[c]);
  out += paint(header, Tone::faint) + "\n";
  for (std::size_t r = 0; r < num_rows; ++r) {
    out += spaces(kIndent) + pad_right(cut(rows.names[r], label), label);
    for (std::size_t c = 0; c < num_columns; ++c) {
      const auto found = texts.find({r, c});
      out += spaces(kGap) + pad_left(found == texts.end() ? "·" : found->second, widths[c]);
    }
    out += "\n";
  }
  const std::size_t hidden_columns = columns.names.size() - num_columns,
                    hidden_rows = rows.names.size() - num_rows;
  std::string legend =
      figures.label + (figures.unit.empty() ? "" : " in " + figures.unit) +
      "; down: " + (chart.y_label.empty() ? down->shown().label : chart.y_label) +
      ", across: " + (chart.x_label.empty() ? across->shown().label : chart.x_label);
  if (hidden_columns + hidden_rows > 0)
    legend += fmt::format("; {} more rows and {} more columns", show_count(hidden_rows),
                          show_count(hidden_columns));
  if (num_hidden > 0)
    legend += fmt::format("; {} behind others of their place", show_count(num_hidden));
  return out + faint_lines(legend, options, paint);
}

std::string body_of(const ShownChart& chart, const Outline& outline, const TerminalOptions& options,
                    const Paint& paint) {
  if (chart.kind == "timeline") return timeline_block(chart, outline, options, paint);
  if (chart.kind == "stacked_bars") return stacked_block(chart, outline, options, paint);
  if (chart.kind == "heat_map") return heat_block(chart, outline, options, paint);
  if (chart.kind == "scatter" || chart.kind == "log_log")
    return plot_block(chart, outline, options, paint);
  return "";
}

}  // namespace

std::string chart_block(const ShownChart& chart, const Outline& outline,
                        const TerminalOptions& options, const Paint& paint) {
  std::string body = body_of(chart, outline, options, paint);
  if (body.empty() || chart.title.empty()) return body;
  return "\n" + faint_lines(chart.title, options, paint) + body;
}

}  // namespace greenline::render
