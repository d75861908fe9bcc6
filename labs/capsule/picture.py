"""Usage: picture.py PICTURE.svg MEMBRANE.vtp... Draws the files of `lbm run --vtk` side by side, seen along z. The
membrane has four sectors around z, in two colours: those of the first file, so that one sees the membrane go round.
"""

import array
import math
import re
import sys

STEP = 170  # pixels from one membrane to the next
STYLE = """text { font: 12px sans-serif; fill: #222; text-anchor: middle }
path { stroke: #fff; stroke-width: .5; stroke-linejoin: round } .a { fill: #4477aa } .b { fill: #cc6633 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } path { stroke: #17191c } .a { fill: #77aadd } .b { fill: #ee8855 } }"""


def read(path):
    """The points and the triangles of a file, and its step."""
    with open(path, "rb") as file:
        head, data = file.read().split(b'<AppendedData encoding="raw">\n_', 1)
    head = head.decode()

    def values(name, kind):
        at = int(re.search(f'Name="{name}".* offset="([0-9]+)"', head)[1])
        size = int.from_bytes(data[at:at + 8], "little")
        flat = array.array(kind, data[at + 8:at + 8 + size])
        return list(zip(flat[0::3], flat[1::3], flat[2::3]))

    return values("Points", "f"), values("connectivity", "i"), int(re.search("; step ([0-9]+)", head)[1])


def draw(out, left, scale, points, triangles, sector):
    """The triangles that face the camera, at positive z, in the colours of their sectors."""
    middle = [sum(point[axis] for point in points) / len(points) for axis in (0, 1)]
    at = [(round(left + STEP / 2 + scale * (x - middle[0])), round(0.4 * STEP - scale * (y - middle[1])))
          for x, y, _ in points]
    paths = {"a": "", "b": ""}
    for n, (i, j, k) in enumerate(triangles):
        (ux, uy), (vx, vy) = ((at[m][0] - at[i][0], at[m][1] - at[i][1]) for m in (j, k))
        if ux * vy - uy * vx < 0:
            paths[sector[n]] += f"M{at[i][0]} {at[i][1]}l{ux} {uy} {vx - ux} {vy - uy}z"
    out += [f'<path class="{name}" d="{path}"/>' for name, path in paths.items()]


def main(picture, *files):
    frames = [read(file) for file in files]
    points, triangles, _ = frames[0]
    middle = [sum(point[axis] for point in points) / len(points) for axis in (0, 1)]
    sector = []
    for corners in triangles:
        x, y = (sum(points[m][axis] for m in corners) / 3 - middle[axis] for axis in (0, 1))
        sector.append("ab"[int(math.atan2(y, x) // (math.pi / 2)) % 2])
    scale = 0.75 * STEP / max(max(p[0] for p in points) - min(p[0] for p in points) for points, _, _ in frames)
    size = f"{STEP * len(frames)} {STEP}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">', f"<style>\n{STYLE}\n</style>"]
    for n, (points, _, step) in enumerate(frames):
        draw(out, n * STEP, scale, points, triangles, sector)
        out.append(f'<text x="{n * STEP + STEP // 2}" y="{STEP - 14}">step {step}</text>')
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join([*out, "</svg>", ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
