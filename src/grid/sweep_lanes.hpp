// The inner loop of the sweep, for the files that compile it: one text, several instruction sets.
// No standard functions here: an inline function compiled with the flags of one set must not be the
// one that the linker keeps for all.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greenline::grid {

inline constexpr std::size_t kSweepLanes = 64;  // designs of one block

// The hours of a site, MW, shares and g/kWh, and the local days they fall into.
struct SweepHours {
  const float *load, *wind, *solar, *intensity;  // (num_hours)
  const std::uint32_t* day_begin;                // (num_days + 1)
  const std::uint32_t* dirtiest;  // (num_hours), of each day the hours of highest intensity first
  std::size_t num_days = 0;
  float flexible_share = 0;
  // Parameters of all batteries; sizes are by lane.
  float charge_efficiency = 1, discharge_efficiency = 1;
  float charge_per_hour = 0, discharge_per_hour = 0;  // 1 / (η_c - upper_slope), 1 / (…)
};

// One block of designs, MW and MWh; states count from empty.
struct alignas(64) SweepBlock {
  float wind[kSweepLanes], solar[kSweepLanes], cap[kSweepLanes], idle[kSweepLanes];
  float usable[kSweepLanes], charge_limit[kSweepLanes], discharge_limit[kSweepLanes];
  float state[kSweepLanes];
  double grid[kSweepLanes], operational_kg[kSweepLanes], curtailed[kSweepLanes];
  double discharged[kSweepLanes], moved[kSweepLanes];
};

// Runs the hours once over a block: moves `state` on and adds to the sums. `scratch` holds
// (hours of the longest day, kSweepLanes), 64-byte aligned; only used with flexible work.
using SweepKernel = void (*)(const SweepHours& hours, SweepBlock& block, float* scratch);
void sweep_scalar(const SweepHours& hours, SweepBlock& block, float* scratch);
void sweep_avx2(const SweepHours& hours, SweepBlock& block, float* scratch);
void sweep_avx512(const SweepHours& hours, SweepBlock& block, float* scratch);

// `Isa` says what a vector is and how to add, multiply and compare two; it has to be a type of an
// unnamed namespace, so that what is made of it stays in its file. Multiplications and additions
// are never fused: every set gives the same bits.
template <class Isa>
class SweepLanes {
  using V = typename Isa::V;
  static constexpr std::size_t kVectors = 4;  // at once, since each hour waits for the state before
  static constexpr std::size_t kGroup = kVectors * Isa::kWidth;
  static_assert(kSweepLanes % kGroup == 0);

 public:
  static void run(const SweepHours& hours, SweepBlock& block, float* scratch) {
    for (std::size_t lane = 0; lane < kSweepLanes; lane += kGroup) {
      SweepLanes group(hours, block, lane);
      for (std::size_t day = 0; day < hours.num_days; ++day) {
        const std::size_t begin = hours.day_begin[day], end = hours.day_begin[day + 1];
        if (hours.flexible_share > 0)
          group.flexible_day(begin, end, scratch);
        else
          group.plain_day(begin, end);
      }
      for (std::size_t v = 0; v < kVectors; ++v)
        Isa::store(block.state + lane + v * Isa::kWidth, group.state_[v]);
    }
  }

 private:
  SweepLanes(const SweepHours& hours, SweepBlock& block, std::size_t lane)
      : hours_(hours), block_(block), lane_(lane) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      state_[v] = at(block.state, v);
      wind_[v] = at(block.wind, v);
      solar_[v] = at(block.solar, v);
      idle_[v] = at(block.idle, v);
      usable_[v] = at(block.usable, v);
      charge_limit_[v] = at(block.charge_limit, v);
      discharge_limit_[v] = at(block.discharge_limit, v);
    }
  }

  V at(const float* values, std::size_t v) const {
    return Isa::load(values + lane_ + v * Isa::kWidth);
  }

  struct DaySums {
    V grid, operational, curtailed, discharged;
  };

  void clear(DaySums* sums) const {
    for (std::size_t v = 0; v < kVectors; ++v)
      sums[v] = {Isa::all(0), Isa::all(0), Isa::all(0), Isa::all(0)};
  }

  // Floats hold a day to 1e-6; a year of them would not.
  void flush(const DaySums* sums) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t i = lane_ + v * Isa::kWidth;
      Isa::add_to(block_.grid + i, sums[v].grid);
      Isa::add_to(block_.operational_kg + i, sums[v].operational);
      Isa::add_to(block_.curtailed + i, sums[v].curtailed);
      Isa::add_to(block_.discharged + i, sums[v].discharged);
    }
  }

  V net(std::size_t v, std::size_t t) const {
    const V supply = Isa::add(Isa::mul(wind_[v], Isa::all(hours_.wind[t])),
                              Isa::mul(solar_[v], Isa::all(hours_.solar[t])));
    return Isa::sub(Isa::sub(supply, Isa::all(hours_.load[t])), idle_[v]);
  }

  // One hour of the battery and the grid: grid/battery.hpp with all limits as minima.
  void hour(std::size_t v, V net, V intensity, DaySums& sums) {
    const V zero = Isa::all(0);
    const V surplus = Isa::max(net, zero), shortfall = Isa::max(Isa::sub(zero, net), zero);
    const V room = Isa::max(Isa::sub(usable_[v], state_[v]), zero);
    const V content = Isa::max(state_[v], zero);
    const V charge = Isa::min(Isa::min(surplus, charge_limit_[v]),
                              Isa::mul(room, Isa::all(hours_.charge_per_hour)));
    const V discharge = Isa::min(Isa::min(shortfall, discharge_limit_[v]),
                                 Isa::mul(content, Isa::all(hours_.discharge_per_hour)));
    state_[v] = Isa::sub(Isa::add(state_[v], Isa::mul(charge, Isa::all(hours_.charge_efficiency))),
                         Isa::mul(discharge, Isa::all(hours_.discharge_efficiency)));
    const V grid = Isa::sub(shortfall, discharge);
    sums.grid = Isa::add(sums.grid, grid);
    sums.operational = Isa::add(sums.operational, Isa::mul(grid, intensity));
    sums.curtailed = Isa::add(sums.curtailed, Isa::sub(surplus, charge));
    sums.discharged = Isa::add(sums.discharged, discharge);
  }

  void plain_day(std::size_t begin, std::size_t end) {
    DaySums sums[kVectors];
    clear(sums);
    for (std::size_t t = begin; t < end; ++t) {
      const V intensity = Isa::all(hours_.intensity[t]);
      for (std::size_t v = 0; v < kVectors; ++v) hour(v, net(v, t), intensity, sums[v]);
    }
    flush(sums);
  }

  V leaving(V net, std::size_t t) const {
    return Isa::min(Isa::max(Isa::sub(Isa::all(0), net), Isa::all(0)),
                    Isa::all(hours_.flexible_share * hours_.load[t]));
  }
  V room(std::size_t v, V net, std::size_t t) const {
    return Isa::max(Isa::all(0),
                    Isa::min(net, Isa::sub(at(block_.cap, v), Isa::all(hours_.load[t]))));
  }

  // Work moves onto surplus first (grid/flexible.hpp), then the battery sees what is left.
  // `nets` (end - begin, kGroup) holds supply - load of the day.
  void flexible_day(std::size_t begin, std::size_t end, float* nets) {
    DaySums sums[kVectors];
    clear(sums);
    for (std::size_t v = 0; v < kVectors; ++v) move_work(v, begin, end, nets + v * Isa::kWidth);
    for (std::size_t t = begin; t < end; ++t) {
      const V intensity = Isa::all(hours_.intensity[t]);
      const float* row = nets + (t - begin) * kGroup;
      for (std::size_t v = 0; v < kVectors; ++v)
        hour(v, Isa::load(row + v * Isa::kWidth), intensity, sums[v]);
    }
    flush(sums);
  }

  void move_work(std::size_t v, std::size_t begin, std::size_t end, float* nets) {
    V leave = Isa::all(0), rooms = Isa::all(0);
    for (std::size_t t = begin; t < end; ++t) {
      const V x = net(v, t);
      Isa::store(nets + (t - begin) * kGroup, x);
      leave = Isa::add(leave, leaving(x, t));
      rooms = Isa::add(rooms, room(v, x, t));
    }
    const V moved = Isa::min(leave, rooms);
    Isa::add_to(block_.moved + lane_ + v * Isa::kWidth, moved);
    // Both sums may be 0; a tiny divisor then leaves 0.
    const V filled = Isa::div(moved, Isa::max(rooms, Isa::all(1e-30F)));
    V left = moved;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t t = hours_.dirtiest[i];
      float* place = nets + (t - begin) * kGroup;
      const V x = Isa::load(place);
      const V out = Isa::min(leaving(x, t), left);
      left = Isa::sub(left, out);
      Isa::store(place, Isa::sub(Isa::add(x, out), Isa::mul(room(v, x, t), filled)));
    }
  }

  const SweepHours& hours_;
  SweepBlock& block_;
  std::size_t lane_;
  V state_[kVectors], wind_[kVectors], solar_[kVectors], idle_[kVectors];
  V usable_[kVectors], charge_limit_[kVectors], discharge_limit_[kVectors];
};

}  // namespace greenline::grid
