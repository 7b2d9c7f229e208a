#!/usr/bin/env python3
"""check_links.py SITE: each link and picture of the site's pages leads to a file of the site and an anchor in it."""
import functools
import html.parser
import os
import re
import sys
import urllib.parse

site = sys.argv[1]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.raw = [], set(), []
        with open(path, encoding="utf-8", errors="replace") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "data") and value and tag != "link":
                self.links.append((self.getpos()[0], value))
            if name in ("id", "name") and value:
                self.anchors.add(value)

    def handle_data(self, data):
        if re.search(r"@(ref|section|subsection) p_", data):
            self.raw.append(self.getpos()[0])


page = functools.cache(Page)


def problem(path, link):
    """Returns what is wrong with a link of the page at `path`, or nothing."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or link.startswith("//"):
        return None
    relative = urllib.parse.unquote(parts.path)
    target = os.path.normpath(os.path.join(os.path.dirname(path), relative)) if parts.path else path
    if not os.path.isfile(target):
        return "leads nowhere"
    anchor = urllib.parse.unquote(parts.fragment)
    index = re.search(r"/(functions|namespacemembers)\w*\.html$|-members\.html$", path)  # it lists friends, too
    if anchor and not index and target.endswith(".html") and anchor not in page(target).anchors:
        return f"expects the anchor '{anchor}' in {os.path.relpath(target, site)}"
    return None


broken = checked = 0
for folder, _, names in os.walk(site):
    for path in (os.path.join(folder, name) for name in names if name.endswith(".html")):
        for line in page(path).raw:
            broken += 1
            print(f"{os.path.relpath(path, site)}:{line}: a command of Doxygen is shown as text")
        for line, link in page(path).links:
            checked += 1
            wrong = problem(path, link)
            if wrong:
                broken += 1
                print(f"{os.path.relpath(path, site)}:{line}: the link '{link}' {wrong}")
print(f"{checked} links checked, {broken} broken")
sys.exit(broken > 0)
