#include "render/terminal_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "render/chart_data.hpp"
#include "render/figures.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

constexpr int kIndent = 2, kHeight = 14, kNarrowest = 20, kWidest = 64;
constexpr double kLogarithmicFrom = 50;  // largest over smallest from which factors are shown

struct Point {
  double x = 0, y = 0;
  std::string name;
  bool marked = false;
};

struct Line {
  std::string label;
  std::vector<std::pair<double, double>> points;  // in order of x
};

struct Axis {
  double low = std::numeric_limits<double>::infinity(),
         high = -std::numeric_limits<double>::infinity();
  bool logarithmic = false;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // 0 to 1; halves keep the span finite.
  double share(double value) const {
    if (!(low < high)) return 0.5;
    if (logarithmic) return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    return (value / 2 - low / 2) / (high / 2 - low / 2);
  }
};

struct PlotData {
  std::vector<Point> points;
  std::vector<Line> lines;
  Axis x, y;
  KeyUnit x_unit, y_unit;
  std::string x_label, y_label;
};

std::string label_or(const std::string& label, const ChartColumn& column) {
  return label.empty() ? column.shown().label : label;
}

void read_points(const ShownChart& chart, const Outline& outline, const ChartColumn& x,
                 const ChartColumn& y, PlotData& data) {
  const auto name = chart_column(outline, chart.name), marked = chart_column(outline, chart.marked);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto at = x.number(i), value = y.number(i);
    if (!at || !value) continue;
    data.points.push_back({*at, *value, name && name->table == x.table ? name->text(i) : "",
                           marked && marked->table == x.table && marked->truth(i)});
  }
}

void read_lines(const ShownChart& chart, const Outline& outline, const ChartColumn& x,
                PlotData& data) {
  for (std::size_t k = 0; k < chart.y.size(); ++k) {
    const auto y = chart_column(outline, chart.y[k]);
    if (!y || y->table != x.table) continue;
    Line line{k < chart.labels.size() ? chart.labels[k] : y->shown().label, {}};
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const auto at = x.number(i), value = y->number(i); at && value)
        line.points.emplace_back(*at, *value);
    std::sort(line.points.begin(), line.points.end());
    data.lines.push_back(std::move(line));
  }
}

// Keeps what a logarithm can show.
void keep_positive(PlotData& data) {
  std::erase_if(data.points, [](const Point& p) { return !(p.x > 0 && p.y > 0); });
  for (Line& line : data.lines)
    std::erase_if(line.points, [](const auto& p) { return !(p.first > 0 && p.second > 0); });
}

void set_axes(bool logarithmic, PlotData& data) {
  for (const Point& p : data.points) data.x.include(p.x), data.y.include(p.y);
  for (const Line& line : data.lines)
    for (const auto& [x, y] : line.points) data.x.include(x), data.y.include(y);
  for (Axis* axis : {&data.x, &data.y})
    axis->logarithmic =
        logarithmic || (axis->low > 0 && axis->high / axis->low >= kLogarithmicFrom);
}

std::optional<PlotData> read_plot(const ShownChart& chart, const Outline& outline) {
  const bool log_log = chart.kind == "log_log";
  const auto x = chart_column(outline, chart.x), y = chart_column(outline, chart.y.front());
  if (!x || !y || x->table != y->table) return std::nullopt;
  PlotData data;
  data.x_unit = x->shown().unit, data.y_unit = y->shown().unit;
  data.x_label = label_or(chart.x_label, *x), data.y_label = label_or(chart.y_label, *y);
  if (log_log) {
    read_lines(chart, outline, *x, data);
    const auto points_x = chart_column(outline, chart.points_x),
               points_y = chart_column(outline, chart.points_y);
    if (points_x && points_y && points_x->table == points_y->table)
      read_points(chart, outline, *points_x, *points_y, data);
    keep_positive(data);
  } else {
    read_points(chart, outline, *x, *y, data);
  }
  set_axes(log_log, data);
  if (!(data.x.low <= data.x.high)) return std::nullopt;
  return data;
}

class Canvas {
 public:
  Canvas(const PlotData& data, int width)
      : data_(data), width_(width), rows_(kHeight, std::vector<std::string>(at(width), " ")) {}

  void point(double x, double y, const std::string& mark) {
    rows_[at(kHeight - 1 - cell(data_.y, y, kHeight))][at(cell(data_.x, x, width_))] = mark;
  }

  // Between its points a line is straight on the axes as drawn.
  void line(const Line& line, const std::string& mark) {
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
      const double x0 = data_.x.share(line.points[i].first),
                   x1 = data_.x.share(line.points[i + 1].first);
      const double y0 = data_.y.share(line.points[i].second),
                   y1 = data_.y.share(line.points[i + 1].second);
      const int steps =
          1 +
          static_cast<int>(std::ceil(std::max((x1 - x0) * width_, std::abs(y1 - y0) * kHeight)));
      for (int s = 0; s <= steps; ++s) {
        const double t = static_cast<double>(s) / steps;
        rows_[at(kHeight - 1 - cell(y0 + t * (y1 - y0), kHeight))]
             [at(cell(x0 + t * (x1 - x0), width_))] = mark;
      }
    }
  }

  std::string row(int i) const {
    std::string text = join(rows_[at(i)], "");
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static int cell(double share, int cells) {
    return std::clamp(static_cast<int>(std::lround(share * (cells - 1))), 0, cells - 1);
  }
  static int cell(const Axis& axis, double value, int cells) {
    return cell(axis.share(value), cells);
  }

  const PlotData& data_;
  int width_;
  std::vector<std::vector<std::string>> rows_;
};

// Marked points have letters in order of x; the names stand below.
std::vector<std::string> draw(const PlotData& data, Canvas& canvas) {
  static constexpr std::string_view kLineMarks[] = {"·", "-", "=", "~", ":"};
  std::vector<std::string> legend;
  for (std::size_t k = 0; k < data.lines.size(); ++k) {
    const std::string mark(kLineMarks[k % std::size(kLineMarks)]);
    canvas.line(data.lines[k], mark);
    legend.push_back(mark + " " + data.lines[k].label);
  }
  std::vector<const Point*> marked;
  bool others = false;
  for (const Point& p : data.points) {
    if (p.marked) {
      marked.push_back(&p);
    } else {
      canvas.point(p.x, p.y, "o");
      others = true;
    }
  }
  std::stable_sort(marked.begin(), marked.end(),
                   [](const Point* a, const Point* b) { return a->x < b->x; });
  for (std::size_t i = 0; i < marked.size(); ++i) {
    canvas.point(marked[i]->x, marked[i]->y, mark_of(i));
    if (!marked[i]->name.empty()) legend.push_back(mark_of(i) + " " + marked[i]->name);
  }
  if (others && !marked.empty()) legend.emplace_back("o others");
  return legend;
}

std::string axis_text(const std::string& label, const Axis& axis) {
  return label + (axis.logarithmic ? " (logarithmic)" : "");
}

}  // namespace

std::string plot_block(const ShownChart& chart, const Outline& outline,
                       const TerminalOptions& options, const Paint& paint) {
  const auto data = read_plot(chart, outline);
  if (!data) return "";
  const std::string top = show_number(data->y.high, data->y_unit),
                    bottom = show_number(data->y.low, data->y_unit),
                    left = show_number(data->x.low, data->x_unit),
                    right = show_number(data->x.high, data->x_unit);
  const int label = std::max(display_width(top), display_width(bottom));
  const int width = std::min(kWidest, options.width - kIndent - label - 2);
  if (width < kNarrowest) return "";
  Canvas canvas(*data, width);
  const std::vector<std::string> legend = draw(*data, canvas);

  const std::string indent(kIndent, ' ');
  const auto faint = [&](const std::string& text) {
    std::string out;
    for (const std::string& line : wrap(text, options.width - kIndent))
      out += indent + paint(line, Tone::faint) + "\n";
    return out;
  };
  std::string out = faint("up: " + axis_text(data->y_label, data->y) +
                          ", across: " + axis_text(data->x_label, data->x));
  for (int i = 0; i < kHeight; ++i)
    out += indent +
           paint(pad_left(i == 0             ? top
                          : i == kHeight - 1 ? bottom
                                             : "",
                          label),
                 Tone::faint) +
           " │" + paint(canvas.row(i), Tone::bar) + "\n";
  std::string rule;
  for (int i = 0; i < width; ++i) rule += "─";
  out += indent + pad_left("", label) + " └" + rule + "\n";
  out +=
      indent + pad_left("", label) + "  " +
      paint(left + pad_left(right, std::max(display_width(right) + 1, width - display_width(left))),
            Tone::faint) +
      "\n";
  return legend.empty() ? out : out + faint(join(legend, ", "));
}

}  // namespace greenline::render
