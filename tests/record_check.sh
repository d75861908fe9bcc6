#!/bin/sh
# Usage: record_check.sh SOURCE BUILD. labs/record/check.sh accepts the repository's folders, and refuses what is planted in
# a copy of one, with one line that names the place.
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
    sh "$check" "$2" "$folder" >"$work/said" || { echo "$folder is refused:"; cat "$work/said"; failed=1; }
done
[ $folders -ge 2 ] || { echo "$folders folders of devices"; failed=1; }

# A build, made up: what is left of the program tells its facts, names a device, and leaves the table that lies beside it.
mkdir "$work/build"
tr ' ' '\t' >"$work/build/stages.tsv" <<'END'
name solver follows agrees_with diff runs_on lattice needs built
00_cpu_aos - - - - cpu d2q9 - no
02_soa - 01_naive_gpu - - gpu d2q9 - yes
03_aa - 02_soa - - gpu d2q9 - no
13_cpu_threads - 12_cpu_pairs - - cpu d2q9 OpenMP no
20_ranks - 02_soa - - gpu d2q9 MPI yes
32_sweeps - 31_march - - gpu d2q9 - no
50_d3q19 - 02_soa - - gpu d3q19 - yes
60_membrane - 50_d3q19 - - gpu d3q19 - no
61_same_bits - 60_membrane - - gpu d3q19 - no
END
cat >"$work/build/lbm" <<'END'
#!/bin/sh
[ "$1" != list ] || exec printf ' %s\n' '00_cpu_aos CPU 73' '02_soa GPU 73' '03_aa GPU 73' '13_cpu_threads CPU 72' \
    '32_sweeps GPU 10' '50_d3q19 GPU 153' 'poiseuille 64x34' 'cavity 130x130' 'duct 8x34x34'
[ "$1" != validate ] || exit 0
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
# block: 128 x 1 threads
# flow: poiseuille at tau 0.8, N x N cells
# repeats: 3 of at least 0.3 s of solver time, after a warm-up that is not counted'
profiled='# date: 2026-11-23T00:00:00Z
# program: lbm 1.0.0, commit 0123abc
# device and driver: GPU 1, 1.2
# flow: poiseuille, N cells a side, block 128x1'
columns=stage,size,block_x,block_y,steps,repeats,mlups_mean,mlups_min,mlups_max,cv_percent,gbs,copy_percent,over_before,over_first,setup_ms,read_ms
energy=,counted_w,sampled_w,counted_nj,sampled_nj,clock_min_mhz,clock_median_mhz,throttle
cat >"$good/bench_poiseuille.csv" <<END
$head
$columns
02_soa,512,128,1,22888,3,20000,19000,21000,5,1460,146,,,1,1
00_cpu_aos,8192,,,1,3,10,9,11,10,0.73,3.65,,,1,1
02_soa,8192,128,1,45,3,10000,9000,11000,10,730,73,,1000,1,1
03_aa,8192,128,1,54,3,12000,11000,13000,8.33333333,876,87.6,1.2,1200,1,1
13_cpu_threads,8192,,,5,3,1000,900,1100,10,72,51.428,,100,1,
32_sweeps,8192,128,1,224,3,50000,49000,51000,2,500,50,,5000,1,1
END
{
    echo "$head" | sed 's/poiseuille at tau 0.8, N x N/duct at tau 0.8, N x N x N/; s/driver: 1.2/driver: unknown/'
    echo "$columns"
    echo 50_d3q19,256,128,1,89,3,5000,4900,5100,2,765,76.5,,,1,1
} >"$good/branch_5x_duct.csv"
{
    echo "$head" | sed 's/0.3 s/1 s/'
    echo '# energy: device: NVML, a sample every 20 ms; power limit 700 W; SM clock at most 1980 MHz; 78 W before the first case'
    echo $columns$energy
    echo 02_soa,8192,128,1,149,3,10000,9000,11000,10,730,73,,,1,1,500,490,50,49,1500,1800,power_cap
    echo 32_sweeps,8192,128,1,745,3,50000,49000,51000,2,500,50,,,1,1,,600,,12,1500,1800,none
} >"$good/energy.csv"
cat >"$good/phases.csv" <<END
$(echo "$head" | sed 's/0123abc/v1.0-12-g0123abc/')
stage,size,block_x,block_y,steps,repeats,phase,step_us,cv_percent,mlups,over_first_phase
03_aa,4096,128,1,272,3,0,1000,0.5,16777.216,1
03_aa,4096,128,1,272,3,1,1200,0.5,13981.0133,1.2
END
cat >"$good/tune_02_soa.csv" <<END
$(echo "$head" | sed 's/0.3 s/0.05 s/')
rank,stage,width,height,block_x,block_y,threads,steps,mlups_mean,mlups_min,mlups_max,cv_percent,percent_of_best
1,02_soa,4096,4096,128,1,128,30,10000,9000,11000,10,100
2,02_soa,4096,4096,64,1,64,15,5000,4000,6000,20,50
END
cat >"$good/profile.csv" <<END
$profiled
stage,size,kernel,dram_percent,l2_percent,sm_percent,l1_hit_percent,sectors_per_load,sectors_per_store,occupancy_percent,registers,time_ns,dram_read_bytes,dram_write_bytes,l2_write_bytes
02_soa,512,step,30.6,62.3,34.1,22.1,2.74,4.67,71.1,32,9504,9678144,28352,10913584
END
cat >"$good/latency.csv" <<END
$head
what,blocks,threads,us
launch,128,256,3.849
END
cat >"$good/reductions.csv" <<END
$head
# numbers: 1000000 floats
form,atomics,us,gbs,copy_percent,same_bits,error
atomic_each,1000000,4000,1,0.1,no,1.0e-12
two_passes,0,8,500,50,yes,0.0e+00
END
cat >"$good/runs.csv" <<END
# command: labs/runs/runs.sh BUILD OUT.csv
# date: 2026-11-23T00:00:00Z
# program: lbm 1.0.0, commit my_copy
# device: GPU 1
# disk: 1.6 GB/s for a file of 419 MB with fsync
stage,flow,size,options,set_up,steps,looks,files,all,wall,steps_percent,mlups_steps,mlups_all,memory_mib
02_soa,channel_cylinder,884x166,--re 100 --forces f.csv,0.20,0.11,0.01,0.00,0.32,0.41,36,25677.5,9279.1,112
02_soa,taylor_green,8192,--steps 1000,0.23,1.54,0.02,0.00,1.79,1.89,86,43616.6,37584.1,176
END
cat >"$good/webgpu.csv" <<END
$head
stage,form,size,block_x,block_y,steps,mlups,gbs,copy_percent
copy,vec4f,4096,256,1,200,,1000,100
02_soa,unrolled,4096,128,1,60,10000,730,73
02_soa,loops,4096,128,1,15,2500,182.5,18.25
END
of_capsules='# command: labs/record/record_capsules.sh BUILD_DIR OUT_DIR
# date: 2026-11-23T00:00:00Z
# program: lbm 1.0.0, commit my_copy
# device: GPU 1'
cat >"$good/capsule_shapes.csv" <<END
$of_capsules
ca,shear_rate,time,deformation,inclination,volume,angle,force
0.1,5.2e-5,0.10,0.0454,0.7613,0.999999,0.52,7.6e-09
0.1,5.2e-5,0.20,0.0781,0.7397,1.000999,-0.48,7.3e-09
0.01,5.2e-5,0.10,0.0205,0.7701,0.999001,0.52,4.0e-07
END
{
    echo "$of_capsules"
    echo stage,run,deformation,inclination,volume,angle,force,checksum
    for run in 1 2 3 4 5 6 7 8 9 10; do echo "60_membrane,$run,0.195712,0.6196,0.9998,-0.123,1.9e-08,353$run"; done
    for run in 1 2 3 4 5 6 7 8 9 10; do echo "61_same_bits,$run,0.195713,0.6196,0.9998,-0.123,3.5e-08,3667"; done
} >"$good/capsule_runs.csv"
cat >"$good/capsule_speed.csv" <<END
$of_capsules
capsules,size,stage,us_step,over_50
1,128x192x64,50_d3q19,67.5,1.0000
1,128x192x64,60_membrane,104,1.5407
100,256x192x256,50_d3q19,527.5,1.0000
100,256x192x256,60_membrane,1847.5,3.5024
END
cat >"$good/validate.txt" <<'END'
# command: lbm validate 02_soa
# date: 2026-11-23T00:00:00Z
# program: lbm 1.0.0, commit my_copy
# device: GPU 1

END
for stage in 00_cpu_aos 02_soa 03_aa 13_cpu_threads 50_d3q19 32_sweeps; do
    echo "$stage: the idea"
    echo 'flow             size      quantity                               error     bound  verdict'
    echo 'cavity           66x66     u against Ghia et al., Re 1000, max  1.51e-08  2.57e-07  ok, order 2.0'
done >>"$good/validate.txt"
echo '6 stages, 1 flow, 6 quantities: all hold; grids left out, for the reasons above: 2' >>"$good/validate.txt"
said=$(sh "$check" "$work/build" "$good") && [ -z "$said" ] || { echo "the good folder is refused: $said"; failed=1; }

sed -i '$d' "$good/validate.txt" # older files have no such line
said=$(sh "$check" "$work/build" "$good") && [ -z "$said" ] || { echo "no last line is refused: $said"; failed=1; }
echo '6 stages, 1 flow, 6 quantities: all hold' >>"$good/validate.txt"

# refused FILE SED PLACE WORDS: the file changed so is refused. The first line is of this file and line, with these words.
refused() {
    rm -rf "$work/x=y"
    cp -r "$good" "$work/x=y"
    sed -i "$2" "$work/x=y/$1"
    ! cmp -s "$good/$1" "$work/x=y/$1" || { echo "$2 changes nothing in $1"; failed=1; }
    code=0
    (cd "$work" && sh "$check" build x=y) >"$work/said" 2>&1 || code=$?
    sed -n '1s/$/ /p' "$work/said" | grep -F "./x=y/$1:$3 " | grep -qF "$4" && [ $code -eq 1 ] ||
        { echo "$2: exit code $code, not a line at $3 with \"$4\":"; cat "$work/said"; failed=1; }
}

bench=bench_poiseuille.csv
# Cells, and what makes a table of them.
refused $bench '/^02_soa,8192/s/,1,1$/,nan,1/' 14: 'setup_ms is "nan"; it takes a number from 0 on'
refused $bench 's/,block_y,/,block,/' 11: 'the columns are "stage,size,block_x,block,'
refused $bench '/^32_sweeps/s/,50,/,/' 17: '15 values; it takes 16'
refused $bench '/^32_sweeps/p' 18: 'another row is of the same case'
refused $bench '/^[0-9]/d' '' 'no rows'
refused latency.csv 's/3.849/-3/' 12: 'us is "-3"'
refused reductions.csv 's/yes/no/' 14: 'same_bits is "no"; it takes yes without atomic additions'
refused runs.csv 's/,1.79,1.89/,2.79,2.89/' 8: 'all is "2.79"; it takes 1.76 to 1.82'
refused webgpu.csv 's/,10000,/,nan,/' 13: 'mlups is "nan"; it takes a number above 0'
refused webgpu.csv 's/,2500,/,10000,/' 14: 'mlups is "10000"; it takes 2500'
refused webgpu.csv 's/loops/unrolled/; s/,15,2500,.*/,60,10000,730,73/' 14: 'another row is of the same case'
refused profile.csv 's/,9504,/,950.4,/' 6: 'time_ns is "950.4"; it takes at least 7765.2, for its bytes'
# Capsules.
refused capsule_shapes.csv 's/,0.0781,/,0.1781,/' 7: 'deformation is "0.1781"; it takes 0 to 0.0995'
refused capsule_shapes.csv 's/,1.000999,/,1.001001,/' 7: 'volume is "1.001001"; it takes 0.999 to 1.001'
refused capsule_shapes.csv 's/,0.20,/,0.10,/' 7: 'time is "0.10"; it takes a time above 0.10'
refused capsule_shapes.csv 's/,4.0e-07$/,nan/' 8: 'force is "nan"; it takes a number from 0 on'
refused capsule_runs.csv 's/s,7,\(.*\),3667/s,7,\1,3668/' 22: 'checksum is "3668"; it takes 3667, as in'
refused capsule_runs.csv 's/s,7,0.195713/s,7,0.195723/' 22: 'deformation of a run: 0.195723, and 0.195712 in'
refused capsule_runs.csv '9d' 9: 'run is "5"; it takes 4'
refused capsule_runs.csv '$d' '' '61_same_bits has 9 runs; it takes 10'
refused capsule_speed.csv 's/,104,/,110,/' 7: 'over_50 is "1.5407"; it takes 1.62963'
refused capsule_speed.csv '6d' 6: 'stage is "60_membrane"; it takes each stage once, the first 50_d3q19'
refused capsule_speed.csv '9p' 10: 'stage is "60_membrane"; it takes each stage once'
# The head.
refused $bench 's/0123abc/&-dirty/' 11: 'it takes a line "# changed: ..."'
refused $bench 's/commit: .*/commit: one of two/' 11: 'the commit is "one of two"'
refused $bench '/^# driver/d' 10: 'no line "# driver: ..."'
refused $bench '1i # interrupted: SIGINT' 12: 'was interrupted'
refused profile.csv 's/date: .*/date: 2099-13-45/' 5: 'the date is "2099-13-45"'
of=$(git -C "$source" log -1 --format=%h 2>/dev/null) || of=
[ -z "$of" ] || refused phases.csv "s/date: .*/date: 2020-01-01/; s/commit: .*/commit: v1.0-12-g$of/" 11: 'the date is "2020-01-01"; its commit is of 20'
refused energy.csv 's/date: .*/date: 2099-01-01T00:00:00Z/' 12: 'the date is "2099-01-01T00:00:00Z"'
refused energy.csv 's/GPU 1/GPU 2/' 12: 'the device is "GPU 2"; other tables of the folder are of "GPU 1"'
refused energy.csv 's/driver: 1.2/driver: 470/' 12: 'the driver is "470"; other tables of the folder are of "1.2"'
refused branch_5x_duct.csv 's/flow: duct/flow: cavity/' 11: 'the flow is "cavity"; it takes "duct"'
refused phases.csv 's/copy: 1000/copy: 500/' 11: 'GB/s of a copy in the device'
# Speeds.
refused $bench 's/^02_soa,8192.*/02_soa,8192,128,1,90,3,20000,19000,21000,5,1460,146,,2000,1,1/' 14: 'copy_percent is "146"; it takes 0 to 105'
refused $bench '/^02_soa,8192/s/,730,73,/,365,36.5,/' 14: 'gbs is "365"; it takes 730'
refused $bench 's/10000,9000,11000/10000,10100,11000/' 14: 'mlups_mean is "10000"; it takes 10400 to 10700'
refused $bench 's/9000,11000,10,/9000,11000,90,/' 14: 'cv_percent is "90"; it takes 9.98999 to 10.01'
refused $bench '/^02_soa,8192/s/,45,3,/,1,3,/' 14: 'steps is "1"; it takes about 44.7035, for 0.3 s a repeat'
refused $bench '/^02_soa,8192/s/,128,1,/,1024,1024,/' 14: 'block_x is "1024"; it takes 128 x 1'
refused $bench 's/,1.2,1200,/,999,1200,/' 15: 'over_before is "999"; it takes 1.2'
refused $bench 's/,,5000,/,,500,/' 17: 'over_first is "500"; it takes 5000'
refused energy.csv 's/^02_soa.*/02_soa,8192,128,1,75,3,5000,4500,5500,10,365,36.5,,,1,1,500,490,100,98,1500,1800,none/' 13: 'MLUPS of 02_soa at 8192 in poiseuille, block 128 x 1: 5000, and 10000 in ./x=y/bench_poiseuille.csv'
refused phases.csv 's/,1.2$/,1.3/' 13: 'over_first_phase is "1.3"; it takes 1.2'
refused phases.csv 's/,16777.216,/,8000,/' 12: 'mlups is "8000"; it takes 16777.2'
refused tune_02_soa.csv 's/,20,50$/,20,60/' 13: 'percent_of_best is "60"; it takes 50'
# Power.
refused energy.csv 's/,500,490,50,49,/,500,490,25,49,/' 13: 'counted_nj is "25"; it takes 45.45'
refused energy.csv 's/,500,490,50,49,/,500,400,50,40,/' 13: 'sampled_w is "400"; it takes 450 to 550'
refused energy.csv 's/,,600,,12,/,,900,,18,/' 14: 'sampled_w is "900"; it takes 0 to 840'
refused energy.csv 's/,power_cap$/,tired/' 13: 'throttle is "tired"'
# What validate says.
refused validate.txt '23s/ok, order 2.0/FAIL/' 23: '32_sweeps is rejected'
refused validate.txt '23s/2.57e-07/2.57e+03/' 23: '32_sweeps is rejected'
refused validate.txt '$s/all hold/27 checks failed, in 02_soa/' 24: 'the last line is "6 stages, 1 flow, 6 quantities: 27 checks'
refused validate.txt '8p' 25: 'above it are 7 quantities of 6 stages'
refused validate.txt '/^32_sweeps/,$d' '' '32_sweeps has a speed, but was not validated'

# A change that is told is no untruth. What is lacking is told.
sed -i 's/^# commit.*/&-dirty\n# changed: nothing in common and stages/' "$good/$bench" "$good/energy.csv"
rm "$good/validate.txt"
said=$(sh "$check" "$work/build" "$good") || { echo "a change that is told is refused: $said"; failed=1; }
[ "$said" = "$good lacks validate.txt: whether its stages are right is not known" ] || { echo "it says: $said"; failed=1; }
rm "$good/$bench"
! sh "$check" "$work/build" "$good" >"$work/said" && [ "$(wc -l <"$work/said")" -eq 1 ] || { cat "$work/said"; failed=1; }

# The parts `energy` and `validate` of record.sh.
mkdir -p "$work/labs/record"
cp "$source"/labs/record/*.sh "$source"/labs/record/*.awk "$work/labs/record"
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
! sh labs/record/record.sh build validate >said 2>&1 || failed=1
grep -q '^# command: lbm validate 00_cpu_aos 02_soa 20_ranks 50_d3q19$' labs/results/gpu-1/validate.txt || { cat said; failed=1; }
! sh labs/record/record.sh build branch_3x_cavity speed >said 2>&1 || failed=1
grep -q 'unknown part "speed"; for GPU 1 there are bench_poiseuille' said || { cat said; failed=1; }
! COMMIT=unknown sh labs/record/record.sh build energy >said 2>&1 || { echo 'it measures what has no commit'; failed=1; }
grep -q '^record: build/lbm does not know its commit' said && [ "$(wc -l <said)" -eq 1 ] || { cat said; failed=1; }
rm labs/results/gpu-1/validate.txt

# Without the counters of a GPU the other parts are taken; another failure is one.
with_counters() { # CODE SAID: what ncu says, if there is one
    code=0
    PATH=$PWD/bin:$PATH SENSOR='NVML, a sample' sh labs/record/record.sh build branch_3x_profile energy >said 2>&1 || code=$?
    [ $code -eq "$1" ] && grep -q "$2" said || { echo "with $(cat bin/ncu), exit code $code:"; cat said; failed=1; }
}
mkdir bin
command -v ncu >/dev/null || with_counters 0 '^record: the counters of branch_3x_profile are left out: profile: ncu .* is not there'
printf '#!/bin/sh\necho "==ERROR== ERR_NVGPUCTRPERM - no permission"; exit 1\n' >bin/ncu
chmod +x bin/ncu
with_counters 0 '^record: the counters of branch_3x_profile are left out: profile: 02_soa .*ERR_NVGPUCTRPERM'
grep -q '^== energy' said || { cat said; failed=1; }
sed -i 's/ERR_[A-Z]*/no such metric/' bin/ncu
with_counters 3 '^profile: 02_soa at 4096: ==ERROR== no such metric'
! grep -q '^== energy' said || { cat said; failed=1; }
COMMIT=0123abc-dirty sh labs/record/record.sh build energy >said 2>&1 || { cat said; failed=1; }
grep -q '^record: files were changed after the commit: ' said || { cat said; failed=1; }
exit $failed
