# add_stage(NAME [FOLLOWS STAGE [DIFF LINES | NEW_PROGRAM]] LAYOUT aos|soa|soa_moments|rows|lines|none
# [AGREES_WITH STAGE|none] [FLAGS ...] [NVCC_FLAGS ...] [HIP_FLAGS ...] [NOT_HIP REASON] [EMULATOR_FLAGS ...]
# [NEEDS ...] [REGISTERS COUNT] [TESTS ...] [ON_CHIP]): a line of stages/CMakeLists.txt. Builds stages/NAME/solver.c or
# solver.cu and its test.c.
#   FOLLOWS      the stage whose solver this one changes; without it the stage is the root, of which there is one
#   DIFF         the most lines that the diff between the two may change; 100 if not given
#   NEW_PROGRAM  it is written anew, so that the diff says little
#   LAYOUT       how its function `at` arranges the numbers in memory: all of a cell together (aos), an array for each
#                direction (soa) or each moment (soa_moments), all moments of a row together (rows) or of 32 cells of a row
#                (lines); `none` if there is no such function. A test checks `at` on grids whose indices need more than 32 bits
#   AGREES_WITH  the stage that its results are compared with: the one it follows, if not given
#   FLAGS        what this stage alone is compiled with
#   NVCC_FLAGS   the same where nvcc compiles it, and not the C compiler
#   HIP_FLAGS    what hipcc takes besides those of NVCC_FLAGS that it has, too
#   NOT_HIP      why a build for HIP leaves it out
#   EMULATOR_FLAGS  the same where the C compiler compiles a .cu file. Stages on lanes take -O2: -O3 takes gcc ten times
#                as long, and makes them no faster
#   NEEDS        packages that CMake finds and that have a target X::X_C, such as MPI; without them the stage is left out
#   REGISTERS    the most registers that a thread of its kernels may use; 64 if not given, with which a block of 1024
#                threads fits on a multiprocessor
#   TESTS        files tests/NAME.cu that test functions of its solver and include it
#   ON_CHIP      it keeps the whole grid on the chip during a launch of many steps
set(stage_facts SOLVER FOLLOWS DIFF LAYOUT AGREES_WITH FLAGS NVCC_FLAGS HIP_FLAGS NOT_HIP EMULATOR_FLAGS NEEDS
    REGISTERS TESTS ON_CHIP)

# Lets the C compiler or hipcc take a .cu file where nvcc does not.
function(compile_for_backend file)
    if(backend STREQUAL "cpu")
        set_source_files_properties(${file} PROPERTIES LANGUAGE C)
    elseif(backend STREQUAL "hip" AND file MATCHES "\\.cu$")
        set_source_files_properties(${file} PROPERTIES LANGUAGE CXX)
    endif()
endfunction()

# Sets `result` to the flags of the stage at hand for hipcc, which has other names for those of nvcc, and bounds no
# registers.
function(flags_of_hipcc result)
    string(REPLACE "--fmad=false" "-ffp-contract=off" flags "${NVCC_FLAGS}")
    string(REPLACE "--prec-div=false" "-fno-hip-fp32-correctly-rounded-divide-sqrt" flags "${flags}")
    string(REPLACE "--ftz=true" "-fgpu-flush-denormals-to-zero" flags "${flags}")
    list(FILTER flags EXCLUDE REGEX "^--maxrregcount=")
    set(${result} ${flags} ${HIP_FLAGS} PARENT_SCOPE)
endfunction()

# Sets SOLVER, FOLLOWS, ... in the caller to what add_stage was told.
macro(get_stage name)
    foreach(fact IN LISTS stage_facts)
        get_property(${fact} GLOBAL PROPERTY ${fact}_of_${name})
    endforeach()
endmacro()

function(add_stage name)
    cmake_parse_arguments(PARSE_ARGV 1 stage "ON_CHIP;NEW_PROGRAM" "FOLLOWS;DIFF;LAYOUT;AGREES_WITH;NOT_HIP;REGISTERS"
                          "FLAGS;NVCC_FLAGS;HIP_FLAGS;EMULATOR_FLAGS;NEEDS;TESTS")
    get_property(listed GLOBAL PROPERTY stage_names)
    list(JOIN listed ", " before)
    string(REGEX REPLACE ",.*" "" first "${before}")
    file(GLOB stage_SOLVER CONFIGURE_DEPENDS ${name}/solver.c ${name}/solver.cu)
    list(LENGTH stage_SOLVER solvers)
    if(NOT name MATCHES "^[0-9][0-9A-Za-z_]*$") # no other target is test_ or stage_ and a digit
        message(FATAL_ERROR "\"${name}\" is no name for a stage: it takes a digit, and then letters, digits and _")
    elseif(name IN_LIST listed)
        message(FATAL_ERROR "${name}: a second line; a folder holds one stage")
    elseif(solvers GREATER 1)
        message(FATAL_ERROR "${name}: stages/${name} holds both solver.c and solver.cu; it takes one of them")
    elseif(stage_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${name}: ${stage_KEYWORDS_MISSING_VALUES} lacks its value; it takes one")
    elseif(stage_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${name}: add_stage does not know \"${stage_UNPARSED_ARGUMENTS}\"; it takes FOLLOWS, DIFF, "
                            "NEW_PROGRAM, LAYOUT, AGREES_WITH, FLAGS, NVCC_FLAGS, HIP_FLAGS, NOT_HIP, EMULATOR_FLAGS, "
                            "NEEDS, REGISTERS, TESTS and ON_CHIP")
    elseif(stage_NEW_PROGRAM AND DEFINED stage_DIFF)
        message(FATAL_ERROR "${name}: both DIFF and NEW_PROGRAM; it takes one of them")
    elseif(DEFINED stage_REGISTERS AND NOT stage_REGISTERS MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "${name}: REGISTERS is \"${stage_REGISTERS}\"; it takes a number, from 1 on")
    elseif(DEFINED stage_DIFF AND NOT stage_DIFF MATCHES "^[1-9][0-9]*$")
        message(FATAL_ERROR "${name}: DIFF is \"${stage_DIFF}\"; it takes a number of lines, from 1 on")
    elseif(NOT stage_LAYOUT MATCHES "^(aos|soa|soa_moments|rows|lines|none)$")
        message(FATAL_ERROR "${name}: LAYOUT is \"${stage_LAYOUT}\"; it takes aos, soa, soa_moments, rows, lines or none")
    elseif(listed AND NOT stage_FOLLOWS)
        message(FATAL_ERROR "${name}: FOLLOWS is missing; only the first stage, ${first}, follows none")
    endif()
    foreach(word IN LISTS stage_FLAGS stage_NVCC_FLAGS stage_HIP_FLAGS stage_EMULATOR_FLAGS stage_NEEDS)
        if(word MATCHES "^[A-Z_]+$" AND NOT word STREQUAL "MPI") # no flag, and no package
            message(FATAL_ERROR "${name}: add_stage does not know \"${word}\"")
        endif()
    endforeach()
    if(NOT DEFINED stage_AGREES_WITH)
        set(stage_AGREES_WITH ${stage_FOLLOWS})
    elseif(stage_AGREES_WITH STREQUAL "none")
        set(stage_AGREES_WITH "")
    endif()
    foreach(fact IN ITEMS FOLLOWS AGREES_WITH)
        if(stage_${fact} AND NOT stage_${fact} IN_LIST listed)
            message(FATAL_ERROR "${name}: ${fact} \"${stage_${fact}}\", which is no stage above it; these are ${before}")
        endif()
    endforeach()
    if(NOT DEFINED stage_REGISTERS)
        set(stage_REGISTERS 64)
    endif()
    if(stage_FOLLOWS AND NOT stage_NEW_PROGRAM AND NOT DEFINED stage_DIFF)
        set(stage_DIFF 100)
    endif()
    foreach(fact IN LISTS stage_facts)
        set_property(GLOBAL PROPERTY ${fact}_of_${name} "${stage_${fact}}")
    endforeach()
    set_property(GLOBAL APPEND PROPERTY stage_names ${name})
    if(stage_SOLVER)
        build_stage(${name})
    else()
        message(STATUS "Stage ${name} is left out: there is no stages/${name}/solver.c or solver.cu")
    endif()
endfunction()

# The object library stage_NAME out of a stage's solver.
function(add_solver name)
    get_stage(${name})
    add_library(stage_${name} OBJECT ${SOLVER})
    list(TRANSFORM NEEDS REPLACE "(.+)" "\\1::\\1_C")
    target_link_libraries(stage_${name} PRIVATE common ${NEEDS})
    target_compile_definitions(stage_${name} PRIVATE STAGE=stage_${name} STAGE_NAME="${name}")
    target_compile_options(stage_${name} PRIVATE ${FLAGS} "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${NVCC_FLAGS}>")
    flags_of_hipcc(hip_flags)
    target_compile_options(stage_${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${hip_flags}>")
    compile_for_backend(${SOLVER})
    if(SOLVER MATCHES "\\.cu$" AND backend STREQUAL "cpu")
        target_compile_options(stage_${name} PRIVATE ${emulator_flags} ${EMULATOR_FLAGS})
    endif()
endfunction()

# Sets `result` to whether a package is there. Some make their target even where they find nothing.
function(look_for package result)
    set(CMAKE_MESSAGE_LOG_LEVEL WARNING) # what looks for MPI is not quiet by QUIET alone
    find_package(${package} QUIET COMPONENTS C) # the languages of hipcc and nvcc take a minute to be refused
    set(${result} no PARENT_SCOPE)
    if(TARGET ${package}::${package}_C AND (${package}_FOUND OR ${package}_C_FOUND))
        set(${result} yes PARENT_SCOPE)
    endif()
endfunction()

# Builds a stage and its tests, or says why it is left out.
function(build_stage name)
    get_stage(${name})
    if(backend STREQUAL "hip" AND NOT_HIP)
        message(STATUS "Stage ${name} is left out: ${NOT_HIP}")
        return()
    endif()
    foreach(other IN LISTS FOLLOWS AGREES_WITH)
        if(NOT TARGET stage_${other})
            message(STATUS "Stage ${name} is left out: it goes with ${other}, which is left out")
            return()
        endif()
    endforeach()
    foreach(package IN LISTS NEEDS)
        look_for(${package} found)
        if(NOT found)
            message(STATUS "Stage ${name} is left out: it needs ${package}, which was not found")
            return()
        endif()
    endforeach()
    add_solver(${name})
    set_property(GLOBAL APPEND PROPERTY built_stages ${name})

    cmake_path(REPLACE_FILENAME SOLVER test.c OUTPUT_VARIABLE test)
    if(BUILD_TESTING AND EXISTS ${test})
        add_tests(stage ${name} ${test} stages)
        target_compile_definitions(test_${name} PRIVATE STAGE=stage_${name})
    endif()
endfunction()

# Sets `result` to a stage's row of stages.tsv, with "-" for what there is none of. `flags` is what its solver is
# compiled with and others are not.
function(describe_stage name result)
    get_stage(${name})
    list(JOIN NEEDS " " needs)
    set(solver_file ${SOLVER})
    foreach(package IN LISTS NEEDS)
        if(TARGET ${package}::${package}_C)
            get_target_property(folders ${package}::${package}_C INTERFACE_INCLUDE_DIRECTORIES)
            if(folders)
                list(TRANSFORM folders PREPEND -I)
                list(APPEND FLAGS ${folders})
            endif()
        endif()
    endforeach()
    list(APPEND FLAGS ${NVCC_FLAGS}) # the scripts that read the flags compile .cu files with nvcc
    list(JOIN FLAGS " " flags)
    cmake_path(RELATIVE_PATH SOLVER BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(runs_on cpu)
    if(SOLVER MATCHES "\\.cu$")
        set(runs_on gpu)
    endif()
    set(built no)
    if(TARGET stage_${name})
        set(built yes)
    endif()
    file(STRINGS ${solver_file} lattice REGEX "\\.lattice = &")
    string(REGEX REPLACE ".*&([a-z0-9]+).*" "\\1" lattice "${lattice}")
    set(row "${name}")
    foreach(field IN ITEMS SOLVER FOLLOWS AGREES_WITH DIFF runs_on built flags REGISTERS lattice needs)
        if("${${field}}" STREQUAL "")
            set(${field} "-")
        endif()
        string(APPEND row "\t${${field}}")
    endforeach()
    set(${result} "${row}\n" PARENT_SCOPE)
endfunction()

# Refuses a folder of stages/ without its line, and writes stages.tsv, the table of all stages that the scripts read.
function(end_stages)
    get_property(names GLOBAL PROPERTY stage_names)
    file(GLOB folders RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS */solver.c*)
    set(table "name\tsolver\tfollows\tagrees_with\tdiff\truns_on\tbuilt\tflags\tregisters\tlattice\tneeds\n")
    foreach(solver IN LISTS folders)
        cmake_path(GET solver PARENT_PATH folder)
        if(NOT folder IN_LIST names)
            message(FATAL_ERROR "stages/${folder} has no line in stages/CMakeLists.txt; it takes add_stage(${folder} ...)")
        endif()
    endforeach()
    foreach(name IN LISTS names)
        get_stage(${name})
        if(SOLVER)
            describe_stage(${name} row)
            string(APPEND table "${row}")
        endif()
    endforeach()
    file(WRITE ${CMAKE_BINARY_DIR}/stages.tsv "${table}")
endfunction()

# Writes the table of stages that stages.h declares.
function(write_stage_table file)
    set(names ${ARGN})
    list(TRANSFORM names REPLACE "(.+)" "stage_\\1" OUTPUT_VARIABLE symbols)
    list(JOIN symbols ", " declared)
    list(JOIN symbols ", &" addresses)
    set(stage_info "")
    foreach(name IN LISTS names)
        get_stage(${name})
        string(REGEX MATCH "\\.cu$" on_gpu ${SOLVER})
        string(COMPARE NOTEQUAL "${on_gpu}" "" on_gpu)
        list(FIND NEEDS OpenMP needed)
        string(COMPARE NOTEQUAL "${needed}" -1 threaded)
        list(FIND NEEDS MPI needed)
        string(COMPARE NOTEQUAL "${needed}" -1 on_ranks)
        string(COMPARE EQUAL "${ON_CHIP}" TRUE on_chip)
        list(FIND names "${FOLLOWS}" follows)
        list(FIND names ${name} reference)
        if(AGREES_WITH IN_LIST names)
            list(FIND names ${AGREES_WITH} agrees_with)
            list(GET references ${agrees_with} reference)
        endif()
        list(APPEND references ${reference})
        string(APPEND stage_info "    {.on_gpu = ${on_gpu}, .threaded = ${threaded}, .on_ranks = ${on_ranks}, "
                             ".on_chip = ${on_chip}, .follows = ${follows}, .reference = ${reference}}, // ${name}\n")
    endforeach()
    file(CONFIGURE OUTPUT ${file} CONTENT [[
#include "stage/stages.h"

extern const Stage @declared@;
const Stage *const stages[] = {&@addresses@};
const int stage_count = sizeof stages / sizeof *stages;
_Static_assert(sizeof(StageInfo) == 6 * sizeof(int), "write_stage_table in cmake/stages.cmake sets all members of StageInfo");
const StageInfo stage_info[] = {
@stage_info@};
]])
endfunction()

# A library of stages and their table, on top of a library of common/.
function(add_stages_with_table library below) # STAGE...
    write_stage_table(${library}_table.c ${ARGN})
    list(TRANSFORM ARGN PREPEND stage_ OUTPUT_VARIABLE symbols)
    add_library(
        ${library} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${library}_table.c ${PROJECT_SOURCE_DIR}/common/stage/stages.c)
    target_link_libraries(${library} PUBLIC ${below} PRIVATE ${symbols})
endfunction()

# The same of the stages that are built, and of further ones named after them.
function(add_stage_table library)
    get_property(names GLOBAL PROPERTY built_stages)
    add_stages_with_table(${library} common ${names} ${ARGN})
endfunction()
