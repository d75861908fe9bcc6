#!/bin/sh
# Usage: vectorized.sh COMPILER ID SOURCE TABLE. Compiles every stage of TABLE, the build's stages.tsv, that promises
# INDEPENDENT iterations of a loop, and reads the compiler's report: each of these loops must have become vector instructions.
# ID is CMake's name for the compiler.
set -eu
export LC_ALL=C
compiler=$1
table=$(cd "$(dirname "$4")" && pwd)/$(basename "$4")
case $2 in
GNU) report=-fopt-info-vec said='optimized: loop vectorized' ;;
*Clang) report=-Rpass=loop-vectorize said='remark: vectorized loop' ;;
*) echo "no report of $2 is known"; exit 77 ;;
esac
cd "$3"

failed=0
count=0
while read -r solver flags; do
    lines=$(grep -n '^ *INDEPENDENT$' "$solver" | cut -d : -f 1)
    # shellcheck disable=SC2086
    [ -z "$lines" ] || vectorized=$("$compiler" -std=c17 -O3 -ffp-contract=off -Icommon -DSTAGE=stage \
        -DSTAGE_NAME='""' $flags $report -c "$solver" -o /dev/null 2>&1) || { echo "$vectorized"; exit 1; }
    for line in $lines; do
        count=$((count + 1))
        echo "$vectorized" | grep -F "$solver:$((line + 1)):" | grep -F "$said" ||
            { echo "$solver:$((line + 1)): the compiler did not make vectors of this loop"; failed=1; }
    done
done <<END
$(awk -F '\t' '$6 == "cpu" && $7 == "yes" { sub(/^-$/, "", $8); print $2, $8 }' "$table")
END
[ $count -gt 0 ] || { echo 'no stage has such a loop'; failed=1; }
exit $failed
