#include "io/csv.hpp"

#include "base/quantity_text.hpp"
#include "render/document.hpp"
#include "render/outline.hpp"
#include "render/text.hpp"

namespace greenline::render {
namespace {

std::string number_text(double x) { return base::shortest(x); }

std::string plain_text(const io::Value& value) {
  if (value.is_null()) return "";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_int()) return std::to_string(value.as_int());
  if (value.is_double()) return number_text(value.as_double());
  return printable(value.as_text());
}

std::string unit_symbol(const KeyUnit& unit) { return base::file_unit(unit.dimension).symbol; }

void write_datum(std::string& out, const std::string& path, const std::string& index,
                 const Datum& datum, const KeyUnit& unit) {
  std::vector<std::string> fields{
      path, index, plain_text(*datum.value), datum.is_number() ? unit_symbol(unit) : "", "",
      "",   ""};
  if (datum.range) {
    fields[4] = number_text(datum.range->low);
    fields[5] = number_text(datum.range->high);
    fields[6] = datum.range->evidence;
  }
  out += io::csv_line(fields);
}

void write_item(std::string& out, const ShownValue& value) {
  write_datum(out, value.path, "", value.datum, value.unit);
}

void write_item(std::string& out, const ShownTable& table) {
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      write_datum(out, table.path + "." + table.columns[c].key, std::to_string(i), table.rows[i][c],
                  table.columns[c].unit);
}

void write_item(std::string& out, const ShownSeries& series) {
  out += io::csv_line({series.path + ".start", "", series.start, "", "", "", ""});
  out += io::csv_line({series.path + ".step_s", "", number_text(series.step_s), "s", "", "", ""});
  for (std::size_t i = 0; i < series.values.size(); ++i)
    out += io::csv_line({series.path, std::to_string(i), number_text(series.values[i]),
                         unit_symbol(series.unit), "", "", ""});
}

}  // namespace

std::string csv(const io::Value& document) {
  const Outline outline = read_outline(document);
  std::string out = io::csv_line({"path", "index", "value", "unit", "low", "high", "evidence"});
  for (const Section& section : outline.sections)
    for (const Item& item : section.items)
      std::visit([&](const auto& x) { write_item(out, x); }, item);
  return out;
}

}  // namespace greenline::render
