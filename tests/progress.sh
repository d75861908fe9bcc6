#!/bin/sh
# Usage: progress.sh SOURCE. The target progress in a course of five small exercises, with each generator: each state, what
# is next, and that nothing is built or run twice.
set -eu
export LC_ALL=C
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

begin_course() { # GENERATOR
    rm -rf "$work/course"
    mkdir -p "$work/course/docs" "$work/course/common" "$work/course/stages" "$work/course/tests"
    cd "$work/course"
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(course C)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/exercises)
foreach(name IN ITEMS first second third form)
    add_executable(check_${name} EXCLUDE_FROM_ALL check.c)
    target_include_directories(check_${name} PRIVATE common exercises/${name})
endforeach()
target_compile_definitions(check_form PRIVATE FORM)
add_custom_target(progress COMMAND sh exercises/progress.sh ${CMAKE_BINARY_DIR} ${CMAKE_COMMAND}
                  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} USES_TERMINAL VERBATIM)
END
    cat >check.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common.h"
#ifdef FORM
static int answer(void) { return fopen("exercises/form/table.csv", "r") ? 42 : 0; }
#else
#include "solver.c"
#endif
int main(int count, char **name)
{
    char line[2];
    (void)count;
    printf("%s\n", fgets(line, sizeof line, stdin) ? "it reads the list" : "it runs");
    fprintf(fopen("runs", "a"), "%s\n", strrchr(name[0], '_') + 1);
    if (answer() < 0)
        return fputs("no memory\n", stderr), 3;
    puts(answer() == 42 ? "DONE" : "NOT DONE: see TODO(1)");
    return answer() != 42;
}
END
    echo >common/common.h
    cat >docs/main.md <<'END'
## The lean path
| [page](page.md) | [second](../exercises/second/README.md) |
| [other](other.md) | exercise 1; optional: [third](../exercises/third/README.md) |
## The full path
| [page](page.md) | [first](../exercises/first/README.md), [second](../exercises/second/README.md) |
| [page](page.md) | [third](../exercises/third/README.md) |
| [other](other.md) | |
END
    echo '# The page' >docs/page.md
    echo '# Another page' >docs/other.md
    cp -r "$source/exercises" "$work/all"
    mkdir exercises
    cp "$work"/all/*.sh "$work"/all/path.awk exercises
    rm -r "$work/all"
    for name in first second third packaged; do
        mkdir exercises/$name
        echo 'static int answer(void) { return 0; }' >exercises/$name/solver.c
        printf '# Its title\n\nCode, [a page](../../docs/page.md).\n' >exercises/$name/README.md
    done
    cp -r exercises/first exercises/form
    echo >exercises/form/answers.txt
    for name in first second third packaged; do
        echo "add_exercise($name solver.c)"
    done >exercises/CMakeLists.txt
    echo 'add_exercise(form answers.txt)' >>exercises/CMakeLists.txt
    sh exercises/starters.sh >exercises/starters.txt
    CMAKE_GENERATOR=$1 cmake -B build >said
    printf 'first\tsolver.c\t\nsecond\tsolver.c\t\nthird\tsolver.c\t\npackaged\tsolver.c\tneeds a package\nform\tanswers.txt\t\nempty\t-\t\n' \
        >build/exercises.tsv
    mkdir exercises/empty
    echo '# Its title' >exercises/empty/README.md
}

# Fails unless progress ends well, prints each of these as a line, and then has run these checks since the start.
expect() { # RUNS LINE...
    cmake --build build --target progress >said 2>&1 || { echo "$generator: progress fails"; failed=1; }
    runs=$1
    shift
    for line in "$@"; do
        grep -qx -e " *$line" said || { echo "$generator: expected \"$line\""; cat said; failed=1; }
    done
    [ "$(cat runs 2>/dev/null | tr '\n' ' ')" = "$runs" ] || { echo "$generator: expected \"$runs\", run was"; cat runs; failed=1; }
}

answer() { # NAME TEXT
    echo "static int answer(void) { return $2; }" >exercises/$1/solver.c
}

for generator in Ninja 'Unix Makefiles'; do
    command -v "$(echo "$generator" | sed 's/Unix Makefiles/make/; s/Ninja/ninja/')" >/dev/null || continue
    begin_course "$generator"
    expect '' 'Not begun: 5' 'Left out: 1' 'packaged *Its title: needs a package' '\* second *Its title' \
        '+ third *Its title' 'first *Its title' 'Next on the lean path: second (exercises/second/README.md)' \
        'Next on the full path: first (exercises/first/README.md)'
    ! ls build/exercises/* >said 2>&1 || { echo "$generator: something is built"; failed=1; }

    answer first 41
    answer second 41x
    answer third 42
    expect 'first third ' 'Done: 1' 'Begun: 2' 'Not begun: 2' 'first *Its title: NOT DONE: see TODO(1)' \
        '\* second *Its title: does not compile: second/solver.c:1:.* error: .*' '+ third *Its title' \
        'Next on the lean path: second .*'
    expect 'first third ' 'Done: 1' 'Begun: 2'
    answer second 42
    expect 'first third second ' 'Done: 2' 'Begun: 1' 'Next on the full path: first .*'
    sleep 0.01
    echo '#define MORE' >common/common.h
    expect 'first third second first second third ' 'Done: 2' 'Begun: 1'
    touch common/other.h
    answer first 42
    rm runs
    expect 'first ' 'Done: 3' 'Next on the full path: form .*'
    ! grep -q 'lean path:' said || { echo "$generator: the lean path has a next exercise"; failed=1; }
    echo 'static int answer(void) { return 1; }' >unsolved
    touch -t 200001010000 unsolved
    answer first '42 + system("cp -p unsolved exercises/first/solver.c")'
    expect 'first first ' 'Done: 3' # the file has changed while the check ran, to one with an old date
    expect 'first first first ' 'first *Its title: NOT DONE: see TODO(1)'
    answer first 42
    expect 'first first first first '
    rm runs
    sleep 0.01
    for file in common/new.h stages/new.h tests/new.h exercises/new.h; do
        touch $file
        expect '' 'Checking first'
    done
    for file in exercises/first/new.h build/exercises/check_first_traffic build/exercises/check_first_on_ranks; do
        touch $file
        expect 'first ' 'Done: 3'
        rm runs
    done
    answer third -1
    echo begun >exercises/form/answers.txt
    expect 'third form ' '+ third *Its title: its check fails: no memory' 'form *Its title: NOT DONE: see TODO(1)'
    touch exercises/form/table.csv
    expect 'third form third form ' 'Done: 3' 'form *Its title'
    rm exercises/second/solver.c
    expect 'third form third form third form ' '\* second *Its title: does not compile: .*solver.c.*'
    echo '' >exercises/form/answers.txt
    answer third 0
    expect 'third form third form third form ' 'Not begun: 3' 'Done: 1'
done

# Which page follows on the paths, else the page of the exercise.
next_page() { # NAME LINE...
    name=$1
    shift
    printf '#!/bin/sh\necho DONE\n' >"build/check_$name"
    chmod +x "build/check_$name"
    printf '%s\n' DONE "$@" >expected
    sh exercises/check.sh "$PWD/build/check_$name" | diff expected - || { echo "which page follows $name"; failed=1; }
}
next_page first 'Next page: Its title (exercises/second/README.md)'
next_page second 'Next page on the lean path: Another page (docs/other.md)' 'Next page on the full path: The page (docs/page.md)'
next_page third 'Next page on the lean path: The page (docs/page.md)' 'Next page on the full path: Another page (docs/other.md)'
next_page form 'Next page: The page (docs/page.md)'
exit $failed
