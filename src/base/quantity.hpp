// Physical quantities whose dimension is part of the type.
//
// A value with a dimension crosses a function boundary as a Quantity; a bare double is
// dimensionless. `5.0 * units::kWh` makes one, `q.in(units::MWh)` gives the number back. Adding
// energy to time, or reading watts as kWh, does not compile (tests/compile_fail).
//
//   Power p = 700.0 * units::W;
//   Energy e = p * (2.0 * units::h);
//   double kwh = e.in(units::kWh);            // 1.4
//
// Values are stored in base units: second, joule, gram CO2e, byte, FLOP, USD, square metre.
// Text forms (parse, format, the unit of each JSON key) are in base/quantity_text.hpp.
#pragma once

#include <compare>
#include <cstdint>

namespace greenline::base {

// Exponents of the seven dimensions. Carbon is its own dimension: a gram of CO2e is not a mass.
struct Dimension {
  std::int8_t time = 0;
  std::int8_t energy = 0;
  std::int8_t carbon = 0;
  std::int8_t data = 0;
  std::int8_t work = 0;
  std::int8_t money = 0;
  std::int8_t area = 0;

  constexpr bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator+(Dimension a, Dimension b) {
  auto sum = [](int x, int y) { return static_cast<std::int8_t>(x + y); };
  return {sum(a.time, b.time), sum(a.energy, b.energy), sum(a.carbon, b.carbon),
          sum(a.data, b.data), sum(a.work, b.work),     sum(a.money, b.money),
          sum(a.area, b.area)};
}

constexpr Dimension operator-(Dimension a) {
  auto neg = [](int x) { return static_cast<std::int8_t>(-x); };
  return {neg(a.time), neg(a.energy), neg(a.carbon), neg(a.data),
          neg(a.work), neg(a.money),  neg(a.area)};
}

constexpr Dimension operator-(Dimension a, Dimension b) { return a + (-b); }

template <Dimension D>
struct Unit {
  double factor = 1;  // base units per one of this unit
};

template <Dimension D>
class Quantity {
 public:
  static constexpr Dimension kDimension = D;

  constexpr Quantity() = default;
  static constexpr Quantity from_base(double value) {
    Quantity q;
    q.value_ = value;
    return q;
  }

  constexpr double in(Unit<D> unit) const { return value_ / unit.factor; }
  // The number in base units, for kernels and text forms: their unit is fixed by the code around.
  constexpr double base_value() const { return value_; }

  constexpr Quantity& operator+=(Quantity o) { return value_ += o.value_, *this; }
  constexpr Quantity& operator-=(Quantity o) { return value_ -= o.value_, *this; }
  constexpr Quantity& operator*=(double k) { return value_ *= k, *this; }
  constexpr Quantity& operator/=(double k) { return value_ /= k, *this; }
  constexpr Quantity operator-() const { return from_base(-value_); }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double k) { return a *= k; }
  friend constexpr Quantity operator*(double k, Quantity a) { return a *= k; }
  friend constexpr Quantity operator/(Quantity a, double k) { return a /= k; }
  friend constexpr auto operator<=>(Quantity a, Quantity b) = default;

 private:
  double value_ = 0;
};

namespace detail {
template <Dimension D>
struct Collapse {
  using Type = Quantity<D>;
  static constexpr Type make(double base) { return Type::from_base(base); }
};
template <>
struct Collapse<Dimension{}> {
  using Type = double;
  static constexpr double make(double base) { return base; }
};
}  // namespace detail

// Quantity<D>, or plain double when all dimensions cancel.
template <Dimension D>
using Of = typename detail::Collapse<D>::Type;

template <Dimension A, Dimension B>
constexpr Of<A + B> operator*(Quantity<A> a, Quantity<B> b) {
  return detail::Collapse<A + B>::make(a.base_value() * b.base_value());
}
template <Dimension A, Dimension B>
constexpr Of<A - B> operator/(Quantity<A> a, Quantity<B> b) {
  return detail::Collapse<A - B>::make(a.base_value() / b.base_value());
}
template <Dimension A>
constexpr Quantity<-A> operator/(double k, Quantity<A> a) {
  return Quantity<-A>::from_base(k / a.base_value());
}

template <Dimension D>
constexpr Quantity<D> operator*(double k, Unit<D> u) {
  return Quantity<D>::from_base(k * u.factor);
}
template <Dimension A, Dimension B>
constexpr Unit<A - B> operator/(Unit<A> a, Unit<B> b) {
  return {a.factor / b.factor};
}
template <Dimension A, Dimension B>
constexpr Unit<A + B> operator*(Unit<A> a, Unit<B> b) {
  return {a.factor * b.factor};
}

inline constexpr Dimension kDimensionless{};
inline constexpr Dimension kTime{.time = 1};
inline constexpr Dimension kEnergy{.energy = 1};
inline constexpr Dimension kCarbon{.carbon = 1};
inline constexpr Dimension kData{.data = 1};
inline constexpr Dimension kWork{.work = 1};
inline constexpr Dimension kMoney{.money = 1};
inline constexpr Dimension kArea{.area = 1};

using Time = Quantity<kTime>;
using Energy = Quantity<kEnergy>;
using Power = Quantity<kEnergy - kTime>;
using Carbon = Quantity<kCarbon>;
using CarbonIntensity = Quantity<kCarbon - kEnergy>;
using CarbonRate = Quantity<kCarbon - kTime>;
using Data = Quantity<kData>;
using Bandwidth = Quantity<kData - kTime>;
using Work = Quantity<kWork>;
using WorkRate = Quantity<kWork - kTime>;
using WorkIntensity = Quantity<kWork - kData>;
using Money = Quantity<kMoney>;
using MoneyPerEnergy = Quantity<kMoney - kEnergy>;
using MoneyRate = Quantity<kMoney - kTime>;
using Area = Quantity<kArea>;
using Rate = Quantity<-kTime>;

namespace units {
inline constexpr Unit<kTime> ns{1e-9}, us{1e-6}, ms{1e-3}, s{1}, min{60}, h{3600}, day{86400},
    week{604800};
inline constexpr Unit<kTime> year{8760 * 3600.0};  // 365 days: the year of the carbon references
inline constexpr Unit<-kTime> per_s{1};
inline constexpr Unit<kEnergy> J{1}, kJ{1e3}, MJ{1e6}, Wh{3600}, kWh{3.6e6}, MWh{3.6e9},
    GWh{3.6e12};
inline constexpr Unit<kEnergy - kTime> W{1}, kW{1e3}, MW{1e6}, GW{1e9};
inline constexpr Unit<kCarbon> gCO2e{1}, kgCO2e{1e3}, tCO2e{1e6};
inline constexpr Unit<kCarbon - kEnergy> g_per_kWh{1 / 3.6e6};
inline constexpr Unit<kData> B{1}, kB{1e3}, MB{1e6}, GB{1e9}, TB{1e12};
inline constexpr Unit<kData> KiB{1024}, MiB{1048576}, GiB{1073741824}, TiB{1099511627776.0};
inline constexpr Unit<kData - kTime> B_per_s{1}, GB_per_s{1e9};
inline constexpr Unit<kWork> FLOP{1}, GFLOP{1e9}, TFLOP{1e12};
inline constexpr Unit<kWork - kTime> FLOP_per_s{1}, TFLOP_per_s{1e12};
inline constexpr Unit<kMoney> USD{1};
inline constexpr Unit<kMoney - kEnergy> USD_per_kWh{1 / 3.6e6};
inline constexpr Unit<kMoney - kTime> USD_per_h{1 / 3600.0};
inline constexpr Unit<kArea> m2{1}, cm2{1e-4}, mm2{1e-6};
}  // namespace units

// A quantity whose dimension is known only at run time: what text forms, reports and files hold.
struct AnyQuantity {
  double value = 0;  // base units
  Dimension dimension;

  constexpr AnyQuantity() = default;
  constexpr AnyQuantity(double base_value, Dimension d) : value(base_value), dimension(d) {}
  constexpr AnyQuantity(double number) : value(number) {}  // implicit: a number is a quantity
  template <Dimension D>
  constexpr AnyQuantity(Quantity<D> q) : value(q.base_value()), dimension(D) {}
};

}  // namespace greenline::base
