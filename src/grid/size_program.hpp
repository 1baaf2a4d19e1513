// The columns and rows of the sizing program: where what stands.
#pragma once

#include <vector>

#include "grid/size_lp.hpp"

namespace greenline::grid {

// First of num_hours columns or rows; the one of hour t is first + t.
struct SizeColumns {
  int wind = 0, solar = 0, battery = 0, extra_servers = 0;
  int battery_power = -1;  // -1: follows from the capacity
  int battery_wear = -1;   // MWh that age, of the capacity or more; -1: those of the capacity
  int charge = 0, discharge = 0, grid = 0, state = 0;
  std::vector<int> out, in;  // (num_classes of flexible work)
};
struct SizeRows {
  int balance = 0, coverage = 0, embodied = 0, capital = 0;
};

struct SizeProgram {
  solve::LinearProgram lp;
  SizeColumns columns;
  SizeRows rows;
};

SizeProgram build_size_program(const SiteHours& site, const SizeOptions& options, bool named);

}  // namespace greenline::grid
