#include "catalog/system_file.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "catalog/facts_file.hpp"

namespace greenline::catalog {

namespace {

// A key that nothing reads would change nothing, silently.
void check_keys(const std::string& path, const std::vector<Fact>& facts,
                const base::Settings& settings) {
  base::Settings silent = settings;
  silent.journal = std::make_shared<base::Journal>();
  std::map<std::string, std::set<std::string>> known;
  for (const Fact& fact : Catalog(silent).facts()) known[fact.kind].insert(fact.property());
  for (const Fact& fact : facts) {
    const std::set<std::string>& keys = known[fact.kind];
    if (keys.empty() || keys.contains(fact.property())) continue;
    throw base::unknown_name("key", fact.property(), std::vector(keys.begin(), keys.end()),
                             fmt::format("{} of {}", fact.id, path));
  }
}

}  // namespace

std::string use_system_file(base::Settings& settings, const std::string& system) {
  if (!system.ends_with(".toml")) return system;
  std::set<std::string> nodes;
  // The journal gets it once, when the overlay is read with the others.
  const std::vector<Fact> facts = read_overlay(system, nullptr);
  check_keys(system, facts, settings);
  for (const Fact& fact : facts)
    if (fact.kind == "nodes") nodes.insert(fact.entry());
  if (nodes.size() != 1)
    throw base::UserError(
        "bad-system-file",
        fmt::format("{}: expected one [nodes.<name>] table, got {}{}", system, nodes.size(),
                    nodes.empty() ? "" : fmt::format(" ({})", fmt::join(nodes, ", "))),
        "a file with several nodes is a catalogue: give it with --catalog and name one of them "
        "with --system");
  auto& overlays = settings.overlay_directories;
  if (std::find(overlays.begin(), overlays.end(), system) == overlays.end())
    overlays.push_back(system);
  return *nodes.begin();
}

}  // namespace greenline::catalog
