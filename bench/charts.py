"""Charts as SVG: lines and bars with axes, units and a legend, readable on light and on dark pages.

Every colour is chosen to stand out from both backgrounds, and lines differ in their marks too. Text is plain SVG text.
"""
import math
from xml.sax.saxutils import escape

COLOURS = ["#3f7fbf", "#e07b28", "#4c9a4a", "#d14c58", "#9a6bb5", "#8c6d4f", "#2f9e9e", "#b3932a"]
MARKS = ["circle", "square", "diamond", "triangle"]
WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 84, 196, 46, 62

STYLE = """
.page { fill: #ffffff } .ink { fill: #24292f } .faint { fill: #57606a }
.grid { stroke: #d8dee4 } .axis { stroke: #57606a } text { font: 13px sans-serif }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #9da7b3 }
.grid { stroke: #30363d } .axis { stroke: #9da7b3 } }
"""


class Axis:
    """A range of values, linear or logarithmic, and where on the page they stand."""

    def __init__(self, label, low, high, logarithmic=False, show=None):
        self.label, self.low, self.high, self.logarithmic = label, low, high, logarithmic
        self.show = show or (lambda value: f"{value:g}")

    def share(self, value):
        if self.logarithmic:
            value = max(value, self.low)
            return (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return (value - self.low) / (self.high - self.low)

    def ticks(self):
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, math.ceil((last - first) / 8))
            return [10.0**power for power in range(first, last + 1, step)]
        raw = (self.high - self.low) / 5
        unit = 10 ** math.floor(math.log10(raw))
        step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw - 1e-12)
        return [self.low + step * number for number in range(int((self.high - self.low) / step + 1e-9) + 1)]


def logarithmic_axis(label, values, show=None, high=None, room=1):
    """From the power of ten at or below the least positive value, with room for a bar, to that at or above the greatest."""
    positive = [value / room for value in values if value > 0] or [1]
    low, top = math.floor(math.log10(min(positive)) + 1e-9), math.ceil(math.log10(high or max(positive) * room) - 1e-9)
    return Axis(label, 10.0**low, 10.0 ** max(top, low + 1), True, show)


def across(share):
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def down(share):
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="start", kind="ink", more=""):
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def mark(shape, x, y, colour):
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'
    points = {"square": [(-3, -3), (3, -3), (3, 3), (-3, 3)], "diamond": [(0, -5), (5, 0), (0, 5), (-5, 0)],
              "triangle": [(0, -5), (5, 4), (-5, 4)]}[shape]
    return f'<polygon points="{" ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)}" fill="{colour}"/>'


def frame(title, y_axis, x_label):
    """Page, title, the vertical axis with its lines."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
             f"<title>{escape(title)}</title><style>{STYLE}</style>",
             f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
             text(16, 24, title, more=' font-weight="bold" style="font-size: 15px"')]
    for value in y_axis.ticks():
        y = down(y_axis.share(value))
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(text(LEFT - 8, y + 4, y_axis.show(value), "end", "faint"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(text(18, middle, y_axis.label, "middle", "faint", f' transform="rotate(-90 18 {middle:.0f})"'))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, x_label, "middle", "faint"))
    parts.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{down(0):.1f}" y2="{down(0):.1f}"/>')
    return parts


def legend(names, draw):
    parts = []
    for number, name in enumerate(names):
        y = TOP + 10 + 22 * number
        parts.append(draw(number, WIDTH - RIGHT + 22, y))
        parts.append(text(WIDTH - RIGHT + 36, y + 4, name))
    return parts


def line_chart(title, x_axis, y_axis, lines):
    """lines: {name: [(x, y)]}"""
    parts = frame(title, y_axis, x_axis.label)
    for value in x_axis.ticks():
        x = across(x_axis.share(value))
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 18, x_axis.show(value), "middle", "faint"))
    for number, points in enumerate(lines.values()):
        colour, shape = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
        places = [(across(x_axis.share(x)), down(y_axis.share(y))) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        shown = places if len(places) <= 12 else places[number % 4 :: 6]
        parts += [mark(shape, x, y, colour) for x, y in shown]
    parts += legend(lines, lambda number, x, y: mark(MARKS[number % len(MARKS)], x, y, COLOURS[number % len(COLOURS)]))
    return "\n".join(parts + ["</svg>", ""])


def rectangle(x, width, low, high, colour, words):
    return (f'<rect x="{x:.1f}" y="{down(high):.1f}" width="{width:.1f}" height="{max(down(low) - down(high), 0):.1f}" fill="{colour}">'
            f"<title>{escape(words)}</title></rect>")


def bar_chart(title, y_axis, x_label, groups, series, stacked=False):
    """groups: {name: [a value for each of series, or None]}"""
    parts = frame(title, y_axis, x_label)
    room = (WIDTH - LEFT - RIGHT) / len(groups)
    for place, (name, values) in enumerate(groups.items()):
        left, total = LEFT + room * (place + 0.12), 0
        width = room * 0.76 / (1 if stacked else len(series))
        for number, value in enumerate(values):
            if value is None:
                continue
            x, low = (left, total) if stacked else (left + width * number, y_axis.low)
            total += value
            words = f"{name}, {series[number]}: {value:.4g}"
            parts.append(rectangle(x, width - (0 if stacked else 1), y_axis.share(low), y_axis.share(low + value if stacked else value),
                                   COLOURS[number % len(COLOURS)], words))
        middle, slanted = LEFT + room * (place + 0.5), len(groups) > 7
        turn = f' transform="rotate(-35 {middle:.1f} {HEIGHT - BOTTOM + 14})"' if slanted else ""
        parts.append(text(middle, HEIGHT - BOTTOM + 18, name, "end" if slanted else "middle", "faint", turn))
    parts += legend(series, lambda number, x, y: f'<rect x="{x - 6}" y="{y - 6}" width="12" height="12" fill="{COLOURS[number % len(COLOURS)]}"/>')
    return "\n".join(parts + ["</svg>", ""])
