#!/bin/sh
# Usage: diff_budget_fails.sh. Runs diff_budget.sh over stages made up here, and fails where it lets one pass that it
# must not, or refuses one that is right.
set -eu
export LC_ALL=C
budget=$(cd "$(dirname "$0")" && pwd)/diff_budget.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# A solver of three lines and one that follows it, for a case to change; a row is NAME SOLVER FOLLOWS DIFF.
begin() {
    printf 'int a;\nint b;\nint c;\n' >first.c
    printf 'int a; // changed\nint   b;\n\nint d;\n' >second.c
    printf 'name\tsolver\tfollows\tagrees_with\tdiff\truns_on\tbuilt\tflags\n' >stages.tsv
    row 00_first first.c - -
}

row() {
    printf '%s\t%s\t%s\t-\t%s\tcpu\tyes\t-\n' "$@" >>stages.tsv
}

wrong() { # CASE
    echo "$1: diff_budget.sh said"
    cat said
    failed=1
}

passes() { # CASE WHAT IT SAYS
    sh "$budget" . stages.tsv >said 2>&1 && grep -qF "$2" said || wrong "$1"
}

fails() { # CASE WHAT IT SAYS
    ! sh "$budget" . stages.tsv >said 2>&1 && grep -qF "$2" said || wrong "$1"
}

begin
row 01_half second.c 00_first 2
passes 'as many lines as allowed' '00_first -> 01_half: 2 changed lines, at most 2'

begin
row 01_half second.c 00_first 1
fails 'one line too many' '2 lines are more than the 1'

begin
row 01_half first.c 00_first 1
passes 'a copy that is not changed yet' ': 0 changed lines'

begin
echo 'int __half2float, half, half_01, x01_half;' >>second.c
row 01_half second.c 00_first 3
passes 'words that hold parts of its name' ': 3 changed lines'

begin
echo 'const char *name = "01_half";' >>second.c
row 01_half second.c 00_first 3
fails 'a stage that names itself' 'second.c names itself'

begin
row 01_half gone.cu 00_first 5
fails 'a solver that is not there' "01_half: can't read gone.cu"

begin
row 01_half second.c 00_gone 5
fails 'a stage to follow that is not there' '01_half: there is no solver of 00_gone'

begin
row 01_half second.c 00_first 1
row 02_copy second.c 01_half 1
fails 'a stage too long before one that is right' '01_half -> 02_copy: 0 changed lines'

begin
row 01_half second.c 00_first 2
row 01b_branch second.c 00_first 2
passes 'two stages that follow the same one' '00_first -> 01b_branch: 2 changed lines'

begin
sed -i 1q stages.tsv
fails 'no stage at all' 'no stages'
exit $failed
