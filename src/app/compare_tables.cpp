#include "app/compare_tables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "render/text.hpp"

namespace greenline::app {
namespace {

using render::Datum;
using render::ShownTable;

// Text, yes or no, or a whole number without unit: what names a row rather than measures it.
bool names(const Datum& cell, const render::KeyUnit& unit) {
  if (cell.value->is_text() || cell.value->is_bool()) return true;
  return cell.value->is_int() && unit.dimension == base::kDimensionless && !cell.range;
}

std::string text_of(const Datum& cell) {
  if (cell.value->is_bool()) return cell.value->as_bool() ? "yes" : "no";
  if (cell.value->is_int()) return std::to_string(cell.value->as_int());
  return render::printable(cell.value->as_text());
}

bool is_name_column(const ShownTable& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
    return names(row[column], table.columns[column].unit);
  });
}

// The first `num_columns` cells of each row, joined.
std::vector<std::string> keys_of(const ShownTable& table, std::size_t num_columns) {
  std::vector<std::string> keys;
  for (const auto& row : table.rows) {
    std::string& key = keys.emplace_back();
    for (std::size_t c = 0; c < num_columns; ++c) key += (c == 0 ? "" : ", ") + text_of(row[c]);
  }
  return keys;
}

bool are_unique(const std::vector<std::string>& keys) {
  return std::set<std::string>(keys.begin(), keys.end()).size() == keys.size();
}

std::vector<std::string> numbers_of(const ShownTable& table) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < table.rows.size(); ++i) keys.push_back(std::to_string(i));
  return keys;
}

}  // namespace

std::vector<RowPair> joined_rows(const ShownTable& a, const ShownTable& b) {
  std::vector<std::string> keys_a = numbers_of(a), keys_b = numbers_of(b);
  for (std::size_t c = 0; c < std::min(a.columns.size(), b.columns.size()); ++c) {
    if (a.columns[c].key != b.columns[c].key || !is_name_column(a, c) || !is_name_column(b, c))
      break;
    auto longer_a = keys_of(a, c + 1), longer_b = keys_of(b, c + 1);
    if (!are_unique(longer_a) || !are_unique(longer_b)) continue;
    keys_a = std::move(longer_a);
    keys_b = std::move(longer_b);
    break;
  }
  std::map<std::string, std::size_t> rows_b;
  for (std::size_t i = 0; i < keys_b.size(); ++i) rows_b[keys_b[i]] = i;
  std::vector<RowPair> pairs;
  for (std::size_t i = 0; i < keys_a.size(); ++i) {
    const auto found = rows_b.find(keys_a[i]);
    pairs.push_back({keys_a[i], i, std::nullopt});
    if (found == rows_b.end()) continue;
    pairs.back().b = found->second;
    rows_b.erase(found);
  }
  for (std::size_t i = 0; i < keys_b.size(); ++i)
    if (rows_b.count(keys_b[i]) != 0) pairs.push_back({keys_b[i], std::nullopt, i});
  return pairs;
}

}  // namespace greenline::app
