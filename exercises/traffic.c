#include "traffic.h"

#include "check_exercise.h"

#include <sys/wait.h>
#include <unistd.h>

void expect_neighbours(void)
{
    char look_at[512];
    if (!traffic_check)
        return;
    if (!*traffic_check) {
        printf("Not checked: the memory traffic, for which the build needs gcc\n");
        return;
    }
    if (exercise_stage) {
        const char *name = exercise_stage + strlen("exercise_");
        snprintf(look_at, sizeof look_at,
                 "neighbouring threads of a warp must touch neighbouring addresses. All lines: cmake --build "
                 "build --target lbm_%s, then build/lbm_%s traffic %s --lines",
                 name, name, exercise_stage);
        part("that line", look_at);
    } else
        part("the loads",
             "neighbouring threads of a warp must touch neighbouring addresses, and each number is to be "
             "loaded once");
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execl(traffic_check, traffic_check, (char *)NULL);
        _exit(EXIT_MACHINE);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail(EXIT_MACHINE, "can't start a process");
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_CHECK)
        _exit(EXIT_CHECK); // the program has said why
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_GOOD)
        wrong("%s, which records the memory traffic, failed", traffic_check);
}
