# Says what `cpack -G DEB` makes of the components that cmake/install.cmake installs: libclothc0, libclothc-dev and clothc for
# Debian. They are for machines of one's own: packages of Debian itself are built by other rules.
set(CPACK_PACKAGE_VENDOR "The clothc authors")
set(CPACK_PACKAGE_CONTACT "The clothc authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development)
if(CLOTHC_BUILD_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tool)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# A library that programs load without a program's version names the version of its interface.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libclothc0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libclothc-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libclothc0 (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME clothc)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libclothc0 (= ${PROJECT_VERSION})")

# dpkg-shlibdeps finds out which packages the binaries need. Programs that use the library find its own one the same way.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# The default takes a minute for native code of kernels.
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
include(CPack)
