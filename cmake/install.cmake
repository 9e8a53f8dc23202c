# Defines what `cmake --install` installs: library, headers, tool, CMake package, pkg-config file and licence.
include(CMakePackageConfigHelpers)

install(TARGETS clothc EXPORT clothcTargets)
file(GLOB public_headers CONFIGURE_DEPENDS include/*.h include/*.hpp)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clothc)
install(EXPORT clothcTargets NAMESPACE clothc:: DESTINATION ${package_dir})
configure_package_config_file(cmake/clothcConfig.cmake.in clothcConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(clothcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/clothcConfig.cmake ${PROJECT_BINARY_DIR}/clothcConfigVersion.cmake
        DESTINATION ${package_dir})

# The prefix is given relative to the pkg-config file, so that the installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/clothc.pc.in clothc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clothc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
