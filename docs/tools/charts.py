"""Charts as SVG, with Python's standard library alone: axes, grid, lines, bars and labels, for light and dark pages."""

import math
import re
from html import escape

from sources import packed

WIDTH = 690  # pixels, as of all figures of the book

# Okabe and Ito's colours, which colour-blind people tell apart, with an olive of Tol's for the yellow, in which no text
# can be read. Of each: lines and bars, text on a light page, everything on a dark page.
COLOURS = {
    "black": ("#000000", "#000000", "#eeeeee"), "orange": ("#e69f00", "#946600", "#eeaa22"),
    "blue": ("#0072b2", "#0072b2", "#4499dd"), "red": ("#d55e00", "#bf5400", "#f08040"),
    "green": ("#009e73", "#007a59", "#22bb8c"), "pink": ("#cc79a7", "#a84c7f", "#dd90bb"),
    "sky": ("#56b4e9", "#2980b5", "#99d5f7"), "olive": ("#999933", "#757514", "#c2c25c"),
    "grey": ("#808080", "#666666", "#a0a0a0"), "pale": ("#a9c5e3", "#4f7fb3", "#3f70a6"),
}
STYLE = """text { font-family: sans-serif; font-size: 13px; fill: #222; stroke: none }
.title { font-weight: bold } .small { font-size: 11px } .left { text-anchor: end } .mid { text-anchor: middle }
.grid { stroke: #e2e2e2 } .axis { stroke: #555 } .band { fill: #f0e442; opacity: 0.3 }
path.line { fill: none; stroke-linejoin: round } .dashed { stroke-dasharray: 7 4 } .dotted { stroke-dasharray: 2 3 }
.inside { fill: #111 }
.halo { fill: #666; stroke: #fff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round }
rect.bar { stroke: none } circle.ring { fill: #fff; stroke-width: 1.7 }"""
DARK = """text { fill: #ddd } .grid { stroke: #33373c } .axis { stroke: #aaa } .band { opacity: 0.2 }
.inside { fill: #111 } .halo { fill: #aaa; stroke: #17191c } circle.ring { fill: #17191c }"""


def styles(parts):
    """The style sheet, with the rules for the classes that the parts have."""
    used = set(re.findall(r"[a-z]+", " ".join(re.findall('class="([^"]*)"', "".join(parts)))))
    light, dark = re.findall(r"[^{}]+{[^}]*}", STYLE), re.findall(r"[^{}]+{[^}]*}", DARK)
    for name, (line, text, both) in COLOURS.items():
        light += [f".{name} {{ fill: {line}; stroke: {line} }}", f"text.{name} {{ fill: {text}; stroke: none }}"]
        dark += [f".{name} {{ fill: {both}; stroke: {both} }}", f"text.{name} {{ fill: {both} }}"]
    light, dark = ([rule.strip() for rule in rules if not (own := re.search(r"\.([a-z]+) {", rule)) or own[1] in used]
                   for rules in (light, dark))
    return [*light, "@media (prefers-color-scheme: dark) {", *dark, "}"]


def pixels(value):
    return f"{value:.1f}".removesuffix(".0")


def round_values(low, high, log):
    """Round values from low to high: at most nine, or three in each decade of less than three."""
    if log:
        decades = math.log10(high / low)
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        values = [factor * 10.0**power for power in powers if power % math.ceil(decades / 9) == 0
                  for factor in ((1, 2, 5) if decades < 3 else (1,))]
    else:
        unit = 10 ** math.floor(math.log10((high - low) / 8))
        step = next(factor * unit for factor in (1, 2, 5, 10) if (high - low) / (factor * unit) <= 8)
        values = [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9) or not log]


def write(values):
    """The values as text and exponent: powers of ten if one is too small or too large to be written out."""
    if all(value == 0 or 1e-3 <= abs(value) < 1e6 for value in values):
        return [(f"{value:{',' if value >= 1e4 else ''}.6g}".replace("-", "−"), "") for value in values]
    return [("10", f"{math.log10(value):.0f}".replace("-", "−")) for value in values]


def spread(values, gap, low=-math.inf):
    """The values, moved as little as keeps them `gap` apart and above `low`; near neighbours share their middle."""
    groups = []  # from the lowest on: the numbers of their values, and where the first of them is put
    for n in sorted(range(len(values)), key=lambda n: values[n]):
        groups.append(([n], max(low, values[n])))
        while len(groups) > 1 and groups[-2][1] + gap * len(groups[-2][0]) > groups[-1][1]:
            members = groups[-2][0] + groups[-1][0]
            middle = sum(values[m] for m in members) / len(members)
            groups[-2:] = [(members, max(low, middle - gap * (len(members) - 1) / 2))]
    placed = {n: first + gap * k for members, first in groups for k, n in enumerate(members)}
    return [placed[n] for n in range(len(values))]


class Scale:
    """The pixel of a value on an axis that runs from the pixel `begin`, at `low`, to `end`, at `high`."""

    def __init__(self, begin, end, low, high, log):
        self.begin, self.end, self.low, self.high, self.log = begin, end, low, high, log

    def __call__(self, value):
        part = (value - self.low) / (self.high - self.low)
        if self.log:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        return self.begin + (self.end - self.begin) * part


class Chart:
    """A title, an area with one or two axes, and what is drawn on it, whose places are values on the axes."""

    def __init__(self, title, height, left=66, right=130, top=60, bottom=50):
        self.height, self.left, self.right, self.top, self.bottom = height, left, WIDTH - right, top, height - bottom
        self.parts, self.labels = [], []
        self.text(12, 20, title, "title")

    def text(self, x, y, text, style="", exponent=""):
        """Text at a place in pixels."""
        raised = f'<tspan dy="-5" font-size="10">{exponent}</tspan>' if exponent else ""
        style = f' class="{style}"' if style else ""
        self.parts.append(f'<text x="{pixels(x)}" y="{pixels(y)}"{style}>{escape(text, quote=False)}{raised}</text>')

    def paths(self, ways, style, width=1.0):
        """Lines, each through places in pixels."""
        data = "".join("M" + "L".join(f"{pixels(x)} {pixels(y)}" for x, y in places) for places in ways)
        width = f' stroke-width="{width}"' if width != 1 else ""
        self.parts.append(f'<path d="{data}" class="{style} line"{width}/>')

    def path(self, places, style, width=1.0):
        self.paths([places], style, width)

    def x_axis(self, name, low, high, log=False, at=None):
        """The axis along the bottom, with grid lines `at` these values or at round ones."""
        self.x = Scale(self.left, self.right, low, high, log)
        values = at or round_values(low, high, log)
        self.paths([[(self.x(value), self.top), (self.x(value), self.bottom)] for value in values], "grid")
        for value, (text, exponent) in zip(values, write(values)):
            self.text(self.x(value), self.bottom + 18, text, "mid", exponent)
        self.path([(self.left, self.bottom), (self.right, self.bottom)], "axis")
        self.text((self.left + self.right) / 2, self.bottom + 40, name, "mid")

    def y_axis(self, name, low, high, log=False):
        """The axis at the left, with its name above it."""
        self.y = Scale(self.bottom, self.top, low, high, log)
        values = round_values(low, high, log)
        self.paths([[(self.left, self.y(value)), (self.right, self.y(value))] for value in values], "grid")
        for value, (text, exponent) in zip(values, write(values)):
            self.text(self.left - 7, self.y(value) + 4.5, text, "left", exponent)
        self.path([(self.left, self.top), (self.left, self.bottom)], "axis")
        if name:
            self.text(12, 43, name)

    def mark(self, x, y, style):
        """A disc or a ring at a place in pixels."""
        self.parts.append(f'<circle cx="{pixels(x)}" cy="{pixels(y)}" r="3.2" class="{style}"/>')

    def line(self, points, style, label="", width=2.0, mark=""):
        """A line, with a disc or a ring as `mark` of each point, and a label at its end."""
        places = [(self.x(x), self.y(y)) for x, y in points]
        self.path(places, style, width)
        for x, y in places if mark else ():
            self.mark(x, y, f"{style} {mark}")
        if label:
            self.labels.append((*places[-1], label, style.split()[0]))

    def rectangle(self, begin, top, width, height, style, title=""):
        """A rectangle from a value of x on; all else is in pixels."""
        end = f"><title>{escape(title, quote=False)}</title></rect>" if title else "/>"
        self.parts.append(f'<rect x="{pixels(self.x(begin))}" y="{pixels(top)}" width="{pixels(width)}" '
                          f'height="{height}" class="{style}"{end}')

    def band(self, low, high, name):
        """A coloured band between two values of x."""
        self.rectangle(low, self.top, self.x(high) - self.x(low), self.bottom - self.top, "band")
        self.text((self.x(low) + self.x(high)) / 2, self.top + 15, name, "small mid")

    def bar(self, y, height, begin, end, colour, title=""):
        """A bar from one value of x to another, its upper edge at the pixel y, with a tooltip; the next bar is apart."""
        self.rectangle(begin, y, max(1, self.x(end) - self.x(begin) - 0.6), height, colour + " bar", title)

    def key(self, names):
        """The names of colours, below the title."""
        x = 12
        for colour, name in names.items():
            self.parts.append(f'<circle cx="{x + 6}" cy="39" r="6" class="{colour}"/>')
            self.text(x + 18, 43.5, name)
            x += 40 + 7 * len(name)

    def lines(self):
        """The lines of the SVG file."""
        heights = spread([y for _, y, _, _ in self.labels], 14, self.top)
        for (x, y, label, colour), height in zip(self.labels, heights):
            column = self.right + 18 if x > self.right - 40 else x + 26  # where lines end at the right, labels do too
            self.path([(x + 5, y), (column, height)], colour, 0.7)
            self.text(column + 3, height + 4.5, label, colour)
        size = f'width="{WIDTH}" height="{self.height}" viewBox="0 0 {WIDTH} {self.height}"'
        return [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', "<style>", *packed(styles(self.parts), " "),
                "</style>", *packed(self.parts), "</svg>"]
