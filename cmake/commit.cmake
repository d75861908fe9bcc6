# Writes HEADER, which says what commit SOURCE is at; COMMIT, unless empty, says it instead. Run at each build.
cmake_minimum_required(VERSION 3.22...3.25)

if(COMMIT STREQUAL "" AND EXISTS ${SOURCE}/.git)
    execute_process(
        COMMAND git -C ${SOURCE} describe --always --dirty --tags
        OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(COMMIT STREQUAL "")
    set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define COMMIT \"@COMMIT@\"\n" @ONLY)
