#include <algorithm>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "app/compare.hpp"
#include "render/document.hpp"

namespace greenline::app {
namespace {

struct Row {
  std::string name;
  double time;
};

// Whole seconds of few values, so that equal ones are common; names that may repeat.
std::vector<Row> any_rows() {
  std::vector<Row> rows(*rc::gen::inRange<std::size_t>(0, 8));
  for (Row& row : rows) {
    row.name = std::string(1, *rc::gen::inRange('a', 'h'));
    row.time = *rc::gen::inRange(0, 4);
  }
  return rows;
}

io::Value document_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  std::vector<base::Time> times;
  base::Time sum;
  for (const Row& row : rows) {
    names.push_back(row.name);
    times.push_back(base::Time::from_base(row.time));
    sum += times.back();
  }
  verb::Report r;
  r.value("sum", sum, {.headline = true});
  r.table("rows").column("name", names).column("time", times);
  return render::make_document(r.take(), {}, {});
}

Comparison compared(const std::vector<Row>& a, const std::vector<Row>& b) {
  const io::Value x = document_of(a), y = document_of(b);
  return compare(render::read_outline(x), render::read_outline(y), 0);
}

RC_GTEST_PROP(AppCompare, NothingDiffersFromItself, ()) {
  const auto rows = any_rows();
  RC_ASSERT(compared(rows, rows).same());
}

RC_GTEST_PROP(AppCompare, BothDirectionsFindTheSame, ()) {
  const auto a = any_rows(), b = any_rows();
  const Comparison there = compared(a, b), back = compared(b, a);
  RC_ASSERT(there.differences.size() == back.differences.size());
  RC_ASSERT(there.unpaired.size() == back.unpaired.size());
  RC_ASSERT(there.num_compared == back.num_compared);
  std::vector<std::pair<std::string, double>> changes;
  for (const Difference& d : there.differences) changes.emplace_back(d.key, d.change().value_or(0));
  for (const Difference& d : back.differences) {
    const auto found =
        std::find(changes.begin(), changes.end(), std::pair{d.key, -d.change().value_or(0)});
    RC_ASSERT(found != changes.end());
  }
}

RC_GTEST_PROP(AppCompare, TheOrderOfNamedRowsDoesNotMatter, ()) {
  auto rows = any_rows();
  std::sort(rows.begin(), rows.end(), [](const Row& x, const Row& y) { return x.name < y.name; });
  const auto same_name = [](const Row& x, const Row& y) { return x.name == y.name; };
  rows.erase(std::unique(rows.begin(), rows.end(), same_name), rows.end());
  auto shuffled = rows;
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  std::shuffle(shuffled.begin(), shuffled.end(), random);
  RC_ASSERT(compared(rows, shuffled).same());
}

// Every row is compared with a row of the other side or listed as without one.
RC_GTEST_PROP(AppCompare, EveryRowIsAccountedFor, ()) {
  const auto a = any_rows(), b = any_rows();
  const Comparison c = compared(a, b);
  const auto paired = (a.size() + b.size() - c.unpaired.size()) / 2;
  RC_ASSERT(c.num_compared == static_cast<std::int64_t>(1 + 2 * paired));
}

}  // namespace
}  // namespace greenline::app
