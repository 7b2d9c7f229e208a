"""A page of Markdown as Doxygen is to read it.

Headings get the labels that GitHub gives them, and links to pages, headings and headers lead to those of the site. All
other files and folders that pages link to go to the site's folder `files`.
"""
import os
import re


def slug(heading):
    """Returns the anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def label(page, anchor=""):
    """Returns the label of a page, or of a heading in it; `page` is its path in the repository."""
    name = re.sub(r"\W", "_", page.removesuffix(".md"))
    return f"p_{name}" + (f"_{re.sub(r'[^A-Za-z0-9_-]', '', anchor)}" if anchor else "")


def shown(path):
    """Returns the name under which a browser shows a file, instead of storing it."""
    return path if re.search(r"\.(txt|svg|png|html|csv)$", path) else path + ".txt"


class Pages:
    def __init__(self, pages, headers):
        self.pages = pages  # paths of pages in the repository
        self.headers = headers  # the path of a header in the repository: its path in an #include
        self.files = set()  # all else that pages link to

    def link(self, page, target):
        """Returns what a link of `page` to `target` becomes."""
        if re.match(r"[a-z]+:", target):
            return target
        path, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if path in self.pages:
            return "@ref " + label(path, anchor)
        if path in self.headers:
            return "@ref " + self.headers[path]
        self.files.add(path)
        return "files/" + (path + "/index.html" if os.path.isdir(path) else shown(path))

    def line(self, page, line, first):
        heading = re.match(r"(#+) (.*)$", line)
        line = re.sub(r"(?<!!)\]\(([^)\s]+)\)", lambda m: f"]({self.link(page, m.group(1))})", line)
        line = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)",
                      lambda m: f"![{m.group(1)}]({os.path.basename(m.group(2))})", line)
        if heading:
            name = label(page) if first else label(page, slug(heading.group(2)))
            line = line.replace("`", "").replace("<", "&lt;") + f" {{#{name}}}"  # Doxygen would show tags
        return line

    def prepared(self, page, text):
        lines, fenced, titled = [], False, False
        # Doxygen wants the text of a link in one line.
        parts = [part if i % 2 else re.sub(r"(\[[^]\n`]*)\n([^]\n`]*\]\()", r"\1 \2", part)
                 for i, part in enumerate(text.split("```"))]
        for line in "```".join(parts).split("\n"):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced and not line.startswith("    "):
                is_heading = re.match(r"#+ ", line) is not None
                line = self.line(page, line, is_heading and not titled)
                titled = titled or is_heading
            lines.append(line)
        return "\n".join(lines)
