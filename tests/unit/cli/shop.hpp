// A small verb for tests of the machinery: `shop count`.
#pragma once

#include "base/error.hpp"
#include "verb/registry.hpp"

namespace greenline::shop {

struct Request {
  base::Settings settings;
  std::string item;
  base::Power load = 5.0 * base::units::MW;
  std::vector<std::string> tags;
  bool fast = true;
  double share = 0.5;
  std::string fail;
};
struct Result {
  Request request;
};

inline void describe(verb::Fields& f, Request& r) {
  f(r.item, "item", "what to count").positional().required().placeholder("ITEM");
  f(r.load, "load", "mean load").bounds(0.0 * base::units::W);
  f(r.tags, "tags", "labels");
  f(r.fast, "fast", "do it quickly");
  f(r.share, "share", "how much of it")
      .bounds(0.0, 1.0)
      .source("a survey of shops")
      .environment("SHOP_SHARE");
  f(r.fail, "fail", "way to fail").choices({"", "data", "bug", "unsupported", "alloc"});
}

inline void present(verb::Report& r, const Result& x) {
  r.title("Counted");
  r.text("item", x.request.item);
  r.value("load", x.request.load);
  r.value("fast", x.request.fast);
  r.value("share", x.request.share);
  r.table("tags").column("tag", x.request.tags);
  r.attachment(".list", [&] { return x.request.item + "\n"; });
  if (x.request.fast) r.attachment(".till.json", [] { return std::string("{\"till\": 1}\n"); });
}

inline Result count(const Request& r, base::Progress&) {
  if (r.fail == "data")
    throw base::DataError("bad-shop", "the shop is closed", "come back", {"shop.csv", 3, 4});
  if (r.fail == "unsupported") throw base::UnsupportedError("no-till", "no till");
  if (r.fail == "bug") throw base::InternalError("two tills");
  if (r.fail == "alloc") throw std::bad_alloc();
  r.settings.journal->assumed({"--hours", "9 to 5", "the sign gives no hint"});
  r.settings.journal->notice("counted twice");
  return {r};
}

inline verb::Info count_info() {
  verb::Info info;
  info.noun = "shop";
  info.name = "count";
  info.heading = verb::Heading::plan;
  info.summary = "count items";
  info.examples = {{"greenline shop count apples", "all apples"},
                   {"greenline shop count shop.toml", "from a file"}};
  info.positional_is_config = true;
  info.attachments = {{".list", "the items, one a line", ""},
                      {".till.json", "the till's own file", "with --fast"}};
  return info;
}

inline void register_verbs(verb::Registry& registry) { registry.add(count_info(), &count); }

}  // namespace greenline::shop
