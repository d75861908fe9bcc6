#!/bin/sh
# Usage: prepare.sh SOURCE TABLE OUTPUT. Makes from the sources and the build's stages.tsv what Doxygen reads: pages
# with their links to the next and the one before, sources with markers around each definition, coloured diffs,
# tables from the measured CSV files. Fails if something that a page quotes is not there.
set -eu
export LC_ALL=C
source=$1
table=$2
output=$3
tools=$source/docs/tools
tab=$(printf '\t')
rm -rf "$output"
mkdir -p "$output/pages" "$output/code" "$output/html" "$output/figures"
cd "$source"

record=$(sh "$tools/record.sh")

# ---- Sources ----
for file in stages/*/solver.* common/*/* labs/formats/solver.cu labs/formats/codecs/*; do
    mkdir -p "$output/code/$(dirname "$file")"
    awk -f "$tools/mark.awk" "$file" >"$output/code/$file"
done

# ---- Diffs: each stage against the one it follows ----
sh tests/diff_budget.sh . "$table" >"$output/budget" || true # a test says so
sed 1d "$table" | while IFS=$tab read -r stage solver follows rest; do
    [ "$follows" != - ] || continue
    before=$(awk -F "$tab" -v stage="$follows" '$1 == stage { print $2 }' "$table")
    diff -U 4 --label "$before" --label "$solver" "$before" "$solver" |
        awk -f "$tools/diff.awk" >"$output/html/diff_$stage.html"
    sed -n "s|.*-> $stage: \\([0-9]* changed lines\\).*|<p>\\1, without comments, blanks and white space.</p>|p" \
        "$output/budget" >>"$output/html/diff_$stage.html"
done

# And each planted fault against the file that it is planted in.
for script in labs/faults/*.sed; do
    fault=$(basename "$script" .sed)
    before=$(sed -n '1s/.* //p' "$script")
    sed -f "$script" "$before" | diff -U 2 --label "$before" --label "labs/faults/$fault.cu" "$before" - |
        awk -f "$tools/diff.awk" >"$output/html/diff_$fault.html"
done

# ---- Tables: one for each CSV file, and those that a page asks for of the device of record or of its own stage ----
make_table() { # CSV STAGES OUTPUT
    if [ -e "$1" ]; then
        awk -v stages="$2" -f "$tools/table.awk" "$1" >"$output/html/$3.html"
    else
        echo "<p class=\"no_record\">There is no table of record ($(basename "$1")) yet.</p>" >"$output/html/$3.html"
    fi
}
asked() { # KIND BEHIND PAGE...
    what="<!-- $1: \\(.*\\)\\.csv$2 -->"
    shift 2
    sed -n "s/^$what\$/\\1/p" "$@" | sort -u
}
for csv in labs/results/*.csv labs/results/*/*.csv; do
    name=$(echo "${csv#labs/results/}" | tr / _)
    make_table "$csv" '' "table_${name%.csv}"
done
for name in $(asked 'table of record' '' docs/*.md stages/*/walkthrough.md); do
    make_table "$record/$name.csv" '' "record_$name"
done
sed 1d "$table" | while IFS=$tab read -r stage solver follows rest; do
    page=$(dirname "$solver")/walkthrough.md
    [ -e "$page" ] || continue
    for name in $(asked 'table of record' ', this stage' "$page"); do
        make_table "$record/$name.csv" "${follows#-} $stage" "record_${name}_$stage"
    done
    for name in $(asked table ', this stage' "$page"); do
        name=${name##*labs/results/}
        make_table "labs/results/$name.csv" "${follows#-} $stage" "table_$(echo "$name" | tr / _)_$stage"
    done
done

# ---- The map of the course, for Graphviz ----
awk -v budget="$output/budget" -f "$tools/map.awk" "$table" >"$output/map.dot"

# ---- Pages, in the order of pages.txt ----
list=$output/list
sh "$tools/list.sh" >"$list"
number=100 # Doxygen lists chapters in the order of their files' names
while IFS=$tab read -r file page rest; do
    number=$((number + 1))
    awk -v list="$list" -v self="$file" -v page="$page" -v map="$output/map.dot" \
        -v figures="$output/figures" -f "$tools/text.awk" -f "$tools/page.awk" "$file" >"$output/pages/${number}_$page.md"
done <"$list"
