#!/bin/sh
# Usage: progress.sh BUILD CMAKE. Lists which exercises are done, begun and not begun, and which is next on each path. An
# exercise is begun once its file is not the one of starters.txt. Only then is it built and checked, and only if a source
# has changed since its check spoke.
set -eu
export LC_ALL=C
build=$1 cmake=$2
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

spoken() {
    case $(tail -n 1 "$said" 2>/dev/null) in
    DONE | 'NOT DONE'*) ;;
    *) return 1 ;;
    esac
}

# Whether one of these has changed since the check spoke.
newer() { # FILE...
    [ -n "$(find "$@" ! -name '*.md' -newer "$said" 2>/dev/null | head -n 1)" ]
}

# Whether the exercise's files are those of which the check spoke. A copy may have an old date.
seen() {
    (cd .. && find "exercises/$name" -type f ! -name '*.md' -exec cksum {} +) | cmp -s - "$said.begin"
}

# Has the check speak. Sets `remark` if it can't. That of a form, which is about tables as well, always runs.
ask() {
    touch "$work/begin"
    if ! spoken || ! seen || newer ../common ../stages ../tests ./*.[ch]; then
        echo "Checking $name"
        ! spoken || seen || touch -c "$name/$file" # the build goes by dates
        if ! "$cmake" --build "$build" --parallel 4 --target "check_$name" >"$work/out" 2>&1 </dev/null; then
            remark="does not compile: $(sed -n '/error[: ]/p; /undefined reference/p; $p' "$work/out" | sed "s|$PWD/||; q")"
            return
        fi
    fi
    if spoken && [ "${file%.txt}" = "$file" ] && ! newer "$check" "${check}_traffic" "${check}_on_ranks"; then
        touch -r "$work/begin" "$said"
    elif ! sh check.sh "$check" >/dev/null 2>"$work/out" </dev/null; then
        remark="its check fails: $(tail -n 1 "$work/out")"
    fi
}

while IFS=$(printf '\t') read -r name file remark; do # the remark: why the exercise is left out
    check=$build/exercises/check_$name
    said=$check.said
    state='Not begun'
    if [ -n "$remark" ]; then
        state='Left out'
    elif [ "$file" != - ] && ! cksum "$name/$file" 2>/dev/null | grep -qxFf - starters.txt; then
        ask
        state=Begun
        remark=${remark:-$(tail -n 1 "$said")}
        [ "$remark" != DONE ] || state=Done remark=''
    fi
    printf '%s\t%s\t%s\t%s\n' "$state" "$name" "$(sed -n '1s/^# //p' "$name/README.md")" "$remark" >>"$work/list"
done <"$build/exercises.tsv"

green='' plain=''
if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ] && [ -z "${NO_COLOR:-}" ]; then
    green=$(printf '\033[32m') plain=$(printf '\033[0m')
fi
awk -f path.awk ../docs/main.md | awk -F '\t' -v green="$green" -v plain="$plain" '
    FNR == NR && /^lean .*\/README.md$/ {
        split($0, part, "[ /]")
        mark[part[4]] = part[2] == "-" ? "*" : "+"
    }
    FNR == NR { next }
    {
        line = sprintf("  %1s %-18s%s%s\n", mark[$2], $2, $3, $4 == "" ? "" : ": " $4)
        group[$1] = group[$1] line
        count[$1]++
        open = $1 == "Begun" || $1 == "Not begun"
        if (open && mark[$2] == "*" && lean == "")
            lean = $2
        if (open && full == "")
            full = $2
    }
    function show(state, colour) {
        if (count[state])
            printf "%s%s: %d\n%s%s", colour, state, count[state], group[state], colour == "" ? "" : plain
    }
    function say_next(which, name) {
        if (name != "")
            printf "Next on the %s path: %s (exercises/%s/README.md)\n", which, name, name
    }
    END {
        show("Done", green)
        show("Begun")
        show("Not begun")
        show("Left out")
        print "* on the lean path of docs/main.md, + optional there"
        say_next("lean", lean)
        say_next("full", full)
    }' - "$work/list"
