#!/bin/sh
# Usage: record_check.sh SOURCE. labs/record/check.sh accepts the repository's folders, and refuses what is planted in a
# copy of one, with one line that names the place.
set -eu
export LC_ALL=C
source=$1
check=$source/labs/record/check.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

folders=0
for folder in "$source"/labs/results/*/; do
    [ -e "$folder/bench_poiseuille.csv" ] || continue
    folders=$((folders + 1))
    sh "$check" "$folder" >"$work/said" || { echo "$folder is refused:"; cat "$work/said"; failed=1; }
done
[ $folders -ge 2 ] || { echo "$folders folders of devices"; failed=1; }

# A complete folder, made up.
good=$work/good
mkdir "$good"
head='# command: lbm bench --csv a.csv
# date: 2026-11-23T00:00:00Z
# commit: 0123abc
# device: GPU 1
# driver: 1.2, for CUDA up to 13.0
# copy: 1000.0 GB/s read and written within the device memory
# host copy: 20.0 GB/s read and written in place by one CPU thread, 12.0 from array to array, 140.0 in place by 16
# repeats: 3 of at least 0.3 s of solver time, after a warm-up that is not counted'
columns=stage,size,block_x,block_y,steps,repeats,mlups_mean,mlups_min,mlups_max,cv_percent,gbs,copy_percent,over_before,over_first,setup_ms,read_ms
energy=,counted_w,sampled_w,counted_nj,sampled_nj,clock_min_mhz,clock_median_mhz,throttle
cat >"$good/bench_poiseuille.csv" <<END
$head
$columns
02_soa,512,128,1,100,3,20000,19000,21000,1.5,1460,146,,,1,1
02_soa,8192,128,1,100,3,10000,9000,11000,1.5,730,73,,,1,1
13_cpu_threads,8192,,,100,3,1000,900,1100,1.5,72,51.428,,,1,1
32_sweeps,8192,128,1,100,3,50000,49000,51000,1.5,500,50,,,1,1
END
cat >"$good/energy.csv" <<END
$head
# energy: device: NVML, a sample every 20 ms; power limit 700 W; SM clock at most 1980 MHz; 78 W before the first case
$columns$energy
02_soa,8192,128,1,100,3,10000,9000,11000,1.5,730,73,,,1,1,500,490,50,49,1500,1800,power_cap
32_sweeps,8192,128,1,100,3,50000,49000,51000,1.5,500,50,,,1,1,,600,,12,1500,1800,none
END
cat >"$good/validate.txt" <<'END'
# command: lbm validate 02_soa 13_cpu_threads 32_sweeps

02_soa: the idea
flow             size      quantity                               error     bound  verdict
cavity           66x66     mass, relative drift                1.51e-08  2.57e-07  ok

13_cpu_threads: the idea
cavity           66x66     mass, relative drift                1.51e-08  2.57e-07  ok

32_sweeps: the idea
cavity           66x66     mass, relative drift                1.51e-08  2.57e-07  ok, order 2.0
END
said=$(sh "$check" "$good") && [ -z "$said" ] || { echo "the good folder is refused: $said"; failed=1; }

# refused FILE SED PLACE WORDS: the file changed so is refused with one line, of this file and line, with these words.
refused() {
    rm -rf "$work/bad"
    cp -r "$good" "$work/bad"
    sed -i "$2" "$work/bad/$1"
    ! cmp -s "$good/$1" "$work/bad/$1" || { echo "$2 changes nothing in $1"; failed=1; }
    code=0
    sh "$check" "$work/bad" >"$work/said" 2>&1 || code=$?
    [ $code -eq 1 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep -qF "$work/bad/$1:$3" "$work/said" &&
        grep -qF "$4" "$work/said" || { echo "exit code $code, not one line with \"$4\":"; cat "$work/said"; failed=1; }
}

bench=bench_poiseuille.csv
refused $bench 's/^02_soa,8192.*/02_soa,8192,128,1,100,3,20000,19000,21000,1.5,1460,146,,,1,1/' 11: '146% of a copy'
refused $bench 's/10000,9000,11000/14000,13000,15000/' 11: '52.1429 bytes an update, and 73 above'
refused $bench '/^02_soa,8192/s/,73,/,60,/' 11: '730 GB/s are no 60% of a copy'
refused $bench 's/10000,9000,11000/10000,10100,11000/' 11: 'is not between the least and the largest'
refused $bench 's/10000,9000,11000,1.5/10000,9000,11000,nan/' 11: '"nan" are no MLUPS'
refused $bench 's/^32_sweeps/32_swept/' 13: 'there is no stage "32_swept"'
refused $bench 's/,block_y,/,block,/' 9: 'the columns are "stage,size,block_x,block,'
refused $bench '/^32_sweeps/s/,50,/,/' 13: '15 values; it takes 16'
refused $bench '/^32_sweeps/p' 14: '32_sweeps at 8192 has two rows'
refused $bench 's/0123abc/&-dirty/' 9: 'it takes a line "# changed: ..."'
refused $bench 's/commit: .*/commit: unknown/' 9: 'the commit is "unknown"'
refused $bench '/^# driver/d' 8: 'no line "# driver: ..."'
refused energy.csv 's/GPU 1/GPU 2/' 10: 'the device is "GPU 2"; other tables of the folder are of "GPU 1"'
refused $bench '1i # interrupted: SIGINT' 1: 'was interrupted'
refused $bench '2i # copies: of 8 MiB, as LBM_COPY_MIB says' 2: 'as tests are'
refused energy.csv 's/,500,490,50,49,/,500,490,25,49,/' 11: '500 W at 10000 MLUPS are no 25 nJ an update; it takes 50'
refused energy.csv 's/,500,490,50,49,/,500,400,50,40,/' 11: 'it takes two that differ by a tenth'
refused energy.csv 's/,500,490,50,49,/,-500,,-50,,/' 11: '"-500" and "-50" are no power'
refused energy.csv 's/,500,490,50,49,/,500,490,,49,/' 11: '"500" and "" are no power'
refused $bench 's/10000,9000,11000,1.5/10000,9000,11000,90/' 11: 'a CV of 90% is more than the speeds spread'
refused $bench 's/10000,9000,11000,1.5/10000,9000,inf,1.5/' 11: 'are not all numbers'
refused $bench 's/^02_soa,8192/02_soa,nan/' 11: '"nan"'
refused energy.csv 's/,,600,,12,/,,900,,18,/' 12: '900 W are above the power limit of 700 W'
refused energy.csv 's/,1500,1800,none/,1500,2100,none/' 12: 'a median clock of 2100 MHz; it takes 1500 to 1980'
refused validate.txt 's/ok, order 2.0/FAIL/' '' '32_sweeps has a speed, but validate rejects it'
refused validate.txt '/^32_sweeps/d' '' '32_sweeps has a speed, but was not validated'

# A change that is told is no untruth. What is lacking is told.
sed -i 's/^# commit.*/&-dirty\n# changed: nothing in common and stages/' "$good/$bench" "$good/energy.csv"
rm "$good/validate.txt"
said=$(sh "$check" "$good") || { echo "a change that is told is refused: $said"; failed=1; }
[ "$said" = "$good lacks validate.txt: whether its stages are right is not known" ] || { echo "it says: $said"; failed=1; }
rm "$good/$bench"
! sh "$check" "$good" >"$work/said" && [ "$(wc -l <"$work/said")" -eq 1 ] || { cat "$work/said"; failed=1; }

# The part `energy` of record.sh, with a program that only pretends: it leaves the table that lies beside it.
mkdir -p "$work/labs/record" "$work/build"
cp "$source"/labs/record/*.sh "$source"/labs/record/*.awk "$work/labs/record"
cp -r "$source/stages" "$work"
printf 'name\tsolver\tfollows\tagrees\tdiff\truns_on\tbuilt\n02_soa\t-\t-\t-\t-\tgpu\tyes\n20_ranks\t-\t-\t-\t-\tgpu\tyes\n' \
    >"$work/build/stages.tsv"
cat >"$work/build/lbm" <<'END'
#!/bin/sh
[ "$1" != --version ] || { echo "lbm 1.0.0, commit ${COMMIT:-0123abc}"; exit; }
echo 'device    GPU 1'
case $* in *--energy*) echo "energy    device: $SENSOR" ;; esac
while [ $# -gt 1 ]; do
    [ "$1" != --csv ] || cp table.csv "$2"
    [ "$1" != 20_ranks ] || exit 9
    shift
done
END
chmod +x "$work/build/lbm"
cd "$work"
export SENSOR='NVML, a sample'
cp good/energy.csv table.csv
mkdir -p labs/results/gpu-1
sed "s/^# commit.*/# commit: 0123abc/" good/energy.csv | sed "s/$energy//; /^[0-9]/s/\(\([^,]*,\)\{15\}[^,]*\),.*/\1/" >labs/results/gpu-1/$bench
sed -i 's/,,600,,12,/,590,600,11.8,12,/' table.csv
sh labs/record/record.sh build energy >said || { cat said; failed=1; }
grep -q '^02_soa  *counter  *500.0 W, mean of power  *490.0 W: +2.0%$' said || { cat said; failed=1; }
grep -q '^energy by the counter .* agree within 5%: yes$' said || { cat said; failed=1; }
sed -i 's/,500,490,50,49,/,500,460,50,46,/; s/,590,600,11.8,12,/,,600,,12,/' table.csv
sh labs/record/record.sh build energy >said || { cat said; failed=1; }
grep -q ': +8.7%, MORE THAN 5%$' said && grep -q 'UNKNOWN$' said && grep -q 'NO, 2 of 2 rows do not$' said || { cat said; failed=1; }
SENSOR='no sensor can be read, so power and clock are dashes and only speeds are measured: NVML says' sh labs/record/record.sh build energy >said 2>&1 || { cat said; failed=1; }
grep -q '^record: energy is left out: it takes a device that tells its power$' said || { cat said; failed=1; }
! sh labs/record/record.sh build branch_3x_cavity speed >said 2>&1 || failed=1
grep -q 'unknown part "speed"; for GPU 1 there are bench_poiseuille' said || { cat said; failed=1; }
! COMMIT=unknown sh labs/record/record.sh build energy >said 2>&1 || { echo 'it measures what has no commit'; failed=1; }
grep -q '^record: build/lbm does not know its commit' said && [ "$(wc -l <said)" -eq 1 ] || { cat said; failed=1; }
COMMIT=0123abc-dirty sh labs/record/record.sh build energy >said 2>&1 || { cat said; failed=1; }
grep -q '^record: files were changed after the commit: ' said || { cat said; failed=1; }
exit $failed
