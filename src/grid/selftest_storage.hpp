// Reference rows of battery, flexible work, around-the-clock supply and the release's printed
// values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/selftest.hpp"
#include "grid/site_hours.hpp"

namespace greenline::grid {

// `site_of_file`: a file of the reference inputs with the load of the release (nominal MW) and days
// of 24 hours; none where the file is not there.
using SiteOfFile = std::function<std::optional<SiteHours>(const char* file, double load_mw)>;

void add_storage_rows(const SiteOfFile& site_of_file, std::vector<base::CheckRow>& rows);

}  // namespace greenline::grid
