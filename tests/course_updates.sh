#!/bin/sh
# Usage: course_updates.sh SOURCE. What exercises/README.md says about updates keeps a student's work: its commands run
# in clones of a small course that changes another file, other lines of the student's file, the same lines, and
# then others.
set -eu
export LC_ALL=C
command -v git >/dev/null || { echo 'skipped: git is not there'; exit 77; }
page=$(cd "$1" && pwd)/exercises/README.md
solver=exercises/first_kernel/solver.cu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
failed=0

complain() {
    echo "$*"
    cat "$work/said"
    failed=1
}

# Runs the first command of the page that looks like this.
page() { # PATTERN
    line=$(sed -n "/^## Updates/,\$s/^    \($1\)\$/\1/p" "$page" | head -n 1)
    [ -n "$line" ] || { echo "the page has no command $1"; exit 1; }
    eval "$line" >"$work/said" 2>&1
}

# The course changes lines of its files.
update() { # SCRIPT
    cd "$work/course"
    sed "$1" $solver >new
    mv new $solver
    echo "$1" >news
    git add .
    git commit -qm "$1"
    cd - >"$work/said"
}

# Fails unless the file has the student's line and what else is named, and the news are there.
expect() { # NEWS LINE...
    [ "$(cat news)" = "$1" ] || complain "the update \"$1\" is not there"
    shift
    for line in 'my line' "$@"; do
        grep -qx "$line" $solver || complain "$solver lacks \"$line\""
    done
}

mkdir -p "$work/course/exercises/first_kernel"
cd "$work/course"
git init -q -b main
seq 1 20 >$solver
update 's/20/twenty/'
for way in branch stash; do
    git clone -q "$work/course" "$work/$way"
    sed 's/^5$/my line/' $solver >"$work/$way/$solver"
done

cd "$work/branch"
page 'git switch.*'
page 'git commit.*'

take_update() { # WAY
    cd "$work/$1"
    if [ "$1" = branch ]; then
        page 'git pull --no-rebase.*'
    else
        page 'git stash' && page 'git pull' && page 'git stash pop'
    fi
}

update 's/^15$/fifteen/'
for way in branch stash; do
    take_update $way
    expect 's/^15$/fifteen/' fifteen
done
update 's/^5$/five/; s/^16$/sixteen/'
for way in branch stash; do
    if take_update $way || ! grep -q "CONFLICT.*$solver" "$work/said"; then
        complain "$way: no conflict in $solver"
    fi
    if [ $way = branch ]; then
        page 'git merge.*'
        page 'git pull.* -X .*'
    else
        page 'git reset.*'
        page 'git cherry-pick.*'
        page 'git stash drop'
    fi
    expect 's/^5$/five/; s/^16$/sixteen/' fifteen sixteen
done
update 's/^18$/eighteen/'
for way in branch stash; do
    take_update $way
    expect 's/^18$/eighteen/' fifteen sixteen eighteen
done
exit $failed
