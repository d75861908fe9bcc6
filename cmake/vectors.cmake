# Sets vector_flags to what the stages are compiled with whose loops become vector instructions.
#   -march=native, -mcpu=native  for the processor of this machine, unless LBM_NATIVE is off
#   --param=...                  gcc puts the populations of a cell into registers only where it writes out a loop over
#                                them, and holds that of `collide` for too long, and one over 19 for too many
#   -Wno-pass-failed             clang warns of a loop that it leaves as it is, as it does under the sanitizers
# And emulator_flags to what the .cu files are compiled with where the C compiler takes them. Their steps then take half
# the time.
#   --param=max-peel-branches    else gcc does not write out a loop over `boundary`, which branches
#   -mtune=generic               tuned for a Zen 4, stage 02 takes half as much time again
include(CheckCCompilerFlag)

option(LBM_NATIVE "Compile what is to be fast on the CPU for its processor; OFF for a program that goes elsewhere" ON)

set(vector_flags "")
if(LBM_NATIVE)
    check_c_compiler_flag(-march=native has_march_native)
    if(has_march_native)
        list(APPEND vector_flags -march=native)
    else()
        list(APPEND vector_flags -mcpu=native)
    endif()
endif()
if(LBM_SANITIZE)
    list(APPEND vector_flags -O2) # at -O1 gcc fuses no operations
endif()
set(emulator_flags "")
if(NOT LBM_SANITIZE) # for which the compiler would take minutes
    list(APPEND emulator_flags ${vector_flags})
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND vector_flags --param=max-completely-peeled-insns=4000 --param=max-completely-peel-times=19)
    list(APPEND emulator_flags --param=max-completely-peeled-insns=4000)
    if(NOT LBM_SANITIZE)
        list(APPEND emulator_flags --param=max-peel-branches=200 -mtune=generic)
    endif()
else()
    list(APPEND vector_flags -Wno-pass-failed)
endif()
