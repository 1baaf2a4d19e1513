#include "render/document.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "io/json.hpp"
#include "unit/render/sample.hpp"

namespace greenline::render {
namespace {

double number_at(const io::Value& document, std::string_view path) {
  const io::Value* found = document.find_path(path);
  EXPECT_NE(found, nullptr) << path;
  return found == nullptr ? 0 : found->as_double();
}

TEST(Document, KeysFollowCallOrder) {
  const io::Value document = sample_document();
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.find("result")->as_object()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"duration_s", "duration_s_range", "energy_kwh",
                                            "energy_kwh_range", "coverage", "devices", "peak_w",
                                            "operational", "parts", "options", "hours", "load_w"}));
}

TEST(Document, NumbersAreInTheFileUnit) {
  const io::Value document = sample_document();
  // The sums behind the draws round: 1e-12 is some thousand times the rounding of 256 terms.
  EXPECT_NEAR(number_at(document, "result.duration_s"), 54.2 * 86400, 1e-12 * 54.2 * 86400);
  EXPECT_NEAR(number_at(document, "result.energy_kwh_range.low"), 6.91e6, 1e-12 * 6.91e6);
  EXPECT_EQ(number_at(document, "result.coverage"), 0.4512);
  EXPECT_EQ(document.find_path("result.energy_kwh_range.evidence")->as_text(), "modelled");
  EXPECT_EQ(document.find_path("result.hours.0.start")->as_text(), "2021-01-01T00:00:00Z");
  EXPECT_EQ(number_at(document, "result.load_w.step_s"), 3600);
  EXPECT_EQ(number_at(document, "result.load_w.values.2"), 4e6);
}

TEST(Document, AnAbsentValueIsNullAndSaysWhy) {
  const io::Value document = sample_document();
  EXPECT_TRUE(document.find_path("result.operational.market_kgco2e")->is_null());
  EXPECT_EQ(document.find_path("result.operational.market_kgco2e_why")->as_text(),
            "no contractual instrument was given");
}

TEST(Document, ACertainEstimateHasNoRange) {
  verb::Report r;
  r.value("pue", base::Estimate<double>(1.1, base::Evidence::assumed, "given"));
  const io::Value document = make_document(r.take(), sample_provenance(), {});
  EXPECT_EQ(number_at(document, "result.pue"), 1.1);
  EXPECT_EQ(document.find_path("result.pue_range"), nullptr);
}

TEST(Document, TheResultDoesNotDependOnHowItWasRun) {
  Provenance other = sample_provenance();
  other.threads = 64;
  other.wall_time = 99.0 * base::units::s;
  other.started = base::Instant{0};
  const io::Value a = sample_document(), b = make_document(sample_report(), other, {});
  EXPECT_EQ(io::write_json(*a.find("result")), io::write_json(*b.find("result")));
}

TEST(Document, NotANumberNeverReachesAFile) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    verb::Document document;
    verb::Group group{"operational", "", {}};
    group.nodes.push_back(verb::ValueNode{"energy_kwh", base::AnyQuantity(bad, base::kEnergy), {}});
    document.root.nodes.push_back(group);
    try {
      make_document(document, sample_provenance(), {});
      FAIL() << "accepted " << bad;
    } catch (const base::InternalError& e) {
      EXPECT_NE(std::string(e.what()).find("result.operational.energy_kwh"), std::string::npos)
          << e.what();
    }
  }
}

TEST(Document, ASeedTooLargeForJsonIsText) {
  Provenance p = sample_provenance();
  p.seed = std::numeric_limits<std::uint64_t>::max();
  const io::Value document = make_document(sample_report(), p, {});
  EXPECT_EQ(document.find_path("greenline.provenance.seed")->as_text(), "18446744073709551615");
  EXPECT_NO_THROW(check_document(document));
}

TEST(Document, ReadBackItGivesTheSameViews) {
  const io::Value written = sample_document();
  const io::Value read = io::parse_json(json(written), "result.json");
  EXPECT_NO_THROW(check_document(read));
  EXPECT_EQ(json(read), json(written));
  EXPECT_EQ(terminal(read, {}), terminal(written, {}));
  EXPECT_EQ(markdown(read), markdown(written));
  EXPECT_EQ(csv(read), csv(written));
  EXPECT_EQ(html(read), html(written));
}

struct Hostile {
  const char* json;
  const char* message;
};
// Each is a whole file; the message names the member.
constexpr Hostile kHostile[] = {
    {"[]", "the document: expected an object"},
    {"{}", "the document: expected a member \"greenline\""},
    {R"({"greenline": 3})", "greenline: expected an object"},
    {R"({"greenline": {"schema_version": "1"}})", "greenline.schema_version: expected an integer"},
    {R"({"greenline": {"schema_version": 7, "version": "9"}})",
     "greenline.schema_version: expected 1, got 7"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {"inputs": [4]}}})",
     "greenline.provenance.inputs.0: expected an object"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": []})",
     "result: expected an object"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {}, "report": {}})",
     "report: expected a member \"layout\""},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {"a": 1},
         "report": {"layout": [{"path": "a", "kind": "picture"}]}})",
     "report.layout.0.kind: expected value, table, series or group"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {"a": 1},
         "report": {"layout": [{"path": "a.b.c", "kind": "value"}]}})",
     "result.a: expected an object"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {"a": [1]},
         "report": {"layout": [{"path": "a", "kind": "table", "columns": [{"key": "x"}]}]}})",
     "result.a.0: expected an object"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {"a": [{"x": {}}]},
         "report": {"layout": [{"path": "a", "kind": "table", "columns": [{"key": "x"}]}]}})",
     "result.a.0.x: expected a number, text, true, false or null"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {"a": 1, "a_range": {"low": "x"}},
         "report": {"layout": [{"path": "a", "kind": "value"}]}})",
     "result.a_range.low: expected a finite number"},
    {R"({"greenline": {"schema_version": 1, "version": "1", "verb": "v", "provenance": {}}, "result": {},
         "report": {"layout": [], "charts": [{"key": "k", "kind": "bars", "y": []}]}})",
     "report.charts.0: expected a chart with at least one path in y"},
};

TEST(Document, AFileThatIsNoResultIsRefusedByName) {
  for (const Hostile& hostile : kHostile) {
    const io::Value document = io::parse_json(hostile.json, "bad.json");
    for (const auto& view : {std::function<void()>([&] { check_document(document); }),
                             std::function<void()>([&] { terminal(document, {}); }),
                             std::function<void()>([&] { html(document); })}) {
      try {
        view();
        ADD_FAILURE() << "accepted " << hostile.json;
      } catch (const base::DataError& e) {
        EXPECT_EQ(e.code(), "not-a-result");
        EXPECT_NE(e.message().find(hostile.message), std::string::npos) << e.message();
      }
    }
  }
}

}  // namespace
}  // namespace greenline::render
