#!/bin/sh
# Usage: sixteen_bits.sh BUILD_DIR RECORD. Runs labs/record/sixteen_bits.sh with an nvidia-smi that only pretends, and
# without any.
set -eu
export LC_ALL=C
build=$1
record=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >nvidia-smi <<'END'
#!/bin/sh
case "$*" in
*-lms*) while :; do echo '80.00, 345, Not Active'; echo '690.00, 1755, Not Active'; echo '700.00, 1745, Active'; sleep 0.05; done ;;
*) echo 'Pretended GPU, 1, 700.00 W' ;;
esac
END
chmod +x nvidia-smi

PATH=$work:$PATH sh "$record/sixteen_bits.sh" "$build" out.csv cavity/32 >/dev/null
[ "$(grep -vc '^#' out.csv)" -eq 6 ]
grep -qE '^cavity,32,03_aa,[0-9]+,[0-9.]+,[0-9.]+,,69[0-9],17[45][0-9],1745,[45][0-9]$' out.csv
grep -qE '^cavity,32,07_stochastic,[0-9]+,[0-9.]+,[0-9.]+,[0-9.]+,69[0-9],17[45][0-9],1745,[45][0-9]$' out.csv

PATH=$work:$PATH sh "$record/sixteen_bits.sh" "$build" bad.csv nowhere/32 >/dev/null 2>error && exit 1
grep -q nowhere error
mkdir none
for tool in sh dirname; do
    ln -s "$(command -v $tool)" "none/$tool"
done
PATH=$work/none sh "$record/sixteen_bits.sh" "$build" bad.csv 2>error && exit 1
[ "$(wc -l <error)" -eq 1 ]
grep -q 'nvidia-smi.* is not there' error
[ "$(echo *)" = 'error none nvidia-smi out.csv' ]
