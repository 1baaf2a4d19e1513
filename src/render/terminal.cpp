#include <algorithm>

#include <fmt/format.h>

#include "render/document.hpp"
#include "render/figures.hpp"
#include "render/outline.hpp"
#include "render/terminal_blocks.hpp"
#include "render/terminal_charts.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

class TerminalView {
 public:
  TerminalView(const Outline& outline, const TerminalOptions& options)
      : outline_(outline), options_(options), paint_(options.colour) {}

  std::string text() {
    if (!outline_.title.empty()) lines(outline_.title, 0, Tone::strong);
    if (outline_.interrupted)
      lines("Interrupted: these are the best values so far.", 0, Tone::warning);
    headline();
    for (const Section& section : outline_.sections) show_section(section);
    remarks();
    footer();
    return std::move(out_);
  }

 private:
  void headline() {
    std::vector<ShownValue> values;
    for (const ShownValue* value : outline_.headlines()) values.push_back(*value);
    if (values.empty()) return;
    blank();
    out_ += value_block(values, options_.width, paint_, Tone::strong);
  }

  void show_section(const Section& section) {
    const std::string before = std::move(out_);
    out_.clear();
    std::vector<ShownValue> run;  // consecutive values share one block
    const auto flush = [&] {
      if (run.empty()) return;
      if (section.title.empty()) blank();
      out_ += value_block(run, options_.width, paint_, Tone::plain);
      run.clear();
    };
    for (const Item& item : section.items) {
      if (const auto* value = std::get_if<ShownValue>(&item)) {
        if (!value->headline) run.push_back(*value);
        continue;
      }
      flush();
      if (const auto* table = std::get_if<ShownTable>(&item))
        show_table(*table);
      else
        show_series(std::get<ShownSeries>(item));
    }
    flush();
    const std::string body = std::move(out_);
    out_ = before;
    if (body.empty()) return;
    if (!section.title.empty()) heading(section.title);
    out_ += body;
  }

  void show_table(const ShownTable& table) {
    if (table.hidden) {
      blank();
      lines(fmt::format("{}: {} rows in {}, see --json or -o report.html", table.title,
                        show_count(table.rows.size()), table.path),
            0, Tone::faint);
    } else {
      heading(table.title);
      out_ += table_block(table, outline_.charts_of(table.path), options_, paint_);
    }
    for (const ShownChart* chart : outline_.charts_of(table.path))
      out_ += chart_block(*chart, outline_, options_, paint_);
  }

  void show_series(const ShownSeries& series) {
    heading(series.title);
    out_ += series_block(series, options_.width, paint_);
  }

  void remarks() {
    if (!outline_.notices.empty()) heading("Notices");
    for (const std::string& notice : outline_.notices) bullet("!", notice, Tone::warning);
    if (!outline_.not_included.empty()) heading("Not included");
    for (const std::string& text : outline_.not_included) bullet("-", text, Tone::plain);
    if (!outline_.assumed.empty()) {
      heading("Assumed");
      std::vector<std::string> parts;
      for (const ShownAssumption& a : outline_.assumed)
        parts.push_back(a.key + " " + a.value + (a.source.empty() ? "" : " (" + a.source + ")"));
      flow(parts);
    }
    if (!outline_.overrides.empty()) {
      heading("Set by --set");
      flow(outline_.overrides);
    }
  }

  void footer() {
    blank();
    std::vector<std::string> parts{"greenline " + outline_.version, outline_.verb};
    if (!outline_.seed.empty()) parts.push_back("seed " + outline_.seed);
    if (!outline_.inputs.empty()) parts.push_back(counted(outline_.inputs.size(), "input"));
    if (!outline_.facts.empty()) parts.push_back(counted(outline_.facts.size(), "catalogue fact"));
    if (outline_.threads > 0)
      parts.push_back(counted(static_cast<std::size_t>(outline_.threads), "thread"));
    if (outline_.wall_s > 0) parts.push_back(fmt::format("{:.2g} s", outline_.wall_s));
    lines(join(parts, " · "), 0, Tone::faint);
    lines(next_step(), 0, Tone::faint);
  }

  std::string next_step() const {
    std::vector<std::string> steps;
    if (!outline_.derivations.empty())
      steps.push_back("-o result.json, greenline explain result.json " +
                      outline_.derivations.front().key);
    steps.push_back("-o report.html for " +
                    std::string(outline_.charts.empty() ? "every row" : "charts"));
    return "Next: " + join(steps, " · ");
  }

  static std::string counted(std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", show_count(n), noun, n == 1 ? "" : "s");
  }

  void blank() { out_ += '\n'; }

  void heading(const std::string& title) {
    out_ += '\n';
    lines(title, 0, Tone::strong);
  }

  void lines(std::string_view text, int indent, Tone tone) {
    for (const std::string& line : wrap(text, options_.width - indent))
      out_ += std::string(static_cast<std::size_t>(indent), ' ') + paint_(line, tone) + "\n";
  }

  void bullet(std::string_view mark, std::string_view text, Tone tone) {
    std::string lead = fmt::format("  {} ", mark);
    for (const std::string& line : wrap(text, options_.width - 4)) {
      out_ += lead + paint_(line, tone) + "\n";
      lead = "    ";
    }
  }

  // Parts one after the other; a line breaks between parts where it can.
  void flow(const std::vector<std::string>& parts) {
    std::string line;
    for (const std::string& part : parts) {
      if (!line.empty() && display_width(line) + 3 + display_width(part) > options_.width - 2) {
        lines(line, 2, Tone::plain);
        line.clear();
      }
      line += (line.empty() ? "" : " · ") + part;
    }
    lines(line, 2, Tone::plain);
  }

  const Outline& outline_;
  const TerminalOptions options_;
  const Paint paint_;
  std::string out_;
};

}  // namespace

std::string terminal(const io::Value& document, const TerminalOptions& options) {
  const Outline outline = read_outline(document);
  TerminalOptions usable = options;
  usable.width = std::max(40, options.width);
  return TerminalView(outline, usable).text();
}

}  // namespace greenline::render
