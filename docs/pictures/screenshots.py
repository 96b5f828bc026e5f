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
with Browser("file:///tmp/hcct/calls.html", size=(1100, 760)) as browser:
    browser.settle()
    browser.run("select(data.frame.findIndex((_, i) => nameOf(i) === 'duk_bi_array_prototype_reduce_shared'))")
    browser.run("document.getElementById('search').value = 'getprop'; search()")
    browser.settle()
    browser.screenshot(pictures / "html-flame.png")
    browser.run("document.getElementById('search').value = ''; search(); setTheme('dark')")
    browser.click("#tab-tree")
    browser.screenshot(pictures / "html-tree.png")

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

with Browser("file:///tmp/hcct/changes.html", size=(1100, 700)) as browser:
    browser.settle()
    browser.run("select(data.frame.findIndex((_, i) => nameOf(i) === 'duk_bi_array_prototype_reduce_shared'))")
    browser.settle()
    browser.screenshot(pictures / "diff-flame.png")
    browser.click("#tab-tree")
    browser.settle()
    browser.screenshot(pictures / "diff-tree.png")

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
