# Builds clothc as vcpkg does. vcpkg itself has not run it yet (packaging/README.md).
# The source is the folder that this port lies in. For a release, put vcpkg_from_github here with its hash.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

# There is no static library: what a program may call is what the shared one exports.
vcpkg_check_linkage(ONLY_DYNAMIC_LIBRARY)

vcpkg_check_features(OUT_FEATURE_OPTIONS feature_options FEATURES vulkan CLOTHC_VULKAN)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DCLOTHC_BUILD_TOOLS=OFF
    -DCLOTHC_BUILD_TESTS=OFF
    -DCLOTHC_CUDA_NATIVE_CODE=OFF
    ${feature_options}
)
vcpkg_cmake_install()
vcpkg_copy_pdbs()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clothc)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
