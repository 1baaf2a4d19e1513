// From a driver's three numbers to its 256 draws.
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/estimate.hpp"
#include "base/random.hpp"

namespace greenline::base {
namespace {

// The scale on which a driver is normal, and the way back.
enum class Link { identity, logarithm, logit };

double to_link(Link link, double x) {
  switch (link) {
    case Link::logarithm:
      return std::log(x);
    case Link::logit:
      return std::log(x) - std::log1p(-x);
    case Link::identity:
      break;
  }
  return x;
}

double from_link(Link link, double y) {
  switch (link) {
    case Link::logarithm:
      return std::exp(y);
    case Link::logit:
      return 1 / (1 + std::exp(-y));
    case Link::identity:
      break;
  }
  return y;
}

[[noreturn]] void bad_band(const Driver& driver, const char* wanted) {
  throw UserError("bad-band",
                  fmt::format("{}: {}; got low {}, nominal {}, high {}", driver.id, wanted,
                              driver.low, driver.nominal, driver.high),
                  "give a low and a high on both sides of the value");
}

Link checked_link(const Driver& d) {
  if (!std::isfinite(d.low) || !std::isfinite(d.nominal) || !std::isfinite(d.high)) {
    bad_band(d, "low, nominal and high must be finite");
  }
  if (!(d.low <= d.nominal && d.nominal <= d.high)) bad_band(d, "low <= nominal <= high must hold");
  if (d.scale == DriverScale::share && d.low < d.high) {
    if (!(d.low > 0 && d.high < 1))
      bad_band(d, "the band of a share must lie strictly within 0..1");
    return Link::logit;
  }
  return d.scale == DriverScale::automatic && d.low > 0 ? Link::logarithm : Link::identity;
}

}  // namespace

Draws driver_draws(const Driver& driver, std::uint64_t seed) {
  const Link link = checked_link(driver);
  Draws draws;
  if (driver.low == driver.high) {
    draws.fill(driver.nominal);
    return draws;
  }
  const double median = to_link(link, driver.nominal);
  const double z95 = normal_quantile(0.95);
  // Standard deviations of the two halves, on the link scale.
  const double below = (median - to_link(link, driver.low)) / z95;
  const double above = (to_link(link, driver.high) - median) / z95;
  const auto order = shuffled(kNumDraws, fnv1a_64(driver.id) ^ seed);
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const double z = normal_quantile((order[k] + 0.5) / kNumDraws);
    draws[k] = from_link(link, median + z * (z < 0 ? below : above));
  }
  return draws;
}

Band default_band(Evidence e) {
  switch (e) {
    case Evidence::measured:
      return {0.95, 1.05};
    case Evidence::modelled:
    case Evidence::simulated:
      return {0.7, 1.3};
    case Evidence::datasheet:
    case Evidence::assumed:
      break;
  }
  return {0.5, 2.0};
}

Driver with_default_band(std::string id, double nominal, Evidence evidence, DriverScale scale,
                         std::string source) {
  const Band band = default_band(evidence);
  Driver driver{std::move(id), nominal, nominal, nominal, scale, std::move(source)};
  if (scale == DriverScale::share) {
    const auto at_odds = [nominal](double k) { return k * nominal / (1 - nominal + k * nominal); };
    driver.low = at_odds(band.low);
    driver.high = at_odds(band.high);
  } else {
    std::tie(driver.low, driver.high) = std::minmax({nominal * band.low, nominal * band.high});
  }
  return driver;
}

}  // namespace greenline::base
