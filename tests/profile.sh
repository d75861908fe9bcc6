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
rows=$("$build/lbm" list | awk '$2 == "GPU" && $1 !~ /^[45]/ { stages++ } END { print 2 * 2 * stages }')
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
