#include "app/doctor.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "app/host.hpp"
#include "app/verb_pages.hpp"
#include "base/calendar.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "catalog/catalog.hpp"

namespace greenline::app {
namespace {

struct DoctorRequest {
  base::Settings settings;
  std::string reference_root;
  std::string verb_pages;  // folder to write the pages of docs/verbs to
};

struct Finding {
  std::string part;
  bool ok = true;
  std::string detail;
  std::string mend;  // when not ok
};

struct DoctorResult {
  std::vector<Finding> findings;
  std::int64_t num_facts = 0;
  std::int64_t num_verbs = 0;
};

void describe(verb::Fields& f, DoctorRequest& r) {
  f(r.reference_root, "reference_root", "folder of real inputs for tests")
      .placeholder("DIR")
      .environment("GREENLINE_SHARED");
  f(r.verb_pages, "verb_pages", "write one Markdown page per verb into this folder")
      .placeholder("DIR")
      .hidden();
}

Finding check_time_zones() {
  try {
    base::civil_local(base::Instant{}, "America/Chicago");
    return {"time zones", true, "tz database found", ""};
  } catch (const base::Error& e) {
    return {"time zones", false, e.message(), "apt-get install tzdata"};
  }
}

Finding check_catalog(const base::Settings& settings, std::int64_t& num_facts) {
  try {
    num_facts = static_cast<std::int64_t>(catalog::Catalog(settings).facts().size());
    return {"catalogue", true,
            fmt::format("{} facts, {} sources", num_facts, catalog::sources().size()), ""};
  } catch (const base::DataError& e) {
    return {"catalogue", false, e.what(), "mend or leave out the overlay"};
  }
}

// Overlays that do not exist are a finding of their own, so the catalogue is examined without them.
base::Settings without_missing_overlays(base::Settings settings) {
  std::erase_if(settings.overlay_directories,
                [](const std::string& d) { return !std::filesystem::exists(d); });
  return settings;
}

Finding check_overlays(const base::Settings& settings) {
  for (const std::string& directory : settings.overlay_directories) {
    if (!std::filesystem::exists(directory))
      return {"overlays", false, base::quoted(directory) + " does not exist",
              "mend $GREENLINE_DATA or --catalog"};
  }
  if (settings.overlay_directories.empty())
    return {"overlays", true, "none ($GREENLINE_DATA is not set)", ""};
  return {"overlays", true, fmt::format("{}", fmt::join(settings.overlay_directories, ", ")), ""};
}

Finding check_reference(const std::string& root) {
  if (root.empty())
    return {"reference inputs", false,
            "$GREENLINE_SHARED is not set: tests on real inputs are skipped",
            "set it to the folder that holds data/ and oracles/"};
  if (!std::filesystem::is_directory(root))
    return {"reference inputs", false, base::quoted(root) + " is no folder",
            "mend $GREENLINE_SHARED"};
  return {"reference inputs", true, root, ""};
}

DoctorResult examine(const verb::Registry& registry, const DoctorRequest& request) {
  DoctorResult result;
  result.num_verbs = static_cast<std::int64_t>(registry.all().size());
  auto& found = result.findings;
  found.push_back({"greenline", true, version(), ""});
  found.push_back({"compiler", true, compiler() + ", " + architecture(), ""});
  found.push_back({"libraries", true, fmt::format("{}", fmt::join(libraries(), ", ")), ""});
  found.push_back({"vector extension", true, instruction_set(), ""});
  found.push_back({"threads", true, std::to_string(base::num_threads()), ""});
  found.push_back(check_catalog(without_missing_overlays(request.settings), result.num_facts));
  found.push_back(check_overlays(request.settings));
  found.push_back(check_time_zones());
  found.push_back(check_reference(request.reference_root));
  if (!request.verb_pages.empty()) write_verb_pages(registry, request.verb_pages);
  return result;
}

void present(verb::Report& r, const DoctorResult& x) {
  r.title("This build and this machine");
  std::vector<std::string> parts, states, details, mends;
  std::int64_t num_missing = 0;
  for (const Finding& f : x.findings) {
    parts.push_back(f.part);
    states.push_back(f.ok ? "ok" : "missing");
    details.push_back(f.detail);
    mends.push_back(f.mend);
    num_missing += f.ok ? 0 : 1;
  }
  r.value("num_missing", num_missing, {.label = "missing"});
  r.value("num_facts", x.num_facts, {.label = "catalogue facts"});
  r.value("num_verbs", x.num_verbs, {.label = "verbs"});
  r.table("parts", "Parts")
      .column("part", parts)
      .column("state", states)
      .column("detail", details)
      .column("mend", mends);
}

}  // namespace

void register_doctor(verb::Registry& registry) {
  verb::Info info;
  info.name = "doctor";
  info.summary = "what this build and this machine offer";
  info.description = "Says for each part whether it is there, and how to get what is missing.";
  info.examples = {{"greenline doctor", "compiler, libraries, processor, catalogue, paths"},
                   {"greenline doctor --json", "the same for a bug report"}};
  registry.add_bound<DoctorRequest, DoctorResult>(
      std::move(info), [&registry](const DoctorRequest& request, base::Progress&) {
        return examine(registry, request);
      });
}

}  // namespace greenline::app
