#!/usr/bin/env python3
"""check_snippets.py ROOT PAGE PRECOMPILED COMPILER...: passes when what a page quotes from docs/examples compiles as
the page shows it.

The snippets of the page are pasted in their order, after the lines with #include and using that the page prints. A
snippet from within a function of a program is pasted into a function, after the snippets of the page that are from the
same function, and into a block if it is in a block there; all other snippets are pasted at namespace scope. A snippet
that is a whole program is compiled alone. Excerpts from the folder examples, of programs that are linked, are not
pasted. PRECOMPILED has the precompiled headers of whole libraries; the one of a library that the page includes is used.
"""
import os
import re
import subprocess
import sys
import tempfile

root, page, precompiled, *compile = sys.argv[1:]
os.chdir(root)
prologue = re.compile(r"\s*(#.*|using .*;|namespace \w+ = .*;|)$")


own = re.compile(r'#pragma once|#include "(?!tapestry/)')  # a header that the page shows, too


def blocks():
    """Yields the source, the marker and the text of each quoted block of the page, with its line."""
    lines = open(page).read().split("\n")
    for i, line in enumerate(lines):
        quoted = re.match(r"\s*<!-- from: ([^ #]+)#?(\S*) -->", line)
        if quoted and lines[i + 1].startswith("```cpp"):
            end = lines.index("```", i + 2)
            yield quoted.group(1), quoted.group(2), lines[i + 2:end], i + 3


def scope(source, marker):
    """Returns where a part of a program begins: the lines at which its function and its block in the function begin,
    each None if it is in none."""
    function = block = None
    for number, line in enumerate(open(source).read().split("\n")):
        if re.match(r"\S.*\{$", line) and not line.startswith(("namespace", "}", "//")):
            function, block = number, None
        elif line.startswith("}"):
            function = block = None
        elif line == "  {":
            block = number
        elif line == "  }":
            block = None
        if line.strip() == f"// [{marker}]":
            return (function, block) if line.startswith(" ") else (None, None)
    return None, None


def paste():
    """Returns the programs that the page makes, each as lines."""
    outside, functions, programs = [], {}, []
    for name, marker, text, line in blocks():
        place = f'#line {line} "{page}"'
        if os.path.exists(name):
            continue
        text = ["" if own.match(each) else each for each in text]
        if any(re.match(r"int main\(", each) for each in text):
            programs.append([*outside, place, *text])
        elif all(prologue.match(each) for each in text):
            outside += [place, *text]
        else:
            function, block = scope("docs/" + name, marker)
            if function is None:
                outside += [place, *text]
            else:
                functions.setdefault((name, function), {}).setdefault(block, []).extend([place, *text])
    for number, parts in enumerate(functions.values()):
        outside += [f"auto pasted{number}();", f"auto pasted{number}() {{"]
        for block, text in parts.items():
            outside += text if block is None else ["{", *text, "}"]
        outside.append("}")
    return programs + ([outside] if outside else [])


def headers(program):
    """Returns the option for the precompiled header of the largest library that the program includes."""
    for library in ("deeplearning", "concurrent", "raii", "continuation"):
        if any(re.match(rf"#include <tapestry/{library}(\.hpp|/)", line) for line in program):
            return ["-include", f"{precompiled}/{library}.hpp"]
    return []


failed = 0
for program in paste():
    with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
        file.write("\n".join(program) + "\n")
        file.flush()
        command = [*compile, "-Wno-unused", *headers(program), "-fsyntax-only", file.name]
        failed += subprocess.run(command).returncode != 0
sys.exit(failed > 0)
