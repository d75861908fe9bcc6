/**
 * @file options.h
 * The command line: options, option files, and the files that are read. Whatever is wrong ends the program
 * with exit code 2 and one line that says what would be accepted.
 */
#pragma once

#include "result/time_series.h"

/** Room for a file name. */
enum { PATH_SIZE = 4096 };

/** Threads of a block where the user names none. */
static const Block default_block = {32, 8};

/** Sizes of grids, in the order given. */
enum { MOST_SIZES = 32, LARGEST_SIZE = 65535 };
typedef struct {
    int count, size[MOST_SIZES];
} Sizes;

/** One kind of value: how its text is read. */
typedef struct {
    int (*set)(void *target, const char *text); /**< stores the value; returns 0 if the text is not one */
    const char *accepts;                        /**< what it accepts, for people */
} Kind;

/* What each stores is in brackets. */
extern const Kind flag;             /**< takes no value [int: 1] */
extern const Kind positive_number;  /**< finite and above 0 [double] */
extern const Kind integer;          /**< 0, 1, ... [long] */
extern const Kind positive_integer; /**< 1, 2, ... [long] */
extern const Kind grid_size;        /**< W, WxH or WxHxD [Parameters: width, height, depth] */
extern const Kind size_list;        /**< N,... [Sizes] */
extern const Kind block_shape;      /**< BXxBY [Block] */
extern const Kind circle;           /**< X,Y,R; one more each time [Bodies] */
extern const Kind box;              /**< X,Y,W,H; one more each time [Bodies] */
extern const Kind cell_position;    /**< X,Y (z is -1) or X,Y,Z; one more each time [Probes] */
extern const Kind flow_name;        /**< a scenario [const Flow *] */
extern const Kind file_name;        /**< not empty, and no folder's [char[PATH_SIZE]] */

/** One option of a command. A table of options ends with a NULL name, and is where its help comes from. */
typedef struct {
    const char *name;     /**< "--size" */
    const char *argument; /**< how the help calls its value; NULL for a flag */
    const char *help;     /**< what it does, one line */
    const Kind *kind;     /**< how its value is read */
    size_t target;        /**< offset of the value in the command's settings */
} Option;

/** One of them; each file that has a table calls its settings Settings. */
#define OPTION(name, argument, kind, target, help)                                                           \
    {                                                                                                        \
        name, argument, help, &kind, offsetof(Settings, target)                                              \
    }

/** Reads a command's arguments: options, also those in option files (`@FILE`), go to `settings`, the last one
 * of each winning; all others are moved to the front of `arguments`. Returns their number. */
int parse_options(const Option *options, void *settings, int count, char **arguments);

/** Prints the help of a table of options. */
void print_options(const Option *options);

/** The flow of that name. */
const Flow *parse_flow(const char *name);

/* ---- The files that are read ---- */

/** Adds a file that is read; its name must stay where it is. */
void add_input(const char *path);

/** The name of the n-th input, from 0 on; NULL if there are fewer. */
const char *input(int n);

/** Refuses, with exit code 2, an output that would replace an input. */
void check_output(const char *path);

/** Refuses two outputs ("": none) that are one file, or that would replace an input; fails with exit code 3
 * unless they can be written. */
void check_two_outputs(const char *one, const char *other);

/** Whether two names are those of one file: by device and inode, links followed. If neither file is there
 * yet, the folder counts, and the last part of the name. */
int is_same_file(const char *a, const char *b);
