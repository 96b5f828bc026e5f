"""Looks at the colours of a made-up profile of nine libraries in nine files.

usage: check_html_colour.py PAGE NEW-PAGE FOLDER     (screenshots go to FOLDER)
"""
import pathlib
import sys

from synthetic import expect, finish, make, open_page

template, new, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
LIBRARIES = [f"/lib/lib{letter}.so" for letter in "abcdefghi"]
nodes = [(-1, "main", 10)]
for i in range(9):
    nodes += [(0, f"in_{i}", 900 - 100 * i), (len(nodes), f"inlined_{i}", -1), (len(nodes) + 1, f"below_{i}", 4)]
kinds = list(dict.fromkeys((name, count < 0) for _, name, count in nodes))
frames = []
for at, (name, inlined) in enumerate(kinds):
    which = int(name[-1]) if name != "main" else -1
    frames.append([name, name, f"/src/{'abcdefghi'[which]}.c" if which >= 0 else "", at + 1, "inlined" if inlined else "function", "", "", -1 if inlined else which, 0])
page = make(template, new, nodes, libraries=LIBRARIES, frames=frames)

STYLE = "const i = [...frame].findIndex(at => frameName(at) === arguments[0]); return colours.styleOf(i)"
LEGEND = "return [...document.querySelectorAll('#legend span')].map(it => [it.className, it.textContent])"
LUMINANCE = """const style = getComputedStyle(document.documentElement), luminance = name => {
  const hex = style.getPropertyValue("--" + name).slice(1), all = hex.length === 3 ? [...hex].map(c => c + c).join("") : hex;
  const [r, g, b] = [0, 2, 4].map(at => parseInt(all.slice(at, at + 2), 16) / 255).map(it => it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
return arguments[0].map(luminance);"""
ALL = ["none", "match", "more", "more-weak", "fewer", "fewer-weak", "same"] + [f"s{i}" for i in range(6)] + [f"k{i}" for i in range(8)]


def choose(browser, colour):
    browser.run("const it = document.getElementById('colour'); it.value = arguments[0]; it.dispatchEvent(new Event('change'));", colour)
    browser.settle()


with open_page(page) as browser:
    style = lambda name: browser.run(STYLE, name)
    for theme in ("light", "dark"):
        browser.run("setTheme(arguments[0])", theme)
        text, *fills = browser.run(LUMINANCE, ["text", *ALL])
        for name, fill in zip(ALL, fills):
            contrast = (max(text, fill) + 0.05) / (min(text, fill) + 0.05)
            expect(f"{theme}, text on {name}: contrast of 4.5 (WCAG AA), {contrast:.2f}", contrast >= 4.5, True)
        weak, bad, *under = browser.run(LUMINANCE, ["weak", "bad", "back", "panel", "field"])
        for name, colour in (("weak", weak), ("bad", bad)):
            expect(f"{theme}, {name} text", all((max(colour, it) + 0.05) / (min(colour, it) + 0.05) >= 4.5 for it in under), True)
        steps = browser.run(LUMINANCE, [f"s{i}" for i in range(6)])
        expect(f"{theme}: shares are steps of lightness", steps, sorted(steps, reverse=theme == "light"))
        expect(f"{theme}: that can be told apart", all(max(a, b) + 0.01 > 1.1 * (min(a, b) + 0.01) for a, b in zip(steps, steps[1:])), True)

        # Each library is a texture of its own: what differs is there without colour.
        choose(browser, "library")
        for i in range(9):
            expect(f"library {i}", [style(f"in_{i}"), style(f"inlined_{i}"), style(f"below_{i}")], [f"k{min(i, 7)}"] * 3)
        expect("main", style("main"), "none")
        expect("legend", browser.run(LEGEND), [[f"k{i}", f"lib{'abcdefg'[i]}.so"] for i in range(7)] + [["k7", "2 others"], ["none", "not known"], ["match", "found"]])
        textures = browser.run("""return [0, 1, 2, 3, 4, 5, 6].map(at => {
  const canvas = document.createElement("canvas"), it = canvas.getContext("2d");
  it.fillStyle = colours.fill("k" + at);
  it.fillRect(0, 0, 8, 8);
  const pixels = it.getImageData(0, 0, 8, 8).data, plain = [...pixels.slice(0, 3)];
  const grey = [...Array(64).keys()].map(p => pixels[4 * p] + pixels[4 * p + 1] + pixels[4 * p + 2]), middle = (Math.max(...grey) + Math.min(...grey)) / 2;
  return Math.max(...grey) - Math.min(...grey) < 30 ? "plain" : grey.map(it => it < middle ? "#" : " ").join("");
});""")
        expect(f"{theme}: textures", [textures[0], len(set(textures))], ["plain", 7])
        chips = browser.run("return [...document.querySelectorAll('#legend span')].slice(0, 7).map(it => getComputedStyle(it).backgroundImage)")
        expect(f"{theme}: those of chips", len(set(chips)), 7)
        browser.screenshot(folder / f"library-{theme}.png")
        choose(browser, "share")
        expect("shares", [style("main"), style("in_0"), style("in_8"), style("below_0")], ["s5", "s3", "s2", "s0"])  # of 4546: 4546, 904, 104, 4
        browser.screenshot(folder / f"share-{theme}.png")
        choose(browser, "file")
        expect("file", [style("in_0"), style("inlined_0"), style("in_8"), style("main")], ["k0", "k0", "k7", "none"])
        choose(browser, "heat")
        expect("heat", [style("in_0"), style("inlined_0"), style("below_0")], ["s4", "s0", "s1"])  # own shares of 19.8%, none, 0.09%
    for view in ("tree", "callers", "flat", "peek"):
        choose(browser, "library")
        browser.click(f"#tab-{view}")
        classes = browser.run("return [...document.querySelectorAll('[role=row] .chip')].filter(it => it.checkVisibility()).map(it => [it.textContent.replace('* ', ''), it.className.slice(5)])")
        for name, style in classes:
            if name.startswith("in_"):
                expect(f"{view}: {name}", style, f"k{min(int(name[-1]), 7)}")
    expect("messages", browser.log(), [])
finish("colours can be told apart")
