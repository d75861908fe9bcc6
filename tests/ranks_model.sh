#!/bin/sh
# Usage: ranks_model.sh, from the top. Scaling on paper is what follows from the tables; what can't be read is refused.
set -eu
export LC_ALL=C
tables='labs/results/ranks.csv labs/results/nvidia-h200/bench_poiseuille.csv'
# shellcheck disable=SC2086
sh labs/ranks/model.sh $tables | diff - labs/results/ranks_model.csv
refused() { # WORD TABLES...
    word=$1
    shift
    ! said=$(sh labs/ranks/model.sh "$@" 2>&1 >/dev/null)
    [ "$(echo "$said" | grep -c "^model: .*$word")" = 1 ]
}
refused "none.csv can't be read" none.csv none.csv
refused 'no speed of 20_ranks' labs/results/cpu.csv labs/results/cpu.csv
