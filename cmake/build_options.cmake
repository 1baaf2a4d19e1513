# How every target of this build is compiled: language, warnings, sanitizers, faster tools.

option(GREENLINE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GREENLINE_BENCHMARKS "Build the benchmarks in bench/" OFF)
option(GREENLINE_WERROR "Turn warnings into errors" OFF)
set(GREENLINE_MPI AUTO CACHE STRING "Work shared among processes, over Open MPI: AUTO, ON or OFF")
set_property(CACHE GREENLINE_MPI PROPERTY STRINGS AUTO ON OFF)
set(GREENLINE_HIGHS AUTO CACHE STRING "Linear programs by HiGHS beside CLP: AUTO, ON or OFF")
set_property(CACHE GREENLINE_HIGHS PROPERTY STRINGS AUTO ON OFF)
option(GREENLINE_FUZZ "Link tests/fuzz with libFuzzer (clang only)" OFF)
set(GREENLINE_SANITIZE "" CACHE STRING "Sanitizers of every target, as in -fsanitize=")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Flags of our own targets; nothing of this leaks to the consumers of the library.
add_library(greenline_flags INTERFACE)
target_compile_options(greenline_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${GREENLINE_WERROR}>>:-Werror>
  # GCC 12 sees overlapping copies in std::string and unset members in std::variant once these are
  # inlined, and then warns about its own headers. Clang and the sanitizers look for the real thing.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict -Wno-maybe-uninitialized>
  # A fused multiply-add rounds once where two operations round twice: whether the compiler fuses
  # would decide the last digit of a result, so it never does.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

if(GREENLINE_SANITIZE)
  add_compile_options(-fsanitize=${GREENLINE_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GREENLINE_SANITIZE})
  if(NOT GREENLINE_SANITIZE MATCHES "thread")
    add_compile_options(-fno-sanitize-recover=all)
  endif()
endif()
if(GREENLINE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "GREENLINE_FUZZ=ON needs clang (libFuzzer), this is "
                        "${CMAKE_CXX_COMPILER_ID}: use `cmake --preset fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(GREENLINE_CCACHE ccache)
mark_as_advanced(GREENLINE_CCACHE)
if(GREENLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${GREENLINE_CCACHE}")
endif()
find_program(GREENLINE_MOLD mold)
mark_as_advanced(GREENLINE_MOLD)
if(GREENLINE_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
