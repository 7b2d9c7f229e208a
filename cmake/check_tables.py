#!/usr/bin/env python3
"""check_tables.py ROOT PAGE...: passes when the names in the pages' tables for users of other libraries exist.

A table is looked at if it has a column `tapestry`, `map`, `layer` or `take`. What its code names there must be in the
code of a public header: a word alone, a word that is called or has template arguments, and a word after `::` or a dot.
The N of `tupleN` stands for a number. Each header in a column `header` must exist, and it or a header that it includes
must name one of the things in its row.
"""
import os
import re
import sys

root, *pages = sys.argv[1:]
os.chdir(root)

# Of C++, its library, Asio and Boost; what users name themselves.
foreign = set("try while return operator size get co_await io_context error_code use_future async_wait post".split())


def public_headers():
    """The code of each public header by its path after include/tapestry/, without comments and texts but #include."""
    code = {}
    for folder, _, files in os.walk("libs"):
        _, inside, path = (folder + "/").partition("/include/tapestry/")
        if inside and "/detail/" not in "/" + path:
            for file in files:
                with open(os.path.join(folder, file)) as text:
                    code[path + file] = re.sub(r'//.*|(?<!#include )"(\\.|[^"\\\n])*"', "", text.read())
    return code


def tables(page):
    """Yields the cells of each row by the titles of their columns, with its line."""
    titles = None
    with open(page) as file:
        for number, line in enumerate(file, 1):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else None
            if cells is None:
                titles = None
            elif titles is None:
                titles = cells
            elif not set(line.strip()) <= set("|-: "):
                yield number, dict(zip(titles, cells))


def names(code):
    """The words of a piece of code that name something of the library."""
    code = re.sub(r"\bstd::\w+", "", code)
    for match in re.finditer(r"[A-Za-z_]\w*", code):
        before, after, word = code[:match.start()], code[match.end():], match.group()
        alone = not before and re.fullmatch(r"(<\w*>)?(\(\))?", after)
        if alone or before.endswith(("::", ".")) or re.match(r"[({]|::|<[^<]*>(\(|::|$)", after):
            if word not in foreign and not (len(word) == 1):
                yield re.sub(r"N$", "2", word)


def problems(page, headers, words):
    for line, row in tables(page):
        named = [name for title in ("tapestry", "map", "layer", "take")
                 for code in re.findall(r"`([^`]+)`", row.get(title, "")) for name in names(code)]
        checked.extend(named)
        for name in named:
            if name not in words:
                yield f"{page}:{line}: no public header has {name}"
        for path in re.findall(r"`([^`]+\.hpp)`", row.get("header", "")):
            found = headers.get(path) or headers.get("concurrent/" + path)
            if found is None:
                yield f"{page}:{line}: there is no public header {path}"
            elif not set(named) & set(re.findall(r"\w+", found + "".join(
                    headers.get(other, "") for other in re.findall(r'#include ["<]tapestry/([^">]+)', found)))):
                yield f"{page}:{line}: the header {path} has none of the names of its row: {', '.join(named)}"


checked = []
code = public_headers()
words = {word for text in code.values() for word in re.findall(r"\w+", text)}
wrong = [problem for page in pages for problem in problems(page, code, words)]
print("\n".join([*wrong, f"{len(checked)} names checked"]))
sys.exit(len(wrong) > 0 or not checked)
