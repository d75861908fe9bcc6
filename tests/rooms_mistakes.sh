#!/bin/sh
# Usage: rooms_mistakes.sh. Whether rooms.sh finds each mistake in a made-up tree, and none in one without.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
common=$(mktemp -d)
trap 'rm -rf "$common"' EXIT
failed=0

make_tree() {
    rm -rf "${common:?}"/*
    mkdir "$common/cellar" "$common/attic"
    echo 'set(rooms cellar attic)' >"$common/CMakeLists.txt"
    echo '#include <stdio.h>' >"$common/cellar/coal.h"
    echo '#include "coal.h"' >"$common/cellar/coal.c"
    printf '#include "roof.h"\n#include "coal.h"\n#include "made.h"\n' >"$common/attic/roof.cu"
    : >"$common/attic/roof.h"
}

# expect CODE TEXT
expect() {
    code=0
    said=$(sh "$here/rooms.sh" "$common") || code=$?
    case $said in *"$2"*) [ $code -eq "$1" ] && return ;; esac
    echo "exit code $code instead of $1, or no \"$2\" in: $said"
    failed=1
}

make_tree
expect 0 'attic -> cellar: 1'
echo '#  include "roof.h"' >>"$common/cellar/coal.c"
expect 1 './cellar/coal.c:2: cellar comes before attic, where roof.h is'
expect 1 'cellar -> attic: 1'

make_tree
: >"$common/attic/coal.h"
expect 1 './cellar/coal.h: attic has a header of that name'

make_tree
: >"$common/stray.c"
expect 1 './stray.c: it is in no room'

make_tree
mkdir "$common/shed"
: >"$common/shed/rake.h"
expect 1 './shed/rake.h: it is in no room'

make_tree
mkdir "$common/attic/box"
: >"$common/attic/box/toy.h"
expect 1 './attic/box/toy.h: it is in no room'

make_tree
: >"$common/CMakeLists.txt"
expect 1 'has no line set(rooms'
exit $failed
