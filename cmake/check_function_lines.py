#!/usr/bin/env python3
"""check_function_lines.py LIMIT FOLDER...: passes when no function in the C++ sources of the folders has more than
LIMIT lines, from the name to the closing brace. The strings of a program in another language count as one line.
"""
import pathlib
import re
import sys

HIDDEN = re.compile(
    r"""R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*"|\b\d[\w']*|'(?:\\.|[^'\\\n])+'"""
    r"""|//[^\n]*|/\*.*?\*/|^\#(?:\\\n|[^\n])*|^[ ]*[A-Z_]+\([\w, ]*\)$""", re.S | re.M | re.X)
MEMBER = re.compile(r"\).*(?<!:)[:,](?!:)\s*[\w:]+$", re.S)
OTHER = re.compile(r"\b(namespace|class|struct|union|enum)\b(\s*\[\[[^]]*\]\])*[^()]*$")


def hidden(match):
    """Returns what replaces text in which braces mean nothing: a value, or the ends of the lines that it has."""
    text = match.group()
    return "0" if re.match("R?[\"'0-9]", text) else "\n" * text.count("\n")


def functions(text):
    """Yields the beginning and the lines of each outermost block that follows a list of parameters."""
    text = HIDDEN.sub(hidden, text)
    blocks, start = [], 0  # of each block: the function that it is in, and whether it is in what precedes the function
    for match in re.finditer(r"[{};]", text):
        function, precedes = blocks[-1] if blocks else (None, False)
        if match.group() == "{":
            head = text[start:match.start()].strip()
            is_member = not function and MEMBER.search(head)  # of a list of initializers
            # a block in parentheses is a lambda's, as in an initializer or a default argument
            precedes = precedes or not function and (is_member or head.count("(") > head.count(")"))
            if not function and not is_member and ")" in head and not OTHER.search(head):
                function = head, match.start() - len(text[start:match.start()].lstrip())
            blocks.append((function, precedes))
        elif match.group() == "}" and blocks:
            blocks.pop()
            if function and not (blocks and blocks[-1][0]):
                yield function[0], text.count("\n", function[1], match.end()) + 1
        if not precedes:
            start = match.end()


def main():
    limit, found = int(sys.argv[1]), 0
    for folder in sys.argv[2:]:
        for path in sorted(pathlib.Path(folder).rglob("*.[ch]pp")):
            for head, lines in functions(path.read_text()):
                if lines > limit:
                    print(f"{path}: {lines} lines, more than {limit}: {' '.join(head.split())[:100]}")
                    found += 1
    sys.exit(1 if found else 0)


main()
