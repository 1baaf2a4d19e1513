# Every external library, found once. The same list, for consumers of an installed Greenline, is in
# cmake/greenline-config.cmake.in.

find_package(fmt 9 REQUIRED)
find_package(TBB 2021 REQUIRED)
find_package(date 3 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(SQLite3 3.40 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate>=1.14)
