#!/bin/sh
# Usage: labs/faults/transcripts.sh BUILD OUT. Builds the planted faults in BUILD, a folder that cmake -B has set up, if they
# are not there yet. Runs each with each tool that tools.txt names for it and that works in this build, and leaves in OUT
# what it said, as FAULT_TOOL.txt: shortened, its paths made relative, its addresses left out. Fails if a tool does not
# say what tools.txt expects of it. The transcripts of the book are in labs/results/faults. Tools:
#   program, gpu_program  the fault as it runs, without and with a GPU
#   report, gpu_report    the same, with what it reports when nobody says --quiet
#   result, gpu_result    what it makes of a flow, and the cells in which that differs from the right stage
#   order                 the same with its threads in two orders
#   sanitize              the program in a build with sanitizers (cmake --preset sanitize)
#   index, index_sanitize its index function alone, with the numbers of a large grid
#   memcheck, racecheck   compute-sanitizer's
set -eu
export LC_ALL=C

usage='usage: labs/faults/transcripts.sh BUILD OUT'
build=$(cd "${1:?$usage}" && pwd)
mkdir -p "${2:?$usage}"
out=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)

fail() {
    echo "transcripts: $*" >&2
    exit 3
}

[ -e "$build/labs/faults/kind" ] || fail "$build has no planted faults: it takes a folder that cmake -B has set up"
if [ ! -x "$build/lbm_faults" ] || [ ! -x "$build/large_index" ]; then
    cmake --build "$build" -j "$(nproc)" --target lbm_faults large_index >&2
fi
case $(cat "$build/labs/faults/kind") in
cpu) tools='program report result order index' name=build ;;
sanitize) tools='sanitize index_sanitize' name=build/sanitize ;;
cuda)
    tools='gpu_program gpu_report gpu_result memcheck racecheck' name=build
    nvidia-smi -L >/dev/null 2>&1 || tools=
    command -v compute-sanitizer >/dev/null || tools=
    ;;
esac
[ -n "$tools" ] || { echo 'transcripts: left out: there is no GPU here, or no compute-sanitizer'; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
cd "$work"

# Shortens what the tools say; see above.
shorten() {
    sed -e "s|$build/|$name/|g; s|$top/||g; s|$work/||g" \
        -e 's/==[0-9][0-9]*==/==PID==/; s/0x[0-9a-f]\{6,\}/0x.../g; s/ at pc .*//; s|\( common/[^ :]*\):[0-9]*|\1|' |
        awk '
            /^=* *$|==ABORTING/ || $0 == last { next }
            { last = $0 }
            /Shadow bytes/ { exit }
            /allocated by thread/ { allocated = 1; frames = 0 }
            /^ *#[0-9]+ / { if (/__interceptor/ || ++frames > (allocated ? 2 : 1)) next }
            /READ of|WRITE of/ { frames = 0 }
            /Host Frame|Saved host backtrace/ { next }
            /^========= / { if (++lines > 14 && !/SUMMARY|Target application/) next }
            { print substr($0, 1, 240) }'
}

# Runs a command and adds it, what it says, and how it ends to the transcript.
record() { # [NAME=VALUE] COMMAND...
    code=0
    echo "\$ $*" | shorten >>"$transcript"
    env "$@" >said 2>&1 </dev/null || code=$?
    shorten <said >>"$transcript"
    case $code in
    139) echo '(ended by SIGSEGV)' ;;
    *) echo "(exit code $code)" ;;
    esac >>"$transcript"
}

# The number of lines in which two tables of cells differ, as a line of the transcript.
compare() { # WORDS TABLE TABLE
    for table in "$2" "$3"; do
        [ -e "$table" ] || return 0 # it diverged, and said so
    done
    different=$(diff "$2" "$3" | grep -c '^>' || true)
    echo "$1: $different of $(grep -c '^[0-9]' "$2") cells differ" >>"$transcript"
}

flow='taylor_green --steps 20 --quiet'

run_tool() { # FAULT TOOL SIZE RIGHT_STAGE
    set -- "$1" "$2" "$3" "$4" "$build/lbm_faults"
    # shellcheck disable=SC2086
    case $2 in
    program | gpu_program | sanitize) record "$5" run "$1" $flow --size "$3" ;;
    report | gpu_report) record "$5" run "$1" ${flow% --quiet} --size "$3" ;;
    result | gpu_result)
        record "$5" run "$4" $flow --size "$3" --csv right.csv
        record "$5" run "$1" $flow --size "$3" --csv faulty.csv
        compare 'right and faulty' right.csv faulty.csv
        ;;
    order)
        for order in forward reverse; do
            record LBM_THREAD_ORDER=$order "$5" run "$1" $flow --size "$3" --csv $order.csv
        done
        record "$5" run "$4" $flow --size "$3" --csv right.csv
        compare 'forward and reverse' forward.csv reverse.csv
        compare 'right and forward' right.csv forward.csv
        compare 'right and reverse' right.csv reverse.csv
        ;;
    index | index_sanitize) record "$build/large_index" ;;
    memcheck | racecheck) record compute-sanitizer --tool "$2" "$5" run "$1" $flow --size "$3" ;;
    esac
}

failed=0
grep -v '^#' "$here/tools.txt" >list
while read -r fault tool size expected; do
    case " $tools " in *" $tool "*) ;; *) continue ;; esac
    transcript=$work/transcript
    rm -f "$transcript" ./*.csv
    run_tool "$fault" "$tool" "$size" "$(sed -n '1s/# from: \([^ ]*\) .*/\1/p' "$here/$fault.sed")"
    if grep -q '^lbm: not enough' "$transcript"; then
        echo "$fault: $tool: left out: $(grep 'not enough' "$transcript")"
        continue
    elif tr '\n' ' ' <"$transcript" | grep -Eq -- "$expected"; then
        echo "$fault: $tool: as expected"
    else
        echo "$fault: $tool does not say \"$expected\":"
        cat "$transcript"
        failed=1
    fi
    mv "$transcript" "$out/${fault}_$tool.txt"
done <list
exit $failed
