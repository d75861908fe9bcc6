#!/bin/sh
# Usage: book_in_step.sh PYTHON TABLE. Whether docs/tools/refresh.py finds each mistake in made-up pages and none in those
# without, puts right what it can, and finds a wrong number and a wrong line of code in a copy of the book; whether
# docs/tools/style.py finds a replaced word there, in a page and in a comment, and passes over code; and whether
# docs/tools/prepare.py refuses a page that Doxygen can't show. TABLE is the build's stages.tsv.
set -eu
export LC_ALL=C
python=$1
built=$2
unset PYTHONDONTWRITEBYTECODE # the copies of the tools are compiled once
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
table=$work/stages.tsv
failed=0

refresh() {
    "$python" -S docs/tools/refresh.py "$table" "$@"
}

make_tree() {
    rm -rf "${work:?}"/*
    mkdir -p "$work/docs/figures" "$work/labs/results/h1" "$work/labs/results/h2" "$work/stages/00_first" "$work/stages/01_next" "$work/exercises"
    cd "$work"
    cp -r "$source/docs/tools" docs
    echo '<svg/>' >docs/figures/h1_speed.svg
    : >labs/results/stagnation.csv
    : >README.md
    : >exercises/CMakeLists.txt
    echo 'stages/*/walkthrough.md walkthrough_* *' >docs/pages.txt
    printf '# The reference device\nh1\n' >labs/results/record.txt
    printf 'stage,size,mlups\n00_first,8,10\n01_next,8,25\n01_next,9,\n' >labs/results/h1/bench.csv
    printf 'stage,size,mlups\n00_first,8,11\n' >labs/results/h2/bench.csv
    printf '# made up\nform,n\na,1.26\nb,2.52\nb,3\n' >labs/results/forms.csv
    printf 'stage,kernel,access,requests,sectors,bytes_used,l1_hits,distinct_bytes\n' >labs/results/traffic.csv
    printf '01_next,step,load,100,400,1,100,262144\n' >>labs/results/traffic.csv
    printf 'stage,size,kernel,sectors_per_load,sectors_per_store,l1_hit_percent,dram_read_bytes\n' >labs/results/h1/profile.csv
    printf '01_next,512,step,4.1,0,24,\n01_next,4096,step,,,,33554432\n' >>labs/results/h1/profile.csv
    printf 'name\tsolver\tfollows\tdiff\n00_first\tstages/00_first/solver.c\t-\t-\n' >"$table"
    printf '01_next\tstages/01_next/solver.c\t00_first\t3\n' >>"$table"
    printf 'static int twice(int n)\n{\n    return 2 * n;\n}\n' >stages/00_first/solver.c
    printf 'static int twice(int n)\n{\n    return n + n;\n}\n' >stages/01_next/solver.c
    cat >stages/01_next/walkthrough.md <<'END'
# 01: Made up

A form makes [1.3][a], and `[9][a]` is code. With $a_i + \frac12$ it is **[2.5][faster]** times as fast.

<!-- code: solver.c twice -->
```c
static int twice(int n)
{
    return n + n;
}
```
<!-- end -->

<!-- diff -->

<!-- table: ../../labs/results/forms.csv -->
| form | n |
|---|--:|
| a | 1.26 |
| b | 2.52 |
| b | 3 |

From [forms.csv](../../labs/results/forms.csv).
<!-- end -->

<!-- reference table: bench.csv, this stage -->

<!-- reference figure -->
![Speed](../../docs/figures/h1_speed.svg)

<details><summary>Answer</summary>

Yes.

$$
\nu
$$

</details>

<!-- traffic -->

[a]: ../../labs/results/forms.csv "n where form=a as %.1f"
[faster]: ../../labs/results/h1/bench.csv "reference: mlups where stage=01_next size=8 over stage=00_first"
END
    refresh
}

# expect CODE TEXT: what the check says of the tree as it is.
expect() {
    code=0
    said=$(refresh --check 2>&1) || code=$?
    case $said in *"$2"*) [ $code -eq "$1" ] && return ;; esac
    printf '%s\n' "exit code $code instead of $1, or no \"$2\" in: $said"
    failed=1
}

# spoil SED TEXT: with the page changed so, the check fails with this text.
page=stages/01_next/walkthrough.md
spoil() {
    cp $page "$work/right"
    sed "$1" "$work/right" >$page
    ! cmp -s "$work/right" $page || { echo "nothing is spoiled by $1"; failed=1; }
    expect 1 "$page:$2"
    cp "$work/right" $page
}

make_tree
expect 0 ''
grep -qx 'diff -u stages/00_first/solver.c stages/01_next/solver.c' $page || { echo 'there is no diff'; failed=1; }
grep -q '^| 01_next | 8 | 25 |$' $page || { echo 'there is no reference table'; failed=1; }
there=$(cksum <$page)
grep -q '^| 01_next | step | 4.00 | 4.10 | 0.00 | 0.00 | 25.0 | 24.0 | 1.00 | 2.00 |$' $page ||
    { echo 'nothing is counted and measured'; failed=1; }
definition=$(grep -n '^\[a\]' $page | cut -d : -f 1)
record=$((definition + 1))

# What stands in the page is no longer what it comes from.
spoil 's/\[1.3\]\[a\]/[1.4][a]/' '3: "1.4" is "1.3" in labs/results/forms.csv'
spoil 's/^    return n + n;/    return n * 2;/' '9: "    return n * 2;" is "    return n + n;" where it comes from'
spoil 's/^diff -u/diff/' '16: "diff stages'
spoil 's/^| a | 1.26 |/| a | 1.27 |/' '23: "| a | 1.27 |" is "| a | 1.26 |" where it comes from'
spoil 's/^| b | 3 |/&\n| b | 4 |/' '26: "| b | 4 |" is "" where it comes from'
spoil '/^From .*bench.csv/s/$/ And more./' '37: "From [bench.csv]'
spoil 's/| 4.00 | 4.10 |/| 4.00 | 4.20 |/' "$((definition - 3)): \"| 01_next | step | 4.00 | 4.20 |"

# What can't be had.
spoil "s|forms.csv \"n|form.csv \"n|" "$definition: there is no table labs/results/form.csv"
spoil 's/form=a/form=c/' "$definition: no row of labs/results/forms.csv fits \"form=c\""
spoil 's/form=a/form=b/' "$definition: 2 rows of labs/results/forms.csv fit \"form=b\""
spoil 's/form=a/from=a/' "$definition: labs/results/forms.csv has no column \"from\""
spoil 's/"n where/"m where/' "$definition: labs/results/forms.csv has no column \"m\""
spoil 's/"n where/"n/' "$definition: \"n form=a as %.1f\" is no query; it takes"
spoil 's/size=8/size=9/' "$record: \"mlups\" is empty in the row"
spoil 's/size=8/size=7/' "$record: no row of labs/results/h1/bench.csv fits"
spoil 's/%.1f/%s%s/' "$definition: \"%s%s\" is no format"
spoil 's/as %.1f/times two/' "$definition: \"two\" is no number to multiply by"
spoil 's/^\[a\]: .*n where/[a]: ..\/..\/labs\/results\/forms.csv "form where/' "$definition: \"a\" is no number"
spoil 's/^\[a\]:/[A]:/' "$definition: a number is defined by [name]"
spoil 's/\[1.3\]\[a\]/[1.4](..\/..\/labs\/results\/forms.csv)/' '3: "[1.4](../../labs/results/forms.csv)" is no quoted number'
spoil 's/\[1.3\]\[a\]/[1.3]\n[a]/' '3: "[1.3]" is no quoted number'
spoil 's/solver.c twice/solver.cu twice/' '5: there is no file stages/01_next/solver.cu'
spoil 's/solver.c twice/solver.c thrice/' '5: stages/01_next/solver.c has no definition of thrice'
spoil 's|table: .*forms.csv|table: forms.csv|' '20: there is no table stages/01_next/forms.csv'
spoil 's|h1_speed|h1_slow|' '41: there is no docs/figures/h1_slow.svg'
spoil 's/\[1.3\]\[a\]/[1.3][b]/' '3: [b] is defined nowhere on this page'
spoil 's/\[1.3\]\[a\]/1.3/' "$definition: no number of this page is [a]"
spoil '12d' '5: the block has no <!-- end -->'

spoil 's/over stage=00_first"/over size=9 stage=01_next"/' "$record: \"mlups\" is empty in the row"
spoil 's/^\[a\]: .*/&\n&/' "$((definition + 1)): [a] is defined already, in line $definition"
spoil 's/solver.c twice/solver.c twice or more/' '5: "solver.c twice or more" is not what code takes'
echo '# interrupted: by hand' >>labs/results/forms.csv
expect 1 "$page:20: labs/results/forms.csv was interrupted: it is not all of the table"
expect 1 "$page:$definition: labs/results/forms.csv was interrupted: it is not all of the table"
sed -i '$d' labs/results/forms.csv
sed -i 's/1\.26/6.52411183e-05/' labs/results/forms.csv
expect 1 "$page:23: \"| a | 1.26 |\" is \"| a | 6.52e-05 |\" where it comes from"
sed -i 's/6\.52411183e-05/1.26/' labs/results/forms.csv
cp labs/results/h1/bench.csv labs/results/h1/bench_speed.csv
spoil 's/table: bench.csv/table: bench_speed.csv/' '30: labs/results/h1/bench_speed.csv has no column "block_x"'
echo '<svg/>' >docs/figures/stagnation.svg
expect 1 'docs/figures/stagnation.svg:1: it is not what docs/tools/figures.py draws of labs/results/stagnation.csv'
refresh

# Figures: of a table that is new, that lacks a column, and that is gone.
printf 'rank,stage,width,height,block_x,block_y,mlups_mean\n1,a&b,64,64,32,1,50\n' >labs/results/h1/tune_02_soa.csv
figure=docs/figures/h1_tune_02_soa.svg
expect 1 "$figure:1: it is not what docs/tools/figures.py draws of labs/results/h1/tune_02_soa.csv"
refresh
expect 0 ''
"$python" -c "import sys, xml.dom.minidom as x; sys.exit('a&amp;b' not in x.parse('$figure').toxml())" ||
    { echo "$figure is not well"; failed=1; }
sed -i 's/block_x/threads/' labs/results/h1/tune_02_soa.csv
expect 1 "$figure:1: labs/results/h1/tune_02_soa.csv has no column \"block_x\""
rm labs/results/h1/tune_02_soa.csv
expect 1 "$figure:1: it is not"
refresh
printf 'And more.' >>$page
expect 1 "$((record + 1)): the last line has no end"
sed -i '$d' $page
expect 0 ''

# What a forge would not show.
spoil 's/\$a_i/\\f$a_i/' '3: "\f$" says nothing to a forge'
spoil 's/\$a_i/a_i/' '3: a "$" without its partner'
spoil 's/\\frac12/\\,b/' '3: forges drop the backslash of "\,"'
spoil 's/\$a_i + \\frac12\$/$$a_i$$/' '3: "$$" takes a line of its own'
spoil 's/\\nu/\\,/' '48: forges drop the backslash'
spoil 's/^A form/[A\nform](solver.c)/' '4: the link that ends with "form](solver.c)" begins in the line before'
spoil 's/<!-- diff -->/<!-- dif -->/' '14: "<!-- dif -->" begins no block'
spoil 's/, this stage -->/, these -->/' '30: "bench.csv, these" is no reference table; it takes'
spoil 's/<summary>Answer.*/&\nNo./' '43: a fold takes an empty line'
spoil "s/^Yes.*/$(printf '%0130d' 0)/" '45: a line of 130 characters'

# It puts right what it can.
sed -e 's/\[1.3\]\[a\]/[7][a]/' -e 's/^    return n + n;/    return;/' $page >"$work/wrong"
cp "$work/wrong" $page
chmod 640 $page
refresh
[ "$there" = "$(cksum <$page)" ] || { echo 'refresh.py does not put it right'; failed=1; }
[ "$(stat -c %a $page)" = 640 ] || { echo 'refresh.py changes the modes of a page'; failed=1; }

# A reference table in which nothing stands.
for text in '' '# made up'; do
    cp labs/results/h1/bench.csv "$work/right"
    printf '%s' "$text" >labs/results/h1/bench.csv
    refresh
    expect 0 ''
    grep -q '^(No record yet.)$' $page || { echo "a table of \"$text\" is shown"; failed=1; }
    grep -q '\*\*\[(no record yet)\]\[faster\]\*\*' $page || { echo "a number is quoted out of \"$text\""; failed=1; }
    cp "$work/right" labs/results/h1/bench.csv
done
refresh

# Another reference device: its folder, its figure, and no numbers where it has none.
echo h2 >labs/results/record.txt
expect 1 "$record: labs/results/h1/bench.csv is not of the reference device, which is in labs/results/h2"
expect 1 'there is no docs/figures/h2_speed.svg'
echo '<svg/>' >docs/figures/h2_speed.svg
refresh
expect 0 ''
grep -q '\*\*\[(no record yet)\]\[faster\]\*\*' $page || { echo 'a number is quoted that there is no record of'; failed=1; }
grep -q '^| 00_first | 8 | 11 |$' $page || { echo 'the table is not of h2'; failed=1; }
echo h3 >labs/results/record.txt
expect 1 'labs/results/record.txt names "h3"; it takes one folder of labs/results: labs/results/h1/ labs/results/h2/'
: >labs/results/record.txt
expect 1 'labs/results/record.txt names ""; it takes one folder of labs/results: labs/results/h1/ labs/results/h2/'

# A stage that is a new program.
make_tree
sed -i 's/3$/-/' "$table"
expect 1 "$page:15: \"\`\`\`sh\" is \"This stage is a new program: only 3 of its 4 lines of code come from 00_first. Read it\""

# A copy of the book.
table=$built
rm -rf "${work:?}"/*
for part in README.md common docs exercises labs live stages tests; do
    cp -r "$source/$part" "$work"
done
page=docs/main.md
spoil 's/ (\*\*a new program\*\*)//' ''
page=stages/03_aa/walkthrough.md
number=$(sed -n 's/.*\[\([0-9.]*\)\]\[\([a-z0-9_]*\)\].*/\1/p' $page | head -n 1)
spoil "s/\[$number\]\[/[${number}1][/" ''
expect 0 ''
echo '// a new last line' >>stages/03_aa/solver.cu
sed 's/^static __global__ void even_step(/&int n, /' stages/03_aa/solver.cu >"$work/right"
cp "$work/right" stages/03_aa/solver.cu
expect 1 "$page:"

# A device that is new gets its row.
cpu=labs/results/cpu-1
mkdir $cpu
printf '# commit: 1abcdef\n# device: none\n# driver: none\n# host: CPU 1\nstage,size,block_x,mlups_mean,cv_percent,copy_percent\n' >$cpu/bench_poiseuille.csv
printf '00_cpu_aos,256,,700,9,90\n00_cpu_aos,4096,,20,2.5,3\n12_cpu_pairs,4096,,500,1,70\n' >>$cpu/bench_poiseuille.csv
printf '# energy: host: RAPL; limit 65 W\nstage\n' >$cpu/energy.csv
printf 'cavity 1 2  ok\ncavity 1 2  FAIL\n' >$cpu/validate.txt
expect 1 'docs/results.md:'
refresh || failed=1
grep -q '^| \[CPU 1\](../labs/results/cpu-1/) | none | 65 W | - | 1abcdef | no | 4096 | 2.5 | 0.02 (3%) | - .* - | 0.5 (70%) | - ' docs/results.md ||
    { echo 'the new device has no row, or a wrong one:'; grep 'CPU 1' docs/results.md; failed=1; }
rm -r $cpu

# style CODE TEXT...: what style.py says of the tree as it is.
style() {
    expected=$1
    code=0
    said=$("$python" -S docs/tools/style.py 2>&1) || code=$?
    [ $code -eq "$expected" ] || { printf '%s\n' "exit code $code instead of $expected: $said"; failed=1; }
    shift
    for text in "$@"; do
        case $said in *"$text"*) ;; *) printf '%s\n' "no \"$text\" in: $said"; failed=1 ;; esac
    done
}

printf '```sh\n# no Parcel in code\n```\nA `Parcel` in code, and [more](by chance.md).\n' >>docs/units.md
printf '\n~~~\na parcel\n~~~\n\nA stray `, in this paragraph alone.\n\n' >>docs/units.md
printf 'const char *const text = "rounded by chance"; // a comment\n' >>common/lattice/d2q9.h
style 0
printf 'It was rounded by\nchance.\n\nAnother `.\n' >>docs/units.md
printf '/**\n * This is no measure\n * of speed.\n */\n' >>common/lattice/d2q9.h
printf '# three Parcels\n' >>docs/tools/sources.py
style 1 "docs/units.md:$(($(wc -l <docs/units.md) - 3)): \"by chance\": stochastically, at random" \
    "common/lattice/d2q9.h:$(($(wc -l <common/lattice/d2q9.h) - 2)): \"no measure of\": does not measure" \
    "docs/tools/sources.py:$(wc -l <docs/tools/sources.py): \"Parcels\": staging buffer, pair"
cp "$source/docs/tools/sources.py" docs/tools

# refuses FILE SED TEXT: with the file changed so, the book is not prepared, and this is the reason.
refuses() {
    cp "$1" "$work/right"
    sed -i "$2" "$1"
    ! said=$("$python" -S docs/tools/prepare.py . "$table" "$work/book" 2>&1) || said='no mistake'
    case $said in *"$3"*) ;; *) printf '%s\n' "no \"$3\" in: $said"; failed=1 ;; esac
    cp "$work/right" "$1"
}

refuses docs/units.md '/^# /d' 'the page has no title'
refuses docs/units.md '$a```' 'a block has no end'
refuses docs/units.md '$a# More ●' 'docs/units.md:0: a heading has the mark ●, but the lean path, in docs/main.md, does not'
refuses docs/main.md 's/#the-code-/#the-cod-/' 'stages/02_soa/walkthrough.md:0: the lean path, in docs/main.md, comes to headings'
refuses docs/why_it_works.md 's/^\*\*2\.\*\*/2./' 'an answer takes a question in front of it, which begins with "**"'
refuses docs/results.md '/^<!-- end -->$/d' 'docs/results.md:'
refuses docs/primer_lbm.md 's|(figures/d2q9.svg)|(figures/d2q7.svg)|' 'there is no figure docs/figures/d2q7.svg'
refuses docs/primer_lbm.md 's|exercises/collide/README.md||' \
    'no link to exercises/collide/README.md, which names this page as its chapter'
refuses labs/results/cpu.csv '$a# interrupted: by hand' 'labs/results/cpu.csv was interrupted'
refuses labs/results/record.txt '$d' 'labs/results/record.txt names ""; it takes one folder of labs/results'
cp "$table" "$work/table"
table=$work/table
refuses "$table" '/^03_aa/d' 'the build has no stage "03_aa"; it has 00_cpu_aos, '
exit $failed
