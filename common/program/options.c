#include "program/options.h"

#include "host/fail.h"
#include "output/output_file.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Kinds of values ---- */

/** Reads decimal digits up to a number of at most `max`. Returns where they end, or NULL. */
static const char *read_integer(const char *text, long max, long *number)
{
    if (!isdigit((unsigned char)*text))
        return NULL;
    for (*number = 0; isdigit((unsigned char)*text); text++) {
        const int digit = *text - '0';
        if (*number > (max - digit) / 10)
            return NULL;
        *number = 10 * *number + digit;
    }
    return text;
}

/** Reads exactly `count` numbers from 0 on, with commas between them. */
static int read_numbers(const char *text, double *number, int count)
{
    for (int n = 0; n < count; n++) {
        char *end;
        if (!isdigit((unsigned char)*text) && *text != '.') // no blanks, signs, nan or inf
            return 0;
        number[n] = strtod(text, &end);
        if (end != text + strspn(text, "0123456789.eE+-")) // nor hexadecimal
            return 0;
        if (*end != (n < count - 1 ? ',' : '\0') || !isfinite(number[n]))
            return 0;
        text = end + 1;
    }
    return 1;
}

/** Reads exactly `count` integers from 0 on, with commas between them. */
static int read_integers(const char *text, long *number, int count)
{
    for (int n = 0; n < count; n++, text++) {
        text = read_integer(text, INT_MAX, &number[n]);
        if (!text || *text != (n < count - 1 ? ',' : '\0'))
            return 0;
    }
    return 1;
}

static int set_flag(void *target, const char *text)
{
    *(int *)target = 1;
    return text == NULL;
}

static int set_positive_number(void *target, const char *text)
{
    return read_numbers(text, target, 1) && *(double *)target > 0.0;
}

static int set_integer(void *target, const char *text)
{
    const char *end = read_integer(text, LONG_MAX, target);
    return end && *end == '\0';
}

static int set_positive_integer(void *target, const char *text)
{
    return set_integer(target, text) && *(long *)target > 0;
}

static int set_grid_size(void *target, const char *text)
{
    long side[3] = {0};
    for (int n = 0; n < 3; n++) {
        text = read_integer(text, INT_MAX, &side[n]);
        if (!text || side[n] == 0)
            return 0;
        if (*text == '\0')
            break;
        if (n == 2 || *text++ != 'x')
            return 0;
    }
    Parameters *parameters = target;
    parameters->width = (int)side[0];
    parameters->height = (int)(side[1] ? side[1] : side[0]);
    parameters->depth = (int)(side[1] && !side[2] ? 1 : side[2]); // 0: that of a cube
    return 1;
}

static int set_sizes(void *target, const char *text)
{
    Sizes *sizes = target;
    for (sizes->count = 0; sizes->count < MOST_SIZES; text++) {
        long size = 0;
        text = read_integer(text, LARGEST_SIZE, &size);
        if (!text || size == 0)
            return 0;
        sizes->size[sizes->count++] = (int)size;
        if (*text != ',')
            return *text == '\0';
    }
    return 0;
}

static int set_block_shape(void *target, const char *text)
{
    long x, y;
    text = read_integer(text, INT_MAX, &x);
    text = text && *text == 'x' ? read_integer(text + 1, INT_MAX, &y) : NULL;
    if (!text || *text != '\0' || x == 0 || y == 0)
        return 0;
    *(Block *)target = (Block){(unsigned)x, (unsigned)y};
    return 1;
}

static int set_circle(void *target, const char *text)
{
    Bodies *bodies = target;
    double n[3];
    if (bodies->count == MAX_BODIES || !read_numbers(text, n, 3) || n[2] == 0.0)
        return 0;
    bodies->body[bodies->count++] = disc(n[0], n[1], n[2]);
    return 1;
}

static int set_box(void *target, const char *text)
{
    Bodies *bodies = target;
    long n[4];
    if (bodies->count == MAX_BODIES || !read_integers(text, n, 4) || n[2] == 0 || n[3] == 0)
        return 0;
    bodies->body[bodies->count++] = (Body){0, (double)n[0], (double)n[1], (double)n[2], (double)n[3], 0.0};
    return 1;
}

static int set_cell_position(void *target, const char *text)
{
    Probes *probes = target;
    long n[3] = {0, 0, -1};
    if (probes->count == MAX_PROBES || (!read_integers(text, n, 2) && !read_integers(text, n, 3)))
        return 0;
    probes->cell[probes->count++] = (Position){(int)n[0], (int)n[1], (int)n[2]};
    return 1;
}

static int set_flow_name(void *target, const char *text)
{
    *(const Flow **)target = find_flow(text);
    return find_flow(text) != NULL;
}

static int set_file_name(void *target, const char *text)
{
    const size_t length = strlen(text);
    if (length == 0 || length >= PATH_SIZE || text[length - 1] == '/') // that would be a folder
        return 0;
    memcpy(target, text, length + 1);
    return 1;
}

const Kind flag = {set_flag, "no value"};
const Kind positive_number = {set_positive_number, "a decimal number above 0"};
const Kind integer = {set_integer, "an integer from 0 on"};
const Kind positive_integer = {set_positive_integer, "an integer from 1 on"};
const Kind grid_size = {set_grid_size, "W, WxH or WxHxD, integers from 1 to 2147483647"};
const Kind size_list = {set_sizes, "up to 32 integers from 1 to 65535, as in 64,128"};
const Kind block_shape = {set_block_shape, "BXxBY, two integers from 1 on"};
const Kind circle = {set_circle, "X,Y,R, three numbers, R above 0; up to 64 circles and boxes"};
const Kind box = {set_box, "X,Y,W,H, four integers, W and H from 1 on; up to 64 circles and boxes"};
const Kind cell_position = {set_cell_position, "X,Y, in space X,Y,Z, integers from 0 on; up to 64 probes"};
const Kind flow_name = {set_flow_name, "a scenario; \"lbm list\" shows them"};
const Kind file_name = {set_file_name, "a file name of 1 to 4095 characters, the last one no /"};

/* ---- Options ---- */

/** Where an option stands: a line of a file, or the command line. */
typedef struct {
    const char *file; // NULL: the command line
    int line;
} FileLine;

NORETURN __attribute__((format(printf, 2, 3))) static void refuse(FileLine source, const char *format, ...)
{
    char message[2 * PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (source.file)
        fail(EXIT_USAGE, "%s, line %d: %s", source.file, source.line, message);
    fail(EXIT_USAGE, "%s", message);
}

static const Option *find_option(const Option *options, const char *name, FileLine source)
{
    char names[1024] = "";
    for (const Option *option = options; option->name; option++) {
        const size_t length = strlen(option->name);
        if (strcmp(option->name, name) == 0)
            return option;
        if (strncmp(option->name, name, length) == 0 && name[length] == '=')
            refuse(source, "\"%s\": a blank separates an option from its value, as in \"%s %s\"", name,
                   option->name, name + length + 1);
        append_name(names, sizeof names, option->name);
    }
    refuse(source, "unknown option \"%s\"; there %s %s", name, *names ? "are" : "is",
           *names ? names : "none but --help");
}

static void set_option(const Option *option, void *settings, const char *value, FileLine source)
{
    if (option->argument && (!value || strncmp(value, "--", 2) == 0))
        refuse(source, "%s lacks its value: it takes %s", option->name, option->kind->accepts);
    if (!option->kind->set((char *)settings + option->target, value))
        refuse(source, "%s \"%s\" makes no sense: it takes %s", option->name, value, option->kind->accepts);
}

/** Cuts comment and surrounding blanks off; returns where the text starts. */
static char *trim(char *line)
{
    for (char *c = line; *c; c++)
        if (*c == '#' && (c == line || isspace((unsigned char)c[-1]))) {
            *c = '\0';
            break;
        }
    while (isspace((unsigned char)*line))
        line++;
    for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]); end--)
        end[-1] = '\0';
    return line;
}

/** Reads one line of an option file: an option and, after blanks, its value. */
static void parse_line(const Option *options, void *settings, char *line, FileLine source)
{
    char *name = trim(line);
    if (*name == '\0')
        return;
    if (*name == '@')
        refuse(source, "\"%s\": an option file can't name another one", name);
    if (*name != '-')
        refuse(source, "\"%s\" is no option: a line takes one, such as \"--re 100\"", name);
    char *value = name;
    while (*value && !isspace((unsigned char)*value))
        value++;
    if (*value) {
        *value++ = '\0';
        while (isspace((unsigned char)*value))
            value++;
    }
    if (*value == '\'' || *value == '"')
        refuse(source, "%s %s makes no sense: a value stands here without quotes, also one with blanks", name,
               value);
    set_option(find_option(options, name, source), settings, *value ? value : NULL, source);
}

/** Reads a line of text without its end; returns 0 if there is none. */
static int read_line(FILE *file, char *line, size_t size, FileLine source)
{
    size_t length = 0;
    int c;
    while ((c = getc(file)) != EOF && c != '\n') {
        if (c == '\0' || length == size - 1)
            refuse(source, "this is no text: a line takes an option of at most %zu characters", size - 1);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    return c != EOF || length > 0;
}

static const char byte_order_mark[] = "\xEF\xBB\xBF"; // with which some editors begin a file, unseen

static void parse_file(const Option *options, void *settings, const char *path)
{
    add_input(path);
    FILE *file = fopen(path, "r");
    if (!file)
        fail(exit_code_of_error(errno), "can't read the option file \"%s\": %s", path, strerror(errno));
    FileLine source = {path, 1};
    char line[PATH_SIZE + 64];
    for (; read_line(file, line, sizeof line, source); source.line++) {
        const int marked = source.line == 1 && strncmp(line, byte_order_mark, strlen(byte_order_mark)) == 0;
        parse_line(options, settings, line + (marked ? strlen(byte_order_mark) : 0), source);
    }
    if (ferror(file))
        fail(exit_code_of_error(errno), "can't read the option file \"%s\": %s", path, strerror(errno));
    fclose(file);
}

int parse_options(const Option *options, void *settings, int count, char **arguments)
{
    const FileLine source = {NULL, 0};
    int others = 0;
    for (int n = 0; n < count; n++) {
        if (arguments[n][0] == '@') {
            parse_file(options, settings, arguments[n] + 1);
        } else if (arguments[n][0] == '-') {
            const Option *option = find_option(options, arguments[n], source);
            char *value = option->argument && n + 1 < count ? arguments[++n] : NULL;
            set_option(option, settings, value, source);
        } else {
            arguments[others++] = arguments[n];
        }
    }
    return others;
}

void print_options(const Option *options)
{
    for (const Option *option = options; option->name; option++)
        printf("  %-13s %-7s %s\n", option->name, option->argument ? option->argument : "", option->help);
}

/* ---- Names ---- */

const Flow *parse_flow(const char *name)
{
    char names[1024] = "";
    for (int n = 0; n < flow_count; n++)
        append_name(names, sizeof names, flows[n].name);
    const Flow *flow = find_flow(name);
    if (!flow)
        fail(EXIT_USAGE, "unknown scenario \"%s\"; there are %s", name, names);
    return flow;
}

/* ---- The files that are read ---- */

static const char **inputs;
static int input_count;

void add_input(const char *path)
{
    inputs = realloc(inputs, (size_t)(input_count + 1) * sizeof *inputs);
    if (!inputs)
        fail(EXIT_MACHINE, "not enough memory for the names of %d inputs", input_count + 1);
    inputs[input_count++] = path;
}

const char *input(int n)
{
    return n < input_count ? inputs[n] : NULL;
}

void check_output(const char *path)
{
    for (int n = 0; n < input_count; n++)
        if (is_same_file(path, inputs[n]))
            fail(EXIT_USAGE, "the output \"%s\" would replace \"%s\", which is read: give it another name",
                 path, inputs[n]);
}

void check_two_outputs(const char *one, const char *other)
{
    const char *const paths[] = {one, other};
    if (*one && *other && is_same_file(one, other))
        fail(EXIT_USAGE, "the outputs \"%s\" and \"%s\" are one file: give them two", one, other);
    for (int n = 0; n < 2; n++)
        if (*paths[n]) {
            check_output(paths[n]);
            check_writable(paths[n]);
        }
}

/** Looks a file up (1), or if it is not there the folder that it would be in (0); -1: there is neither. */
static int look_up(const char *path, struct stat *status)
{
    if (stat(path, status) == 0)
        return 1;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s.", (int)(last_part(path) - path), path);
    return stat(folder, status) == 0 ? 0 : -1;
}

int is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const int found = look_up(a, &of_a);
    if (look_up(b, &of_b) != found || found < 0)
        return 0;
    return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino &&
           (found || strcmp(last_part(a), last_part(b)) == 0);
}
