#include "base/error.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace greenline::base {
namespace {

std::string what_text(const std::string& message, const std::string& hint, const Location& where) {
  std::string text = where.text();
  if (!text.empty()) text += ": ";
  text += message;
  if (!hint.empty()) text += "; " + hint;
  return text;
}

// Case and the choice between '-' and '_' are the commonest slips, so they cost nothing.
std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// Optimal string alignment distance: insert, delete, replace, swap of neighbours, one each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

// Control bytes and what is not UTF-8 as \xNN: a message must not break a terminal or a JSON file.
std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = first_character(text).size;
    if (size == 0 || first < 0x20 || first == 0x7f) {
      out += fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
    } else {
      out.append(text.substr(0, size));
      text.remove_prefix(size);
    }
  }
  return out;
}

}  // namespace

std::string Location::text() const {
  std::string out = file;
  const auto append = [&out](std::size_t number, const char* word) {
    if (number == 0) return;
    out += out.empty() ? fmt::format("{} {}", word, number) : fmt::format(":{}", number);
  };
  append(line, "line");
  if (line != 0) append(column, "column");
  return out;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::user:
      return 2;
    case ErrorKind::data:
      return 3;
    case ErrorKind::unsupported:
      return 4;
    case ErrorKind::internal:
      break;
  }
  return 70;
}

Error::Error(ErrorKind kind, std::string code, std::string message, std::string hint,
             Location where)
    : std::runtime_error(what_text(message, hint, where)),
      kind_(kind),
      code_(std::move(code)),
      message_(std::move(message)),
      hint_(std::move(hint)),
      where_(std::move(where)) {}

UserError::UserError(std::string code, std::string message, std::string hint, Location where)
    : Error(ErrorKind::user, std::move(code), std::move(message), std::move(hint),
            std::move(where)) {}

DataError::DataError(std::string code, std::string message, std::string hint, Location where)
    : Error(ErrorKind::data, std::move(code), std::move(message), std::move(hint),
            std::move(where)) {}

UnsupportedError::UnsupportedError(std::string code, std::string message, std::string hint,
                                   Location where)
    : Error(ErrorKind::unsupported, std::move(code), std::move(message), std::move(hint),
            std::move(where)) {}

InternalError::InternalError(std::string message)
    : Error(ErrorKind::internal, "internal", std::move(message),
            "this is a bug in Greenline: please report it with the command that led here") {}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 80, kTail = 20;
  if (text.size() <= kMost) return "\"" + printable(text) + "\"";
  std::size_t head = kMost - kTail, tail = text.size() - kTail;
  while (head > 0 && is_utf8_continuation(text[head])) --head;
  while (tail < text.size() && is_utf8_continuation(text[tail])) ++tail;
  return "\"" + printable(text.substr(0, head)) + "..." + printable(text.substr(tail)) + "\"";
}

std::vector<std::string> nearest(std::string_view given, std::span<const std::string> known,
                                 std::size_t most) {
  // No name of ours is longer; the bound keeps the distance table small for any input.
  constexpr std::size_t kLongestName = 128;
  if (given.empty() || given.size() > kLongestName) return {};
  const std::string wanted = folded(given);
  const std::size_t tolerance =
      wanted.size() == 1 ? 0 : std::max<std::size_t>(1, wanted.size() / 3);

  std::vector<std::tuple<std::size_t, bool, std::string>> ranked;
  for (const std::string& name : known) {
    if (name.size() > kLongestName) continue;
    const std::string candidate = folded(name);
    std::size_t distance = edit_distance(wanted, candidate);
    // Part of a name is how people abbreviate ("h100" for "h100-sxm"): nearer than any one slip.
    const bool is_part = wanted.size() >= 3 && candidate.find(wanted) != std::string::npos;
    if (is_part) distance = std::min<std::size_t>(distance, 1);
    if (distance <= tolerance) ranked.emplace_back(distance, !is_part, name);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());

  std::vector<std::string> out;
  for (const auto& [distance, is_slip, name] : ranked) {
    // A name that differs in case only leaves no doubt: no others beside it.
    const bool is_worse_than_certain = std::get<0>(ranked.front()) == 0 && distance > 0;
    if (out.size() == most || is_worse_than_certain) break;
    out.push_back(name);
  }
  return out;
}

UserError unknown_name(std::string_view what, std::string_view given,
                       std::span<const std::string> known, std::string hint, Location where) {
  constexpr std::size_t kFew = 12;
  std::string message = fmt::format("unknown {} {}", what, quoted(given));
  const std::vector<std::string> near = nearest(given, known);
  if (!near.empty()) {
    message += fmt::format("; nearest: {}", fmt::join(near, ", "));
  } else if (!known.empty() && known.size() <= kFew) {
    message += fmt::format("; known: {}", fmt::join(known, ", "));
  }
  std::string code = fmt::format("unknown-{}", what);
  std::replace(code.begin(), code.end(), ' ', '-');
  return UserError(std::move(code), std::move(message), std::move(hint), std::move(where));
}

namespace detail {

void check_failed(const char* file, int line, const char* expression, std::string left,
                  std::string right) {
  throw InternalError(
      fmt::format("{}:{}: expected {}, got {} and {}", file, line, expression, left, right));
}

std::string printed(double x) { return fmt::format("{}", x); }
std::string printed(std::string_view x) { return quoted(x); }

}  // namespace detail
}  // namespace greenline::base
