#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "grid/sweep.hpp"

namespace greenline::grid {

namespace units = base::units;

std::size_t DesignGrid::size() const {
  return wind_mw.steps * solar_mw.steps * battery_mwh.steps * extra_servers.steps;
}

std::vector<Design> DesignGrid::designs() const {
  std::vector<Design> out;
  out.reserve(size());
  for (std::size_t w = 0; w < wind_mw.steps; ++w)
    for (std::size_t s = 0; s < solar_mw.steps; ++s)
      for (std::size_t b = 0; b < battery_mwh.steps; ++b)
        for (std::size_t x = 0; x < extra_servers.steps; ++x)
          out.push_back({wind_mw.value(w) * units::MW, solar_mw.value(s) * units::MW,
                         battery_mwh.value(b) * units::MWh, extra_servers.value(x)});
  return out;
}

std::vector<std::string> DesignGrid::at_the_edge(std::size_t i) const {
  GL_CHECK_LT(i, size());
  std::vector<std::string> edges;
  const std::pair<const char*, const Axis*> axes[] = {{"extra servers", &extra_servers},
                                                      {"battery", &battery_mwh},
                                                      {"solar", &solar_mw},
                                                      {"wind", &wind_mw}};
  for (const auto& [name, axis] : axes) {
    if (axis->steps > 1 && i % axis->steps == axis->steps - 1) edges.emplace_back(name);
    i /= axis->steps;
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

double YearlyEmbodied::of(const Design& design, double cycles_per_year) const {
  const double wear = std::max(1.0, cycles_per_year / most_cycles_per_year);
  return wind_kg_per_mw * design.wind.in(units::MW) + solar_kg_per_mw * design.solar.in(units::MW) +
         wear * battery_kg_per_mwh * design.battery.in(units::MWh) +
         extra_servers_kg * design.extra_servers;
}

std::vector<std::size_t> pareto_front(std::span<const double> x, std::span<const double> y) {
  GL_CHECK_EQ(x.size(), y.size());
  std::vector<std::size_t> order(x.size()), front;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b];
  });
  for (const std::size_t i : order)
    if (front.empty() || y[i] < y[front.back()]) front.push_back(i);
  return front;
}

SweepVerdict weigh(const DesignGrid& grid, std::span<const SweepOutcome> outcomes,
                   const YearlyEmbodied& embodied, double years) {
  const std::vector<Design> designs = grid.designs();
  GL_CHECK_EQ(designs.size(), outcomes.size());
  SweepVerdict verdict;
  std::vector<std::size_t> done;  // their designs, and both carbons in the same order
  std::vector<double> x, y;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    verdict.operational_kg.push_back(outcomes[i].operational_kg / years);
    verdict.embodied_kg.push_back(embodied.of(designs[i], outcomes[i].cycles / years));
    if (!outcomes[i].done) continue;
    done.push_back(i);
    x.push_back(verdict.embodied_kg.back());
    y.push_back(verdict.operational_kg.back());
  }
  GL_USER_CHECK(!done.empty(), "bad-design", std::string("a sweep without a design"));
  std::size_t best = 0;
  for (std::size_t k = 1; k < done.size(); ++k)
    if (x[k] + y[k] < x[best] + y[best]) best = k;
  verdict.best = done[best];
  for (const std::size_t k : pareto_front(x, y)) verdict.front.push_back(done[k]);
  verdict.edges = grid.at_the_edge(verdict.best);
  return verdict;
}

}  // namespace greenline::grid
