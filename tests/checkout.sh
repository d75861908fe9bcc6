#!/bin/sh
# Usage: checkout.sh SOURCE. The scripts work as a reader has them: checked out where git writes CR LF, and in a locale
# that writes 1,5 for 1.5 and sorts "a" before "B". The program knows its commit, or says that it does not.
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

localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>/dev/null ||
    echo 'not tried in another locale: localedef cannot make one here'
table=labs/results/nvidia-h200/energy.csv
sh labs/record/compare_powers.sh $table >"$work/in_c"
LOCPATH=$work LC_ALL=de_DE.UTF-8 sh labs/record/compare_powers.sh $table >"$work/in_german"
diff "$work/in_c" "$work/in_german" || { echo 'compare_powers.sh says other things in a German locale'; failed=1; }

command -v git >/dev/null || { echo 'not tried with git: it is not there'; exit $failed; }
if git -c safe.directory='*' -c core.autocrlf=true \
    archive --worktree-attributes -o "$work/checkout.tar" HEAD 2>/dev/null; then
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
# A repository of somebody else's, and one that git cannot read.
git init -q "$work/repository"
git -C "$work/repository" -c user.name=me -c user.email=me@here commit -q --allow-empty -m one
commit() {
    cmake -DCOMMIT= -DSOURCE="$work/repository" -DHEADER="$work/commit.h" -P cmake/commit.cmake 2>&1
}
GIT_TEST_ASSUME_DIFFERENT_OWNER=1 commit
grep -q 'COMMIT "[0-9a-f]*"' "$work/commit.h" || { cat "$work/commit.h"; failed=1; }
rm -r "$work/repository/.git/objects"
commit | grep -q '^The commit is not known, .*fatal: ' && grep -q '"unknown"' "$work/commit.h" ||
    { echo 'it does not say that the commit is unknown'; failed=1; }
exit $failed
