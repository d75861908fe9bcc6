#!/bin/sh
# Usage: same_order.sh. The first tables of README.md and TEACHERS.md have the exercises that CMakeLists.txt lists, in
# its order, which is that of both paths in docs/main.md, too; and starters.txt has their files.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
sed -nE 's/^add_(blank_)?exercise\(([a-z0-9_]+).*/\2/p' CMakeLists.txt >"$list"
for page in README.md TEACHERS.md; do
    awk -F '`' '/^\| `/ { print $2; table = 1 } table && !/^\|/ { exit }' "$page" | diff "$list" - || {
        echo "the table of exercises/$page has not the exercises of CMakeLists.txt in its order"
        exit 1
    }
done
for path in lean full; do
    exercises=$(awk -f path.awk ../docs/main.md | sed -n "s|^$path .* exercises/\(.*\)/README.md$|\1|p")
    if [ "$exercises" = '' ] || [ "$(grep -xF "$exercises" "$list")" != "$exercises" ]; then
        echo "the $path path of docs/main.md has not the order of exercises/CMakeLists.txt"
        exit 1
    fi
done
sh starters.sh | diff starters.txt - || {
    echo 'starters.txt does not list these files: call "sh exercises/starters.sh >exercises/starters.txt"'
    exit 1
}
