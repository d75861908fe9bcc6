#!/bin/sh
# Usage: check.sh PROGRAM. Whether check.h tells passed, failed and skipped tests apart; PROGRAM is check_sample.c.
set -u
export LC_ALL=C
program=$1
failed=0

# expect CODE TEXT [TEST]
expect() {
    code=$1 text=$2
    shift 2
    said=$("$program" "$@")
    found=$?
    case $said in *"$text"*) contained=1 ;; *) contained=0 ;; esac
    [ $found -eq "$code" ] && [ $contained -eq 1 ] && return
    echo "check_sample $*: exit code $found instead of $code, or no \"$text\" in: $said"
    failed=1
}

expect 0 '' passes
expect 1 'expected 0' fails
expect 1 'expected NAN' is_nan
expect 77 'skipped: a reason' skips
expect 1 'skipped: a reason' fails_and_skips
expect 1 'no test named nothing' nothing
expect 1 '2 tests were skipped'
exit $failed
