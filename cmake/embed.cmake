# Files that the binary carries with it: the facts of data/ and the report bundle of web/dist.
#
# A generated assembler file pulls the bytes in with .incbin, which costs no compile time however
# large the file, and a generated C++ file names them. A new or removed file makes CMake configure
# again; a changed one only assembles again.

# Adds `files` to `target` as the symbols <prefix>_<i>_begin and <prefix>_<i>_end.
function(greenline_embed_bytes target prefix files)
  set(assembly "    .section .rodata\n")
  set(index 0)
  foreach(file IN LISTS files)
    foreach(side IN ITEMS begin end)
      string(APPEND assembly "    .global ${prefix}_${index}_${side}\n"
                             "    .hidden ${prefix}_${index}_${side}\n")
    endforeach()
    string(APPEND assembly "    .balign 16\n"
                           "${prefix}_${index}_begin:\n"
                           "    .incbin \"${file}\"\n"
                           "${prefix}_${index}_end:\n"
                           "    .byte 0\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly "    .section .note.GNU-stack,\"\",@progbits\n")

  set(output "${CMAKE_CURRENT_BINARY_DIR}/${prefix}.S")
  file(CONFIGURE OUTPUT "${output}" CONTENT "${assembly}" @ONLY)
  set_source_files_properties("${output}" PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE "${output}")
endfunction()

# Declarations of the symbols of `greenline_embed_bytes`, for a generated source.
function(greenline_embed_declarations result prefix num_files)
  set(text "")
  if(num_files GREATER 0)
    math(EXPR last "${num_files} - 1")
    foreach(index RANGE ${last})
      string(APPEND text "extern \"C\" const char ${prefix}_${index}_begin[];\n"
                         "extern \"C\" const char ${prefix}_${index}_end[];\n")
    endforeach()
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Defines catalog::embedded_files() over <folder>/**/*.csv and <folder>/sources.bib.
function(greenline_embed_data target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/*.csv" "${folder}/sources.bib")
  list(SORT files)
  list(LENGTH files num_files)
  greenline_embed_bytes(${target} greenline_data "${files}")
  greenline_embed_declarations(declarations greenline_data ${num_files})

  set(rows "")
  set(index 0)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH path "${folder}" "${file}")
    string(APPEND rows "      EmbeddedFile{\"${path}\", between(greenline_data_${index}_begin, "
                       "greenline_data_${index}_end)},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_files.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [=[
// Written by cmake/embed.cmake.
#include "catalog/embedded.hpp"

#include <array>
#include <cstddef>

@declarations@
namespace greenline::catalog {
namespace {
[[maybe_unused]] std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}
}  // namespace

std::span<const EmbeddedFile> embedded_files() {
  static const std::array<EmbeddedFile, @num_files@> kFiles{
@rows@  };
  return kFiles;
}

}  // namespace greenline::catalog
]=])
  target_sources(${target} PRIVATE "${output}")
endfunction()

# Defines render::report_script() and render::report_style() over report.js and report.css.
function(greenline_embed_web target folder)
  set(files "${folder}/report.js" "${folder}/report.css")
  foreach(file IN LISTS files)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "${file} is missing: the report bundle is committed, see web/README.md")
    endif()
  endforeach()
  greenline_embed_bytes(${target} greenline_web "${files}")
  greenline_embed_declarations(declarations greenline_web 2)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_web.cpp")
  file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [=[
// Written by cmake/embed.cmake.
#include "render/embedded_web.hpp"

#include <cstddef>

@declarations@
namespace greenline::render {

std::string_view report_script() {
  return {greenline_web_0_begin, static_cast<std::size_t>(greenline_web_0_end - greenline_web_0_begin)};
}

std::string_view report_style() {
  return {greenline_web_1_begin, static_cast<std::size_t>(greenline_web_1_end - greenline_web_1_begin)};
}

}  // namespace greenline::render
]=])
  target_sources(${target} PRIVATE "${output}")
endfunction()
