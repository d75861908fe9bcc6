# add_exercise(FILE [STAGE FUNCTION...]): the one line of each folder in exercises/. FILE is what the student
# edits; the functions named are to stay those of the stage, with whose flags a solver is compiled. For a folder NN_name
# the student has these targets; all other tests (label: course) prove that the exercise is in order.
#   NN                          builds and checks FILE (`ctest -L exercises` does that for all exercises)
#   NN_hint1 NN_hint2 NN_hint3  shows a hint, the weakest first
#   NN_diff                     shows what differs between FILE and the solution
#   lbm_NN                      if FILE is a solver: the program with it as one more stage, exercise_NN

# An executable that runs the folder's check over one version of the student's file.
function(add_check target file)
    add_executable(${target} EXCLUDE_FROM_ALL ${check})
    target_link_libraries(${target} PRIVATE form)
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(
        ${target} PRIVATE EXERCISE="${file}" STAGE=exercise_${number} STAGE_NAME="exercise_${number}")
endfunction()

# One test that proves that the exercise is in order.
function(add_course_test test)
    add_test(NAME course/${name}/${test} COMMAND ${ARGN})
    set_tests_properties(course/${name}/${test} PROPERTIES LABELS course FIXTURES_REQUIRED course TIMEOUT 300)
endfunction()

# Each file wrong/*.sed makes a wrong answer out of the solution, and each file right/*.sed another right one; what the
# check must say stands in its first line, "# expects: REGEX", and what the environment is to have in a line
# "# with: NAME=VALUE". The tables that a form names are put beside it. For the CPU only, where the threads run in a known
# order.
function(add_answers kind solution)
    cmake_path(GET solution EXTENSION extension)
    file(GLOB scripts CONFIGURE_DEPENDS ${kind}/*.sed)
    file(GLOB tables CONFIGURE_DEPENDS solution*.csv wrong/*.csv)
    foreach(table IN LISTS tables)
        configure_file(${table} ${CMAKE_CURRENT_BINARY_DIR} COPYONLY)
    endforeach()
    foreach(script IN LISTS scripts)
        cmake_path(GET script STEM answer_name)
        set(answer ${CMAKE_CURRENT_BINARY_DIR}/${answer_name}${extension})
        add_custom_command(
            OUTPUT ${answer} COMMAND sed -f ${script} ${solution} > ${answer} DEPENDS ${script} ${solution} VERBATIM)
        set(target ${number}_${kind}_${answer_name})
        add_check(${target} ${answer})
        target_compile_options(${target} PRIVATE -w)
        target_sources(${target} PRIVATE ${answer})
        set_source_files_properties(${answer} PROPERTIES HEADER_FILE_ONLY ON)
        add_dependencies(course ${target})
        add_course_test(${kind}/${answer_name} ${target})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
        file(STRINGS ${script} expects LIMIT_COUNT 1 REGEX "^# expects: ")
        string(REPLACE "# expects: " "" expects "${expects}")
        file(STRINGS ${script} with LIMIT_COUNT 1 REGEX "^# with: ")
        string(REPLACE "# with: " "" with "${with}")
        set_tests_properties(course/${name}/${kind}/${answer_name} PROPERTIES PASS_REGULAR_EXPRESSION "${expects}"
                                                                             ENVIRONMENT "${with}")
        if(kind STREQUAL "right")
            set_tests_properties(course/${name}/right/${answer_name} PROPERTIES FAIL_REGULAR_EXPRESSION "NOT DONE")
        endif()
    endforeach()
endfunction()

# The program with the student's solver as one more stage, which follows STAGE if one is named, and is compiled with
# its flags.
function(add_student_program number solver) # [STAGE]
    set(stage exercise_${number})
    set_property(GLOBAL PROPERTY SOLVER_of_${stage} ${CMAKE_CURRENT_SOURCE_DIR}/${solver})
    set_property(GLOBAL PROPERTY FOLLOWS_of_${stage} ${ARGV2})
    foreach(fact IN ITEMS FLAGS NVCC_FLAGS)
        get_property(flags GLOBAL PROPERTY ${fact}_of_${ARGV2})
        set_property(GLOBAL PROPERTY ${fact}_of_${stage} ${flags})
    endforeach()
    add_solver(${stage})
    set_target_properties(stage_${stage} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_stage_table(stages_${number} ${stage})
    add_executable(lbm_${number} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:lbm>)
    target_link_libraries(lbm_${number} PRIVATE stages_${number})
    set_target_properties(stages_${number} PROPERTIES EXCLUDE_FROM_ALL ON)
    set_target_properties(lbm_${number} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

function(add_exercise file)
    set(folder ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET folder FILENAME name)
    string(SUBSTRING ${name} 0 2 number)
    cmake_path(GET file EXTENSION extension)
    set(solution ${folder}/solution${extension})
    file(GLOB check check.c check.cu)
    compile_for_backend(${check})

    # The student's side
    add_check(check_${number} ${folder}/${file})
    add_dependencies(starters check_${number})
    # NOT DONE is an answer, no error: make's lines about one would stand behind it.
    add_custom_target(
        ${number} COMMAND sh -c "\"$0\" || test $? -eq 1" $<TARGET_FILE:check_${number}> USES_TERMINAL VERBATIM)
    add_dependencies(${number} check_${number})
    foreach(hint IN ITEMS 1 2 3)
        add_custom_target(
            ${number}_hint${hint} COMMAND sed -n "/^## ${hint}/,/^## [^${hint}]/{/^##/d;p}" ${folder}/hint.md VERBATIM)
    endforeach()
    add_custom_target(
        ${number}_diff COMMAND sh -c "test ! -e $1 && echo 'There is no solution here' || diff -u $0 $1 || true"
                               ${file} solution${extension}
        WORKING_DIRECTORY ${folder} VERBATIM)
    if(file MATCHES "^solver\\.")
        add_student_program(${number} ${file} ${ARGN})
    endif()
    add_test(NAME exercises/${name} COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${number})
    set_tests_properties(
        exercises/${name} PROPERTIES LABELS exercises RESOURCE_LOCK build TIMEOUT 300 FAIL_REGULAR_EXPRESSION
                                     "NOT DONE: see ")

    # The course's side
    add_course_test(starter ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${number})
    set_tests_properties(
        course/${name}/starter PROPERTIES RESOURCE_LOCK build PASS_REGULAR_EXPRESSION "NOT DONE: see TODO\\(1\\)"
                                          FAIL_REGULAR_EXPRESSION "[Ww]arning;it crashed;\\*\\*\\*;ninja: build stopped")
    add_course_test(text sh ${PROJECT_SOURCE_DIR}/exercises/in_order.sh ${folder} ${file} ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS solution.*)
    if(found AND EXISTS ${solution}) # a link may lead nowhere
        add_check(${number}_solution ${solution})
        target_compile_options(${number}_solution PRIVATE $<$<COMPILE_LANGUAGE:C>:-Werror>)
        add_dependencies(course ${number}_solution)
        add_course_test(solution ${number}_solution)
        if(backend STREQUAL "cpu")
            add_answers(wrong ${solution})
            add_answers(right ${solution})
        endif()
    endif()
endfunction()
