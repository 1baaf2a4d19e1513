#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "render/figures.hpp"
#include "render/terminal_blocks.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

// Widths of the columns of a block of values.
struct ValueColumns {
  int label = 0, number = 0, unit = 0, range = 0, evidence = 0;
  int value() const { return number + (unit > 0 ? 1 + unit : 0); }
  int after_label() const {
    return value() + (range > 0 ? 2 + range : 0) + (evidence > 0 ? 2 + evidence : 0);
  }
};

std::string bracketed(const Figure& figure) {
  const std::string range = figure.range(" – ");
  return range.empty() ? "" : "[" + range + "]";
}

ValueColumns measure(const std::vector<ShownValue>& values, const std::vector<Figure>& figures,
                     int width) {
  ValueColumns columns;
  for (std::size_t i = 0; i < values.size(); ++i) {
    columns.label = std::max(columns.label, display_width(values[i].label));
    const std::string range = bracketed(figures[i]);
    if (!range.empty())
      columns.range = std::max({columns.range, display_width(range), display_width(kRangeLabel)});
    columns.evidence = std::max(columns.evidence, display_width(figures[i].evidence));
    if (!figures[i].is_number) continue;
    columns.number = std::max(columns.number, display_width(figures[i].text));
    columns.unit = std::max(columns.unit, display_width(figures[i].unit));
  }
  constexpr int kIndent = 2, kGap = 2, kNarrowestLabel = 14;
  const int room = width - kIndent - kGap - std::max(columns.after_label(), width / 4);
  columns.label = std::clamp(columns.label, 1, std::max(kNarrowestLabel, room));
  return columns;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string Paint::operator()(std::string_view text, Tone tone) const {
  constexpr std::array<std::string_view, 5> kSequences{"", "\x1b[1m", "\x1b[2m", "\x1b[33m",
                                                       "\x1b[36m"};
  const std::string_view sequence = kSequences[static_cast<std::size_t>(tone)];
  if (!colour_ || sequence.empty() || text.empty()) return std::string(text);
  return std::string(sequence).append(text).append("\x1b[0m");
}

std::string value_block(const std::vector<ShownValue>& values, int width, const Paint& paint,
                        Tone tone) {
  std::vector<Figure> figures;
  for (const ShownValue& value : values) figures.push_back(show(value));
  const ValueColumns columns = measure(values, figures, width);
  const int start = 2 + columns.label + 2;
  std::string out;
  if (columns.range > 0)
    out += std::string(static_cast<std::size_t>(start + columns.value() + 2), ' ') +
           paint(kRangeLabel, Tone::faint) + "\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Figure& figure = figures[i];
    const std::vector<std::string> labels = wrap(values[i].label, columns.label);
    std::vector<std::string> texts{""};
    if (!figure.is_number) texts = wrap(figure.text, std::max(10, width - start));
    for (std::size_t k = 0; k < std::max(labels.size(), texts.size()); ++k) {
      std::string line = "  " + pad_right(k < labels.size() ? labels[k] : "", columns.label) + "  ";
      if (k < texts.size()) line += paint(texts[k], tone);
      if (k == 0 && figure.is_number) {
        line += paint(
            pad_left(figure.text, columns.number) + (figure.unit.empty() ? "" : " " + figure.unit),
            tone);
        const int used =
            columns.number + (figure.unit.empty() ? 0 : 1 + display_width(figure.unit));
        line += std::string(static_cast<std::size_t>(columns.value() - used), ' ');
        if (columns.range > 0) line += "  " + pad_right(bracketed(figure), columns.range);
        if (columns.evidence > 0) line += "  " + paint(figure.evidence, Tone::faint);
      }
      out += trimmed(std::move(line)) + "\n";
    }
    if (values[i].why.empty()) continue;
    for (const std::string& line : wrap(values[i].why, width - 4))
      out += "    " + paint(line, Tone::faint) + "\n";
  }
  return out;
}

std::string series_block(const ShownSeries& series, int width, const Paint& paint) {
  if (series.values.empty()) return "  no values\n";
  constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
  const std::size_t num_values = series.values.size();
  const std::size_t num_marks =
      std::min(num_values, static_cast<std::size_t>(std::min(width - 4, 72)));
  std::string marks;
  for (std::size_t m = 0; m < num_marks; ++m) {
    const std::size_t begin = m * num_values / num_marks, end = (m + 1) * num_values / num_marks;
    double mean = 0;
    for (std::size_t i = begin; i < end; ++i)
      mean += series.values[i] / static_cast<double>(end - begin);
    // Halves keep the span finite for the largest of doubles.
    const double span = *high / 2 - *low / 2;
    const double share = span > 0 ? std::clamp((mean / 2 - *low / 2) / span, 0.0, 1.0) : 0.5;
    marks += kBlocks[std::min<std::size_t>(7, static_cast<std::size_t>(share * 8))];
  }
  std::string out = "  " + paint(marks, Tone::bar) + "\n";
  const std::string caption =
      fmt::format("{} to {}; {} values from {}, one each {}", show_number(*low, series.unit),
                  show_number(*high, series.unit), show_count(num_values),
                  show_instant(series.start), show_number(series.step_s, {1, base::kTime, false}));
  for (const std::string& line : wrap(caption, width - 2))
    out += "  " + paint(line, Tone::faint) + "\n";
  return out;
}

}  // namespace greenline::render
