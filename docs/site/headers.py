"""A public header as Doxygen is to read it, some lines longer than it is.

The opening comment becomes the description of the file, and of what it names that has no comment of its own. Deleted
functions, which only refuse calls, the namespace detail and the attributes of compilers are left out. A comment after
a member describes it. A comment above declarations that no blank line parts describes all of them. Indented lines of
a comment become code.
"""
import re


def code(line):
    """Returns the line without its comment."""
    return re.sub(r"\s*//.*$", "", line).strip()


def without_deleted(lines):
    """Blanks each statement that ends in `= delete;`, from the line after the statement before it."""
    for end, line in enumerate(lines):
        if not code(line).endswith("= delete;"):
            continue
        start = end
        while start > 0:
            before = code(lines[start - 1])
            if not before or before[-1] in ";}{:" or lines[start - 1].strip().startswith("//"):
                break
            start -= 1
        lines[start:end + 1] = [""] * (end + 1 - start)
    return lines


def without_detail(lines):
    """Blanks the blocks of `namespace detail`, each up to the comment that names it at its end."""
    name = None
    for i, line in enumerate(lines):
        opened = re.match(r"namespace ((?:\w+::)*detail\b.*) \{$", line)
        if opened and not name:
            name = opened.group(1)
        if name:
            name = None if line.startswith(f"}}  // namespace {name}") else name
            lines[i] = ""
    return lines


def in_parentheses(text, start):
    """Returns the arguments in the parentheses that open at `start`, and where the text continues."""
    depth, parts = 0, [""]
    for i in range(start, len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if depth == 0:
            return [part.strip() for part in parts], i + 1
        if text[i] == "," and depth == 1:
            parts.append("")
        elif i > start:
            parts[-1] += text[i]
    raise ValueError("parentheses that do not close: " + text[start:start + 80])


def with_macros(lines):
    """Replaces what a macro of the header itself declares, and leaves out what a macro of another header declares."""
    macros, text = {}, "\n".join(lines)

    def defined(match):
        macros[match.group(1)] = (match.group(2).split(", "), re.sub(r" *\\\n", "\n", match.group(3)))
        return ""

    text = re.sub(r"^#define (TAPESTRY_\w+)\(([^)]*)\)((?:.*\\\n)*.*)$", defined, text, flags=re.M)
    result, at = "", 0
    for match in re.finditer(r"^(TAPESTRY_\w+)\(", text, flags=re.M):
        arguments, end = in_parentheses(text, match.end() - 1)
        result += text[at:match.start()]
        names, body = macros.get(match.group(1), ([], ""))
        for name, argument in zip(names, arguments):
            body = re.sub(rf"#{name}\b", f'"{argument}"', body)
            body = re.sub(rf"\b{name}\b", lambda _: argument, body)
        result += re.sub(r"^ *template", "\ntemplate", body, flags=re.M).replace("operator ", "operator")
        at = end
    return (result + text[at:]).split("\n")


def with_shared_comments(lines):
    """Repeats a comment before each further declaration of its group."""
    comment, state, depth, ended = [], "none", 0, False
    for i, line in enumerate(lines):
        text, indent = line.strip(), len(line) - len(line.lstrip())
        if text.startswith("///"):
            comment = [*comment, text[3:].strip()] if state == "comment" else [text[3:].strip()]
            state = "comment"
        elif not text or (text.startswith(("public:", "private:", "#", "}")) and indent < depth):
            state = "none"
        elif state == "comment":
            state, depth, ended = "group", indent, code(line).endswith((";", "}"))
        elif state == "group" and indent == depth:
            if ended and not text.startswith(("//", "}")):
                lines[i] = " " * indent + "/** " + " ".join(comment) + " */ " + text
            ended = code(line).endswith((";", "}"))
    return lines


def declared(lines, start):
    """Returns the name that the declaration from line `start` declares."""
    for line in lines[start:start + 6]:
        if not re.match(r"\s*(template|requires|\[\[nodiscard[^]]*\]\]$|\(|&&|\|\|)", line):
            match = re.search(r"\b(operator\W{1,2}|\w+)\(|(\w+)(?: =|;| \{|\{)", line)
            return (match.group(1) or match.group(2)) if match else None
    return None


def with_opening_comment(lines, comment):
    """Repeats the opening comment of the header before a declaration without a comment that it names."""
    words = set(re.findall(r"\w+", comment))
    for i, line in enumerate(lines):
        begins = re.match(r"(template|inline|constexpr|auto|\[\[|enum|struct|class|[A-Z]\w+[< ])", line)
        if begins and not lines[i - 1].strip():
            name = declared(lines, i)
            if name and (name in words or name.startswith("operator")):
                lines[i] = f"/** {comment} */ {line}"
    return lines


def with_code(lines):
    """Makes code of the lines of a comment that are indented, and of no list."""
    result, state = [], "text"
    for line in lines:
        match = re.match(r"(\s*///)( *)(.*)", line)
        if not match:
            state = "text"
        elif match.group(3).startswith("- "):
            state = "list"
        elif len(match.group(2)) < 3:
            state = "text"
        elif state != "list":
            if state == "text":
                result.append(match.group(1))
            state, line = "code", f"{match.group(1)}     {match.group(2)[3:]}{match.group(3)}"
        result.append(line if state == "code" else escaped(line) if match else line)
    return result


def escaped(line):
    """Protects template arguments in a comment, outside of code, from being read as tags of HTML."""
    parts = line.split("`")
    return "`".join(part if i % 2 else re.sub(r"<(?=[A-Za-z/])", r"\\<", part) for i, part in enumerate(parts))


def prepared(text):
    opening = re.match(r"(?:// .*\n)+", text)
    comment = [escaped(line[3:]) for line in opening.group(0).splitlines()] if opening else []
    text = text[opening.end():] if opening else text
    text = re.sub(r"(?<!#define) TAPESTRY_LIFETIME_BOUND\b", "", text)
    lines = without_detail(without_deleted(with_macros(text.split("\n"))))
    lines = [re.sub(r"([;,])  // (?!NOLINT)", r"\1  ///< ", line) for line in lines]
    lines = with_code(lines)
    lines = with_opening_comment(with_shared_comments(lines), " ".join(comment))
    return "\n".join(["/** \\file", *comment, "*/", *lines])
