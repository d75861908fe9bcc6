#!/bin/sh
# Usage: report.sh PROJECT ID FILE COMPILER FLAG... Compiles FILE and prints what the compiler says of every loop that
# follows INDEPENDENT, or without one of the first loop in step(). ID is CMake's name for the compiler. Exit code 0: all
# of them became vectors; 1: one did not; 2: there is no INDEPENDENT; 77: no report of this compiler is known.
set -eu
export LC_ALL=C
project=$1
id=$2
file=$3
shift 3
case $id in
GNU) report=-fopt-info-vec-optimized-missed said='optimized: loop vectorized' ;;
*Clang) report='-Rpass=loop-vectorize -Rpass-missed=loop-vectorize -Rpass-analysis=loop-vectorize'
    said='remark: vectorized loop' ;;
*) echo "no report of $id is known: whether there are vectors stays open"; exit 77 ;;
esac

lines=$(awk '/^[ \t]*INDEPENDENT/ { print FNR + 1 }' "$file")
name=$(basename "$file")
code=0
[ -n "$lines" ] || code=2
[ -n "$lines" ] || lines=$(awk '/[ *]step\(/ { inside = 1 } inside && /for \(/ { print FNR; exit }' "$file")
cd "$project"
# shellcheck disable=SC2086
all=$("$@" -Icommon -DSTAGE=stage -DSTAGE_NAME='""' $report -c "$file" -o /dev/null 2>&1)
for line in $lines; do
    words=$(echo "$all" | grep -F "$name:$line:" | sed "s|.*$name|$name|" | sort -u | head -n 4) || words=
    echo "${words:-$name:$line: the compiler says nothing of this loop}"
    case $words in *"$said"*) ;; *) [ $code -eq 2 ] || code=1 ;; esac
done
exit $code
