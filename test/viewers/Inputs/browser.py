"""A headless Chromium, driven by the W3C WebDriver protocol; just what the tests need."""
import base64
import json
import re
import subprocess
import tempfile
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


class Browser:
    def __init__(self, url, size=(1200, 800)):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.driver.stdout:
            if match := re.search(r"started successfully on port (\d+)", line):
                break
        self.base = f"http://127.0.0.1:{match[1]}/session"
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={self.home.name}",
                     f"--window-size={size[0]},{size[1]}"]
        wanted = {"goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = None
        self.session = self.ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.ask("POST", "/url", {"url": url})

    def open(self, url):
        """Another page, or the same one anew: nothing of what was there before is left, as pages store nothing."""
        self.ask("POST", "/url", {"url": "about:blank"})
        self.ask("POST", "/url", {"url": url})
        self.settle()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.home.cleanup()

    def ask(self, method, path, body=None):
        address = self.base + (f"/{self.session}" if self.session else "") + path
        request = urllib.request.Request(address, method=method, data=None if method != "POST" else json.dumps(body or {}).encode(),
                                         headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as failure:
            raise RuntimeError(failure.read().decode()) from None

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def settle(self):
        """Until what was asked for has been drawn."""
        self.ask("POST", "/execute/async", {"script": "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 120);", "args": []})

    def resize(self, width, height, mobile=False):
        """Makes the page as large as a screen; a window of Chromium has a least width."""
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride",
                                               "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}})
        self.settle()

    def prefer(self, scheme):
        """What the reader's system prefers: light or dark."""
        self.ask("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [{"name": "prefers-color-scheme", "value": scheme}]}})

    def find(self, selector):
        return self.ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def click(self, selector):
        self.ask("POST", f"/element/{self.find(selector)}/click")
        self.settle()

    def type(self, text):
        keys = [KEYS.get(text, text)] if text in KEYS else text
        actions = [step for key in keys for step in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})
        self.settle()

    def point(self, x, y, click=False):
        actions = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}]
        if click:
            actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})
        self.settle()

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("GET", "/screenshot")))

    def log(self):
        return self.ask("POST", "/se/log", {"type": "browser"})
