"""Builds clothc as Conan 2 does. Conan itself has not run it yet (packaging/README.md)."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Clothc(ConanFile):
    name = "clothc"
    license = "Apache-2.0"
    description = "Cloth simulation with a C API and the same bits everywhere"
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"vulkan": [True, False]}
    default_options = {"vulkan": True}

    @property
    def _repository(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._repository, "include", "clothc.h"))
        self.version = ".".join(re.findall(r"#define CLOTHC_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    # The source is the folder that this recipe lies in. For a release, get(self, ...) of a `source` method fetches it.
    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, self._repository, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("xsimd/[>=8.1]")
        if self.options.vulkan:
            self.requires("vulkan-headers/[>=1.3]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def validate(self):
        check_min_cppstd(self, 17)

    # The interface is that of C, so the compiler of the library does not matter to programs.
    def package_id(self):
        del self.info.settings.compiler

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CLOTHC_BUILD_TOOLS"] = False
        toolchain.cache_variables["CLOTHC_BUILD_TESTS"] = False
        toolchain.cache_variables["CLOTHC_CUDA_NATIVE_CODE"] = "OFF"
        toolchain.cache_variables["CLOTHC_VULKAN"] = bool(self.options.vulkan)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["clothc"]
        self.cpp_info.set_property("cmake_file_name", "clothc")
        self.cpp_info.set_property("cmake_target_name", "clothc::clothc")
        self.cpp_info.set_property("pkg_config_name", "clothc")
