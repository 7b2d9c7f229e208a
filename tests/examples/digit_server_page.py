"""Drives the page of digit_server in headless Chromium, by its DevTools protocol over pipes: draws digits with the mouse
and with a finger, and reads the answers. With SCREENSHOT set, saves a picture of the page there."""
import base64
import fcntl
import json
import os
import subprocess
import tempfile
import time

# In the coordinates of the board, from 0 to 1: strokes that the training has seen, with a pen that trembles.
DIGITS = {
    7: [(-6, -8), (6, -9), (-1, 9)],
    0: [(0, -9), (-4, -7), (-6, -2), (-6, 3), (-4, 7), (0, 9), (4, 7), (6, 3), (6, -2), (4, -7), (0, -9)],
    2: [(-5, -5), (-3, -8), (1, -9), (5, -7), (5, -3), (1, 3), (-6, 9), (6, 8)],
}


class Browser:
    def __init__(self, folder):
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()

        def wire():  # the browser reads from 3 and writes to 4
            read, write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser))
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--window-size=1000,1000", "--no-first-run", f"--user-data-dir={folder}",
             "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=wire, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.number, self.session = b"", 0, None

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.unread:
                data = os.read(self.read, 1 << 20)
                if not data:
                    raise AssertionError("the browser has ended")
                self.unread += data
            text, self.unread = self.unread.split(b"\0", 1)
            reply = json.loads(text)
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise AssertionError(method, reply["error"])
                return reply["result"]

    def open(self, address):
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            return None
        return result["result"].get("value")

    def eventually(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.value(expression)):
            if time.monotonic() > end:
                raise AssertionError("never", expression, self.value("document.body.innerText"))
            time.sleep(0.02)
        return value

    def points(self, strokes):
        box = self.value("(b => [b.left, b.top, b.width])(document.getElementById('board').getBoundingClientRect())")
        corners = [(box[0] + box[2] * (0.5 + x / 28), box[1] + box[2] * (0.5 + y / 28)) for x, y in strokes]
        steps = 4
        for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
            for i in range(steps):
                yield x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
        yield corners[-1]

    def draw_with_mouse(self, strokes):
        def mouse(kind, x, y):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        points = list(self.points(strokes))
        mouse("mousePressed", *points[0])
        for point in points[1:]:
            mouse("mouseMoved", *point)
        mouse("mouseReleased", *points[-1])

    def draw_with_finger(self, strokes):
        def touch(kind, *points):
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])
        points = list(self.points(strokes))
        touch("touchStart", points[0])
        for point in points[1:]:
            touch("touchMove", point)
        touch("touchEnd")

    def close(self):
        self.process.kill()
        self.process.wait()


def ask(browser, digit, draw):
    browser.value("document.getElementById('clear').click()")
    draw(DIGITS[digit])
    browser.eventually(f"document.getElementById('digit').textContent === '{digit}'")
    browser.eventually("!asking")
    shown = browser.value("document.getElementById('digit').textContent")
    scores = browser.value("[...document.querySelectorAll('#scores .row')].map(row => row.lastChild.textContent)")
    chosen = browser.value("[...document.querySelectorAll('#scores .row')].findIndex(r => r.matches('.chosen'))")
    if shown != str(digit) or len(scores) != 2 or float(scores[chosen]) != max(map(float, scores)):
        raise AssertionError("expected", digit, "got", shown, scores, chosen)
    print(f"{draw.__name__}: {digit}, scores {scores}, expert {chosen}")


def page(server):
    with server("--epochs", "100000") as running, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            browser.open(f"http://127.0.0.1:{running.port}/")
            browser.eventually("document.querySelectorAll('#curve polyline').length === 1")
            first = browser.value("points.length")
            browser.eventually(f"points.length > {first}")  # the curve grows while the training goes on
            browser.eventually("points.at(-1).epoch > 2", 60)
            ask(browser, 7, browser.draw_with_mouse)
            ask(browser, 0, browser.draw_with_finger)
            ask(browser, 2, browser.draw_with_mouse)
            if os.environ.get("SCREENSHOT"):
                picture = browser.call("Page.captureScreenshot", format="png")["data"]
                with open(os.environ["SCREENSHOT"], "wb") as file:
                    file.write(base64.b64decode(picture))
            browser.eventually("document.getElementById('problem').textContent === ''")
        finally:
            browser.close()
