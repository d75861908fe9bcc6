#!/bin/sh
# Usage: prepare.sh SOURCE TABLE OUTPUT. Makes from the sources and the build's stages.tsv what Doxygen reads: pages
# with their links to the next and the one before, sources with markers around each definition, coloured diffs,
# tables from the measured CSV files. Fails if something that a page quotes is not there.
set -eu
source=$1
table=$2
output=$3
tools=$source/docs/tools
tab=$(printf '\t')
rm -rf "$output"
mkdir -p "$output/pages" "$output/code" "$output/html" "$output/figures"
cd "$source"

# The device whose numbers the text quotes; the tables show it too.
record=$(find labs/results -mindepth 1 -maxdepth 1 -type d -iname '*h100*' 2>/dev/null | sort | head -n 1)

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

# ---- Tables: one for each CSV file, and for each stage with the one it follows alone, as later ones are to be predicted ----
bench='size stage block_x block_y mlups_mean cv_percent gbs copy_percent over_before'
profile='stage size kernel dram_percent l2_percent sm_percent l1_hit_percent sectors_per_load'
profile="$profile sectors_per_store occupancy_percent registers"
traffic='time_ns dram_read_bytes dram_write_bytes l2_write_bytes'
columns() { # KIND
    case $1 in
    bench_*) echo "$bench" ;;
    profile_short) echo "$profile" ;;
    *profile*) echo "$profile $traffic" ;;
    phases | take_away) echo 'size stage phase step_us mlups over_first_phase' ;;
    formats*_speed) echo 'stage size mlups_mean cv_percent gbs copy_percent' ;;
    sweep_*) echo 'rank block_x block_y threads mlups_mean cv_percent percent_of_best' ;;
    esac
}
make_table() { # KIND CSV STAGES OUTPUT
    if [ -e "$2" ]; then
        awk -v stages="$3" -v columns="$(columns "$1")" -f "$tools/table.awk" "$2" >"$output/html/$4.html"
    else
        echo "<p class=\"no_record\">There is no table of record ($1.csv) yet.</p>" >"$output/html/$4.html"
    fi
}
for csv in labs/results/*.csv; do
    make_table "$(basename "$csv" .csv)" "$csv" '' "table_$(basename "$csv" .csv)"
done
# Tables that a page asks for: of the device of record, or the line that there is none yet.
for kind in $(sed -n 's/^\\htmlinclude table_\(.*\)\.html$/\1/p' docs/*.md stages/*/walkthrough.md | sort -u); do
    [ -e "$output/html/table_$kind.html" ] || make_table "$kind" "${record:-none}/$kind.csv" '' "table_$kind"
done
sed 1d "$table" | while IFS=$tab read -r stage solver follows rest; do
    make_table bench_poiseuille "${record:-none}/bench_poiseuille.csv" "${follows#-} $stage" "bench_poiseuille_$stage"
    make_table profile_short "${record:-none}/profile.csv" "${follows#-} $stage" "profile_$stage"
    make_table phases "${record:-none}/phases.csv" "${follows#-} $stage" "phases_$stage"
    make_table cpu labs/results/cpu.csv "${follows#-} $stage" "cpu_$stage"
done
awk -f labs/lost_force/lost_force.awk labs/results/lost_force.csv >"$output/figures/lost_force.svg"
taken=${record:-none}/take_away.csv
[ -e "$taken" ] || taken=/dev/null
awk -f labs/take_away/take_away.awk "$taken" >"$output/figures/take_away.svg"

# ---- The map of the course, for Graphviz ----
awk -v budget="$output/budget" -f "$tools/map.awk" "$table" >"$output/map.dot"

# ---- Pages, in the order of pages.txt, but each exercise behind its chapter: the page that its third line links ----
list=$output/list
sed -e '/^#/d' -e '/^$/d' docs/pages.txt | while read -r pattern page title; do
    for file in $pattern; do
        [ -e "$file" ] || continue
        name=$(basename "$(dirname "$file")")
        case $pattern in
        exercises/*/*) chapter=$(sed -n '3s|^[^(]*](../../\([^)]*\)).*|\1|p' "$file") ;;
        *) chapter= ;;
        esac
        case $pattern in
        *'*'*) set -- "${page%\*}$name" "${title%\*}$(sed -n '1s/^# //p' "$file")" ;;
        *) set -- "$page" "$title" ;;
        esac
        printf '%s\t%s\t%s\t%s\n' "$file" "$1" "$2" "$chapter"
    done
done | awk -F "$tab" '
    { line[NR] = $0; file[NR] = $1; chapter[NR] = $4; there[$1] = 1 }
    END {
        for (n = 1; n <= NR; n++) {
            if (chapter[n] in there)
                continue
            print line[n]
            for (m = 1; m <= NR; m++)
                if (chapter[m] == file[n])
                    print line[m]
        }
    }' >"$list"
number=100 # Doxygen lists chapters in the order of their files' names
while IFS=$tab read -r file page title chapter; do
    number=$((number + 1))
    awk -v list="$list" -v self="$file" -v page="$page" -v record="$record" -v map="$output/map.dot" \
        -v figures="$output/figures" \
        -f "$tools/page.awk" "$file" >"$output/pages/${number}_$page.md"
done <"$list"
