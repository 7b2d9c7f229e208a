#!/usr/bin/env python3
"""dependencies.py SOURCE BUILD: passes when the package of CMake, pkg-config's files and Debian's packages agree on
what each component needs of the other components."""
import glob
import os
import re
import sys

source, build = sys.argv[1:]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def closed(needs):
    """Returns all that each component needs, and what that needs."""
    def reached(name, seen):
        for other in needs.get(name, ()):
            if other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen
    return {name: reached(name, set()) for name in needs}


config = {name: set(others.split()) for name, others in
          re.findall(r"^set\(_tapestry_needs_(\w+) ([^)]*)\)", read(source, "cmake/tapestryConfig.cmake"),
                     re.MULTILINE)}
modules = {}
for path in glob.glob(os.path.join(build, "pkgconfig/tapestry-*.pc")):
    required = "".join(re.findall(r"^Requires(?:\.private)?: (.*)", read(path), re.MULTILINE))
    modules[re.search(r"tapestry-(\w+)\.pc$", path).group(1)] = set(re.findall(r"tapestry-(\w+)", required))
assert "monad" in modules and len(modules) > 8, sorted(modules)
# monad is a target of the component continuation.
modules = {name: {"continuation" if other == "monad" else other for other in others}
           for name, others in modules.items() if name != "monad"}
modules["continuation"].discard("continuation")
debian = {}
for name, depends in re.findall(r"^set\(CPACK_DEBIAN_(\w+)_PACKAGE_DEPENDS \"(.*)\"\)",
                                read(build, "CPackConfig.cmake"),
                                re.MULTILINE):
    debian[name.lower()] = set(re.findall(r"libtapestry-(\w+)-dev", depends))

config = closed({name: config.get(name, set()) for name in modules})
modules, debian = closed(modules), closed(debian)
faults = []
for name, needed in sorted(config.items()):
    if modules[name] != needed:
        faults.append(f"tapestry-{name}.pc needs {sorted(modules[name])}, tapestryConfig.cmake says {sorted(needed)}")
    # The package of CMake is in the one of continuation, so that all depend on it.
    expected = needed | {"continuation"} - {name}
    if debian.get(name) != expected:
        faults.append(f"libtapestry-{name}-dev needs {sorted(debian.get(name, ['?']))}, expected {sorted(expected)}")
sys.exit("\n".join(faults) if faults else 0)
