#include "plan/madmax_oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plan/madmax.hpp"

namespace greenline::plan {
namespace {

namespace units = base::units;
using base::CheckRow;
using base::DataError;
using base::Time;
using catalog::Catalog;

struct Column {
  const char* name;
  Time (*ours)(const MadmaxPlan&);
  bool is_part = false;  // of the computation; the notebooks do not print it
};
constexpr std::array<Column, 8> kColumns = {{
    {"iter_ms", [](const MadmaxPlan& p) { return p.iteration; }},
    {"exposed_comm_ms", [](const MadmaxPlan& p) { return p.exposed_communication(); }},
    {"gemm_ms", [](const MadmaxPlan& p) { return p.gemm; }, true},
    {"emb_ms", [](const MadmaxPlan& p) { return p.embedding; }, true},
    {"all2all_ms", [](const MadmaxPlan& p) { return p.all_to_all; }},
    {"allreduce_ms", [](const MadmaxPlan& p) { return p.all_reduce; }},
    {"allgather_ms", [](const MadmaxPlan& p) { return p.all_gather; }},
    {"reducescatter_ms", [](const MadmaxPlan& p) { return p.reduce_scatter; }},
}};
// ms, by column; unset: not printed.
using Printed = std::array<std::optional<double>, kColumns.size()>;

// Six decimals are printed; what is left is the order of floating-point sums.
constexpr double kTolerance = 1e-6, kFloor = 6e-7;

CheckRow worst_column(const MadmaxPlan& plan, const Printed& printed) {
  CheckRow worst;
  worst.table = "hsia2024: printed results of MAD-Max";
  worst.unit = "ms";
  worst.tolerance = kTolerance;
  worst.floor = kFloor;
  worst.source = "hsia2024_artifact";
  double most = -1;
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    if (!printed[c]) continue;
    const double expected = *printed[c], got = kColumns[c].ours(plan).in(units::ms);
    const double off = std::abs(got - expected) / (kTolerance * std::abs(expected) + kFloor);
    if (off <= most) continue;
    most = off;
    worst.expected = expected;
    worst.got = got;
    worst.note = fmt::format("{}, the column that is furthest off", kColumns[c].name);
  }
  return worst;
}

std::string lower(std::string text, bool with_dashes) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (with_dashes && c == '_') c = '-';
  }
  return text;
}

// The first of them that is an entry; the shape or machine of the published rules before another of
// that name.
std::optional<std::string> entry_of(const std::vector<std::string>& entries,
                                    const std::string& name) {
  for (const std::string& id : {lower(name, true) + "-madmax", lower(name, false) + "-madmax",
                                lower(name, true), lower(name, false)})
    if (std::find(entries.begin(), entries.end(), id) != entries.end()) return id;
  return std::nullopt;
}

// "CloudA-512-p5.48xlarge" -> "p5.48xlarge", "DC_A-128" -> "DC_A": what follows the number of
// devices, or else stands before it.
std::string instance_name(const std::string& system, std::int64_t devices) {
  const std::string number = fmt::format("-{}", devices);
  if (const std::size_t at = system.find(number + "-"); at != std::string::npos)
    return system.substr(at + number.size() + 1);
  return system.ends_with(number) ? system.substr(0, system.size() - number.size()) : system;
}

constexpr const char* kInputs[] = {"model",          "system",         "num_devices",  "num_nodes",
                                   "dense_strategy", "dense_degree",   "emb_strategy", "emb_degree",
                                   "task",           "local_dense_bs", "local_emb_bs", "global_bs"};

bool is_printed(const Column& column, MadmaxColumns columns) {
  return columns == MadmaxColumns::all || !column.is_part;
}

class Reader {
 public:
  Reader(const Catalog& facts, const io::CsvTable& table, MadmaxColumns columns)
      : facts_(facts), table_(table), columns_(columns) {
    for (const char* column : kInputs) table_.column(column);
    for (const Column& column : kColumns)
      if (is_printed(column, columns_)) table_.column(column.name);
  }

  CheckRow row(std::size_t r) {
    try {
      return checked_row(r);
    } catch (const base::UserError& e) {
      throw refuse(r, "model", e.message(), e.hint());
    } catch (const base::UnsupportedError& e) {
      throw refuse(r, "model", e.message(), e.hint());
    }
  }

 private:
  DataError refuse(std::size_t r, const char* column, const std::string& why,
                   const std::string& hint = "") const {
    return DataError("bad-run", fmt::format("row {} is a run that can't be: {}", r + 1, why), hint,
                     table_.where(r, table_.column(column)));
  }

  std::string text(std::size_t r, const char* column) const {
    return std::string(table_.cell(r, table_.column(column)));
  }

  std::int64_t whole(std::size_t r, const char* column) const {
    const double value = table_.number(r, table_.column(column));
    constexpr double kLargest = 1e12;
    if (value >= 1 && value <= kLargest && value == std::floor(value))
      return static_cast<std::int64_t>(value);
    throw refuse(
        r, column,
        fmt::format("{} is {}, expected a whole number from 1 to {}", column, value, kLargest));
  }

  // A time; what is exposed may be a rounded zero from below.
  double milliseconds(std::size_t r, const char* column) const {
    const double value = table_.number(r, table_.column(column));
    constexpr double kLeast = -kFloor, kLargest = 1e12;
    if (value >= kLeast && value <= kLargest) return value;
    throw refuse(r, column, fmt::format("{} is {}, expected 0 to {}", column, value, kLargest));
  }

  const catalog::ModelShape& shape(std::size_t r) {
    const std::string name = text(r, "model");
    if (const auto known = shapes_.find(name); known != shapes_.end()) return known->second;
    const std::vector<std::string> entries = facts_.entries("models");
    const auto id = entry_of(entries, name);
    if (!id)
      throw refuse(r, "model", base::unknown_name("model", lower(name, true), entries).message());
    return shapes_.emplace(name, catalog::model_shape(facts_, *id)).first->second;
  }

  const MadmaxSystem& system(std::size_t r, std::int64_t devices) {
    const std::string name = instance_name(text(r, "system"), devices);
    if (const auto known = systems_.find(name); known != systems_.end()) return known->second;
    const std::vector<std::string> entries = facts_.entries("nodes");
    const auto id = entry_of(entries, name);
    if (!id)
      throw refuse(r, "system",
                   base::unknown_name("system", lower(name, false), entries).message());
    return systems_.emplace(name, madmax_system(facts_, *id)).first->second;
  }

  // "tp+ddp" and "8x128".
  ClassStrategy levels(std::size_t r, const char* layer_class, const char* kinds,
                       const char* degrees) const {
    static const std::map<std::string, LevelKind> kKinds = {{"ddp", LevelKind::ddp},
                                                            {"fsdp", LevelKind::fsdp},
                                                            {"tp", LevelKind::tensor},
                                                            {"pp", LevelKind::pipeline},
                                                            {"mp", LevelKind::shard}};
    const auto words = split(text(r, kinds), '+'), numbers = split(text(r, degrees), 'x');
    if (words.size() != numbers.size())
      throw refuse(r, degrees,
                   fmt::format("{} {} for {} {}", numbers.size(), degrees, words.size(), kinds));
    ClassStrategy out{layer_class, {}};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto kind = kKinds.find(words[i]);
      if (kind == kKinds.end())
        throw refuse(
            r, kinds,
            fmt::format("{} {}: expected ddp, fsdp, tp or mp", kinds, base::quoted(words[i])));
      out.levels.push_back({kind->second, degree(r, degrees, numbers[i])});
    }
    return out;
  }

  std::int64_t degree(std::size_t r, const char* column, const std::string& digits) const {
    constexpr std::size_t kMostDigits = 7;
    const bool is_number =
        !digits.empty() && digits.size() <= kMostDigits &&
        std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_number && digits[0] != '0') return std::stoll(digits);
    throw refuse(r, column, fmt::format("{} {}: expected a degree", column, base::quoted(digits)));
  }

  static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> out(1);
    for (const char c : text) {
      if (c == separator)
        out.emplace_back();
      else
        out.back().push_back(c);
    }
    return out;
  }

  Task task(std::size_t r) const {
    const std::string name = text(r, "task");
    if (name == "pretrain") return Task::pretrain;
    if (name == "inference") return Task::prefill;
    throw refuse(r, "task",
                 fmt::format("task {}: expected pretrain or inference", base::quoted(name)));
  }

  void check_equal(std::size_t r, const char* column, std::int64_t ours) const {
    if (const std::int64_t given = whole(r, column); given != ours)
      throw refuse(r, column,
                   fmt::format("{} is {}, the rest of the row makes it {}", column, given, ours));
  }

  CheckRow checked_row(std::size_t r) {
    MadmaxProblem p;
    p.devices = whole(r, "num_devices");
    p.shape = shape(r);
    p.system = system(r, p.devices);
    p.strategy = {levels(r, "dense", "dense_strategy", "dense_degree"),
                  levels(r, "embedding", "emb_strategy", "emb_degree")};
    p.task = task(r);
    p.global_batch = whole(r, "global_bs");
    const std::int64_t node = p.system.devices_per_node;
    check_equal(r, "num_nodes", (p.devices + node - 1) / node);
    const MadmaxPlan plan = madmax(p);
    check_equal(r, "local_dense_bs", plan.local_dense_batch);
    check_equal(r, "local_emb_bs", plan.local_embedding_batch);
    Printed printed;
    for (std::size_t c = 0; c < kColumns.size(); ++c)
      if (is_printed(kColumns[c], columns_)) printed[c] = milliseconds(r, kColumns[c].name);
    CheckRow row = worst_column(plan, printed);
    row.name = fmt::format("{} on {}, {}, {}, batch {}", text(r, "model"), text(r, "system"),
                           class_strategy_text(plan.strategy), text(r, "task"), p.global_batch);
    return row;
  }

  const Catalog& facts_;
  const io::CsvTable& table_;
  MadmaxColumns columns_;
  std::map<std::string, catalog::ModelShape> shapes_;  // by name in the file
  std::map<std::string, MadmaxSystem> systems_;
};

}  // namespace

bool is_madmax_oracle(const io::CsvTable& table) {
  return table.has("dense_strategy") && table.has("emb_strategy") && table.has("iter_ms");
}

std::vector<CheckRow> madmax_oracle_rows(const Catalog& facts, const io::CsvTable& table,
                                         MadmaxColumns columns) {
  Reader reader(facts, table, columns);
  std::vector<CheckRow> rows;
  rows.reserve(table.num_rows());
  for (std::size_t r = 0; r < table.num_rows(); ++r) rows.push_back(reader.row(r));
  return rows;
}

}  // namespace greenline::plan
