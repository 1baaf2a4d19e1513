#include "render/chart_data.hpp"

#include <map>

#include "render/figures.hpp"
#include "render/text.hpp"

namespace greenline::render {

std::optional<double> ChartColumn::number(std::size_t row) const {
  if (!at(row).is_number()) return std::nullopt;
  return at(row).number();
}

std::string ChartColumn::text(std::size_t row) const {
  const Datum& datum = at(row);
  if (datum.is_number()) return show_number(datum.number(), shown().unit);
  if (datum.value->is_bool()) return datum.value->as_bool() ? "yes" : "no";
  return datum.value->is_text() ? show_instant(printable(datum.value->as_text())) : "n/a";
}

bool ChartColumn::truth(std::size_t row) const {
  return at(row).value->is_bool() && at(row).value->as_bool();
}

std::optional<ChartColumn> chart_column(const Outline& outline, const std::string& path) {
  for (const Section& section : outline.sections) {
    for (const Item& item : section.items) {
      const auto* table = std::get_if<ShownTable>(&item);
      if (table == nullptr || !path.starts_with(table->path + ".")) continue;
      for (std::size_t c = 0; c < table->columns.size(); ++c)
        if (path == table->path + "." + table->columns[c].key) return ChartColumn{table, c};
    }
  }
  return std::nullopt;
}

std::string mark_of(std::size_t index) {
  constexpr std::string_view kMarks = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return std::string(1, index < kMarks.size() ? kMarks[index] : '*');
}

Categories categories_of(const ChartColumn& column) {
  Categories out;
  std::map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto [at, is_new] = index.emplace(column.text(i), out.names.size());
    if (is_new) out.names.push_back(at->first);
    out.of_row.push_back(at->second);
  }
  return out;
}

}  // namespace greenline::render
