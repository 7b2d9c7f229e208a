#!/usr/bin/env python3
"""check_architecture.py ROOT PAGE...: passes when the files, folders and names that the pages' code names exist.

Code with a slash or a file's ending is a path below ROOT, or a part of a path in the folder that the section's sentence
"All paths are below `FOLDER`" names, libs without this sentence. `...` stands for any folders, a word of capital
letters for any name. Other code names functions and types of libs/, or folders of libs/: a word alone, a word that is
called, and the words around `::` and after a dot. A name in the parentheses of a file must stand in that file, and a
name in a numbered list in a file that the list has named up to there. Words in comments and strings do not count.
"""
import fnmatch
import os
import re
import sys

root, *pages = sys.argv[1:]
pages = [os.path.abspath(page) for page in pages]
os.chdir(root)

ENDING = re.compile(r"\.(?:[ch]pp|md|dot|svg|cmake|py|sh|txt)$")
NOT_CODE = re.compile(r'//.*|(?<!#include )"(?:\\.|[^"\\\n])*"')


def tree():
    """The paths of all files and folders of ROOT but what git ignores or hides."""
    paths = []
    for folder, folders, files in os.walk("."):
        folders[:] = [each for each in folders if not (each.startswith(".") or (folder == "." and each in ("build", "data")))]
        paths += [os.path.join(folder, each)[2:] for each in folders + files]
    return paths


def found(path, base):
    """The paths that a page's path means."""
    pattern = "/".join("*" if re.fullmatch("[A-Z]{2,}", part) else part for part in path.strip("/").split("/"))
    pattern = pattern.replace("...", "*")
    wanted = re.compile("|".join(map(fnmatch.translate, (pattern, f"{base}/{pattern}", f"{base}/*/{pattern}"))))
    return [each for each in paths if wanted.match(each)]


def words_of(files):
    """The words in the code of the files."""
    words = set()
    for file in files:
        if file not in words_by_file:
            words_by_file[file] = set(re.findall(r"\w+", NOT_CODE.sub("", open(file).read())))
        words |= words_by_file[file]
    return words


def names(code):
    """The words of a piece of code that name something of the library."""
    code = re.sub(r"\(.*\)|<.*>|^tapestry::", "", code)
    return [word for word in re.split(r"::", code.rsplit(".", 1)[-1]) if re.fullmatch(r"[A-Za-z_]\w+", word)]


def is_path(code):
    return "/" in code or ENDING.search(code) is not None


def sections(text):
    """Yields the folder of the paths of each section, and the paragraphs, items of lists and rows of tables in it."""
    for section in re.split(r"^#+ ", text, flags=re.M):
        base = re.search(r"All paths are below `([^`]+)`", section)
        yield base.group(1) if base else "libs", re.split(r"\n\n|\n(?=\d+\. |\|)", section)


def problems(page):
    for base, parts in sections(open(page).read()):
        listed = []
        for part in parts:
            codes = re.findall(r"`([^`]+)`", part)
            here = {code: found(code, base) for code in codes if is_path(code)}
            checked.extend(codes)
            yield from (f"{page}: there is no {code}" for code, files in here.items() if not files)
            files = [file for each in here.values() for file in each if os.path.isfile(file)]
            numbered = re.match(r"\d+\. ", part)
            listed += files if numbered else []
            beside = {name: [file for code in re.findall(r"`([^`]+)`", group) for file in here.get(code, [])]
                      for group in re.findall(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)", part)
                      if any(code in here for code in re.findall(r"`([^`]+)`", group))
                      for name in re.findall(r"`([^`]+)`", group)}
            for code in codes:
                if code in here:
                    continue
                where = beside.get(code) or (listed if numbered else []) or sources
                words = words_of(where) | (folders if where is sources else set())
                for name in names(code):
                    if name not in words:
                        place = "libs" if where is sources else ", ".join(dict.fromkeys(where))
                        yield f"{page}: {name}, of `{code}`, is not in {place}"


checked, words_by_file = [], {}
paths = tree()
sources = [path for path in paths if path.startswith("libs/") and re.search(r"\.[ch]pp$", path)]
folders = {os.path.basename(path) for path in paths if path.startswith("libs/") and os.path.isdir(path)}
wrong = [problem for page in pages for problem in problems(page)]
print("\n".join([*wrong, f"{len(checked)} pieces of code checked"]))
sys.exit(len(wrong) > 0 or not checked)
