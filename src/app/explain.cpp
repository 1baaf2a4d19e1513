#include "app/explain.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/result_file.hpp"
#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "verb/expression.hpp"

namespace greenline::app {
namespace {

struct ExplainRequest {
  base::Settings settings;
  std::string file, key;
};

struct Input {
  std::string symbol, key, unit, source;
  double value = 0;  // in `unit`
};
struct Driver {
  std::string id, source;
  double share = 0;
};
struct Explanation {
  std::string key, formula;
  base::AnyQuantity printed;                  // as the file has it
  std::optional<base::AnyQuantity> computed;  // by the formula, when there is one
  std::optional<double> difference;           // relative, of the two
  std::vector<Input> inputs;
  std::vector<Driver> drivers;  // strongest first
};
struct ExplainResult {
  std::vector<Explanation> explanations;
  bool one = false;  // a key was given
};

std::string text_of(const io::Value& object, std::string_view key) {
  const io::Value* member = object.find(key);
  return member != nullptr && member->is_text() ? member->as_text() : "";
}

double number_of(const io::Value& object, std::string_view key) {
  const io::Value* member = object.find(key);
  if (member == nullptr || !member->is_number())
    throw base::DataError("not-a-result",
                          fmt::format("a derivation without the number \"{}\"", key), "",
                          object.where());
  return member->as_double();
}

const io::Value::Array& list_of(const io::Value& object, std::string_view key) {
  static const io::Value::Array kNone;
  const io::Value* member = object.find(key);
  return member != nullptr && member->is_array() ? member->as_array() : kNone;
}

// Inputs are named by their symbols; all other names are paths of the result.
verb::Lookup lookup_of(const std::vector<Input>& inputs, const io::Value& result) {
  return [&inputs, from_result = verb::lookup_in(result)](std::string_view name) {
    for (const Input& input : inputs) {
      if (input.symbol != name) continue;
      const base::AnyQuantity unit =
          input.unit.empty() ? base::AnyQuantity(1.0) : base::parse_unit(input.unit);
      return verb::ExpressionValue::number(input.value * unit.value, unit.dimension);
    }
    return from_result(name);
  };
}

double relative_difference(double a, double b) {
  const double scale = std::max(std::fabs(a), std::fabs(b));
  return scale == 0 ? 0 : std::fabs(a - b) / scale;
}

base::AnyQuantity single(const verb::ExpressionValue& value, const std::string& key) {
  if (value.is_column || value.text)
    throw base::DataError("not-a-result",
                          fmt::format("the derivation of \"{}\" gives no single number", key));
  return {value.values.front(), value.dimension};
}

void compute_again(Explanation& e, const io::Value& result) {
  if (e.formula.empty()) return;
  e.computed = single(verb::evaluate(e.formula, lookup_of(e.inputs, result)), e.key);
  if (e.computed->dimension != e.printed.dimension)
    throw base::DataError("not-a-result",
                          fmt::format("the formula of \"{}\" gives {}, the value is {}", e.key,
                                      base::dimension_name(e.computed->dimension),
                                      base::dimension_name(e.printed.dimension)));
  e.difference = relative_difference(e.computed->value, e.printed.value);
}

Explanation explain_one(const io::Value& derivation, const io::Value& result) {
  Explanation e;
  e.key = text_of(derivation, "key");
  e.formula = text_of(derivation, "formula");
  e.printed = single(verb::lookup_in(result)(e.key), e.key);
  for (const io::Value& input : list_of(derivation, "inputs"))
    e.inputs.push_back({text_of(input, "symbol"), text_of(input, "key"), text_of(input, "unit"),
                        text_of(input, "source"), number_of(input, "value")});
  for (const io::Value& driver : list_of(derivation, "drivers"))
    e.drivers.push_back(
        {text_of(driver, "id"), text_of(driver, "source"), number_of(driver, "share")});
  compute_again(e, result);
  return e;
}

// "energy" finds "energy_kwh" too.
bool means(const std::string& given, const std::string& key) {
  return given == key || base::file_key(given, base::unit_of_key(key).dimension) == key;
}

[[noreturn]] void no_derivation(const std::string& key, const io::Value& result,
                                const io::Value::Array& derivations) {
  std::vector<std::string> known;
  for (const io::Value& d : derivations) known.push_back(text_of(d, "key"));
  if (result.find_path(key) == nullptr) throw base::unknown_name("key", key, known);
  throw base::UserError(
      "no-derivation",
      fmt::format("\"{}\" is in the result, but no derivation was recorded for it", key),
      fmt::format("derivations: {}", fmt::join(known, ", ")));
}

ExplainResult explain(const ExplainRequest& request, base::Progress&) {
  const io::Value document = read_result(request.file, *request.settings.journal);
  const io::Value& result = *document.find("result");
  const io::Value::Array& derivations = list_of(*document.find("report"), "derivations");
  const std::string key = request.key.starts_with(".result.") ? request.key.substr(8) : request.key;
  ExplainResult out;
  out.one = !key.empty();
  for (const io::Value& derivation : derivations) {
    if (key.empty() || means(key, text_of(derivation, "key")))
      out.explanations.push_back(explain_one(derivation, result));
  }
  if (out.one && out.explanations.empty()) no_derivation(key, result, derivations);
  if (out.explanations.empty())
    throw base::UserError("no-derivation",
                          fmt::format("{} records no derivations", base::quoted(request.file)));
  return out;
}

void describe(verb::Fields& f, ExplainRequest& r) {
  f(r.file, "file", "a result written by --json or -o FILE.json")
      .positional()
      .required()
      .placeholder("RESULT.json");
  f(r.key, "key", "path of one number below .result; all derivations when left out")
      .positional()
      .placeholder("KEY");
}

void present_one(verb::Report& r, const Explanation& e) {
  r.title(fmt::format("How {} came about", e.key));
  r.text("key", e.key);
  r.value("value", e.printed, {.label = "as the file has it", .headline = true});
  if (e.formula.empty()) {
    r.absent("formula", {}, "no formula was recorded, only what drives the spread");
  } else {
    r.text("formula", e.formula);
    r.value("computed", *e.computed,
            {.label = "computed again from the inputs below", .headline = true});
    r.value("relative_difference", *e.difference, {.label = "relative difference of the two"});
  }
  std::vector<std::string> symbols, keys, units, sources, ids, driver_sources;
  std::vector<double> values, shares;
  for (const Input& input : e.inputs) {
    symbols.push_back(input.symbol);
    keys.push_back(input.key);
    values.push_back(input.value);
    units.push_back(input.unit);
    sources.push_back(input.source);
  }
  for (const Driver& driver : e.drivers) {
    ids.push_back(driver.id);
    shares.push_back(driver.share);
    driver_sources.push_back(driver.source);
  }
  r.table("inputs", "Inputs of the formula")
      .column("symbol", symbols)
      .column("value", values)
      .column("unit", units)
      .column("key", keys, "comes from")
      .column("source", sources);
  r.table("drivers", "What drives the spread")
      .column("id", ids, "driver")
      .column("rank_correlation_squared", shares, "squared rank correlation", true)
      .column("source", driver_sources);
}

void present_all(verb::Report& r, const ExplainResult& x) {
  r.title("How the numbers came about");
  std::vector<std::string> keys, values, formulas, drivers;
  std::vector<verb::Cell> differences;
  for (const Explanation& e : x.explanations) {
    keys.push_back(e.key);
    values.push_back(base::format_quantity(e.printed, 6));
    formulas.push_back(e.formula);
    drivers.push_back(e.drivers.empty() ? "" : e.drivers.front().id);
    differences.push_back(e.difference ? verb::make_cell(*e.difference)
                                       : verb::Cell(verb::Absent{"no formula"}));
  }
  r.value("num_derivations", x.explanations.size(), {.label = "derivations"});
  r.table("derivations", "Computed again from the file")
      .column("key", keys)
      .column("value", values)
      .column("formula", formulas)
      .column("relative_difference", differences, "difference")
      .column("strongest_driver", drivers, "driver");
}

void present(verb::Report& r, const ExplainResult& x) {
  if (x.one)
    present_one(r, x.explanations.front());
  else
    present_all(r, x);
}

}  // namespace

void register_explain(verb::Registry& registry) {
  verb::Info info;
  info.name = "explain";
  info.summary = "how a number of a result came about";
  info.description =
      "Shows the formula of a number, its inputs with their sources, and the drivers of its "
      "spread, strongest first. The formula is evaluated again from the file alone and stands "
      "beside the number that was printed.";
  info.examples = {
      {"greenline explain result.json", "every derivation, computed again"},
      {"greenline explain result.json energy", "one number: formula, inputs, drivers"}};
  registry.add(std::move(info), &explain);
}

}  // namespace greenline::app
