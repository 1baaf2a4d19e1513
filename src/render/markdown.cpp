#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "render/document.hpp"
#include "render/figures.hpp"
#include "render/outline.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

// Text that Markdown would read as markup, escaped. '<' becomes an entity: many readers pass raw
// HTML on.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos)
      out += '\\', out += c;
    else
      out += c;
  }
  return out;
}

class MarkdownView {
 public:
  explicit MarkdownView(const Outline& outline) : outline_(outline) {}

  std::string text() {
    heading(1, outline_.title.empty() ? outline_.verb : outline_.title);
    if (outline_.interrupted) out_ += "**Interrupted: these are the best values so far.**\n\n";
    std::vector<ShownValue> headline;
    for (const ShownValue* value : outline_.headlines()) headline.push_back(*value);
    values(headline);
    for (const Section& section : outline_.sections) show_section(section);
    remarks();
    provenance();
    out_.erase(out_.find_last_not_of('\n') + 1);
    return std::move(out_) + "\n";
  }

 private:
  void show_section(const Section& section) {
    if (!section.title.empty()) heading(2, section.title);
    const int level = section.title.empty() ? 2 : 3;
    std::vector<ShownValue> run;
    const auto flush = [&] {
      values(run);
      run.clear();
    };
    for (const Item& item : section.items) {
      if (const auto* value = std::get_if<ShownValue>(&item)) {
        if (!value->headline) run.push_back(*value);
        continue;
      }
      flush();
      if (const auto* table = std::get_if<ShownTable>(&item))
        show_table(*table, level);
      else
        show_series(std::get<ShownSeries>(item), level);
    }
    flush();
  }

  void values(const std::vector<ShownValue>& list) {
    if (list.empty()) return;
    row({"", "value", "5–95 %", "evidence"});
    out_ += "|---|---|---|---|\n";
    for (const ShownValue& value : list) {
      const Figure figure = show(value);
      const std::string why = value.why.empty() ? "" : " (" + value.why + ")";
      row({escaped(value.label + why), escaped(figure.with_unit()), escaped(figure.range(" – ")),
           escaped(figure.evidence)});
    }
    out_ += '\n';
  }

  void show_table(const ShownTable& table, int level) {
    heading(level, table.title);
    if (table.hidden || table.columns.empty()) {
      out_ +=
          fmt::format("{} rows, in the JSON and HTML forms.\n\n", show_count(table.rows.size()));
      return;
    }
    std::vector<FigureColumn> columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      columns.push_back(show_column(table, c, std::numeric_limits<std::size_t>::max()));
    std::vector<std::string> labels;
    std::string rule = "|";
    for (const FigureColumn& column : columns) {
      labels.push_back(
          escaped(column.label + (column.unit.empty() ? "" : " (" + column.unit + ")")));
      rule += column.is_number ? "---:|" : "---|";
    }
    row(labels);
    out_ += rule + "\n";
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      std::vector<std::string> cells;
      for (const FigureColumn& column : columns) {
        const std::string range = column.cells[i].range(" – ");
        cells.push_back(escaped(column.cells[i].text + (range.empty() ? "" : " (" + range + ")")));
      }
      row(cells);
    }
    out_ += '\n';
  }

  void show_series(const ShownSeries& series, int level) {
    heading(level, series.title);
    if (series.values.empty()) {
      out_ += "No values.\n\n";
      return;
    }
    const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
    out_ += fmt::format("{} to {}; {} values from {}, in the JSON and HTML forms.\n\n",
                        escaped(show_number(*low, series.unit)),
                        escaped(show_number(*high, series.unit)), show_count(series.values.size()),
                        escaped(show_instant(series.start)));
  }

  void remarks() {
    bullets("Notices", outline_.notices);
    bullets("Not included", outline_.not_included);
    if (!outline_.assumed.empty()) {
      heading(2, "Assumed");
      row({"what", "value", "source"});
      out_ += "|---|---|---|\n";
      for (const ShownAssumption& a : outline_.assumed)
        row({escaped(a.key), escaped(a.value), escaped(a.source)});
      out_ += '\n';
    }
    bullets("Set by --set", outline_.overrides);
  }

  void provenance() {
    heading(2, "Provenance");
    out_ += fmt::format("greenline {}, {}, {}, seed {}\n\n", escaped(outline_.version),
                        escaped(outline_.verb), escaped(show_instant(outline_.started)),
                        escaped(outline_.seed));
    if (!outline_.command_line.empty()) out_ += "    " + outline_.command_line + "\n\n";
    for (const ShownFile& file : outline_.inputs)
      out_ += fmt::format("- {} (SHA-256 {})\n", escaped(file.path), escaped(file.sha256));
  }

  void bullets(const std::string& title, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    heading(2, title);
    for (const std::string& text : texts) out_ += "- " + escaped(text) + "\n";
    out_ += '\n';
  }

  void heading(int level, const std::string& title) {
    out_ += std::string(static_cast<std::size_t>(level), '#') + " " + escaped(title) + "\n\n";
  }

  void row(const std::vector<std::string>& cells) { out_ += "| " + join(cells, " | ") + " |\n"; }

  const Outline& outline_;
  std::string out_;
};

}  // namespace

std::string markdown(const io::Value& document) {
  const Outline outline = read_outline(document);
  return MarkdownView(outline).text();
}

}  // namespace greenline::render
