#include "verb/registry.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace greenline::verb {
namespace {

struct Request {
  base::Settings settings;
  double x = 2;
};
struct Result {
  double square;
};
void describe(Fields& f, Request& r) { f(r.x, "x", "a number"); }
void present(Report& r, const Result& x) { r.value("square", x.square); }
Result square(const Request& r, base::Progress&) { return {r.x * r.x}; }

Info info(std::string noun, std::string name) {
  Info i;
  i.noun = std::move(noun);
  i.name = std::move(name);
  return i;
}

std::string refusal(const Registry& registry, std::string_view noun, std::string_view name) {
  try {
    registry.get(noun, name);
  } catch (const base::UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Registry, RunsAFunctionOnItsFields) {
  Registry registry;
  registry.add(info("math", "square"), &square);
  const auto call = registry.get("math", "square").make();
  call->fields().find("x")->set_text("3", {});
  Report report;
  call->run(base::no_progress(), report);
  const Document d = report.take();
  EXPECT_EQ(std::get<base::AnyQuantity>(std::get<ValueNode>(d.root.nodes.at(0)).cell).value, 9);
}

TEST(Registry, NamesTheNearestVerb) {
  Registry registry;
  registry.add(info("math", "square"), &square);
  registry.add(info("math", "cube"), &square);
  registry.add(info("", "doctor"), &square);
  EXPECT_NE(refusal(registry, "math", "sqare").find("nearest: square"), std::string::npos);
  EXPECT_NE(refusal(registry, "", "docter").find("nearest: doctor"), std::string::npos);
  EXPECT_NE(refusal(registry, "", "mth").find("nearest: math"), std::string::npos);
  EXPECT_NE(refusal(registry, "", "cube").find("greenline math cube"), std::string::npos);
  EXPECT_EQ(registry.nouns(), std::vector<std::string>{"math"});
  EXPECT_EQ(registry.of("math").size(), 2U);
}

TEST(Registry, RefusesTheSameVerbTwice) {
  Registry registry;
  registry.add(info("math", "square"), &square);
  EXPECT_THROW(registry.add(info("math", "square"), &square), base::InternalError);
}

}  // namespace
}  // namespace greenline::verb
