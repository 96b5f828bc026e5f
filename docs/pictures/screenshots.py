"""The pictures that a browser draws; run by ./make."""
import base64
import pathlib
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
