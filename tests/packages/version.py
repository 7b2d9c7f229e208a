#!/usr/bin/env python3
"""version.py SOURCE BUILD: passes when all that tells a version tells the one of project() in CMakeLists.txt."""
import json
import os
import re
import sys

source, build = sys.argv[1:]


def found(path, pattern):
    """Returns what the pattern finds first in a file."""
    with open(path, encoding="utf-8") as file:
        match = re.search(pattern, file.read(), re.MULTILINE)
    return match.group(1) if match else None


version = found(os.path.join(source, "CMakeLists.txt"), r"^project\(tapestry VERSION (\d+\.\d+\.\d+)")
assert version, "CMakeLists.txt has no version"
with open(os.path.join(source, "packaging/vcpkg/tapestry/vcpkg.json"), encoding="utf-8") as file:
    told = {"vcpkg.json": json.load(file)["version-semver"]}
told["the top release of CHANGELOG.md"] = found(os.path.join(source, "CHANGELOG.md"), r"^## \[(\d[^]]*)\]")
told["tapestry/version.hpp"] = found(os.path.join(build, "include/tapestry/version.hpp"), r'VERSION_TEXT "(.*)"')
told["tapestryConfigVersion.cmake"] = found(os.path.join(build, "tapestryConfigVersion.cmake"),
                                            r'^set\(PACKAGE_VERSION "(.*)"\)')
told["tapestry-raii.pc"] = found(os.path.join(build, "pkgconfig/tapestry-raii.pc"), r"^Version: (.*)")
told["CPackConfig.cmake"] = found(os.path.join(build, "CPackConfig.cmake"), r'^set\(CPACK_PACKAGE_VERSION "(.*)"\)')
wrong = [f"{place} tells {other}" for place, other in told.items() if other != version]
sys.exit(", ".join(wrong) + f", expected {version}" if wrong else 0)
