#!/bin/sh
# Usage: checkout.sh SOURCE. The scripts work as a reader has them: checked out where git writes CR LF, and in a locale
# that writes 1,5 for 1.5 and sorts "a" before "B".
set -eu
export LC_ALL=C
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

grep -rL --include='*.sh' --include=run --exclude-dir='build*' '^export LC_ALL=C$' . >"$work/without" || :
if [ -s "$work/without" ]; then
    echo "without \"export LC_ALL=C\": $(tr '\n' ' ' <"$work/without")"
    failed=1
fi

localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null || echo 'not tried in another locale: localedef cannot make one here'
table=labs/results/nvidia-h200/energy.csv
sh labs/record/compare_powers.sh $table >"$work/in_c"
LOCPATH=$work LC_ALL=de_DE.UTF-8 sh labs/record/compare_powers.sh $table >"$work/in_german"
diff "$work/in_c" "$work/in_german" || { echo 'compare_powers.sh says other things in a German locale'; failed=1; }

if git -c safe.directory='*' -c core.autocrlf=true archive --worktree-attributes -o "$work/checkout.tar" HEAD 2>/dev/null; then
    mkdir "$work/checkout"
    tar xf "$work/checkout.tar" -C "$work/checkout"
    cr=$(printf '\r')
    if grep -rIl "$cr\$" "$work/checkout" >"$work/with_cr"; then
        echo "checked out with CR LF: $(wc -l <"$work/with_cr") files, such as $(head -n 1 "$work/with_cr")"
        failed=1
    fi
else
    echo 'not tried with CR LF: this is no git checkout'
fi
exit $failed
