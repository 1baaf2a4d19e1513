// Facts with their sources, and a chip of your own laid over them.
#include <cstdio>

#include "base/quantity_text.hpp"
#include "catalog/entries.hpp"

using namespace greenline;

int main() {
  base::Settings settings;
  settings.overrides = {"h100-sxm.tdp=650 W"};  // as --set does
  const catalog::Catalog facts(settings);
  const catalog::Fact& tdp = facts.at("h100-sxm.tdp");
  std::printf("%s: %s %s (%s)\n", tdp.id.c_str(), tdp.text.c_str(), tdp.unit.c_str(),
              tdp.origin.c_str());

  const catalog::System node = catalog::system(facts, "dgx-h100");
  const auto bf16 = node.device.peak[static_cast<std::size_t>(catalog::Precision::bf16)];
  std::printf("%s: %lld x %s, %s dense bf16 each\n", node.name.c_str(),
              static_cast<long long>(node.devices_per_node), node.device.name.c_str(),
              bf16 ? base::format_quantity(*bf16).c_str() : "no");
  for (const base::FactRecord& used : settings.journal->facts())
    std::printf("  used %s, source %s\n", used.id.c_str(), used.source.c_str());
}
