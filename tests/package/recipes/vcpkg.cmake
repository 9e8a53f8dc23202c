# vcpkg.cmake - carries out the port of vcpkg without vcpkg, with the functions that the port calls:
# cmake -DPORT=FOLDER -DBUILD=FOLDER -DPACKAGE=FOLDER -DOPTIONS=LIST [-DINSTALL=ON] -P vcpkg.cmake
# The folder PACKAGE gets what the port installs; without INSTALL, the build is only configured. OPTIONS is what vcpkg's
# toolchain says: the compilers. vcpkg builds a second time, for debugging, which is left out.
set(CURRENT_PACKAGES_DIR ${PACKAGE})

function(run)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

# Fails if the port did not install a file that it says something of.
function(expect path)
  if(INSTALL AND NOT EXISTS ${PACKAGE}/${path})
    message(FATAL_ERROR "the port installs no ${path}")
  endif()
endfunction()

function(vcpkg_check_linkage)
endfunction()

function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 given "" OUT_FEATURE_OPTIONS FEATURES)
  set(options "")
  while(given_FEATURES)
    list(POP_FRONT given_FEATURES feature option)
    list(APPEND options -D${option}=ON)
  endwhile()
  set(${given_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 given "" SOURCE_PATH OPTIONS)
  run(-G Ninja -S ${given_SOURCE_PATH} -B ${BUILD} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=${PACKAGE}
      -DCMAKE_INSTALL_LIBDIR:STRING=lib -DBUILD_SHARED_LIBS=ON ${OPTIONS} ${given_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  if(INSTALL)
    run(--build ${BUILD})
    run(--install ${BUILD})
  endif()
endfunction()

function(vcpkg_copy_pdbs)
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 given "" CONFIG_PATH "")
  expect(${given_CONFIG_PATH}/clothcConfig.cmake)
endfunction()

function(vcpkg_fixup_pkgconfig)
  expect(lib/pkgconfig/clothc.pc)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "" FILE_LIST)
  file(COPY ${given_FILE_LIST} DESTINATION ${PACKAGE}/share/clothc)
endfunction()

include(${PORT}/portfile.cmake)
