// What a program outside of the repository does with the installed library.
#include <cstdio>

#include <greenline/base/quantity.hpp>
#include <greenline/base/quantity_text.hpp>
#include <greenline/catalog/embedded.hpp>
#include <greenline/render/embedded_web.hpp>

int main() {
  using namespace greenline;
  const auto energy = base::parse_quantity("1.2 MWh");
  std::printf("energy %s\n", base::format_quantity(energy).c_str());

  // The facts and the report bundle travel inside the archives.
  const bool complete = !catalog::embedded_files().empty() && !render::report_script().empty();
  return complete ? 0 : 1;
}
