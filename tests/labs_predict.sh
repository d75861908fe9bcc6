#!/bin/sh
# Usage: labs_predict.sh PREDICT. Whether labs/cpu/predict.sh predicts what its model says, and ends with one line where
# its input is wrong.
set -eu
export LC_ALL=C
predict=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# ROW ARGUMENT...: the last row predicted is this one.
predicts() {
    row=$1
    shift
    got=$(sh "$predict" "$@" | tail -n 1)
    [ "$got" = "$row" ] || { echo "$*: $got, not $row"; exit 1; }
}

# WORDS ARGUMENT...: exit code 2, one line that has these words, and nothing predicted.
refused() {
    words=$1
    shift
    got=0
    sh "$predict" "$@" 2>error >output || got=$?
    [ $got -eq 2 ] || { echo "$* ends with $got, not 2"; exit 1; }
    [ "$(wc -l <error)" -eq 1 ] || { echo "$* says more than a line"; cat error; exit 1; }
    grep -qF "$words" error || { echo "$* says"; cat error; exit 1; }
    [ ! -s output ] || { echo "$* predicts"; cat output; exit 1; }
}

predicts 4,364,400,core,50 100 10 50 10 4         # each core makes 91 to 100 until memory carries no more than 5000
predicts 49,4455,4900,core,50 100 10 50 10 49
predicts 50,4545,5000,memory,50 100 10 50 10 1 50
predicts 64,5000,5000,memory,50 100 10 50 10 64
predicts 2,333,500,path,8 500 18 140.4 72 1 2     # 167 to 250, the most that a core's own way to memory carries
predicts 8,1333,1950,memory,8 500 18 140.4 72 8
predicts 1,10,10,memory,1 974 5 5 500 1
predicts 3,29,29,memory,3 974 0.7 2.1 72 1 3       # exactly enough

refused 'usage: labs/cpu/predict.sh' 974 18 140 72
refused 'CACHE_MLUPS is "fast"; it takes a decimal number above 0' fast 18 140 72 1
refused 'CACHE_MLUPS is "nan"' nan 18 140 72 1
refused 'ONE_GBS is "-18"' 974 -18 140 72 1
refused 'ONE_GBS is ""' 974 '' 140 72 1
refused 'ALL_GBS is "1.4.0"' 974 18 1.4.0 72 1
refused 'BYTES is "0.0"' 974 18 140 0.0 1
refused 'BYTES is "72 bytes"' 974 18 140 '72 bytes' 1
refused 'ONE_GBS is "140", more than ALL_GBS, "18"' 974 140 18 72 1
refused 'CORES is "0"; it takes integers from 1 to 99999' 974 18 140 72 0
refused 'CORES is "8.5"' 974 18 140 72 8 8.5
refused 'CORES is "100000"' 974 18 140 72 100000
[ "$(ls)" = "$(printf 'error\noutput')" ] || { echo "something is left: $(ls)"; exit 1; }
