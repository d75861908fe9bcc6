# What mpirun runs under in tests. MPI libraries differ in how one tells them that root may start more ranks than there are
# cores.
set(mpirun_settings
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    OMPI_MCA_mpi_yield_when_idle=1 # ranks that wait leave the core to others
    OMPI_MCA_hwloc_base_binding_policy=none # else two ranks of each test run at a time have the same two cores
    PRTE_MCA_hwloc_default_binding_policy=none
    ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16) # MPI libraries leak

# Tests that configure and build a copy of the source have ninja do it, where it is there: make takes longer to write and to
# read what builds a thousand targets.
find_program(NINJA ninja)
set(copy_settings "")
if(NINJA)
    set(copy_settings CMAKE_GENERATOR=Ninja)
endif()

# Sets a variable to the names of the TEST(name) in a file and in the headers of tests/ that it includes; with COMMENT only
# to those with that comment behind them.
function(find_cases variable file) # [COMMENT]
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} cases REGEX "^TEST\\(.*${ARGN}$")
    list(TRANSFORM cases REPLACE "^TEST\\(([a-z0-9_]+)\\).*" "\\1")
    file(STRINGS ${file} headers REGEX "^#include \"")
    list(TRANSFORM headers REPLACE "^#include \"(.*)\"$" "${PROJECT_SOURCE_DIR}/tests/\\1")
    foreach(header IN LISTS headers)
        if(EXISTS ${header})
            find_cases(of_header ${header} ${ARGN})
            list(APPEND cases ${of_header})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES cases)
    set(${variable} ${cases} PARENT_SCOPE)
endfunction()

# add_tests(LABEL NAME FILE LIBRARY... [LABELS LABEL...]): one test program, one CTest case for each TEST(name) in its
# file. A case whose name begins with slow_ has the label slow instead of all others, and one with the comment "// long"
# behind it the label long, too. Labels that presets choose by:
#   slow      minutes; in no preset but `slow`
#   long      would take minutes under the sanitizers: left out there, where optional packages are absent, and in `test`
#   hostile   random calls of the program: not in `test`
#   optional  depends on packages that may be absent: what is run where they are
function(add_tests label name file)
    if(NOT BUILD_TESTING)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 3 test "" "" LABELS)
    add_executable(test_${name} ${file})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(test_${name} PRIVATE ${test_UNPARSED_ARGUMENTS})
    target_compile_options(test_${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:-O1>) # -O3 takes the compiler twice as long
    if(test_LABELS MATCHES "slow|long")
        set_target_properties(test_${name} PROPERTIES ONLY_REST TRUE)
    endif()
    if(backend STREQUAL "cpu")
        target_compile_definitions(test_${name} PRIVATE GPU_ON_CPU)
    endif()
    find_cases(cases ${file})
    find_cases(long_cases ${file} " // long")
    foreach(case IN LISTS cases)
        add_test(NAME ${label}/${name}/${case} COMMAND test_${name} ${case})
        if(LBM_SANITIZE)
            # A long quarantine takes new pages for each array: it doubles the time of tests that allocate often.
            set_tests_properties(${label}/${name}/${case} PROPERTIES ENVIRONMENT
                "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks_of_others.txt:print_suppressions=0;\
ASAN_OPTIONS=quarantine_size_mb=16")
        endif()
        set(labels ${label} ${test_LABELS})
        set(timeout 300)
        if(case MATCHES "^slow_")
            set(labels slow)
            set(timeout 1800)
        elseif(case IN_LIST long_cases)
            list(APPEND labels long)
        endif()
        set_tests_properties(
            ${label}/${name}/${case} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} SKIP_RETURN_CODE 77)
    endforeach()
endfunction()

# skip_tests(LABEL NAME FILE REASON [LABEL...]): the same cases where FILE can't be built; all are reported as skipped.
function(skip_tests label name file reason)
    find_cases(cases ${file})
    foreach(case IN LISTS cases)
        add_test(NAME ${label}/${name}/${case} COMMAND sh -c "echo '${reason}'; exit 77")
        set_tests_properties(${label}/${name}/${case} PROPERTIES LABELS "${label};${ARGN}" SKIP_RETURN_CODE 77)
    endforeach()
endfunction()
