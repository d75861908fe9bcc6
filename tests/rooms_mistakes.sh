#!/bin/sh
# Usage: rooms_mistakes.sh. Whether rooms.sh finds each mistake in a made-up tree, and none in one without.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
common=$(mktemp -d)
trap 'rm -rf "$common"' EXIT
failed=0

make_tree() {
    rm -rf "${common:?}"/*
    mkdir "$common/cellar" "$common/attic"
    : >"$common/CMakeLists.txt"
    echo '#include <stdio.h>' >"$common/cellar/coal.h"
    echo '#include "cellar/coal.h"' >"$common/cellar/coal.c"
    printf '#include "attic/roof.h"\n#include "cellar/coal.h"\n#include "made.h"\n' >"$common/attic/roof.cu"
    : >"$common/attic/roof.h"
}

# expect CODE TEXT
expect() {
    code=0
    said=$(sh "$here/rooms.sh" "$common" cellar attic) || code=$?
    case $said in *"$2"*) [ $code -eq "$1" ] && return ;; esac
    echo "exit code $code instead of $1, or no \"$2\" in: $said"
    failed=1
}

make_tree
expect 0 'attic -> cellar: 1'
echo '#  include "attic/roof.h"' >>"$common/cellar/coal.c"
expect 1 'cellar/coal.c:2: cellar comes before attic'
expect 1 'cellar -> attic: 1'

make_tree
echo '#include "coal.h"' >>"$common/cellar/coal.c"
expect 1 'cellar/coal.c:2: coal.h without its room'

for stray in stray.c shed/rake.h attic/box/toy.h; do
    make_tree
    mkdir -p "$(dirname "$common/$stray")"
    : >"$common/$stray"
    expect 1 "$stray: it is in no room"
done
exit $failed
