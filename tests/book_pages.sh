#!/bin/sh
# Usage: book_pages.sh BOOK TABLE, from the top of the repository; TABLE is the build's stages.tsv. Every page of the
# book has links to its neighbours; every exercise has a chapter; every walkthrough has all its sections, a table or the
# line that there is none yet, and the diff to the stage that it follows, or the sentence that it is a new program; every
# function that the headers of common/ declare is documented.
set -eu
export LC_ALL=C
book=$1
failed=0
root=walkthrough_$(awk -F '\t' '$3 == "-" { print $1 }' "$2")

complain() {
    echo "$*"
    failed=1
}

pages=$(wc -l <"$book/input/list")
number=0
while IFS="$(printf '\t')" read -r source page title chapter; do
    number=$((number + 1))
    html=$book/html/$page.html
    [ "$page" != mainpage ] || html=$book/html/index.html
    [ -e "$html" ] || { complain "$source: there is no page $html"; continue; }
    [ $number -eq 1 ] || grep -q 'class="previous"' "$html" || complain "$source: no link to the page before"
    [ $number -eq "$pages" ] || grep -q 'class="next"' "$html" || complain "$source: no link to the next page"
    ! grep -v '^<div class="line">' "$html" | grep '\*<span\|</span>\*\|^\[[a-z_0-9]*\]: ' ||
        complain "$source: a quoted number was left as it is"
    ! grep -n '</summary></details>' "$html" || complain "$source: a fold is empty"
    case $page in exercise_*) [ -n "$chapter" ] || complain "$source: its third line links no chapter" ;; esac
    case $page in walkthrough_*) ;; *) continue ;; esac
    for section in 'The problem' 'The idea' 'Predict first' 'The code' 'The diff' 'Run it' 'Measure it' \
        'What the profiler shows' 'Against expectation' 'Pitfalls' 'What to keep' 'Exercises' 'Further reading' \
        'The whole program'; do
        grep -q "^# $section\( ●\)*\$" "$source" || complain "$source: lacks the section \"$section\""
    done
    [ "$page" = "$root" ] || grep -q '<pre class="diff">\|This stage is a new program' "$html" || complain "$source: no diff"
    grep -q '<table class="record">\|class="no_record"' "$html" || complain "$source: no table"
    grep -q '<details class="answer"' "$html" || complain "$source: no question to predict"
done <"$book/input/list"
for header in common/*/*.h; do
    case $header in */*_on_cpu.h) continue ;; esac # CUDA's own names, and those of lane.h
    bare=$(awk '
        /^(extern|typedef|enum|struct|static const|EACH|#|\/|\*)/ { before = $0; next }
        /^template/ { next }
        /^[A-Za-z].*\(/ && before !~ /\*\/$/ && !/^}/ { print FNR ": " $0 }
        { before = $0 }' "$header")
    [ -z "$bare" ] || complain "$header declares functions without a word about them: $bare"
done
echo "$number pages"
[ $number -ge 12 ] || complain 'pages are missing'
exit $failed
