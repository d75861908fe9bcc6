"""Usage: assemble.py PAGE OUTPUT FOLDER... Writes PAGE with each line @FILE@ replaced by that file, from the first of
the folders that has it: one HTML file that needs no other.
"""

import pathlib
import re
import sys


def main(page, output, folders):
    def content(found):
        paths = [path for path in (folder / found[1] for folder in folders) if path.exists()]
        if not paths:
            sys.exit(f"{page}: there is no {found[1]} in {', '.join(map(str, folders))}")
        text = paths[0].read_text(encoding="utf-8").rstrip("\n")
        return text.replace("</script", "<\\/script") if paths[0].suffix == ".js" else text

    output.write_text(re.sub(r"^@([\w.]+)@$", content, page.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: assemble.py PAGE OUTPUT FOLDER...")
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), [pathlib.Path(folder) for folder in sys.argv[3:]])
