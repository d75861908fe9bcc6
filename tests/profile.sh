#!/bin/sh
# Usage: profile.sh BUILD_DIR RECORD. Runs labs/record/profile.sh with a profiler that only pretends, and without any.
set -eu
export LC_ALL=C
build=$1
record=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >ncu <<'END'
#!/bin/sh
case $1 in --version) echo 'pretended'; exit ;; esac
echo '==PROF== Connected to process 1'
echo '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
for launch in 0 1 2; do
    kernel='even_step(Physics, const unsigned char *, float *)'
    [ $launch -eq 1 ] && kernel='odd_step(Physics, const unsigned char *, float *)'
    echo "\"$launch\",\"$kernel\",\"\",\"launch__registers_per_thread\",\"register/thread\",\"4$launch\""
    echo "\"$launch\",\"$kernel\",\"\",\"gpu__time_duration.sum\",\"nsecond\",\"1,00$launch.5\""
    echo "\"$launch\",\"$kernel\",\"\",\"dram__bytes_read.sum\",\"byte\",\"n/a\""
done
END
chmod +x ncu

PATH=$work:$PATH sh "$record/profile.sh" "$build" out.csv 64 128 >/dev/null
rows=$((2 * 2 * $(awk -v where='runs_on=gpu built=yes lattice=d2q9' -f "$record/stages.awk" "$build/stages.tsv" | grep -vc '^4')))
[ "$(grep -vc '^#' out.csv)" -eq $((rows + 1)) ]
grep -q '^# registers: launch__registers_per_thread$' out.csv
grep -q '^[0-9a-z_]*,128,even_step,,,,,,,,41,1001.5,,,$' out.csv
grep -q '^[0-9a-z_]*,64,odd_step,,,,,,,,41,1001.5,,,$' out.csv

# A case that the stage refuses is left out.
sed -i '2i case "$*" in *"--size 128"*) echo "lbm: x refuses 128 x 128 cells: y"; exit 2 ;; esac' ncu
PATH=$work:$PATH sh "$record/profile.sh" "$build" out.csv 64 128 >said
grep -q '^lbm: x refuses 128 ' said
rm said
[ "$(grep -vc '^#' out.csv)" -eq $((rows / 2 + 1)) ]
[ "$(grep -c ',128,' out.csv)" -eq 0 ]

# What is counted of stages on the chip stands beside what is measured.
cat >pretend <<'END'
#!/bin/sh
case $1 in --version) echo 'pretended'; exit ;; esac
echo '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"'
for metric in l1tex__t_requests_pipe_lsu_mem_global_op_st.sum:5 l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum:1,040 \
    smsp__inst_executed_op_shared_ld.sum:7 l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum:8; do
    echo "\"0\",\"step_bands(Physics)\",\"\",\"${metric%:*}\",\"\",\"${metric#*:}\""
done
END
chmod +x pretend
mkdir bin
mv pretend bin/ncu
if [ -x "$build/lbm_traffic" ]; then
    PATH=$work/bin:$PATH sh "$record/on_chip.sh" "$build" chip.csv >/dev/null
    grep -qx '41_resident,16,step_bands,store,[0-9]*,[0-9]*,5,1040' chip.csv
    grep -qx '41_resident,16,step_bands,shared load,[0-9]*,[0-9]*,7,8' chip.csv
    grep -qx '44_columns,16,advance_columns,load,[0-9]*,[0-9]*,,*' chip.csv
    sed -i '3i case "$*" in *" 43_"*) echo "lbm: 43_cluster refuses 16 x 16 cells: no clusters"; exit 2 ;; esac' bin/ncu
    PATH=$work/bin:$PATH sh "$record/on_chip.sh" "$build" chip.csv >said
    grep -q '^lbm: 43_cluster refuses' said
    grep -q '^44_columns,' chip.csv && ! grep -q '^43_cluster,' chip.csv
    rm chip.csv said
fi
rm -r bin

printf '#!/bin/sh\necho "==ERROR== ERR_NVGPUCTRPERM: no permission"; exit 1\n' >ncu
PATH=$work:$PATH sh "$record/profile.sh" "$build" bad.csv 64 2>error && exit 1
[ "$(wc -l <error)" -eq 1 ]
grep -q ERR_NVGPUCTRPERM error

mkdir none
for tool in sh dirname; do
    ln -s "$(command -v $tool)" "none/$tool"
done
PATH=$work/none sh "$record/profile.sh" "$build" bad.csv 64 2>error && exit 1
[ "$(wc -l <error)" -eq 1 ]
grep -q 'ncu .* is not there' error
[ "$(echo *)" = 'error ncu none out.csv' ]
