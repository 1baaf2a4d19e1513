#include "trace/diff.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/enum_name.hpp"

namespace greenline::trace {
namespace {

double per_rank(std::int64_t sum, const BreakdownResult& x) {
  return static_cast<double>(sum) / static_cast<double>(x.ranks.size());
}

// Rows of both sides by name; largest difference first.
template <class Row, class Name>
std::vector<DifferenceRow> joined(const BreakdownResult& a, const std::vector<Row>& rows_a,
                                  const BreakdownResult& b, const std::vector<Row>& rows_b,
                                  const Name& name) {
  std::map<std::string, DifferenceRow> found;
  for (const Row& row : rows_a) {
    DifferenceRow& to = found[name(row)];
    to.a += per_rank(row.total, a);
    to.number_a += per_rank(row.number, a);
  }
  for (const Row& row : rows_b) {
    DifferenceRow& to = found[name(row)];
    to.b += per_rank(row.total, b);
    to.number_b += per_rank(row.number, b);
  }
  std::vector<DifferenceRow> rows;
  for (auto& [key, row] : found) {
    row.name = key;
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DifferenceRow& x, const DifferenceRow& y) {
    return std::abs(x.difference()) > std::abs(y.difference());
  });
  return rows;
}

DifferenceRow part(const char* name, const BreakdownResult& a, const BreakdownResult& b,
                   std::int64_t DeviceTimes::*member) {
  const auto mean = [member](const BreakdownResult& x) {
    std::int64_t sum = 0;
    for (const RankBreakdown& rank : x.ranks) sum += rank.times.*member;
    return per_rank(sum, x);
  };
  DifferenceRow row;
  row.name = name;
  row.a = mean(a);
  row.b = mean(b);
  return row;
}

}  // namespace

TraceDiffResult diff_traces(const TraceDiffRequest& request, base::Progress& progress) {
  const auto side = [&](const std::string& file) {
    BreakdownRequest r;
    r.settings = request.settings;
    r.files = {file};
    r.orphans = request.orphans;
    return breakdown(r, progress);
  };
  const BreakdownResult a = side(request.a), b = side(request.b);
  TraceDiffResult x;
  x.ranks_a = static_cast<std::int64_t>(a.ranks.size());
  x.ranks_b = static_cast<std::int64_t>(b.ranks.size());
  x.total = part("total", a, b, &DeviceTimes::total);
  x.busy = part("busy", a, b, &DeviceTimes::busy);
  x.idle = part("idle", a, b, &DeviceTimes::idle);
  x.parts = {part("computation alone", a, b, &DeviceTimes::exposed_computation),
             part("computation and communication", a, b, &DeviceTimes::overlapped),
             part("communication alone", a, b, &DeviceTimes::exposed_communication),
             part("copies alone", a, b, &DeviceTimes::exposed_memcpy),
             part("fills alone", a, b, &DeviceTimes::exposed_memset),
             x.idle};
  const auto class_name = [](const ClassRow& row) {
    return std::string(base::enum_name(row.its_class));
  };
  x.classes = joined(a, a.classes, b, b.classes, class_name);
  x.operators = joined(a, a.operators, b, b.operators, class_name);
  x.kernels = joined(a, a.kernels, b, b.kernels, [](const KernelRow& row) { return row.name; });
  const auto most = static_cast<std::size_t>(std::max<std::int64_t>(0, request.top));
  if (x.kernels.size() > most) x.kernels.resize(most);
  return x;
}

}  // namespace greenline::trace
