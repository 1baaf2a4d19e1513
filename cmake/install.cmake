# The installed library: headers in include/greenline/<room>/, one archive per room, and a CMake
# package, so that a consumer writes find_package(greenline) and links greenline::greenline.
include(CMakePackageConfigHelpers)

get_property(greenline_rooms GLOBAL PROPERTY GREENLINE_ROOMS)
set(greenline_library_rooms ${greenline_rooms})
list(REMOVE_ITEM greenline_library_rooms cli)

# All of the library at once: every room but the shells.
add_library(greenline_greenline INTERFACE)
add_library(greenline::greenline ALIAS greenline_greenline)
set_target_properties(greenline_greenline PROPERTIES EXPORT_NAME greenline)

set(greenline_installed greenline_greenline)
foreach(room IN LISTS greenline_library_rooms)
  target_link_libraries(greenline_greenline INTERFACE greenline_${room})
  list(APPEND greenline_installed greenline_${room})
endforeach()

install(TARGETS ${greenline_installed} EXPORT greenline
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/greenline")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/greenline")
install(EXPORT greenline NAMESPACE greenline:: FILE greenline-targets.cmake
        DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/greenline-config.cmake.in"
                              "${PROJECT_BINARY_DIR}/greenline-config.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/greenline-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/greenline-config.cmake"
              "${PROJECT_BINARY_DIR}/greenline-config-version.cmake"
        DESTINATION "${package_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
