#!/bin/sh
# Usage: same_order.sh. The first tables of README.md and TEACHERS.md have the exercises that CMakeLists.txt lists, in
# its order.
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
