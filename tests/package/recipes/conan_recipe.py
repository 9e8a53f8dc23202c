# conan_recipe.py - carries out the recipe of Conan without Conan, with the classes and functions that the recipe
# imports. As with Conan, the build sees only the files that the recipe exports.
import fnmatch
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import types

release = types.SimpleNamespace(build_type="Release")


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{result.stdout}{result.stderr}")


class ConanFile:
    pass


class CMakeToolchain:
    def __init__(self, recipe):
        self.recipe = recipe
        self.cache_variables = {}

    def generate(self):
        spelled = {True: "ON", False: "OFF"}
        self.recipe.cmake_options = [f"-D{name}={spelled.get(value, value)}"
                                     for name, value in self.cache_variables.items()]


class CMakeDeps:
    def __init__(self, recipe):
        pass

    def generate(self):
        pass


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        run("cmake", "-G", "Ninja", "-S", self.recipe.source_folder, "-B", self.recipe.build_folder,
            f"-DCMAKE_BUILD_TYPE={release.build_type}", f"-DCMAKE_INSTALL_PREFIX={self.recipe.package_folder}",
            *self.recipe.profile, *self.recipe.cmake_options)

    def build(self):
        if self.recipe.builds:
            run("cmake", "--build", self.recipe.build_folder)

    def install(self):
        run("cmake", "--install", self.recipe.build_folder)


def copy(_, pattern, source, target):
    """Copies files by a pattern whose first part names a file or a folder; * stands for folders, too."""
    first = pathlib.Path(source, pattern.split("/")[0])
    for path in [first] if first.is_file() else first.rglob("*"):
        name = os.path.relpath(path, source)
        if path.is_file() and fnmatch.fnmatch(name, pattern):
            pathlib.Path(target, name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, pathlib.Path(target, name))


def stand_in():
    """Makes what the recipe imports known as Conan's modules."""
    nothing = {"check_min_cppstd": lambda *_: None, "can_run": lambda *_: True, "cmake_layout": lambda *_: None}
    contents = {
        "conan": {"ConanFile": ConanFile},
        "conan.tools": {},
        "conan.tools.build": nothing,
        "conan.tools.cmake": {"CMake": CMake, "CMakeDeps": CMakeDeps, "CMakeToolchain": CMakeToolchain, **nothing},
        "conan.tools.files": {"copy": copy, "load": lambda _, path: pathlib.Path(path).read_text()},
    }
    for name, content in contents.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(content)


def carry_out(path, folder, profile, builds):
    """Carries out a recipe in a folder, as far as to configure if it is not to build. profile: options of cmake."""
    stand_in()
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    recipe = module.Clothc()
    recipe.recipe_folder = str(path.parent)
    recipe.export_sources_folder = recipe.source_folder = str(folder / "source")
    recipe.build_folder = str(folder / "build")
    recipe.package_folder = str(folder / "package")
    recipe.profile, recipe.builds = profile, builds
    recipe.settings = release
    recipe.options = types.SimpleNamespace(**recipe.default_options)
    recipe.requires = recipe.tool_requires = lambda _: None
    recipe.cpp_info = types.SimpleNamespace(set_property=lambda *_: None)
    for step in ("set_version", "export_sources", "layout", "requirements", "build_requirements", "validate", "generate",
                 "build"):
        getattr(recipe, step)()
    if builds:
        recipe.package()
        recipe.package_info()
        missing = [name for name in recipe.cpp_info.libs if not (folder / f"package/lib/lib{name}.so").exists()]
        if missing:
            sys.exit(f"the recipe of Conan packages no {missing}")
