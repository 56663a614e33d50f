# SPDX-License-Identifier: Apache-2.0
"""A Chromium without a screen, driven by its DevTools protocol over a pair of pipes.

Nothing here waits for a time: it waits for what the browser says, and gives up after LIMIT_S.
"""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

LIMIT_S = 600
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def find():
    """The path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Failed(RuntimeError):
    """The browser has refused, or has not answered."""


def _pipe():
    """A pipe whose ends are not 3 or 4, which the browser's have to be."""
    ends = os.pipe()
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return moved


class Browser:
    """One process with its own empty profile; a context manager."""

    def __init__(self):
        # The browser's last processes may still write there while it is removed.
        self.profile = tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True)
        theirs_in, self.to = _pipe()
        self.of, theirs_out = _pipe()
        options = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}",
            "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run", "--no-pings",
            "--no-default-browser-check", "--hide-scrollbars", "--force-color-profile=srgb",
            "--disable-breakpad", "--disable-crash-reporter"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}', find(), *options],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": self.profile.name, "DBUS_SESSION_BUS_ADDRESS": "disabled:"})
        os.close(theirs_in)
        os.close(theirs_out)
        self.last = 0
        self.rest = b""
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to)  # it ends by itself
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.of)
        self.profile.cleanup()

    def _receive(self, until):
        """The next message."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.of], [], [], max(0, until - time.monotonic()))
            part = os.read(self.of, 1 << 20) if ready else b""
            if not part:
                raise Failed("the browser has ended" if ready else f"no answer in {LIMIT_S} s")
            self.rest += part
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **params):
        """Its result."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + LIMIT_S
        while True:
            answer = self._receive(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait_for(self, method, session):
        until = time.monotonic() + LIMIT_S
        while True:
            for event in self.events:
                if (event["method"], event.get("sessionId")) == (method, session):
                    return event["params"]
            answer = self._receive(until)
            if "method" in answer:
                self.events.append(answer)


class Tab:
    """A page, and all that it has complained of or asked for since it was opened."""

    def __init__(self, browser, path, width=1000, height=900, **media):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)
        self.media(**media)
        self.url = pathlib.Path(path).resolve().as_uri()
        self.call("Page.navigate", url=self.url)
        browser.wait_for("Page.loadEventFired", self.session)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def media(self, medium="", scheme="light"):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def value(self, expression):
        """Of an expression, awaited if it is a promise."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                         returnByValue=True)
        if "exceptionDetails" in done:
            raise Failed(f"{expression}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def wait(self, condition):
        """Until the expression is true, looked at with each frame."""
        self.value("new Promise((done) => { const look = () => "
                   f"({condition}) ? done(true) : setTimeout(look, 10); look(); }})")

    def key(self, key, **more):
        code = {"code": key, **more}
        if len(key) == 1:
            code["text"] = key
        elif key == "Enter":
            code["text"] = "\r"
        keys = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38,
                "ArrowRight": 39, "ArrowDown": 40}
        if key in keys:
            code["windowsVirtualKeyCode"] = keys[key]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **code)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key,
                  **{name: value for name, value in code.items() if name != "text"})

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def complaints(self):
        """Exceptions, errors and warnings, as text."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            what = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                found.append(details.get("exception", details).get("description", str(details)))
            elif event["method"] == "Runtime.consoleAPICalled" and what["type"] in (
                    "error", "warning", "assert"):
                found.append(str(what["args"]))
            elif event["method"] == "Log.entryAdded" and what["entry"]["level"] in (
                    "error", "warning"):
                found.append(what["entry"]["text"])
        return found

    def requests(self):
        """What it asked for, itself included."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event["method"] == "Network.requestWillBeSent"
                and event.get("sessionId") == self.session]

    def first_paint_ms(self):
        """When the first of its text or pictures was seen, since it began to load."""
        self.wait("performance.getEntriesByName('first-contentful-paint').length > 0")
        return self.value(
            "performance.getEntriesByName('first-contentful-paint')[0].startTime")

    def picture(self, path, whole=True):
        options = {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            options = {"captureBeyondViewport": True,
                       "clip": {"x": 0, "y": 0, "width": size["width"],
                                "height": min(size["height"], 8000), "scale": 1}}
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def printed(self):
        """The page as a PDF file."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])
