#include <map>

#include <fmt/format.h>

#include "plan/calibrate.hpp"

namespace greenline::plan {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string note_of(const CalibrateResult& x) {
  std::string note =
      fmt::format("fitted to {} runs, mean error {}", x.rows.size(), percent(x.error));
  if (x.held_out_error)
    note += fmt::format(", {} on a model size that was left out", percent(*x.held_out_error));
  return note;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

// A number, or a text of number and unit.
std::string figure(const std::string& value, const std::string& unit) {
  return unit == "1" ? value : quoted(value + " " + unit);
}

// Tables of the file: [kind."entry"], property = value.
class Tables {
 public:
  void set(const std::string& kind, const std::string& id, std::string value) {
    const std::size_t dot = id.rfind('.');
    tables_[{kind, id.substr(0, dot)}][id.substr(dot + 1)] = std::move(value);
  }

  // As the user's file has it.
  void keep(const catalog::Fact& fact) {
    if (fact.is_text()) return set(fact.kind, fact.id, quoted(fact.text));
    const double unit = fact.value.value == 0 ? 1 : fact.value.value / std::stod(fact.text);
    std::string text = fmt::format("{{ value = {}", figure(fact.text, fact.unit));
    const auto bound = [&](const char* name, const std::optional<double>& x) {
      if (x)
        text += fmt::format(", {} = {}", name, figure(fmt::format("{}", *x / unit), fact.unit));
    };
    bound("low", fact.low);
    bound("high", fact.high);
    text += ", source = " + quoted(fact.source);
    if (!fact.note.empty()) text += ", note = " + quoted(fact.note);
    set(fact.kind, fact.id, text + " }");
  }

  void fit(const std::string& id, double value, const std::string& unit, std::optional<double> low,
           std::optional<double> high, const std::string& note) {
    std::string text = fmt::format("{{ value = {}", figure(fmt::format("{}", value), unit));
    if (low) text += fmt::format(", low = {}", figure(fmt::format("{}", *low), unit));
    if (high) text += fmt::format(", high = {}", figure(fmt::format("{}", *high), unit));
    set("efficiency", id,
        text + fmt::format(", source = \"plan calibrate\", note = {} }}", quoted(note)));
  }

  std::string text() const {
    std::string out;
    for (const auto& [table, properties] : tables_) {
      out += fmt::format("\n[{}.{}]\n", table.first, quoted(table.second));
      for (const auto& [property, value] : properties)
        out += fmt::format("{} = {}\n", property, value);
    }
    return out;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::string>> tables_;
};

}  // namespace

std::string system_file_text(const CalibrateResult& x) {
  const std::string note = note_of(x);
  Tables tables;
  for (const catalog::Fact& fact : x.inherited) tables.keep(fact);
  tables.set("nodes", x.system + ".name", quoted(x.system + ", calibrated"));
  for (const CalibratedConstant& c : x.constants)
    tables.fit(c.id, c.fitted, c.unit, c.low, c.high, note);
  tables.fit(fmt::format("plan.{}.time", x.generation), 1, "1", x.fastest, x.slowest,
             "measured over modelled time, 5th and 95th percentile of those runs");
  return fmt::format(
             "# A machine for --system, written by `greenline plan calibrate`.\n"
             "# Constants of {} devices {}{}.\n",
             x.generation, note, x.interrupted ? "; the fit was interrupted" : "") +
         tables.text();
}

}  // namespace greenline::plan
