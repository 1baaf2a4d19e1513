#include "render/html_sections.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "render/figures.hpp"
#include "render/html_text.hpp"

namespace greenline::render {
namespace {

// "48.1–62.9 days · modelled"; empty when certain.
std::string range_text(const Figure& figure) {
  if (figure.low.empty()) return "";
  // A dash between negative numbers reads as one more sign.
  return figure.range(figure.low.starts_with('-') ? " to " : "–") +
         (figure.unit.empty() ? "" : " " + figure.unit) +
         (figure.evidence.empty() ? "" : " · " + figure.evidence);
}

std::string range_span(const Figure& figure) {
  const std::string text = range_text(figure);
  if (text.empty()) return "";
  return html_element(
      "span", text,
      " class=\"range\"" + (figure.source.empty() ? "" : html_attribute("title", figure.source)));
}

std::string chart_figure(const ShownChart& chart) {
  return "<figure class=\"chart\"" + html_attribute("data-chart", chart.key) + ">" +
         html_element("figcaption", chart.title) + "<div class=\"plot\"></div></figure>\n";
}

std::string charts_for(const Outline& outline, const std::string& path) {
  std::string out;
  for (const ShownChart* chart : outline.charts_of(path)) out += chart_figure(*chart);
  return out;
}

std::string definition(const ShownValue& value) {
  const Figure figure = show(value);
  std::string out =
      html_element("dt", value.label) + "<dd" + html_attribute("data-key", value.path) + ">" +
      html_element("span", figure.with_unit(), " class=\"value\"") + " " + range_span(figure);
  if (!value.why.empty()) out += html_element("p", value.why, " class=\"why\"");
  return out + "</dd>\n";
}

// In a table the evidence of every cell would crowd out the numbers: it stands before the source,
// which shows when one points at the range.
std::string cell_of(Figure figure, const Datum& datum) {
  if (!figure.is_number) return html_element("td", figure.text);
  if (!figure.evidence.empty())
    figure.source = figure.evidence + (figure.source.empty() ? "" : ": " + figure.source);
  figure.evidence.clear();
  const std::string range = figure.low.empty() ? "" : " " + range_span(figure);
  return "<td class=\"num\"" + html_attribute("data-value", base::shortest(datum.number())) + ">" +
         html_escaped(figure.text) + range + "</td>";
}

std::string table_of(const ShownTable& table) {
  std::vector<FigureColumn> columns;
  std::string out = "<table class=\"sortable\"><thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns.push_back(show_column(table, c, std::numeric_limits<std::size_t>::max()));
    const FigureColumn& column = columns.back();
    out += html_element("th", column.label + (column.unit.empty() ? "" : " (" + column.unit + ")"),
                        std::string(" scope=\"col\"") + (column.is_number ? " class=\"num\"" : ""));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    out += "<tr>";
    for (std::size_t c = 0; c < columns.size(); ++c)
      out += cell_of(columns[c].cells[i], table.rows[i][c]);
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string series_summary(const ShownSeries& series) {
  if (series.values.empty()) return "<p>No values.</p>\n";
  const auto [low, high] = std::minmax_element(series.values.begin(), series.values.end());
  return html_element("p",
                      fmt::format("{} to {}; {} values from {}", show_number(*low, series.unit),
                                  show_number(*high, series.unit), show_count(series.values.size()),
                                  show_instant(series.start))) +
         "\n";
}

// A table or series with its charts, below a heading of its own.
std::string block(const Item& item, const Outline& outline, std::string_view heading) {
  if (const auto* series = std::get_if<ShownSeries>(&item))
    return html_element(heading, series->title) + "\n" + series_summary(*series) +
           charts_for(outline, series->path);
  const ShownTable& table = std::get<ShownTable>(item);
  std::string out = html_element(heading, table.title) + "\n";
  if (table.hidden || table.columns.empty())
    out += html_element("p", show_count(table.rows.size()) +
                                 " rows, in the data of this page and in the JSON form.") +
           "\n";
  else
    out += table_of(table);
  return out + charts_for(outline, table.path);
}

std::string list(const std::string& title, const char* name,
                 const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string out =
      fmt::format("<section class=\"{}\">", name) + html_element("h2", title) + "<ul>";
  for (const std::string& text : texts) out += html_element("li", text);
  return out + "</ul></section>\n";
}

std::string header_row(std::initializer_list<const char*> labels) {
  std::string out = "<thead><tr>";
  for (const char* label : labels) out += html_element("th", label, " scope=\"col\"");
  return out + "</tr></thead>\n";
}

std::string text_row(std::initializer_list<std::string> cells) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += html_element("td", cell);
  return out + "</tr>\n";
}

}  // namespace

std::string html_headline(const Outline& outline) {
  std::string cards;
  for (const ShownValue* value : outline.headlines()) {
    const Figure figure = show(*value);
    cards += "<div class=\"card\"" + html_attribute("data-key", value->path) + " tabindex=\"0\">" +
             html_element("span", value->label, " class=\"label\"") +
             html_element("span", figure.with_unit(), " class=\"value\"") + range_span(figure);
    if (!value->why.empty()) cards += html_element("span", value->why, " class=\"why\"");
    cards += "</div>\n";
  }
  return cards.empty() ? "" : "<div class=\"headline\">\n" + cards + "</div>\n";
}

std::string html_section(const Section& section, const Outline& outline) {
  const bool in_group = !section.title.empty();
  std::string out, definitions;
  const auto flush = [&] {
    if (!definitions.empty()) out += "<dl class=\"values\">\n" + definitions + "</dl>\n";
    definitions.clear();
  };
  for (const Item& item : section.items) {
    if (const auto* value = std::get_if<ShownValue>(&item)) {
      if (!value->headline) definitions += definition(*value);
      continue;
    }
    flush();
    // Tables of the root stand in sections of their own, so that each has its h2.
    if (!in_group && !out.empty()) out += "</section>\n<section>";
    out += block(item, outline, in_group ? "h3" : "h2");
  }
  flush();
  if (out.empty()) return "";
  return "<section>" + (in_group ? html_element("h2", section.title) + "\n" : "") + out +
         "</section>\n";
}

std::string html_loose_charts(const Outline& outline) {
  std::string figures;
  for (const ShownChart* chart : outline.loose_charts()) figures += chart_figure(*chart);
  return figures.empty() ? "" : "<section><h2>Charts</h2>\n" + figures + "</section>\n";
}

std::string html_remarks(const Outline& outline) {
  std::string out = list("Notices", "notices", outline.notices) +
                    list("Not included", "not-included", outline.not_included);
  if (!outline.assumed.empty()) {
    out += "<section class=\"assumed\"><h2>Assumed</h2><table>" +
           header_row({"What", "Value", "Source"}) + "<tbody>\n";
    for (const ShownAssumption& a : outline.assumed) out += text_row({a.key, a.value, a.source});
    out += "</tbody></table></section>\n";
  }
  return out;
}

std::string html_derivations(const Outline& outline) {
  if (outline.derivations.empty()) return "";
  std::string out =
      "<details class=\"derivations\"><summary>How the numbers came about</summary>\n";
  for (const ShownDerivation& derivation : outline.derivations) {
    out += html_element("h3", derivation.key) + "<p>" + html_element("code", derivation.formula) +
           "</p>\n";
    if (!derivation.inputs.empty()) {
      out += "<table>" + header_row({"Symbol", "Value", "From", "Source"}) + "<tbody>\n";
      for (const ShownInput& input : derivation.inputs)
        out += text_row({input.symbol, input.value + (input.unit.empty() ? "" : " " + input.unit),
                         input.key, input.source});
      out += "</tbody></table>\n";
    }
    if (derivation.drivers.empty()) continue;
    out += "<table>" +
           header_row({"Driver of the uncertainty", "Share of rank variance", "Source"}) +
           "<tbody>\n";
    for (const ShownDriver& driver : derivation.drivers)
      out += text_row(
          {driver.id, show_number(driver.share, {1, base::kDimensionless, true}), driver.source});
    out += "</tbody></table>\n";
  }
  return out + "</details>\n";
}

std::string html_provenance(const Outline& outline) {
  std::string out = "<section class=\"provenance\"><h2>Provenance</h2>\n<dl>";
  const auto line = [&](const char* label, const std::string& text) {
    if (!text.empty()) out += html_element("dt", label) + html_element("dd", text);
  };
  line("Command", outline.command_line);
  line("Version", outline.version);
  line("Started", show_instant(outline.started));
  if (outline.wall_s > 0) line("Took", show_number(outline.wall_s, {1, base::kTime, false}));
  line("Seed", outline.seed);
  if (outline.threads > 0) line("Threads", std::to_string(outline.threads));
  line("Instruction set", outline.isa);
  for (const std::string& text : outline.overrides) line("Set", text);
  out += "</dl>\n";
  if (!outline.inputs.empty()) {
    out += "<table>" + header_row({"Input", "SHA-256"}) + "<tbody>\n";
    for (const ShownFile& file : outline.inputs) out += text_row({file.path, file.sha256});
    out += "</tbody></table>\n";
  }
  if (!outline.facts.empty()) {
    out += "<table>" + header_row({"Fact", "Value", "Source", "Origin"}) + "<tbody>\n";
    for (const ShownFact& fact : outline.facts)
      out += text_row({fact.id, fact.value + (fact.unit.empty() ? "" : " " + fact.unit),
                       fact.source, fact.origin});
    out += "</tbody></table>\n";
  }
  return out + "</section>\n";
}

}  // namespace greenline::render
