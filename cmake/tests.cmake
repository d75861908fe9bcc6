# What mpirun runs under in tests. MPI libraries differ in how one tells them that root may start more ranks than there are
# cores.
set(mpirun_settings
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    ASAN_OPTIONS=detect_leaks=0) # MPI libraries leak

# Sets a variable to the names of the TEST(name) in a file.
function(find_cases variable file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} cases REGEX "^TEST\\(")
    list(TRANSFORM cases REPLACE "^TEST\\(([a-z0-9_]+)\\).*" "\\1")
    set(${variable} ${cases} PARENT_SCOPE)
endfunction()

# add_tests(LABEL NAME FILE LIBRARY...): one test program, one CTest case per TEST(name) in its file. Those whose
# names begin with slow_ get the label slow instead.
function(add_tests label name file)
    if(NOT BUILD_TESTING)
        return()
    endif()
    add_executable(test_${name} ${file})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(test_${name} PRIVATE ${ARGN})
    if(backend STREQUAL "cpu")
        target_compile_definitions(test_${name} PRIVATE GPU_ON_CPU)
    endif()
    find_cases(cases ${file})
    foreach(case IN LISTS cases)
        add_test(NAME ${label}/${name}/${case} COMMAND test_${name} ${case})
        if(LBM_SANITIZE)
            set_tests_properties(${label}/${name}/${case} PROPERTIES ENVIRONMENT
                "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/leaks_of_others.txt:print_suppressions=0")
        endif()
        if(case MATCHES "^slow_")
            set_tests_properties(${label}/${name}/${case} PROPERTIES LABELS slow TIMEOUT 1800 SKIP_RETURN_CODE 77)
            continue()
        endif()
        set_tests_properties(${label}/${name}/${case} PROPERTIES LABELS ${label} TIMEOUT 300 SKIP_RETURN_CODE 77)
    endforeach()
endfunction()

# skip_tests(LABEL NAME FILE REASON): the same cases where FILE can't be built; all are reported as skipped.
function(skip_tests label name file reason)
    find_cases(cases ${file})
    foreach(case IN LISTS cases)
        add_test(NAME ${label}/${name}/${case} COMMAND sh -c "echo '${reason}'; exit 77")
        set_tests_properties(${label}/${name}/${case} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
    endforeach()
endfunction()
