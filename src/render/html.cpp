#include "io/json.hpp"
#include "render/document.hpp"
#include "render/embedded_web.hpp"
#include "render/figures.hpp"
#include "render/html_sections.hpp"
#include "render/html_text.hpp"
#include "render/outline.hpp"

namespace greenline::render {
namespace {

// The policy lets the page run what it carries and fetch nothing: the report is the same offline
// and years later.
constexpr std::string_view kPolicy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data:\">\n";

std::string page_title(const Outline& outline) {
  return outline.title.empty() ? outline.verb : outline.title;
}

std::string head(const Outline& outline) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out.append(kPolicy);
  out +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
      "name=\"generator\"" +
      html_attribute("content", "greenline " + outline.version) + ">\n" +
      html_element("title", page_title(outline)) + "\n<style>";
  out.append(report_style());
  return out + "</style>\n</head>\n";
}

std::string header(const Outline& outline) {
  std::string subtitle = "greenline " + outline.version + " · " + outline.verb;
  if (!outline.started.empty()) subtitle += " · " + show_instant(outline.started);
  std::string out = "<header>" + html_element("h1", page_title(outline)) +
                    html_element("p", subtitle, " class=\"subtitle\"");
  if (!outline.command_line.empty())
    out += "<p class=\"command\">" + html_element("code", outline.command_line) + "</p>";
  if (outline.interrupted)
    out += html_element("p", "Interrupted: these are the best values so far.",
                        " class=\"interrupted\"");
  return out + "</header>\n";
}

std::string scripts(const io::Value& document) {
  std::string out = "<script id=\"greenline-data\" type=\"application/json\">" +
                    io::write_json(document, 0) + "</script>\n<script>";
  out.append(report_script());
  return out + "</script>\n";
}

}  // namespace

std::string html(const io::Value& document) {
  const Outline outline = read_outline(document);
  std::string out =
      head(outline) + "<body>\n" + header(outline) + "<main>\n" + html_headline(outline);
  for (const Section& section : outline.sections) out += html_section(section, outline);
  out += html_loose_charts(outline) + html_remarks(outline) + html_derivations(outline) +
         html_provenance(outline);
  return out + "</main>\n" + scripts(document) + "</body>\n</html>\n";
}

}  // namespace greenline::render
