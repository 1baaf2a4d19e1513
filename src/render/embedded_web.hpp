#pragma once

#include <string_view>

namespace greenline::render {

// The bundle of web/dist that every HTML report carries, as it was when the library was built.
std::string_view report_script();  // web/dist/report.js
std::string_view report_style();   // web/dist/report.css

}  // namespace greenline::render
