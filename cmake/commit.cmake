# Writes HEADER, which says what commit SOURCE is at; COMMIT, unless empty, says it instead. Run at each build.
cmake_minimum_required(VERSION 3.22...3.25)

if(COMMIT STREQUAL "" AND EXISTS ${SOURCE}/.git)
    execute_process( # safe.directory: the folder may be somebody else's, as in containers
        COMMAND git -c safe.directory=* -C ${SOURCE} describe --always --dirty --tags RESULT_VARIABLE failed
        OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE said)
    if(NOT failed STREQUAL "0")
        string(REGEX MATCH "[^\n]+" said "${said}${failed}")
        message("The commit is not known, which reference tables must name (git: ${said}): -DLBM_COMMIT=... names it")
    endif()
endif()
if(COMMIT STREQUAL "")
    set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define COMMIT \"@COMMIT@\"\n" @ONLY)
