// Any bytes are a table or a DataError. What is a table keeps its cells when written and read
// again.
#include "io/csv.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "require.hpp"

using namespace greenline;

namespace {

template <class F>
void may_refuse(F f) {
  try {
    f();
  } catch (const base::DataError& error) {
    require(!error.code().empty() && !error.message().empty());
  }
}

std::vector<std::string> row_of(const io::CsvTable& table, std::size_t row) {
  std::vector<std::string> fields;
  for (std::size_t column = 0; column < table.num_columns(); ++column)
    fields.emplace_back(table.cell(row, column));
  return fields;
}

void check_round_trip(const io::CsvTable& table) {
  std::string text = io::csv_line(table.header());
  for (std::size_t row = 0; row < table.num_rows(); ++row) text += io::csv_line(row_of(table, row));
  const io::CsvTable again = io::parse_csv(text, "again");
  require(again.header() == table.header());
  require(again.num_rows() == table.num_rows());
  for (std::size_t row = 0; row < table.num_rows(); ++row)
    require(row_of(again, row) == row_of(table, row));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  may_refuse([&] {
    const io::CsvTable table =
        io::parse_csv(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    check_round_trip(table);
    for (const std::string& column : table.header()) {
      may_refuse([&] { table.numbers(column, 0.0); });
      may_refuse([&] { table.integers(column); });
      may_refuse([&] { table.instants(column); });
    }
    if (table.num_rows() > 0)
      require(table.where(table.num_rows() - 1, table.num_columns() - 1).line > 0);
  });
  return 0;
}
