# The recorder of memory transactions (common/traffic): solvers compiled once more, as C for the emulator, by gcc, which
# calls a function before each load and store for -fsanitize=thread, whose library is not linked. Where another compiler
# builds the rest, gcc does this: clang makes such calls, too, but splits the load of a float2, for one.
# Its flags:
#   -O1                 no two accesses are merged, nor one made twice
#   -fno-reorder-blocks the code is in the order of the source
#   -fno-tree-sra       gcc loads a float2 at once, and not its halves
#   -fno-var-tracking   lines are enough: where variables are would take gcc more time than all else
#   -gdwarf-4           of DWARF 5, addr2line 2.40 takes the wrong file
#   -fno-lto            the calls come from the compiler, and not from the linker's second compilation
#   -U_FORTIFY_SOURCE   some compilers define it by themselves, and string.h then defines memcpy
set(record_flags -O1 -g1 -gdwarf-4 -fno-tree-vectorize -fno-reorder-blocks -fno-tree-sra -fno-var-tracking -fno-lto
    -U_FORTIFY_SOURCE -Wno-psabi -fsanitize=thread)

set(recording_compiler ${CMAKE_C_COMPILER})
if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
    find_program(GCC gcc)
    set(recording_compiler ${GCC})
endif()
if(NOT DEFINED can_record) # -Dcan_record=OFF leaves the recorder out
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(given "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
    separate_arguments(given_flags NATIVE_COMMAND "${given}")
    execute_process( # clang does not know -fno-tree-sra
        COMMAND ${recording_compiler} ${given_flags} ${record_flags} -x c -c /dev/null -o /dev/null
        RESULT_VARIABLE fault OUTPUT_QUIET ERROR_QUIET)
    string(COMPARE EQUAL "${fault}" 0 can_record)
    if(NOT can_record)
        message(STATUS "lbm traffic is off: it takes gcc, also beside another compiler (Debian: apt install gcc), and "
                       "flags that gcc takes with -fsanitize=thread; they are \"${given}\"")
    endif()
endif()

# Sets `result` to a C file that includes a .cu file: the C compiler takes it also where nvcc takes the other.
function(wrap_for_emulator file result)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    string(SHA1 hash ${file})
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/emulated_${hash}.c)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${file}\"\n")
    set(${result} ${wrapper} PARENT_SCOPE)
endfunction()

# The object library recorded_NAME out of a .cu file, with code that makes the accesses that nvcc's would. It takes no
# sanitizer from `options`.
function(add_recorded name file) # [DEFINITION...]
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(GET file PARENT_PATH folder)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/recorded_${name}.c)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/recorder.sed)
    add_custom_command(OUTPUT ${source} DEPENDS ${file} ${script} VERBATIM
        COMMAND sed -E -e "1s|^|#line 1 \"${file}\"\\n|" -f ${script} ${file} > ${source})
    add_library(recorded_${name} OBJECT ${source})
    target_include_directories(recorded_${name} PRIVATE ${PROJECT_SOURCE_DIR}/common ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    target_compile_features(recorded_${name} PRIVATE c_std_17)
    target_compile_definitions(recorded_${name} PRIVATE
        REAL=float RECORD_ACCESSES LANES=32 memcpy=recorded_memcpy memmove=recorded_memmove memset=recorded_memset
        ${ARGN})
    target_compile_options(recorded_${name} PRIVATE ${record_flags})
    set_target_properties(recorded_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU") # what stands before the compiler runs gcc in its place
        set_target_properties(recorded_${name} PROPERTIES
            C_COMPILER_LAUNCHER "sh;${CMAKE_CURRENT_FUNCTION_LIST_DIR}/in_place_of.sh;${recording_compiler}")
    endif()
endfunction()

# The same out of a stage's solver.
function(add_recorded_solver name)
    get_stage(${name})
    add_recorded(${name} ${SOLVER} STAGE=stage_${name} STAGE_NAME="${name}")
    target_compile_options(recorded_${name} BEFORE PRIVATE ${FLAGS})
    list(TRANSFORM NEEDS REPLACE "(.+)" "\\1::\\1_C")
    target_link_libraries(recorded_${name} PRIVATE ${NEEDS})
endfunction()

# The program PROGRAM_traffic, built with PROGRAM: the objects of lbm with the recorder, the stages that are built, and
# further ones.
function(add_traffic_program program)
    get_property(names GLOBAL PROPERTY built_stages)
    list(APPEND names ${ARGN})
    write_stage_table(${CMAKE_CURRENT_BINARY_DIR}/${program}_recorded_table.c ${names})
    add_executable(${program}_traffic $<TARGET_OBJECTS:program> ${CMAKE_CURRENT_BINARY_DIR}/${program}_recorded_table.c
        ${PROJECT_SOURCE_DIR}/common/stage/stages.c)
    target_link_libraries(${program}_traffic PRIVATE recorder common_emulated)
    foreach(name IN LISTS names)
        get_stage(${name})
        if(SOLVER MATCHES "\\.cu$")
            if(NOT TARGET recorded_${name})
                add_recorded_solver(${name})
            endif()
            target_link_libraries(${program}_traffic PRIVATE recorded_${name})
        else()
            target_sources(${program}_traffic PRIVATE $<TARGET_OBJECTS:stage_${name}>)
        endif()
    endforeach()
    set_target_properties(${program}_traffic PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    add_dependencies(${program} ${program}_traffic)
endfunction()
