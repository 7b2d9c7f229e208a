#!/usr/bin/env python3
"""look.py SITE PICTURES: opens pages of the site in headless Chromium, in a wide and in a narrow window.

Fails if a page is wider than the window, so that readers would have to scroll sideways, or if a script of the page
raises an error, or if a part of the page is not found. Looks at all pages that docs/contents.md lists and at the ten
longest pages of types. Some pages are saved as pictures in the folder PICTURES.
"""
import base64
import glob
import os
import re
import sys
import tempfile

import pages

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../tests/examples"))
from digit_server_page import Browser  # noqa: E402

site, pictures = (os.path.abspath(path) for path in sys.argv[1:])
widths = 1400, 400
shown = "index p_docs_tutorial_programs p_docs_architecture p_docs_reference classtapestry_1_1Do".split()

# Collects what goes wrong in a page, from before its first script on.
collector = """
  window.faults = [];
  addEventListener('error', event => {
    faults.push(event.message || 'not found: ' + (event.target.src || event.target.href));
  }, true);
  addEventListener('unhandledrejection', event => faults.push(String(event.reason)));
  console.error = (...words) => faults.push(words.join(' '));
"""
# What of the page reaches beyond the window, or beyond the part of it in which Doxygen lets readers scroll.
too_wide = """
  [document.documentElement, document.getElementById('doc-content')]
    .filter(part => part && part.scrollWidth > Math.min(part.clientWidth, innerWidth))
    .map(part => `${part.scrollWidth} instead of ${part.clientWidth} pixels`)
"""
# The innermost elements that are to blame.
blamed = """
  [...document.querySelectorAll('#doc-content *, body > *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.fragment, pre, table, .memproto'))
    .slice(-3).map(e => e.tagName + '.' + e.className + ': ' + e.textContent.trim().slice(0, 60))
"""


def listed():
    """Returns the names of the pages of the site that docs/contents.md lists, and of the longest pages of types."""
    paths = re.findall(r"^- \[[^]]*\]\(([^)#]*\.md)\)", open("docs/contents.md").read(), re.M)
    written = [pages.label(os.path.normpath(os.path.join("docs", path))) for path in paths]
    types = [path for kind in ("class", "struct") for path in glob.glob(f"{site}/{kind}tapestry_*.html")
             if not path.endswith("-members.html")]
    types = [os.path.basename(path).removesuffix(".html") for path in sorted(types, key=os.path.getsize)[-10:]]
    return list(dict.fromkeys([*shown, *(name for name in written if name != "p_README"), *types]))


def resize(browser, width):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=1400, deviceScaleFactor=1, mobile=False)


def look(browser, name):
    """Returns what is wrong with a page."""
    address = f"file://{site}/{name}.html"
    resize(browser, widths[0])
    browser.call("Page.navigate", url=address)
    browser.eventually(f"location.href === '{address}' && document.readyState === 'complete'")
    wrong = []
    for width in widths:
        resize(browser, width)
        browser.call("Runtime.evaluate", awaitPromise=True, expression="new Promise(done => setTimeout(done, 50))")
        for how in browser.value(too_wide):
            wrong.append(f"in a window of {width} pixels the page has {how}: {browser.value(blamed)}")
        if name in shown:
            data = browser.call("Page.captureScreenshot", format="png")["data"]
            with open(f"{pictures}/{name}-{width}.png", "wb") as file:
                file.write(base64.b64decode(data))
    return wrong + browser.value("faults")


os.makedirs(pictures, exist_ok=True)
names = listed()
assert len(names) > 50, f"docs/contents.md lists {names}, expected more than 50 pages"
missing = [name for name in names if not os.path.isfile(f"{site}/{name}.html")]
assert not missing, f"the site lacks {missing}"
failed = 0
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(folder)
    try:
        browser.open("about:blank")
        browser.call("Page.enable")
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=collector)
        for name in names:
            for fault in look(browser, name):
                failed += 1
                print(f"{name}.html: {fault}")
    finally:
        browser.close()
print(f"{len(names)} pages looked at, {failed} faults")
sys.exit(failed > 0)
