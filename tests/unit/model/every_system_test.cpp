// Every system of the catalogue can be planned on.
#include <string>

#include <gtest/gtest.h>

#include "catalog/entries.hpp"
#include "model/machine.hpp"
#include "model/power.hpp"

namespace greenline::model {
namespace {

using catalog::Catalog;
using catalog::Precision;

// Constants of time and of power, and the embodied carbon of its device.
TEST(EverySystem, HasAMachineAPowerAndAFootprint) {
  const Catalog facts{base::Settings{}};
  int systems = 0;
  for (const std::string& id : facts.entries("nodes")) {
    if (id.ends_with("-madmax") || !facts.peek(id + ".inter_bandwidth")) continue;
    const catalog::System s = system(facts, id);
    EXPECT_GT(machine(facts, s, Precision::fp16).matmul_peak, base::WorkRate{}) << id;
    const PowerDraw draw = power_draw(facts, s, {.compute = 1});
    EXPECT_GT(draw.node.nominal(), base::Power{}) << id;
    EXPECT_TRUE(facts.peek(s.device.id + ".embodied")) << id;
    EXPECT_TRUE(facts.peek("plan." + s.device.generation + ".time")) << id;
    EXPECT_TRUE(s.host_bandwidth) << id;
    ++systems;
  }
  EXPECT_GE(systems, 20);
}

// Where a note says that the Hopper value stands in for one that nobody fitted, it is that value.
TEST(EverySystem, WhatStandsInIsWhatItSays) {
  const Catalog facts{base::Settings{}};
  int stand_ins = 0;
  for (const catalog::Fact& fact : facts.facts()) {
    for (const auto& [words, generation] : {std::pair{"the Hopper value stands in", "hopper"},
                                            {"the Ampere value stands in", "ampere"}}) {
      if (fact.kind != "efficiency" || fact.note.find(words) == std::string::npos) continue;
      EXPECT_EQ(fact.text, facts.at(std::string(generation) + "." + fact.property()).text)
          << fact.id;
      ++stand_ins;
    }
  }
  EXPECT_GE(stand_ins, 10);
}

}  // namespace
}  // namespace greenline::model
