#!/usr/bin/env python3
"""conan_test.py SOURCE WORK CMAKE: drives conanfile.py as Conan does, with a module that records what the recipe asks
for: its version, what its components need, and whether what it exports can be configured with the options it sets."""
import collections
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types

source, work, cmake = sys.argv[1:]


class Recorder:
    """Stands for CMake, CMakeDeps and CMakeToolchain."""
    last = {}

    def __init__(self, recipe):
        self.cache_variables, self.properties, self.calls = {}, {}, []
        Recorder.last[type(self).__name__] = self

    def set_property(self, package, name, value):
        self.properties[package, name] = value

    def __getattr__(self, name):
        return lambda *_: self.calls.append(name)


class Component(types.SimpleNamespace):
    def __init__(self):
        super().__init__(requires=[], libs=[], system_libs=[], cxxflags=[], properties={})

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    def __init__(self, **options):
        self.recipe_folder = self.source_folder = source
        self.package_folder = os.path.join(work, "package")
        self.settings = types.SimpleNamespace(os="Linux", arch="x86_64", compiler="gcc", build_type="Release")
        self.options = types.SimpleNamespace(**{**self.default_options, **options})
        self.required = []
        self.cpp_info = Component()
        self.cpp_info.components = collections.defaultdict(Component)

    def requires(self, reference, **_):
        self.required.append(re.match(r"([a-z0-9_-]+)/\[[^]]+\]$", reference).group(1))


class ConanInvalidConfiguration(Exception):
    pass


def module(name, **names):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(names)


def load(_, path):
    with open(path, encoding="utf-8") as file:
        return file.read()


module("conan", ConanFile=ConanFile)
module("conan.errors", ConanInvalidConfiguration=ConanInvalidConfiguration)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=lambda *_: None)
module("conan.tools.cmake", cmake_layout=lambda *_: None,
       **{name: type(name, (Recorder,), {}) for name in ("CMake", "CMakeDeps", "CMakeToolchain")})
module("conan.tools.files", load=load, copy=lambda *_: None, rmdir=lambda *_: None)
spec = importlib.util.spec_from_file_location("recipe", os.path.join(source, "conanfile.py"))
recipe = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recipe)


def driven(**options):
    """Returns a recipe on which the steps of Conan were run."""
    made = recipe.TapestryRecipe(**options)
    for step in ("set_version", "requirements", "validate", "layout", "generate", "build", "package", "package_info"):
        getattr(made, step)()
    return made


def configured(made, name):
    """Returns the libraries that are built when the exported files are configured as the recipe says."""
    exported, build = os.path.join(work, name, "exported"), os.path.join(work, name, "build")
    for pattern in made.exports_sources:
        for path in glob.glob(os.path.join(source, pattern)):
            target = os.path.join(exported, os.path.relpath(path, source))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, target)
    variables = [f"-D{key}={'ON' if value else 'OFF'}"
                 for key, value in Recorder.last["CMakeToolchain"].cache_variables.items()]
    run = subprocess.run([cmake, "-S", exported, "-B", build, "-G", "Ninja", *variables], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert run.returncode == 0, run.stdout
    return set(os.listdir(os.path.join(build, "libs")))


shutil.rmtree(work, ignore_errors=True)
effects = driven()
text = load(None, os.path.join(source, "CMakeLists.txt"))
assert effects.version == re.search(r"VERSION (\d+\.\d+\.\d+)", text).group(1), effects.version
assert effects.required == ["boost"], effects.required
assert "deeplearning" not in effects.cpp_info.components
assert configured(effects, "effects") == {"continuation", "raii", "concurrent"}

everything = driven(deeplearning=True, onnx=True, compute=True, distributed=True)
built = configured(everything, "everything")
assert {"tensor", "deeplearning", "onnx", "compute", "distributed"} <= built, built

# Components: those of the package of CMake, which need the same of each other; monad is a part of continuation.
config = load(None, os.path.join(source, "cmake/tapestryConfig.cmake"))
wanted = set(re.search(r"_tapestry_all ([^)]*)\)", config).group(1).split())
components = everything.cpp_info.components
assert set(components) - {"monad"} == wanted, sorted(components)
needs = {name: set(others.split()) for name, others in re.findall(r"_tapestry_needs_(\w+) ([^)]*)\)", config)}


def reached(name, direct):
    found = set()
    for other in direct(name):
        found |= {other} | reached(other, direct)
    return found


for name, component in components.items():
    own = reached(name, lambda each: [need for need in components[each].requires if "::" not in need])
    own = {"continuation" if each == "monad" else each for each in own} - {"continuation"}
    expected = reached(name, lambda each: needs.get(each, ())) - {"continuation"}
    assert own == expected, f"{name} needs {sorted(own)}, expected {sorted(expected)}"
    packages = {need.split("::")[0] for need in component.requires if "::" in need}
    assert packages <= set(everything.required), f"{name} needs {packages}, which the recipe does not require"
    assert component.properties["cmake_target_name"] == f"tapestry::{name}"
used = {need.split("::")[0] for component in components.values() for need in component.requires if "::" in need}
assert used == set(everything.required), f"no component needs {set(everything.required) - used}"

try:
    recipe.TapestryRecipe(compute=True).validate()
    sys.exit("compute without deeplearning was taken")
except ConanInvalidConfiguration as error:
    assert "deeplearning" in str(error)
