# add_exercise(NAME FILE [STAGE FUNCTION...] [FLAGS ...] [NEEDS ...] [PROGRAM ...] [TRAFFIC] [STRIDES ...]): the line of
# the folder NAME in exercises/CMakeLists.txt. FILE is what the student edits; the functions named are to stay those of
# the stage, with whose flags a solver is compiled.
#   FLAGS    what FILE and its check are compiled with, if it is not what the stage is
#   NEEDS    packages that CMake finds and that have a target X::X_C, such as MPI; without them the exercise is skipped
#   PROGRAM  the solver of lbm_NAME, if it is not FILE
#   TRAFFIC  neighbouring threads must touch neighbouring addresses: if FILE is right, the check records that, too; of
#            a solver some steps, else what the folder's record.h runs
#   STRIDES  with TRAFFIC, "{size, apart}, ...,": accesses of `size` bytes each may be `apart` bytes apart
# The student has these targets; all other tests (label: course) prove that the exercise is in order.
#   NAME                              builds and checks FILE (`ctest -L exercises` does that for all exercises)
#   progress                          lists all exercises, and checks those whose FILE has changed
#   NAME_hint1 NAME_hint2 NAME_hint3  shows a hint, the weakest first
#   NAME_diff                         shows what differs between FILE and the solution
#   lbm_NAME                          if FILE is a solver: the program with it as one more stage, exercise_NAME, and
#                                     what `lbm_NAME traffic` starts

# An executable of SOURCE, which includes a version of the student's file.
function(add_version target source file)
    add_executable(${target} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${target} PRIVATE form)
    target_include_directories(${target} PRIVATE ${folder})
    target_compile_definitions(
        ${target} PRIVATE EXERCISE="${file}" STAGE=exercise_${name} STAGE_NAME="exercise_${name}")
    target_compile_options(${target} PRIVATE ${flags})
endfunction()

# Keeps what the preprocessor makes of a source of the check: the check looks there for what the student's file includes.
function(keep_preprocessed target source)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    separate_arguments(type_flags NATIVE_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
    set(preprocess ${CMAKE_C_COMPILER} ${type_flags} ${flags} -x c)
    if(source MATCHES "\\.cu$" AND backend STREQUAL "cuda")
        set(preprocess ${CMAKE_CUDA_COMPILER})
    endif()
    add_custom_command(
        TARGET ${target} POST_BUILD
        COMMAND ${preprocess} -E "-D$<JOIN:$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>,;-D>"
                "-I$<JOIN:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,;-I>" ${source} -o $<TARGET_FILE:${target}>.i
        COMMAND_EXPAND_LISTS VERBATIM)
    target_compile_definitions(${target} PRIVATE PREPROCESSED="$<TARGET_FILE:${target}>.i")
endfunction()

# Has the check of a version of the student's solver start traffic_check.c, which is linked with the recorder and with
# that version.
function(add_traffic_check target file)
    if(NOT can_record)
        target_compile_definitions(${target} PRIVATE TRAFFIC="")
        return()
    endif()
    set(facts STAGE=exercise_${name} STAGE_NAME="exercise_${name}")
    add_recorded(${target} ${file} ${facts})
    target_include_directories(recorded_${target} PRIVATE ${folder})
    set_target_properties(recorded_${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_executable(${target}_traffic EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/exercises/traffic_check.c)
    target_link_libraries(${target}_traffic PRIVATE recorder common_emulated recorded_${target})
    target_compile_definitions(${target}_traffic PRIVATE EXERCISE="${file}" ${facts} "STRIDES=${strides}")
    if(EXISTS ${folder}/record.h)
        target_compile_definitions(${target} PRIVATE RECORD)
        target_compile_definitions(${target}_traffic PRIVATE RECORD="${folder}/record.h")
    endif()
    add_dependencies(${target} ${target}_traffic)
    target_compile_definitions(${target} PRIVATE TRAFFIC="$<TARGET_FILE:${target}_traffic>")
endfunction()

# The folder's check over a version of the student's file. With MPI the check has mpirun start a second program, that of
# on_ranks.cu.
function(add_check target file)
    add_version(${target} ${check} ${file})
    if(preprocessed)
        keep_preprocessed(${target} ${check})
    endif()
    if("MPI" IN_LIST needs)
        add_version(${target}_on_ranks ${folder}/on_ranks.cu ${file})
        compile_for_backend(${folder}/on_ranks.cu)
        add_dependencies(${target} ${target}_on_ranks)
        target_compile_definitions(${target} PRIVATE ON_RANKS="$<TARGET_FILE:${target}_on_ranks>")
    endif()
    if(traffic)
        add_traffic_check(${target} ${file})
    endif()
endfunction()

# The check over a whole solver.c or solver.cu, which it does not include: what names the student chooses is then all the
# same. SHARE is how much of the speed asked for is enough.
function(add_blank_check target file share)
    set(flags "")
    if(file MATCHES "\\.c$")
        set(flags ${vector_flags})
    elseif(backend STREQUAL "cpu")
        set(flags ${emulator_flags})
    endif()
    add_version(${target} ${check} ${file})
    target_sources(${target} PRIVATE ${file})
    compile_for_backend(${file})
    if(preprocessed)
        keep_preprocessed(${target} ${file})
    endif()
    if(backend STREQUAL "cpu" AND NOT LBM_SANITIZE) # sanitizers have better fences
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/exercises/host_fence.c)
        target_link_options(${target} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
    endif()
    target_compile_definitions(${target} PRIVATE SHARE_OF_TARGET=${share})
    if(file MATCHES "\\.cu$" AND TARGET stage_02_soa)
        target_link_libraries(${target} PRIVATE stage_02_soa)
    endif()
endfunction()

# One test that proves that the exercise is in order.
function(add_course_test test)
    add_test(NAME course/${name}/${test} COMMAND ${ARGN})
    set_tests_properties(course/${name}/${test} PROPERTIES LABELS course FIXTURES_REQUIRED course TIMEOUT 300)
endfunction()

# Tests that measure a speed: never two at a time, and of the four processes that a preset runs on two cores at most one
# beside them.
function(time_apart) # TEST...
    list(TRANSFORM ARGN PREPEND course/${name}/ OUTPUT_VARIABLE tests)
    set_tests_properties(${tests} PROPERTIES PROCESSORS 3 RESOURCE_LOCK clock)
endfunction()

# An answer runs for less time than its optimization takes. A blank page is timed.
function(optimize_little target)
    if(NOT blank)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C>:-Og>)
    endif()
endfunction()

# Builds the check of an answer, of what it is expected to say. A form needs none of its own: check_NAME reads it.
function(build_answer target answer kind expects)
    if(kind STREQUAL "wrong" AND NOT expects MATCHES "sectors") # it is refused before
        set(traffic no)
    endif()
    if(NOT expects MATCHES "includes|names")
        set(preprocessed no)
    endif()
    if(blank)
        set(share 0.5)
        if(expects MATCHES "too slow") # with half the target, it might be fast enough beside other work
            set(share 1.0)
        endif()
        add_blank_check(${target} ${answer} ${share})
    else()
        add_check(${target} ${answer})
    endif()
    foreach(program IN ITEMS ${target} ${target}_on_ranks recorded_${target})
        if(TARGET ${program})
            target_compile_options(${program} PRIVATE -w)
            optimize_little(${program})
            add_dependencies(${program} ${target}_file)
        endif()
    endforeach()
    add_dependencies(course ${target})
endfunction()

# A version of the student's file that sed makes from the solution, and the test that the check's output matches
# `expects`. The test fails if sed changes nothing.
function(add_answer kind answer_name environment expects script solution)
    cmake_path(GET solution EXTENSION extension)
    set(answer ${answers}/${answer_name}${extension})
    set(target ${name}_${kind}_${answer_name})
    file(GENERATE OUTPUT ${answer}.sed CONTENT "${script}")
    add_custom_command(OUTPUT ${answer} COMMAND sed -f ${answer}.sed ${solution} > ${answer}
                       DEPENDS ${answer}.sed ${solution} VERBATIM)
    add_custom_target(${target}_file DEPENDS ${answer})
    if(form)
        add_dependencies(course ${target}_file)
        set(run $<TARGET_FILE:check_${name}> ${answer})
    else()
        build_answer(${target} ${answer} ${kind} "${expects}")
        set(run $<TARGET_FILE:${target}>)
    endif()
    set(test ${kind}/${answer_name})
    add_course_test(${test} sh -c "cmp -s \"$0\" \"$1\" && echo 'sed changes nothing' || exec \"$2\" \${3+\"$3\"}"
                    ${answer} ${solution} ${run})
    string(REPLACE ";" "\\;" expects "${expects}")
    set_tests_properties(course/${name}/${test} PROPERTIES PASS_REGULAR_EXPRESSION "${expects}"
                                                           ENVIRONMENT "${environment}")
    if(blank AND expects MATCHES "point 1[12]")
        time_apart(${test})
    endif()
    if(kind STREQUAL "right")
        set_tests_properties(course/${name}/${test} PROPERTIES FAIL_REGULAR_EXPRESSION "NOT DONE")
    endif()
endfunction()

# The answers in solution_variants.txt; exercises/TEACHERS.md explains the format. The tables that a form names are put
# beside the answers. For the CPU only, where the threads run in a known order.
function(add_answers solution)
    file(GLOB tables CONFIGURE_DEPENDS ${folder}/solution*.csv ${folder}/record.csv ${folder}/wrong/*.csv)
    file(MAKE_DIRECTORY ${answers})
    foreach(table IN LISTS tables)
        configure_file(${table} ${answers} COPYONLY)
    endforeach()
    set(variants ${folder}/solution_variants.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${variants})
    file(READ ${variants} text)
    string(REGEX REPLACE "\n#[^\n]*" "" text "\n${text}")
    while(text MATCHES "^\n*(wrong|right)/([a-z0-9_]+) ?([^\n]*)\n([^\n]+)\n(([^\n]+\n)+)(.*)$")
        set(text "${CMAKE_MATCH_7}")
        add_answer(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} "${CMAKE_MATCH_3}" "${CMAKE_MATCH_4}" "${CMAKE_MATCH_5}" ${solution})
    endwhile()
    if(text MATCHES "[^\n]+")
        message(FATAL_ERROR "${variants}: \"${CMAKE_MATCH_0}\" does not begin an entry of three lines or more")
    endif()
endfunction()

# The program with the student's solver as one more stage, which follows `stage` if that is set, and is compiled with
# `flags` and with what nvcc is told for that stage. It keeps the grid where that stage does.
function(add_student_program solver)
    set(own exercise_${name})
    set_property(GLOBAL PROPERTY SOLVER_of_${own} ${folder}/${solver})
    set_property(GLOBAL PROPERTY FOLLOWS_of_${own} ${stage})
    set_property(GLOBAL PROPERTY FLAGS_of_${own} ${flags})
    set_property(GLOBAL PROPERTY NEEDS_of_${own} ${needs})
    foreach(fact IN ITEMS NVCC_FLAGS EMULATOR_FLAGS ON_CHIP)
        get_property(told GLOBAL PROPERTY ${fact}_of_${stage})
        set_property(GLOBAL PROPERTY ${fact}_of_${own} ${told})
    endforeach()
    add_solver(${own})
    add_stage_table(stages_${name} ${own})
    add_executable(lbm_${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:program>)
    target_link_libraries(lbm_${name} PRIVATE stages_${name} traffic_elsewhere)
    set_target_properties(lbm_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    if(can_record)
        add_traffic_program(lbm_${name} ${own})
    endif()
    foreach(target IN ITEMS stage_${own} stages_${name} lbm_${name}_traffic recorded_${own})
        if(TARGET ${target})
            set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
    endforeach()
endfunction()

# Sets folder, answers (where those are built) and check in the caller, and what the functions above look at.
macro(begin_exercise)
    get_property(listed GLOBAL PROPERTY exercises)
    if(name IN_LIST listed)
        message(FATAL_ERROR "${name}: a second line in exercises/CMakeLists.txt; a folder holds one exercise")
    endif()
    set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    set(answers ${CMAKE_CURRENT_BINARY_DIR}/${name})
    file(GLOB check ${folder}/check.c ${folder}/check.cu)
    if(NOT check)
        message(FATAL_ERROR "exercises/${name}, in the list in exercises/CMakeLists.txt, has no check.c or check.cu")
    endif()
    compile_for_backend(${check})
    set(preprocessed yes)
    set(form no)
    set(blank no)
    set_property(GLOBAL APPEND PROPERTY exercises ${name})
endmacro()

# What shows a hint, and the difference between FILE and SOLUTION, which the folder need not have.
function(add_help file solution)
    foreach(hint IN ITEMS 1 2 3)
        add_custom_target(
            ${name}_hint${hint} COMMAND sed -n "/^## ${hint}/,/^## [^${hint}]/{/^##/d;p}" ${folder}/hint.md VERBATIM)
    endforeach()
    add_custom_target(
        ${name}_diff COMMAND sh -c "test ! -e $1 && echo 'There is no solution here' || diff -uN $0 $1 || true"
                             ${file} ${solution}
        WORKING_DIRECTORY ${folder} VERBATIM)
endfunction()

# The student's check as a target.
function(add_check_target)
    add_dependencies(starters check_${name})
    add_custom_target(${name} COMMAND sh ${PROJECT_SOURCE_DIR}/exercises/check.sh $<TARGET_FILE:check_${name}>
                      USES_TERMINAL VERBATIM)
    add_dependencies(${name} check_${name})
endfunction()

# A line of exercises.tsv, the table that progress.sh reads: the name, the student's file or "-", why it is left out.
function(list_exercise file reason)
    set_property(GLOBAL APPEND_STRING PROPERTY exercise_table "${name}\t${file}\t${reason}\n")
endfunction()

# The student's check as a test, and one that what is handed out does not pass it, but says EXPECTS.
function(add_exercise_tests expects)
    set(build ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${name})
    add_test(NAME exercises/${name} COMMAND ${build})
    set_tests_properties(exercises/${name} PROPERTIES LABELS exercises RESOURCE_LOCK build TIMEOUT 300
                                                      FAIL_REGULAR_EXPRESSION "NOT DONE")
    add_course_test(starter ${build})
    set_tests_properties(course/${name}/starter PROPERTIES
        RESOURCE_LOCK build PASS_REGULAR_EXPRESSION "${expects}"
        FAIL_REGULAR_EXPRESSION "[Ww]arning;it crashed;\\*\\*\\*;ninja: build stopped")
endfunction()

# The tests of a solution and of what is made of it.
function(add_solution solution)
    if(form)
        add_course_test(solution check_${name} ${solution})
    else()
        if(blank)
            add_blank_check(${name}_solution ${solution} 0.5)
        else()
            add_check(${name}_solution ${solution})
        endif()
        target_compile_options(${name}_solution PRIVATE $<$<COMPILE_LANGUAGE:C>:-Werror>)
        optimize_little(${name}_solution)
        add_dependencies(course ${name}_solution)
        if(NOT IS_SYMLINK ${solution})
            add_dependencies(own_solutions ${name}_solution)
        endif()
        add_course_test(solution ${name}_solution)
    endif()
    if(backend STREQUAL "cpu" AND EXISTS ${folder}/solution_variants.txt)
        add_answers(${solution})
    endif()
endfunction()

# Says instead of a check that a package is not there.
function(skip_exercise package)
    set(line "Exercise ${name} is left out: it needs ${package}, which was not found")
    message(STATUS "${line}")
    list_exercise(${file} "needs ${package}, which was not found")
    add_custom_target(${name} COMMAND ${CMAKE_COMMAND} -E echo "${line}" VERBATIM)
    add_test(NAME exercises/${name} COMMAND sh -c "echo '${line}'; exit 77")
    set_tests_properties(exercises/${name} PROPERTIES LABELS exercises SKIP_RETURN_CODE 77)
endfunction()

function(add_exercise name file)
    cmake_parse_arguments(PARSE_ARGV 2 exercise "TRAFFIC" "STRIDES;PROGRAM" "FLAGS;NEEDS")
    set(functions ${exercise_UNPARSED_ARGUMENTS})
    set(traffic ${exercise_TRAFFIC})
    set(strides ${exercise_STRIDES})
    list(POP_FRONT functions stage)
    set(flags ${exercise_FLAGS})
    if(NOT flags)
        get_property(flags GLOBAL PROPERTY FLAGS_of_${stage})
    endif()
    set(needs ${exercise_NEEDS})
    get_property(stages GLOBAL PROPERTY stage_names)
    list(REMOVE_ITEM exercise_KEYWORDS_MISSING_VALUES FLAGS) # of two_cells there are none with the sanitizers
    if(exercise_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${name}: ${exercise_KEYWORDS_MISSING_VALUES} lacks its value; it takes one")
    elseif(stage AND NOT stage IN_LIST stages)
        message(FATAL_ERROR "${name}: \"${stage}\" is no stage; behind the file stand a stage and functions of it, or "
                            "TRAFFIC, STRIDES, PROGRAM, FLAGS and NEEDS")
    elseif(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/${file})
        message(FATAL_ERROR "${name}: there is no exercises/${name}/${file}, the file that a student edits")
    endif()
    begin_exercise()
    cmake_path(GET file EXTENSION extension)
    if(extension STREQUAL ".txt")
        set(form yes)
        set(preprocessed no)
    endif()
    set(solution ${folder}/solution${extension})
    add_help(${file} solution${extension})
    add_course_test(text sh ${PROJECT_SOURCE_DIR}/exercises/in_order.sh ${folder} ${file} ${stage} ${functions})
    foreach(package IN LISTS needs)
        look_for(${package} found)
        if(NOT found)
            skip_exercise(${package})
            return()
        endif()
    endforeach()

    add_check(check_${name} ${folder}/${file})
    add_check_target()
    list_exercise(${file} "")
    if(file MATCHES "^solver\\.")
        set(exercise_PROGRAM ${file})
    endif()
    if(exercise_PROGRAM)
        add_student_program(${exercise_PROGRAM})
    endif()
    add_exercise_tests("NOT DONE: see TODO\\(1\\)")
    file(GLOB found CONFIGURE_DEPENDS ${folder}/solution.*)
    if(found AND EXISTS ${solution}) # a link may lead nowhere
        add_solution(${solution})
    endif()
endfunction()

# What passes without being the solution: a stage that is as fast as itself, and one whose terms are in another order.
# And the solution with the whole target, when nothing else runs: other work on the same cores would slow down one of
# the solvers.
function(add_stages_as_answers)
    foreach(stage IN ITEMS 02_soa 12_cpu_pairs)
        if(TARGET stage_${stage})
            get_property(solver GLOBAL PROPERTY SOLVER_of_${stage})
            add_blank_check(${name}_${stage} ${solver} 0.5)
            add_dependencies(course ${name}_${stage})
            add_course_test(${stage} ${name}_${stage})
            time_apart(${stage})
        endif()
    endforeach()
    if(EXISTS ${folder}/solution.c AND NOT LBM_SANITIZE)
        add_blank_check(${name}_target ${folder}/solution.c 1.0)
        add_test(NAME slow/${name}/target COMMAND sh -c
            "'${CMAKE_COMMAND}' --build '${CMAKE_BINARY_DIR}' --target ${name}_target && $<TARGET_FILE:${name}_target>")
        set_tests_properties(slow/${name}/target PROPERTIES LABELS slow RUN_SERIAL ON TIMEOUT 600)
    endif()
endfunction()

# add_blank_exercise(NAME): the same where the student creates the file, solver.c or solver.cu. The tests of the solution
# ask for half the speed, as their cores have other work to do.
function(add_blank_exercise name)
    begin_exercise()
    set(blank ON)
    add_help(solver.c solution.c)
    add_course_test(text sh ${PROJECT_SOURCE_DIR}/exercises/in_order.sh ${folder})
    file(GLOB solver RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/solver.c ${folder}/solver.cu)
    list(LENGTH solver count)
    if(count EQUAL 1)
        add_blank_check(check_${name} ${folder}/${solver} 1.0)
        add_check_target()
        list_exercise(${solver} "")
        if(solver MATCHES "\\.c$")
            set(flags ${vector_flags})
        endif()
        add_student_program(${solver})
    else()
        set(line "NOT DONE: there is no solver yet: create ${folder}/solver.c (for the CPU) or solver.cu (for a GPU), see README.md there")
        if(count GREATER 1)
            set(line "NOT DONE: ${folder} holds both solver.c and solver.cu: it takes one of them, remove the other")
            list_exercise(- "holds both solver.c and solver.cu: it takes one of them, remove the other")
        else()
            list_exercise(- "")
        endif()
        add_custom_target(${name} COMMAND ${CMAKE_COMMAND} -E echo "${line}" VERBATIM)
        add_custom_target(
            lbm_${name} COMMAND ${CMAKE_COMMAND} -E echo "${line}" COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
    endif()
    add_exercise_tests("NOT DONE: there is no solver yet: create .*${name}/solver\\.c \\(for the CPU\\) or solver\\.cu")
    file(GLOB solution CONFIGURE_DEPENDS ${folder}/solution.c)
    if(solution)
        add_solution(${solution})
        time_apart(solution)
    endif()
    add_stages_as_answers()
endfunction()

# Refuses a folder that no line of the list names, and writes exercises.tsv.
function(expect_all_listed)
    get_property(listed GLOBAL PROPERTY exercises)
    file(GLOB readmes RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS */README.md)
    foreach(readme IN LISTS readmes)
        cmake_path(GET readme PARENT_PATH name)
        if(NOT name IN_LIST listed)
            message(FATAL_ERROR "exercises/${name} is not in the list in exercises/CMakeLists.txt; it takes a line "
                                "add_exercise(${name} FILE)")
        endif()
    endforeach()
    get_property(table GLOBAL PROPERTY exercise_table)
    file(WRITE ${CMAKE_BINARY_DIR}/exercises.tsv "${table}")
endfunction()
