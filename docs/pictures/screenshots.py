"""The pictures that a browser draws; run by ./make."""
import base64
import pathlib
import socket
import subprocess
import sys

top = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(top / "test" / "viewers" / "Inputs"))
from browser import Browser

pictures = top / "docs" / "pictures"
WIDE, NARROW = (1440, 900), (390, 844)


def page(browser, name, picture, size=WIDE, scheme="light", steps=""):
    browser.prefer(scheme)
    browser.resize(*size, mobile=size == NARROW)
    browser.open(f"file:///tmp/hcct/{name}.html")
    browser.run(steps)
    browser.settle()
    browser.screenshot(pictures / f"{picture}.png")


with Browser("about:blank") as browser:
    for scheme in ("light", "dark"):
        page(browser, "calls", f"html-1440-{scheme}", WIDE, scheme)
        page(browser, "calls", f"html-390-{scheme}", NARROW, scheme)
    chosen = "select([...frame].findIndex(at => briefName(at) === 'discount'))"
    page(browser, "service", "html-chosen-1440", steps=chosen)
    page(browser, "service", "html-chosen-390", NARROW, steps=chosen + "; document.getElementById('chosen').scrollIntoView()")
    page(browser, "changes", "diff-1440-light")
    page(browser, "changes", "diff-1440-dark", scheme="dark", steps="showView('tree')")
    page(browser, "changes", "diff-390", NARROW)

release = top / "build" / "test" / "cache" / "speedscope" / "dist" / "release"
loader = pathlib.Path("/tmp/hcct/loader.js")
loader.write_text(f"speedscope.loadFileFromBase64('calls.json', '{base64.b64encode(pathlib.Path('/tmp/hcct/calls.json').read_bytes()).decode()}')")
with Browser(f"{(release / 'index.html').as_uri()}#localProfilePath={loader}", size=(1100, 640)) as browser:
    for _ in range(100):
        browser.settle()
        if " calls, phi " in browser.run("return document.body.innerText"):
            break
    browser.type("2")
    browser.settle()
    browser.settle()
    browser.screenshot(pictures / "speedscope.png")

with socket.create_server(("127.0.0.1", 0)) as free:
    address = "127.0.0.1:{}".format(free.getsockname()[1])
server = subprocess.Popen(["/tmp/hcct/pprof", "-http=" + address, "-no_browser", "/tmp/hcct/calls.pb.gz"], stderr=subprocess.PIPE, text=True)
try:
    next(server.stderr) # it says that it serves
    with Browser(f"http://{address}/flamegraph", size=(1100, 640)) as browser:
        for _ in range(20):
            browser.settle()
        browser.screenshot(pictures / "pprof.png")
finally:
    server.terminate()
