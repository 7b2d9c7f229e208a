#!/usr/bin/env python3
"""check_targets.py ROOT PAGE...: passes when a page that prints #include lines of a program of docs/examples has named,
in a paragraph above with the words "link target", the targets that have these headers, or targets that contain those.
"""
import glob
import os
import re
import sys

root, *pages = sys.argv[1:]
pages = [os.path.abspath(page) for page in pages]
os.chdir(root)


def libraries():
    """Returns the header that each target has, files and folders, and the targets that each target links."""
    headers, links = {}, {}
    for path in glob.glob("libs/*/CMakeLists.txt"):
        for call in re.findall(r"^tapestry_library\((.*?)\)", open(path).read(), re.S | re.M):
            key, lists = "NAME", {}
            for word in call.split():
                if re.fullmatch("[A-Z_]+", word):
                    key = word
                else:
                    lists.setdefault(key, []).append(word)
            name = lists["NAME"][0]
            headers.update({header: name for header in lists["HEADERS"]})
            links[name] = [each.removeprefix("tapestry_") for each in lists.get("LINK", [])]
    return headers, links


def contained(targets, links):
    """Returns the targets and all that they link."""
    every = set()
    left = list(targets)
    while left:
        target = left.pop()
        if target not in every:
            every.add(target)
            left += links.get(target, [])
    return every


def needed(header, headers):
    """Returns the targets that a header needs; the folders asio and direct of a library need these targets, too."""
    parts = header.split("/")
    owners = [headers["/".join(parts[:n])] for n in range(len(parts), 0, -1) if "/".join(parts[:n]) in headers]
    return {owners[0] if owners else "no target"} | ({"asio", "direct"} & set(parts[1:-1]))


def problems(page, headers, links):
    """Yields what a page has not named."""
    named = set()
    for part in re.split(r"^(<!-- from: [^\n]* -->\n```.*?^```$)", open(page).read(), flags=re.S | re.M):
        quoted = re.match(r"<!-- from: (examples/[^ #]+)", part)
        if not quoted:
            for text in part.split("\n\n"):
                if re.search(r"link\s+target", text):
                    named |= set(re.findall(r"`tapestry::(\w+)`", text))
        elif not os.path.exists(quoted.group(1)):
            for header in re.findall(r"^#include <tapestry/(\S+)>", part, re.M):
                for target in sorted(needed(header, headers) - contained(named, links)):
                    yield f"{page}: <tapestry/{header}> is printed before the page has named the link target {target}"


headers, links = libraries()
found = [problem for page in pages for problem in problems(page, headers, links)]
print("\n".join(found) if found else f"{len(pages)} pages checked")
sys.exit(len(found) > 0)
