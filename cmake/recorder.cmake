# The recorder of memory transactions (common/traffic): solvers compiled once more, as C for the emulator, by a compiler
# that calls a function before each load and store. gcc and clang do, for -fsanitize=thread, whose library is not linked.
include(CheckCCompilerFlag)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
check_c_compiler_flag(-fsanitize=thread can_record)
unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
if(NOT can_record)
    message(STATUS "lbm traffic is off: it takes a C compiler with -fsanitize=thread (gcc and clang have it)")
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
#   -O1                 no two accesses are merged, nor one made twice
#   -fno-reorder-blocks the code is in the order of the source
#   -fno-tree-sra       gcc loads a float2 at once, and not its halves
#   -fno-var-tracking   lines are enough: where variables are would take gcc more time than all else
#   -fno-builtin        clang makes no memcpy of a loop over populations
#   -gdwarf-4           of DWARF 5, addr2line 2.40 takes the wrong file
#   -U_FORTIFY_SOURCE   some compilers define it by themselves, and string.h then defines memcpy
set(record_flags -O1 -g1 -gdwarf-4 -fno-tree-vectorize -U_FORTIFY_SOURCE -Wno-psabi -fsanitize=thread)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND record_flags -fno-reorder-blocks -fno-tree-sra -fno-var-tracking)
else()
    list(APPEND record_flags -fno-builtin)
endif()
function(add_recorded name file) # [DEFINITION...]
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(GET file PARENT_PATH folder)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/recorded_${name}.c)
    # `*here = (Four){...}` is stored field by field by gcc, in one access by nvcc. gcc copies `*&(Four){...}` as a whole.
    add_custom_command(OUTPUT ${source} DEPENDS ${file} VERBATIM COMMAND sed -E
        -e "1s|^|#line 1 \"${file}\"\\n|" -e "/static|const/!s/= *(\\((struct )?[A-Za-z_0-9]+\\) *\\{)/= *\\&\\1/" ${file} > ${source})
    add_library(recorded_${name} OBJECT ${source})
    target_include_directories(recorded_${name} PRIVATE ${PROJECT_SOURCE_DIR}/common ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    target_compile_features(recorded_${name} PRIVATE c_std_17)
    target_compile_definitions(recorded_${name} PRIVATE
        REAL=float RECORD_ACCESSES LANES=32 memcpy=recorded_memcpy memmove=recorded_memmove memset=recorded_memset
        ${ARGN})
    target_compile_options(recorded_${name} PRIVATE ${record_flags})
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
