# greenline_room(<name> [DEPENDS <room>...] [LIBRARIES <external target>...])
#
# One folder of src/, one static library: greenline_<name>, alias greenline::<name>. The sources are
# the .cpp files of the folder; a file called main.cpp is left to an executable. External libraries
# are private, since their headers appear in sources only; rooms are public.
function(greenline_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "DEPENDS;LIBRARIES")
  if(room_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "greenline_room(${name}): unknown argument ${room_UNPARSED_ARGUMENTS}")
  endif()

  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.hpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")

  set(target greenline_${name})
  add_library(${target} STATIC ${sources})
  add_library(greenline::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/src"
                                  FILES ${headers})
  # "room/thing.hpp" is how our headers name each other, <greenline/room/thing.hpp> is how a
  # consumer names them: an installed library serves both.
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/greenline>")
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:greenline_flags> fmt::fmt
                                          ${room_LIBRARIES})
  foreach(dependency IN LISTS room_DEPENDS)
    target_link_libraries(${target} PUBLIC greenline_${dependency})
  endforeach()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY GREENLINE_ROOMS ${name})
endfunction()
