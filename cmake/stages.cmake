# add_stage(solver.c | solver.cu): the one line of each folder in stages/.

# Lets the C compiler take a .cu file where there is no nvcc.
function(compile_for_backend file)
    if(backend STREQUAL "cpu")
        set_source_files_properties(${file} PROPERTIES LANGUAGE C)
    endif()
endfunction()

function(add_stage solver)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
    add_library(stage_${name} OBJECT ${solver})
    target_link_libraries(stage_${name} PRIVATE common)
    target_compile_definitions(stage_${name} PRIVATE STAGE=stage_${name} STAGE_NAME="${name}")
    compile_for_backend(${solver})
    set_property(GLOBAL APPEND PROPERTY stage_names ${name})
    set_property(GLOBAL PROPERTY solver_of_${name} ${solver})

    if(BUILD_TESTING AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/test.c)
        add_tests(stage ${name} test.c stages)
        target_compile_definitions(test_${name} PRIVATE STAGE=stage_${name})
    endif()
endfunction()

# Links the stages into one library with the table that stage.h declares.
function(add_stage_table)
    get_property(names GLOBAL PROPERTY stage_names)
    list(SORT names)
    list(TRANSFORM names REPLACE "(.+)" "stage_\\1" OUTPUT_VARIABLE symbols)
    list(JOIN symbols ", " declared)
    list(JOIN symbols ", &" addresses)
    foreach(name IN LISTS names)
        get_property(solver GLOBAL PROPERTY solver_of_${name})
        string(REGEX REPLACE ".*\\.cu$" 1 is_cuda ${solver})
        string(REGEX REPLACE ".*\\.c$" 0 is_cuda ${is_cuda})
        list(APPEND on_gpu ${is_cuda})
    endforeach()
    list(JOIN on_gpu ", " on_gpu)
    file(CONFIGURE OUTPUT stage_table.c CONTENT [[
#include "stage.h"

extern const Stage @declared@;
const Stage *const stages[] = {&@addresses@};
const int stage_count = sizeof stages / sizeof *stages;
const int stage_on_gpu[] = {@on_gpu@};
]])
    add_library(stages STATIC ${CMAKE_CURRENT_BINARY_DIR}/stage_table.c)
    target_link_libraries(stages PUBLIC common PRIVATE ${symbols})
endfunction()
