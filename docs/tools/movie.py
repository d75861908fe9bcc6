"""Usage: movie.py LBM OUT.png. Has `LBM run` compute a street of vortices and writes one period of it, which repeats
without a seam, as an animated PNG: docs/figures/street.png, the first picture of README. It takes some two minutes.

A frame is a picture of `lbm run --pixels`, cut out where the borders of the grid do not show. All frames have the same
scale of colours, and so one palette serves them all. Python's standard library is enough.
"""

import glob
import os
import struct
import subprocess
import sys
import tempfile
import zlib

from sources import Problem

FLOW = "bodies --size 880x340 --circle 140.5,171,20 --re 200 --u 0.1".split()
COLOURS = "--field vorticity --scale 0.007".split()
STAGE = "12_cpu_pairs"
BETWEEN, FRAMES = 61, 31  # steps from one frame to the next; 31 times 61 steps are the period of the vortices
START = 655 * BETWEEN  # by then the vortices are shed regularly
LEFT, TOP, WIDTH, HEIGHT = 60, 70, 760, 200  # the part of the picture that becomes a frame
DELAY = 3, 50  # of a frame, in seconds, as a fraction
WALL = b"\x80\x80\x80"  # the colour of walls in common/output/picture.c
MERGED = 2  # neighbouring shades that become one, so that the file is smaller


# ---- PNG: chunks around rows that zlib compresses, each behind the number of its filter ----
def chunks(path):
    """The chunks of a file: kind, content."""
    with open(path, "rb") as file:
        data = file.read()
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + 8 + length]
        at += length + 12


def paeth(left, above, corner):
    to_left, to_above, to_corner = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
    return left if to_left <= min(to_above, to_corner) else above if to_above <= to_corner else corner


PREDICT = [lambda left, above, corner: 0, lambda left, above, corner: left, lambda left, above, corner: above,
           lambda left, above, corner: (left + above) // 2, paeth]


def rows_of(path, count):
    """The first `count` rows of a picture with three bytes a pixel."""
    parts = dict(chunks(path))
    width, height, depth, kind, *_, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if (depth, kind, interlaced) != (8, 2, 0) or height < count:
        raise Problem(f"{path} is not what `lbm run --pixels` writes: RGB of 8 bits, {count} rows or more")
    data = zlib.decompress(b"".join(content for name, content in chunks(path) if name == b"IDAT"))
    above = bytes(3 * width)
    for begin in range(0, count * (3 * width + 1), 3 * width + 1):
        predict, row = PREDICT[data[begin]], bytearray(data[begin + 1 : begin + 1 + 3 * width])
        for n, byte in enumerate(row):
            before = (row[n - 3], above[n - 3]) if n >= 3 else (0, 0)
            row[n] = (byte + predict(before[0], above[n], before[1])) & 255
        yield row
        above = row


def frame_of(path):
    """The colours of a frame, row by row."""
    rows = list(rows_of(path, TOP + HEIGHT))[TOP:]
    return [[bytes(row[3 * x : 3 * x + 3]) for x in range(LEFT, LEFT + WIDTH)] for row in rows]


def compressed(frame, number):
    """The rows as numbers of the palette: each as it is, or as its difference to the left; the shorter file counts."""
    rows = [bytes(number[colour] for colour in row) for row in frame]
    plain = b"".join(b"\0" + row for row in rows)
    left = b"".join(b"\1" + bytes((a - b) & 255 for a, b in zip(row, b"\0" + row)) for row in rows)
    return min((zlib.compress(data, 9) for data in (plain, left)), key=len)


def palette_of(frames):
    """The colours of the file, from blue to red, and the number that each colour of the frames has among them."""
    found = {colour for frame in frames for row in frame for colour in row}
    shades = sorted(found - {WALL}, key=lambda colour: colour[0] - colour[2])
    colours = [WALL, *(shades[min(n + MERGED // 2, len(shades) - 1)] for n in range(0, len(shades), MERGED))]
    if len(colours) > 256:
        raise Problem(f"the frames have {len(colours)} colours; a palette has 256")
    return colours, {WALL: 0, **{shade: 1 + n // MERGED for n, shade in enumerate(shades)}}


def write_movie(path, frames):
    colours, number = palette_of(frames)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")

        def put(kind, content):
            file.write(struct.pack(">I", len(content)) + kind + content)
            file.write(struct.pack(">I", zlib.crc32(kind + content)))

        put(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0))
        put(b"acTL", struct.pack(">II", len(frames), 0))  # 0: again and again
        put(b"PLTE", b"".join(colours))
        part = 0  # fcTL and fdAT are numbered together
        for n, frame in enumerate(frames):
            put(b"fcTL", struct.pack(">IIIIIHHBB", part, WIDTH, HEIGHT, 0, 0, *DELAY, 0, 0))
            data = compressed(frame, number)
            put(*((b"fdAT", struct.pack(">I", part + 1) + data) if n else (b"IDAT", data)))
            part += 2 if n else 1
        put(b"IEND", b"")


# ---- The flow ----
def distance(one, other):
    """The mean difference of two frames, over the values of their red."""
    differences = [abs(a[0] - b[0]) for rows in zip(one, other) for a, b in zip(*rows)]
    return sum(differences) / len(differences)


def run(lbm, folder, *options):
    ended = subprocess.run([lbm, "run", STAGE, *FLOW, "--quiet", *options], cwd=folder, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        raise Problem(ended.stderr.strip())


def main(lbm, out):
    with tempfile.TemporaryDirectory() as folder:
        run(lbm, folder, "--steps", str(START), "--checkpoint", "start.vti")
        run(lbm, folder, "--restart", "start.vti", "--steps", str(START + (FRAMES + 1) * BETWEEN),
            "--every", str(BETWEEN), "--pixels", "frame.png", *COLOURS)
        frames = [frame_of(path) for path in sorted(glob.glob(folder + "/frame_*.png"))]
    *frames, again = frames
    if len(frames) != FRAMES or distance(frames[0], again) > distance(frames[0], frames[1]) / 4:
        raise Problem(f"{FRAMES} frames of {BETWEEN} steps are no period: the picture would jump at its end")
    write_movie(out, frames)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: movie.py LBM OUT.png")
    try:
        main(os.path.abspath(sys.argv[1]), sys.argv[2])
    except (Problem, OSError) as problem:
        sys.exit(f"movie.py: {problem}")
