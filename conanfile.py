"""The recipe of Conan 2 for tapestry: `conan create . --build=missing`."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

# What each component needs: components, then packages; a component of an option is built if the option is on.
COMPONENTS = {
    "monad": [],
    "continuation": ["monad"],
    "testing": ["continuation"],
    "asio": ["continuation", "boost::headers"],
    "direct": ["continuation", "boost::context"],
    "tryt": ["monad"],
    "resourcet": ["monad"],
    "raii": ["tryt", "resourcet", "continuation"],
    "concurrent": ["raii"],
    "tensor": ["highway::highway", "onednn::onednn", "openblas::openblas"],
    "xtensor": ["tensor", "xtensor::xtensor"],
    "deeplearning": ["raii", "tensor", "libpng::libpng", "nlohmann_json::nlohmann_json", "zlib::zlib"],
    "onnx": ["deeplearning"],
    "compute": ["raii", "tensor", "clblast::clblast", "opencl-icd-loader::opencl-icd-loader",
                "opencl-clhpp-headers::opencl-clhpp-headers"],
    "distributed": ["concurrent", "deeplearning"],
}
HEADERS_ALONE = {"testing", "tryt", "resourcet", "xtensor"}
OPTION_OF = {"tensor": "deeplearning", "xtensor": "deeplearning", "deeplearning": "deeplearning", "onnx": "onnx",
             "compute": "compute", "distributed": "distributed"}
SYSTEM_LIBRARIES = {"continuation": ["pthread"], "tensor": ["gomp"], "compute": ["dl"], "distributed": ["mpi"]}
# The names under which the build looks for packages that have others in ConanCenter.
FOUND_AS = {"highway": ("hwy", "hwy::hwy"), "onednn": ("dnnl", "DNNL::dnnl"),
            "openblas": ("OpenBLAS", "OpenBLAS::OpenBLAS"), "clblast": ("CLBlast", "clblast")}


class TapestryRecipe(ConanFile):
    name = "tapestry"
    description = "Asynchronous, resource-safe effects as values, and deep learning on top of them"
    license = "Apache-2.0"
    topics = ("asynchronous", "monads", "deep-learning")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], "deeplearning": [True, False], "onnx": [True, False], "compute": [True, False],
               "distributed": [True, False]}
    default_options = {"fPIC": True, "deeplearning": False, "onnx": False, "compute": False, "distributed": False}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "libs/*", "packaging/debian/*", "scripts/check_awaits"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"^project\(tapestry VERSION ([0-9.]+)", text, re.MULTILINE).group(1)

    def requirements(self):
        self.requires("boost/[>=1.81 <2]", transitive_headers=True)
        if self.options.deeplearning:
            for package in ("highway/[>=1.0 <2]", "libpng/[>=1.6 <2]", "nlohmann_json/[>=3.11 <4]",
                            "onednn/[>=2.6 <4]", "openblas/[>=0.3.20 <1]", "zlib/[>=1.2.11 <2]"):
                self.requires(package)
            self.requires("xtensor/[>=0.24 <0.26]", transitive_headers=True)
        if self.options.compute:
            for package in ("clblast/[>=1.5.3 <2]", "opencl-icd-loader/[>=2022]", "opencl-clhpp-headers/[>=2022]"):
                self.requires(package)

    def validate(self):
        check_min_cppstd(self, 20)
        if str(self.settings.os) != "Linux":
            raise ConanInvalidConfiguration("tapestry runs on Linux")
        for option in ("onnx", "compute", "distributed"):
            if getattr(self.options, option) and not self.options.deeplearning:
                raise ConanInvalidConfiguration(f"the option {option} needs the option deeplearning")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"TAPESTRY_BUILD_{name}"] = False
        for name in ("deeplearning", "onnx", "compute", "distributed"):
            toolchain.cache_variables[f"TAPESTRY_BUILD_{name.upper()}"] = bool(getattr(self.options, name))
        toolchain.cache_variables["TAPESTRY_WARNINGS"] = False
        toolchain.generate()
        dependencies = CMakeDeps(self)
        for package, (file, target) in FOUND_AS.items():
            dependencies.set_property(package, "cmake_file_name", file)
            dependencies.set_property(package, "cmake_target_name", target)
        dependencies.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for folder in ("cmake", "pkgconfig"):  # Conan makes these for each consumer
            rmdir(self, os.path.join(self.package_folder, "lib", folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "tapestry")
        for name, needs in COMPONENTS.items():
            if name in OPTION_OF and not getattr(self.options, OPTION_OF[name]):
                continue
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", f"tapestry::{name}")
            component.set_property("pkg_config_name", f"tapestry-{name}")
            component.requires = list(needs)
            component.system_libs = SYSTEM_LIBRARIES.get(name, [])
            component.libs = [] if name in HEADERS_ALONE else [f"tapestry_{name}"]
            if name == "xtensor" and str(self.settings.compiler) == "gcc":
                component.cxxflags = ["-fno-new-ttp-matching"]
