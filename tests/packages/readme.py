#!/usr/bin/env python3
"""readme.py SOURCE BUILD WORK CMAKE COMPILER: passes when a project that is made of the blocks of README.md gets the
libraries in each way that README tells.

The first commands of all, which configure tapestry, are run by /bin/sh, without the packages that only tests and
benchmarks need. An installed copy of BUILD stands for the one that the commands after them make. The project that uses
it is built, and prints what the program of the effects prints. With networks, and in the other ways, the project is
only configured, which finds all targets.
"""
import os
import re
import shutil
import subprocess
import sys

source, build, work, cmake, compiler = sys.argv[1:]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


section = re.search(r"^## In a project of your own\n(.*?)^## ", read(source, "README.md"), re.M | re.S).group(1)
blocks = [re.sub(r"^    ", "", block, flags=re.M) for block in re.findall(r"(?:^    .+\n)+", section, re.M)]


def block(start):
    """Returns the block of the section that begins with these words."""
    found = [each for each in blocks if each.startswith(start)]
    assert len(found) == 1, f"README has {len(found)} blocks that begin with '{start}', expected 1"
    return found[0]


def run(*command):
    """Runs a command and returns what it prints, or ends the test with it."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(command)} failed:\n{done.stdout}"
    return done.stdout


def packages():
    """Compares the packages that README names with those of scripts/setup and of the page on installing."""
    named = set(re.findall(r"[\w.+-]+", block("sudo apt-get install").replace("sudo apt-get install", "")))
    base = re.search(r"^base=\((.*?)\)", read(source, "scripts/setup"), re.M | re.S).group(1)
    rows = re.findall(r"^\| `(?:asio|direct|tensor|xtensor|deeplearning)` \|[^|]*\| (.*) \|",
                      read(source, "docs/guides/install.md"), re.M)
    needed = set(re.findall(r"\w[\w.-]*-dev", " ".join(rows)))
    assert len(needed) > 7, f"the table of docs/guides/install.md names {sorted(needed)}, expected more than 7 packages"
    assert needed <= named, f"README lacks {sorted(needed - named)}, which docs/guides/install.md names"
    others = named - set(base.split()) - {"make"}
    assert not others, f"scripts/setup does not install {sorted(others)}"


def project(way, lists):
    """Configures the project with this CMakeLists.txt as README says, and returns its folder."""
    folder = os.path.join(work, way)
    os.makedirs(folder)
    os.symlink(source, os.path.join(folder, "tapestry"))
    shutil.copy(os.path.join(source, "docs/examples/readme_effects.cpp"), os.path.join(folder, "main.cpp"))
    with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
        file.write(lists)
    given = re.findall(r"-D\S+", block("cmake -B build -D").replace("=DIR", f"={work}/DIR"))
    if not way.startswith("installed"):
        given = [option for option in given if "PREFIX_PATH" not in option]
    run(cmake, "-S", folder, "-B", f"{folder}/build", f"-DCMAKE_CXX_COMPILER={compiler}", *given)
    return folder


def configured():
    """Runs the commands that configure tapestry, as they are but for the folders."""
    commands = [each.partition("cmake --build")[0] for each in blocks if each.startswith("cmake -B build/lib ")]
    assert len(commands) == 2, \
        f"README configures tapestry by {commands}, expected a command with networks and one without"
    guide = re.sub(r"^    ", "", read(source, "docs/guides/install.md"), flags=re.M)
    assert commands[0] in guide, f"docs/guides/install.md lacks README's command {commands[0]}"
    for number, command in enumerate(commands):
        folder = os.path.join(work, f"lib{number}")
        without = " ".join(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("doctest", "CLI11", "benchmark"))
        called = f'"{cmake}" -S "{source}" {without} "-DCMAKE_CXX_COMPILER={compiler}" '
        run("/bin/sh", "-euc", command.replace("cmake -B build/lib ", f'{called} -B "{folder}" '))
        kept = re.findall(r"^TAPESTRY_BUILD_(?:TESTS|EXAMPLES|BENCHMARKS)\S*ON$", read(folder, "CMakeCache.txt"), re.M)
        assert not kept, f"{command} leaves {kept}"


def options():
    """Finds the options of the commands in CMakeLists.txt."""
    declared = read(source, "CMakeLists.txt")
    names = re.findall(r"(?:-D|set\()(TAPESTRY_\w*)", section)
    assert len(names) > 4, f"README names {names}, expected more than 4 options"
    for name in names:
        assert re.search(rf"option\({name}\s", declared), f"README names {name}, which is no option"


shutil.rmtree(work, ignore_errors=True)
packages()
options()
configured()
lists = block("cmake_minimum_required")
find = re.search(r"^find_package.*\n", lists, re.M).group(0)
run(cmake, "--install", build, "--prefix", f"{work}/DIR")
folder = project("installed", lists)
run(cmake, "--build", f"{folder}/build")
printed, expected = run(f"{folder}/build/mine"), read(source, "docs/examples/readme_effects.out")
assert printed == expected, f"the program prints {printed}, expected {expected}"

components, libraries = re.search(r"adds `(\w+)` to the\s+components, and `(tapestry::\w+)`", section).groups()
project("installed_networks", lists.replace("COMPONENTS", f"COMPONENTS {components}")
        .replace("PRIVATE", f"PRIVATE {libraries}"))
off, added = block("set(TAPESTRY_BUILD_DEEPLEARNING").split("\n", 1)
fetched = block("include(FetchContent)").replace("/path/to/tapestry", source)
project("folder", lists.replace(find, f"{off}\n{added}"))
project("fetched", lists.replace(find, f"{off}\n{fetched}"))
