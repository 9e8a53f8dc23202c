# Defines what `cmake --install` installs: library, headers, tool, CMake package, pkg-config file and licence; and which
# packages `cpack` makes of it (cmake/package.cmake).
# Its components are the library, what one needs to compile programs, and the tool.
include(CMakePackageConfigHelpers)

install(TARGETS clothc EXPORT clothcTargets COMPONENT library
        LIBRARY NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development)
file(GLOB public_headers CONFIGURE_DEPENDS include/*.h include/*.hpp)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clothc)
install(EXPORT clothcTargets NAMESPACE clothc:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/clothcConfig.cmake.in clothcConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(clothcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clothcConfig.cmake ${PROJECT_BINARY_DIR}/clothcConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)

# The prefix is given relative to the pkg-config file, so that the installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/clothc.pc.in clothc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clothc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

include(cmake/package.cmake)
