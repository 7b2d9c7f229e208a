"""Drives the page of digit_server in headless Chromium, by its DevTools protocol over pipes: draws digits with the
mouse and with a finger, and reads the answers. With SCREENSHOT set, saves a picture of the page there."""
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
        self.unread, self.number, self.session, self.target = b"", 0, None, None

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
        """In the place of the page before."""
        self.session, before = None, self.target
        self.target = self.call("Target.createTarget", url=address)["targetId"]
        if before:
            self.call("Target.closeTarget", targetId=before)
        self.session = self.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        self.eventually(f"location.href === '{address}' && document.readyState === 'complete'")

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

    def draw_with_mouse(self, strokes, button="left", buttons=1):
        def mouse(kind, x, y):
            held = 0 if kind == "mouseReleased" else buttons
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=held, clickCount=1)
        points = list(self.points(strokes))
        mouse("mousePressed", *points[0])
        for point in points[1:]:
            mouse("mouseMoved", *point)
        mouse("mouseReleased", *points[-1])

    def touch(self, kind, *points):
        touched = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=touched)

    def draw_with_finger(self, strokes):
        points = list(self.points(strokes))
        self.touch("touchStart", points[0])
        for point in points[1:]:
            self.touch("touchMove", point)
        self.touch("touchEnd")

    def close(self):
        self.process.kill()
        self.process.wait()


SHOWN = """(rows => ({
  digit: document.getElementById('digit').textContent,
  probabilities: document.getElementById('probabilities').textContent,
  scores: rows.map(row => row.lastChild.textContent),
  chosen: rows.findIndex(row => row.matches('.chosen'))
}))([...document.querySelectorAll('#scores .row')])"""


def check(fact, *what):
    if not fact:
        raise AssertionError(*what)


def clear(browser):
    return browser.value("(() => { const was = asking; document.getElementById('clear').click(); return was; })()")


def ask(browser, digit, draw):
    clear(browser)
    draw(DIGITS[digit])
    shown = browser.eventually(f"(shown => shown.digit === '{digit}' && shown)({SHOWN})")
    scores, chosen = shown["scores"], shown["chosen"]
    check(len(scores) == 2 and float(scores[chosen]) == max(map(float, scores)), "expected", digit, "got", shown)
    print(f"{draw.__name__}: {digit}, scores {scores}, expert {chosen}")


def training(browser):
    return browser.value("document.getElementById('training').textContent")


def tells(browser, text):
    """The line below the curve, also after the window has another size."""
    browser.eventually(f"document.getElementById('training').textContent.endsWith('; {text}')")
    browser.value("dispatchEvent(new Event('resize'))")
    check(training(browser).endswith("; " + text), training(browser))


def learns(browser, running):
    browser.eventually("document.querySelectorAll('#curve polyline').length === 1")
    first = browser.value("points.length")
    browser.eventually(f"points.length > {first}")  # the curve grows while the training runs
    browser.draw_with_mouse(DIGITS[7])
    browser.eventually("!asking")
    browser.eventually(f"{SHOWN}.digit !== ''")
    browser.value("send = fetch; asked = 0; fetch = (...request) => { ++asked; return send(...request); }; 0")
    browser.eventually("asked > 1")  # the digit is sent again as the model learns, without a stroke
    browser.eventually("points.at(-1).epoch > 2", 60)
    browser.eventually(f"{SHOWN}.digit === '7'")  # the answer follows the training without a stroke
    ask(browser, 7, browser.draw_with_mouse)
    ask(browser, 0, browser.draw_with_finger)
    ask(browser, 2, browser.draw_with_mouse)
    if os.environ.get("SCREENSHOT"):
        picture = browser.call("Page.captureScreenshot", format="png")["data"]
        with open(os.environ["SCREENSHOT"], "wb") as file:
            file.write(base64.b64decode(picture))
    browser.eventually("document.getElementById('problem').textContent === ''")
    running.process.terminate()
    running.process.wait(timeout=30)
    tells(browser, "the server does not answer")


def ends(browser):
    tells(browser, "the training has ended")
    check(browser.value("document.getElementById('goes').hidden"))
    browser.value("source.dispatchEvent(new Event('failed'))")
    tells(browser, "the training has failed")
    browser.value("points = [{step: 1, epoch: 1, loss: 0, accuracy: 1}], drawCurve()")
    curve = browser.value("document.getElementById('curve').innerHTML")
    check("polyline" in curve and "NaN" not in curve, curve)


def clears(browser):
    """Of a server that takes a second for an answer: what is cleared before has none."""
    browser.draw_with_mouse([(0, -9), (0, 9)])
    check(clear(browser), "the answer came too early")
    browser.eventually("!asking")
    check(browser.value(SHOWN)["digit"] == "", browser.value(SHOWN))


def draws_with_one(browser):
    """A second finger, and the other buttons of a mouse, leave no ink."""
    left, right = list(browser.points([(-9, -9), (-9, 9)])), list(browser.points([(9, -9), (9, 9)]))
    clear(browser)
    browser.touch("touchStart", left[0])
    browser.touch("touchStart", left[0], right[0])
    for points in zip(left[1:], right[1:]):
        browser.touch("touchMove", *points)
    browser.touch("touchEnd")
    ink = "pen.getImageData({}, 0, 140, 280).data.some((value, i) => i % 4 === 0 && value > 0)"
    check(browser.value(ink.format(0)) and not browser.value(ink.format(140)), "a second finger draws")
    clear(browser)
    for button, buttons in (("right", 2), ("middle", 4)):
        browser.draw_with_mouse(DIGITS[7], button, buttons)
        check(browser.value("pixels()") is None, button, "draws")
    browser.draw_with_mouse([(-9, 0), (0, 0)])
    browser.draw_with_mouse([(0, 0), (9, 0)])
    check(browser.value(ink.format(0)) and browser.value(ink.format(140)), "no second stroke")


def page(server):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            with server("--epochs", "0", "--window", "1000000") as running:
                browser.open(f"http://127.0.0.1:{running.port}/")
                clears(browser)
                draws_with_one(browser)
                ends(browser)
            with server("--epochs", "100000") as running:
                browser.open(f"http://127.0.0.1:{running.port}/")
                learns(browser, running)
        finally:
            browser.close()
