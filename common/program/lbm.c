/**
 * @file lbm.c
 * The program: finds the command and gives it its arguments.
 */
#include "commit.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "host/subnormal.h"
#include "program/commands.h"
#include "ranks/ranks.h"
#include "speed/power_on_ranks.h"
#include "stage/stages.h"
#include "stage/unsupported.h"
#include "studies/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option no_options[] = {{0}};

/* ---- list ---- */

static void print_flow(const Flow *flow)
{
    Scenario s = create_scenario(flow, (Parameters){0});
    char size[SIZE_TEXT];
    printf("  %-16s %9s %8.4g %8.4g %6.4g  %s\n", flow->name, describe_size(&s, size), s.re, s.tau, s.u,
           flow->about);
    destroy_scenario(&s);
}

static int list(int count, char **arguments)
{
    if (parse_options(no_options, NULL, count, arguments) > 0)
        fail(EXIT_USAGE, "list takes no arguments, \"%s\" was given", arguments[0]);
    printf("  %-16s %4s %12s %10s  %s\n", "STAGE", "for", "bytes/update", "bytes/cell", "what it adds");
    for (int n = 0; n < stage_count; n++)
        printf("  %-16s %4s %12g %10g  %s\n", stages[n]->name, stage_info[n].on_gpu ? "GPU" : "CPU",
               stages[n]->bytes_per_update, stages[n]->bytes_per_cell, stages[n]->summary);
    printf("\n  %-16s %9s %8s %8s %6s  %s\n", "SCENARIO", "size", "Re", "tau", "u", "what flows");
    for (int n = 0; n < flow_count; n++)
        print_flow(&flows[n]);
    return EXIT_GOOD;
}

static const Command list_command = {"list",     "", "shows the stages and the scenarios there are",
                                     no_options, "", list};

/* ---- validate ---- */

static int validate_stages(int count, char **arguments)
{
    count = parse_options(no_options, NULL, count, arguments);
    const Stage **named = allocate((size_t)count * sizeof *named);
    for (int n = 0; n < count; n++)
        named[n] = parse_stage(arguments[n]);
    int refused = 0;
    while (refused < count && device_reason(named[refused]))
        refused++;
    if (count > 0 && refused == count)
        fail(EXIT_USAGE, "nothing is checked, as this device can't run %s: %s", named[0]->name,
             device_reason(named[0]));
    const int failures = validate(count ? named : stages, count ? count : stage_count,
                                  find_stage("12_cpu_pairs"), default_block);
    free(named);
    if (failures > 0)
        fail(EXIT_CHECK, "%d checks failed", failures);
    return EXIT_GOOD;
}

static const Command validate_command = {
    "validate",
    "[STAGE ...]",
    "checks stages against what is known of the flows",
    no_options,
    "\nWithout a name it takes all stages, some five seconds each on a CPU core; without a GPU it uses all\n"
    "cores. The exit code is 1 if a check fails. An error is relative, or of velocities over the flow's\n"
    "speed; lift is a coefficient. A flow that gets steady runs until so many steps change it by less than\n"
    "the bound; the larger cavities begin with the steady state of 12_cpu_pairs, and waves that must\n"
    "decay. The order of convergence is that from the size before; above 2 the difference is negative, and\n"
    "good.\n",
    validate_stages,
};

/* ---- all of them ---- */

static const Command *const commands[] = {
    &list_command,  &run_command,  &validate_command, &converge_command,
    &bench_command, &tune_command, &traffic_command,  &units_command,
};
static const int command_count = sizeof commands / sizeof *commands;

static int help(void)
{
    printf("lbm: flows on a lattice, solved in the stages of a course on GPU performance\n\n");
    for (int n = 0; n < command_count; n++)
        printf("  lbm %-8s %-33s %s\n", commands[n]->name, commands[n]->arguments, commands[n]->about);
    printf("  lbm COMMAND --help\n"
           "  lbm --version\n\n"
           "Exit codes: 0 all is well; 1 a check failed, or the flow diverged; 2 bad usage or input;\n"
           "3 the machine failed (no device, out of memory, a file that can't be written);\n"
           "128 + N ended by signal N (Ctrl-C: 130).\n");
    return EXIT_GOOD;
}

static int help_on(const Command *command)
{
    printf("lbm %s%s%s\n  %s\n", command->name, *command->arguments ? " " : "", command->arguments,
           command->about);
    if (command->options->name)
        printf("\n");
    print_options(command->options);
    printf("%s", command->notes);
    return EXIT_GOOD;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2)
        fail(EXIT_USAGE, "a command is missing; \"lbm --help\" says which there are");
    if (strcmp(argv[1], "--help") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("lbm %s, commit %s\n", VERSION, COMMIT);
        return EXIT_GOOD;
    }
    for (int n = 0; n < command_count; n++) {
        if (strcmp(commands[n]->name, argv[1]) != 0)
            continue;
        for (int i = 2; i < argc; i++)
            if (strcmp(argv[i], "--help") == 0)
                return help_on(commands[n]);
        return commands[n]->run(argc - 2, argv + 2);
    }
    if (strcmp(argv[1], "sweep") == 0)
        fail(EXIT_USAGE, "the command sweep is called tune now: lbm tune STAGE");
    fail(EXIT_USAGE, "unknown command \"%s\"; \"lbm --help\" says which there are", argv[1]);
}

int main(int argc, char **argv)
{
    flush_subnormals(1);
    catch_signals();
    set_task(measure_power);
    begin_ranks(stages, stage_count);
    const int exit_code = dispatch(argc, argv);
    if (exit_code == EXIT_GOOD)
        check_standard_output();
    return exit_code;
}
