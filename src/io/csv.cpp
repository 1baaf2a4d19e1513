#include "io/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "io/blanks.hpp"
#include "io/place_cursor.hpp"

namespace greenline::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kSeparators = ",;\t";  // the first wins a tie

// A name of the header takes some 50 times the memory of its separator, so a line of separators
// alone must not decide how many there are.
constexpr std::size_t kMostColumns = std::size_t{1} << 20;

// Calls f(character, offset) for each character of the first line that stands outside quotes; a
// line break inside quotes does not end the line. Returns the offset of its end.
template <class F>
std::size_t for_each_unquoted(std::string_view text, F f) {
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    f(c, i);
  }
  return i;
}

struct Separator {
  char symbol;
  std::size_t num_fields;
};

// The most frequent candidate outside quotes in the first line.
Separator detect_separator(std::string_view text) {
  std::array<std::size_t, kSeparators.size()> num_found{};
  for_each_unquoted(text, [&](char c, std::size_t) {
    const std::size_t kind = kSeparators.find(c);
    if (kind != std::string_view::npos) ++num_found[kind];
  });
  const auto most = std::max_element(num_found.begin(), num_found.end());
  return {kSeparators[static_cast<std::size_t>(most - num_found.begin())], *most + 1};
}

bool is_number(std::string_view field) {
  if (field.ends_with('\r')) field.remove_suffix(1);
  field = without_blanks(field);
  double ignored;
  const char* end = field.data() + field.size();
  return !field.empty() && std::from_chars(field.data(), end, ignored).ptr == end;
}

}  // namespace

// Fills a table in one pass over the text.
class CsvReader {
 public:
  CsvReader(std::string text, std::string name) {
    table_.text_ = std::move(text);
    table_.name_ = std::move(name);
  }

  CsvTable read() {
    check_text();
    find_header();
    table_.separator_ = detect_separator(std::string_view(table_.text_).substr(pos_)).symbol;
    set_stops();
    read_header();
    reserve();
    while (pos_ < table_.text_.size()) read_row();
    return std::move(table_);
  }

 private:
  using Cell = CsvTable::Cell;

  void check_text() {
    std::string& text = table_.text_;
    if (text.size() > std::numeric_limits<std::uint32_t>::max())
      throw base::DataError("too-large", "the table is larger than 4 GiB", "",
                            {table_.name_, 0, 0});
    const std::size_t nul = text.find('\0');
    if (nul != std::string::npos)
      fail("nul-byte", nul, "a NUL byte: this is no text",
           text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") || nul <= 1
               ? "UTF-16? Save it as UTF-8"
               : "");
    // Line breaks at the end make no rows. Cutting them also leaves one NUL, the terminator of the
    // string, as the sentinel at which every scan stops.
    text.resize(text.find_last_not_of("\r\n") + 1);
  }

  // Sets pos_ and line_ to the header.
  void find_header() {
    const std::string& text = table_.text_;
    if (text.starts_with(kByteOrderMark)) pos_ = kByteOrderMark.size();
    while (pos_ < text.size()) {
      const std::string_view line = line_at(pos_);
      const std::size_t next = pos_ + line.size() + 1;
      const bool blank =
          without_blanks(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line).empty();
      if (!blank && (line.front() != '#' || is_header_before_data(line, next))) return;
      pos_ = next;
      ++line_;
    }
    throw base::DataError("empty-file", "the table has no header", "", {table_.name_, 0, 0});
  }

  // Up to the line feed; quotes do not matter.
  std::string_view line_at(std::size_t begin) const {
    const std::string_view text = table_.text_;
    return text.substr(begin, text.find('\n', begin) - begin);
  }

  // Whether a '#' line names the columns of the line at `next`.
  bool is_header_before_data(std::string_view line, std::size_t next) const {
    if (next >= table_.text_.size()) return false;
    const std::string_view data = line_at(next);
    if (data.starts_with('#')) return false;
    const Separator separator = detect_separator(line);
    std::size_t num_fields = 1, begin = 0;
    bool any_number = false;
    const auto end_field = [&](std::size_t end) {
      any_number = any_number || is_number(data.substr(begin, end - begin));
      begin = end + 1;
    };
    const std::size_t end = for_each_unquoted(data, [&](char c, std::size_t i) {
      if (c != separator.symbol) return;
      ++num_fields;
      end_field(i);
    });
    end_field(end);
    return num_fields > 1 && num_fields == separator.num_fields && any_number;
  }

  void set_stops() {
    for (const char c : {'\0', '\n', '\r', '"', table_.separator_})
      stops_[static_cast<unsigned char>(c)] = true;
  }

  void read_header() {
    table_.header_line_ = line_;
    check_width();
    read_record();
    for (const Cell& cell : table_.cells_) {
      const std::string_view name(table_.text_.data() + cell.begin, cell.size);
      table_.header_.emplace_back(table_.is_quoted(cell) ? name : without_blanks(name));
    }
    check_names();
    table_.cells_.clear();
  }

  // Room for the rows that the line breaks promise, within a fourth of the text: a promise may be a
  // lie.
  void reserve() {
    const std::string& text = table_.text_;
    const auto num_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const std::size_t most = text.size() / 4 + 1;
    table_.rows_.reserve(std::min(num_lines, most));
    table_.cells_.reserve(std::min(num_lines * table_.header_.size(), most));
  }

  void check_width() const {
    std::size_t num_columns = 1, excess = std::string::npos;
    for_each_unquoted(std::string_view(table_.text_).substr(pos_), [&](char c, std::size_t i) {
      if (c == table_.separator_ && ++num_columns == kMostColumns + 1) excess = pos_ + i;
    });
    if (excess == std::string::npos) return;
    fail("too-many-columns", excess,
         fmt::format("the header has {} columns; at most {} are read", num_columns, kMostColumns),
         "is this a table with one row per line?");
  }

  void check_names() const {
    const std::vector<std::string>& names = table_.header_;
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    for (std::size_t i = 1; i < order.size(); ++i) {
      const std::size_t first = order[i - 1], again = order[i];
      if (names[first] != names[again]) continue;
      fail("duplicate-column", table_.cells_[again].begin,
           fmt::format("columns {} and {} are both called {}", first + 1, again + 1,
                       base::quoted(names[first])));
    }
  }

  void read_row() {
    const std::size_t begin = pos_;
    const std::uint32_t line = line_;
    read_record();
    if (num_fields_ != table_.header_.size()) ragged_row(begin, num_fields_);
    table_.rows_.push_back({static_cast<std::uint32_t>(begin), line});
  }

  [[noreturn]] void ragged_row(std::size_t begin, std::size_t got) const {
    const char c = table_.separator_;
    fail("ragged-row", begin,
         fmt::format("row {}: expected {} field{} separated by {}, as in the header, got {}",
                     table_.rows_.size() + 1, table_.header_.size(),
                     table_.header_.size() == 1 ? "" : "s",
                     c == '\t' ? std::string("tabs") : fmt::format("'{}'", c), got));
  }

  // Appends the cells of the record at pos_ and moves past its line break.
  void read_record() {
    const char* const data = table_.text_.data();
    num_fields_ = 0;
    while (true) {
      const std::size_t end = data[pos_] == '"' ? read_quoted() : read_plain();
      pos_ = end + 1;
      if (data[end] == table_.separator_) continue;
      if (data[end] == '\r') {
        if (data[end + 1] != '\n')
          fail("bare-carriage-return", end, "a carriage return without a line feed",
               "end lines with LF or CRLF");
        ++pos_;
      }
      ++line_;
      return;
    }
  }

  // Both append one cell and return the offset of what ended it: separator, CR, LF or the end of
  // the text.
  std::size_t read_plain() {
    const char* const data = table_.text_.data();
    std::size_t end = pos_;
    while (!stops_[static_cast<unsigned char>(data[end])]) ++end;
    if (data[end] == '"')
      fail("bad-quote", end, "a quote inside a field that does not start with one",
           "quote the whole field and double the quotes inside it");
    append(pos_, end);
    return end;
  }

  std::size_t read_quoted() {
    char* const data = table_.text_.data();
    const std::size_t size = table_.text_.size(), begin = pos_ + 1;
    std::size_t from = begin, to = begin;  // doubled quotes close up in place
    while (true) {
      const void* found = std::memchr(data + from, '"', size - from);
      if (found == nullptr)
        fail("open-quote", pos_, "this quote is never closed",
             "a quote inside a quoted field is written twice");
      const std::size_t quote = static_cast<std::size_t>(static_cast<const char*>(found) - data);
      if (to != from) std::memmove(data + to, data + from, quote - from);
      to += quote - from;
      from = quote + 1;
      if (data[from] != '"') break;
      data[to++] = '"';
      ++from;
    }
    line_ += static_cast<std::uint32_t>(std::count(data + begin, data + to, '\n'));
    fill_gap(begin, to, from);
    const char next = data[from];
    if (next != table_.separator_ && next != '\n' && next != '\r' && next != '\0')
      fail("bad-quote", from, "text after the quote that closes a field",
           "a quote inside a quoted field is written twice");
    append(begin, to);
    return from;
  }

  // Places are found by counting in the text, so the bytes [to, from) that closing up [begin, to)
  // left over must count as the quotes that went. Those before the last line break of the field
  // count no more: they become continuation bytes, which take no column.
  void fill_gap(std::size_t begin, std::size_t to, std::size_t from) {
    char* const data = table_.text_.data();
    const std::string_view field(data + begin, to - begin);
    const std::size_t last_line = field.rfind('\n') + 1;  // 0 when there is no line break
    const auto num_counted = static_cast<std::size_t>(
        std::count(field.begin() + static_cast<std::ptrdiff_t>(last_line), field.end(), '"'));
    const std::size_t closing = 1;
    std::fill(data + to, data + from, '"');
    std::fill(data + to, data + from - closing - num_counted, '\x80');
  }

  // Fields beyond those of the header are counted for the message and not kept.
  void append(std::size_t begin, std::size_t end) {
    ++num_fields_;
    if (!table_.header_.empty() && num_fields_ > table_.header_.size()) return;
    table_.cells_.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)});
  }

  [[noreturn]] void fail(std::string code, std::size_t offset, std::string message,
                         std::string hint = "") const {
    PlaceCursor cursor(table_.text_);
    cursor.step_to(offset);
    throw base::DataError(std::move(code), std::move(message), std::move(hint),
                          {table_.name_, cursor.place().line, cursor.place().column});
  }

  CsvTable table_;
  std::array<bool, 256> stops_{};
  std::size_t pos_ = 0, num_fields_ = 0;  // num_fields_: of the record that is being read
  std::uint32_t line_ = 1;
};

CsvTable parse_csv(std::string text, std::string name) {
  return CsvReader(std::move(text), std::move(name)).read();
}

std::string csv_line(const std::vector<std::string>& fields) {
  constexpr std::string_view kSpecial = ",;\t\"\r\n";
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    if (i != 0) line += ',';
    const bool looks_blank = field.empty() && fields.size() == 1;
    const bool looks_like_note =
        i == 0 && (field.starts_with('#') || field.starts_with(kByteOrderMark));
    const bool has_margin = without_blanks(field).size() != field.size();
    if (looks_blank || looks_like_note || has_margin ||
        field.find_first_of(kSpecial) != std::string::npos) {
      line += '"';
      for (const char c : field) line.append(c == '"' ? 2 : 1, c);
      line += '"';
    } else {
      line += field;
    }
  }
  line += '\n';
  return line;
}

}  // namespace greenline::io
