"""Opens a page on narrow and wide screens, light and dark, and looks for what is cut off.

usage: check_html_narrow.py PAGE FOLDER     (screenshots go to FOLDER)
"""
import pathlib
import sys

from synthetic import expect, finish, open_page

OUTSIDE = """return [...document.querySelectorAll("header, #toolbar, #toolbar *, footer, main, [role=row] > *")].filter(it => {
  const box = it.getBoundingClientRect(), shown = it.checkVisibility();
  return shown && (box.left < -0.5 || box.right > innerWidth + 0.5);
}).map(it => it.tagName + "#" + it.id + "." + it.className);"""
folder, page = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[1])
with open_page("about:blank") as browser:
    for scheme in ("light", "dark"):
        for width, height in ((390, 844), (1440, 900)):
            browser.prefer(scheme)
            browser.resize(width, height, mobile=width < 500)
            browser.open(page.resolve().as_uri())
            expect("scheme", browser.run("return getComputedStyle(document.documentElement).colorScheme.includes(arguments[0]) && matchMedia(`(prefers-color-scheme: ${arguments[0]})`).matches", scheme), True)
            expect("width", browser.run("return innerWidth"), width)
            for view in browser.run("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map(it => it.id.slice(4))"):
                browser.click(f"#tab-{view}")
                browser.type("ArrowDown")
                expect(f"{view}, {width} pixels: outside", browser.run(OUTSIDE), [])
                expect(f"{view}, {width} pixels: scrolls sideways", browser.run("return document.documentElement.scrollWidth > innerWidth"), False)
                numbers = browser.run("return [...document.querySelectorAll('[role=columnheader]')].filter(it => it.checkVisibility()).length")
                expect(f"{view}: columns", view == "flame" or numbers >= 5, True)
                cut = browser.run("return [...document.querySelectorAll('[role=gridcell].number')].filter(it => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1).map(it => it.textContent)")
                expect(f"{view}, {width} pixels: numbers cut off", cut, [])
                browser.screenshot(folder / f"{page.stem}-{view}-{width}-{scheme}.png")
            expect("messages", browser.log(), [])
finish("all is on the screen")
