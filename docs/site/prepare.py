#!/usr/bin/env python3
"""prepare.py INPUT SITE: makes the folder INPUT, which Doxygen reads, of the pages and the public headers of the
repository in which it is run, and puts into SITE/files what pages link to besides."""
import glob
import html
import os
import re
import shutil
import sys

import headers
import pages

into, site = sys.argv[1:]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        return file.read()


def listing(folder):
    """Returns a page that links what is in a folder."""
    entries = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        leads = name + "/index.html" if os.path.isdir(path) else pages.shown(name)
        entries.append(f'<li><a href="{html.escape(leads)}">{html.escape(name)}</a></li>')
    links = "\n".join(entries)
    return f"<!doctype html><meta charset=utf-8><title>{folder}</title><h1>{folder}</h1><ul>\n{links}\n</ul>\n"


def copy(path):
    """Copies a file that pages link to, or a folder with listings."""
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            write(os.path.join(site, "files", folder, "index.html"), listing(folder))
            for name in names:
                copy(os.path.join(folder, name))
    else:
        target = os.path.join(site, "files", pages.shown(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(path, target)


public = {path: path.split("/include/")[1] for path in sorted(glob.glob("libs/*/include/**/*.hpp", recursive=True))
          if "/detail/" not in path}
written = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md",
           *sorted(glob.glob("benchmarks/README.md")),
           *sorted(glob.glob("docs/**/*.md", recursive=True))]


def navigation(contents):
    """Returns Doxygen's layout: the groups and the pages of docs/contents.md, then what Doxygen lists itself. Pages
    that it does not list are in the group "More"."""
    groups = []
    for line in read(contents).split("\n"):
        heading = re.match(r"## (.*)", line)
        entry = re.match(r"- \[([^]]*)\]\(([^)]*)\)", line)
        if heading:
            groups.append((heading.group(1), []))
        elif entry:
            path = os.path.normpath(os.path.join(os.path.dirname(contents), entry.group(2)))
            if path in written:
                groups[-1][1].append((entry.group(1), path))
    missing = set(written) - {path for _, entries in groups for _, path in entries} - {"README.md", contents}
    missing = {path for path in missing if not path.startswith("docs/decisions/")}
    if missing:
        print(f"{contents} does not list {', '.join(sorted(missing))}")
        groups.append(("More", [(re.sub(r"^# ", "", read(path).split("\n")[0]), path) for path in sorted(missing)]))
    tabs = ['<tab type="mainpage" visible="yes" title="Start"/>']
    for title, entries in groups:
        tabs.append(f'<tab type="usergroup" visible="yes" title="{title}" url="[none]">')
        tabs += [f'<tab type="user" visible="yes" title="{html.escape(name)}" url="@ref {pages.label(path)}"/>'
                 for name, path in entries]
        tabs.append("</tab>")
    tabs += ['<tab type="usergroup" visible="yes" title="API" url="[none]">',
             '<tab type="classlist" visible="yes" title="Types"/>',
             '<tab type="concepts" visible="yes" title="Concepts"/>',
             '<tab type="namespacemembers" visible="yes" title="Functions"/>',
             '<tab type="filelist" visible="yes" title="Headers"/>',
             "</tab>"]
    return '<doxygenlayout version="1.0"><navindex>\n' + "\n".join(tabs) + "\n</navindex></doxygenlayout>\n"


shutil.rmtree(into, ignore_errors=True)
for path, include in public.items():
    write(os.path.join(into, include), headers.prepared(read(path)))
site_pages = pages.Pages(set(written), public)
for path in written:
    write(os.path.join(into, "pages", path), site_pages.prepared(path, read(path)))
write(os.path.join(into, "layout.xml"), navigation("docs/contents.md"))
for path in sorted(site_pages.files):
    copy(path)
