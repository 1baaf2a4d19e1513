#include <gtest/gtest.h>

#include "io/json.hpp"
#include "render/document.hpp"
#include "render/embedded_web.hpp"
#include "unit/render/sample.hpp"

namespace greenline::render {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The page without the bundle and the data, which hold anything.
std::string markup(const std::string& page) {
  const std::size_t style = page.find("</style>");
  return page.substr(style, page.find("<script id=\"greenline-data\"") - style);
}

TEST(Html, KeepsTheContractWithTheScript) {
  const std::string page = html(sample_document());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_TRUE(has(page,
                  "content=\"default-src 'none'; script-src 'unsafe-inline'; style-src "
                  "'unsafe-inline'; img-src data:\""));
  EXPECT_TRUE(has(
      page,
      R"(<div class="card" data-key="duration_s" tabindex="0"><span class="label">Duration</span>)"
      R"(<span class="value">54.2 days</span><span class="range" title="made-up">48.1–62.9 days · modelled</span></div>)"));
  EXPECT_TRUE(has(
      page,
      R"(<dd data-key="operational.market_kgco2e"><span class="value">n/a (no contractual instrument was given)</span> </dd>)"));
  EXPECT_TRUE(has(page, R"(<th scope="col" class="num">Time (s)</th>)"));
  EXPECT_TRUE(has(page, R"(<td class="num" data-value="9.21">9.21</td>)"));
  EXPECT_TRUE(has(
      page,
      R"(<figure class="chart" data-chart="parts"><figcaption>Parts of an iteration</figcaption><div class="plot"></div></figure>)"));
  EXPECT_TRUE(has(page, R"(<span class="range" title="modelled: made-up">-900 to -600</span>)"));
}

TEST(Html, EachChartStandsOnceAfterItsTable) {
  const std::string page = markup(html(sample_document()));
  EXPECT_EQ(occurrences(page, "<figure"), 3u);
  EXPECT_LT(page.find("<h2>Why this long"), page.find("data-chart=\"parts\""));
  EXPECT_LT(page.find("data-chart=\"parts\""), page.find("<h2>What would change it"));
}

TEST(Html, ALongHiddenTableIsInTheDataOnly) {
  const std::string page = html(sample_document());
  EXPECT_EQ(occurrences(markup(page), "2021-01-01"), 1u);  // the caption of the series
  EXPECT_TRUE(has(page, "\"start\":\"2021-01-01T05:00:00Z\""));
}

TEST(Html, TextOfAReportIsNeverMarkup) {
  verb::Report r;
  r.title("</title><script>alert(1)</script>\xFF");
  r.value("energy", 1.0 * base::units::kWh,
          {.label = "<script>alert(2)</script>",
           .why = "\"&'",
           .headline = false,
           .as_percent = false,
           .derivation = {}});
  r.table("t", "<b>")
      .column("name", std::vector<std::string>{"<img src=x onerror=alert(3)>"}, "a\"b");
  r.notice("<!--");
  Provenance p = sample_provenance();
  p.command_line = "greenline '<script>'";
  const std::string page = html(make_document(r.take(), p, {}));
  const std::string body = markup(page);
  EXPECT_FALSE(has(body, "<script"));
  EXPECT_FALSE(has(body, "<img"));
  EXPECT_FALSE(has(body, "<b>"));
  EXPECT_FALSE(has(body, "<!--"));
  EXPECT_TRUE(has(body, "&lt;script&gt;alert(2)&lt;/script&gt;"));
  EXPECT_TRUE(has(body, "&quot;&amp;&#39;"));
  EXPECT_TRUE(has(body, "\xEF\xBF\xBD"));
  EXPECT_FALSE(has(page, "\xFF"));
  // The data end where the page says, whatever they hold.
  const std::size_t data = page.find("type=\"application/json\">");
  const std::string json_text = page.substr(data + 24, page.find("</script>", data) - data - 24);
  EXPECT_NO_THROW(check_document(io::parse_json(json_text, "page")));
}

TEST(Html, TheBundleCannotEndItsOwnElement) {
  EXPECT_FALSE(has(std::string(report_script()), "</script"));
  EXPECT_FALSE(has(std::string(report_script()), "<!--"));
  EXPECT_FALSE(has(std::string(report_style()), "</style"));
}

}  // namespace
}  // namespace greenline::render
