#include "output/checkpoint.h"

#include "check.h"
#include "host/allocate.h"
#include "output/checksum.h"
#include "output/vtk.h"
#include "refused.h"

#include <setjmp.h>

/* Stored files: `lbm run 00_cpu_aos bodies --size 6x5 --tau 0.8 --u 0.05 --box 2,2,2,1 --steps 7 --checkpoint
 * F` of the first version that had the format. Their checksums are written here too. */
static const char first_format[] = DATA "/checkpoint_format_1.vti",
                  second_format[] = DATA "/checkpoint_format_2.vti",
                  format[] = DATA "/checkpoint_format_3.vti";
static const uint64_t of_populations = 0x3e863ee2c99a19cd, of_all = 0xf5909585e99d5244;
enum { STEP = 7, LAST_LINE_SIZE = 62 };

static Scenario s;
static Snapshot r;

static void open_flow(void)
{
    Parameters parameters = {.width = 6, .height = 5, .tau = 0.8, .u = 0.05};
    parameters.bodies.body[parameters.bodies.count++] = (Body){0, 2.0, 2.0, 2.0, 1.0, 0.0};
    s = create_scenario(find_flow("bodies"), parameters);
    r = create_snapshot(&s);
}

static void close_flow(void)
{
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

static char bytes[1 << 13];
static size_t size;

/** Reads a stored file. */
static void load(const char *path)
{
    FILE *file = fopen(path, "rb");
    size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    EXPECT(size > 3000 && size < sizeof bytes);
}

static char copy[] = "checkpoint.XXXXXX";

static void create_copy(void)
{
    strcpy(copy, "checkpoint.XXXXXX");
    close(mkstemp(copy));
}

static void write_copy(size_t length)
{
    FILE *file = fopen(copy, "wb");
    fwrite(bytes, 1, length, file);
    fclose(file);
}

static void read_copy(void)
{
    read_checkpoint(copy, &s, r.f);
}

/** Where the arrays of a file begin. */
static size_t head_size(void)
{
    const char *mark = strstr(bytes, "raw\">\n_");
    return mark ? (size_t)(mark - bytes) + strlen("raw\">\n_") : 0;
}

/** From the authors' page of test vectors. */
TEST(checksums_are_those_of_fnv_1a)
{
    EXPECT(add_to_checksum(empty_checksum, "", 0) == 0xcbf29ce484222325);
    EXPECT(add_to_checksum(empty_checksum, "a", 1) == 0xaf63dc4c8601ec8c);
    EXPECT(add_to_checksum(empty_checksum, "foobar", 6) == 0x85944171f73967e8);
    EXPECT(add_to_checksum(add_to_checksum(empty_checksum, "foo", 3), "bar", 3) == 0x85944171f73967e8);
}

/** Computed by ten lines in another language. */
TEST(checksums_in_lanes_are_what_they_were)
{
    unsigned char data[200];
    Checksum none = begin_checksum(), one = begin_checksum(), all = begin_checksum(),
             parts = begin_checksum();
    for (int n = 0; n < 200; n++)
        data[n] = (unsigned char)n;
    extend_checksum(&one, "a", 1);
    extend_checksum(&all, data, sizeof data);
    for (size_t first = 0, count = 1; first < sizeof data; first += count, count = 1 + (count * 7 + 3) % 90)
        extend_checksum(&parts, data + first, count < sizeof data - first ? count : sizeof data - first);
    EXPECT(value_of_checksum(&none) == 0xd75398d60947a1d4);
    EXPECT(value_of_checksum(&one) == 0x1ac831314038ed7b);
    EXPECT(value_of_checksum(&all) == 0x80b6c583647c6a77);
    EXPECT(value_of_checksum(&parts) == value_of_checksum(&all));
}

TEST(stored_files_of_all_formats_are_read)
{
    const size_t count = 9 * 30;
    open_flow();
    Real *f = allocate(count * sizeof *f);
    EXPECT(read_checkpoint(first_format, &s, f) == STEP);
    EXPECT(add_to_checksum(empty_checksum, f, count * sizeof *f) == of_populations);
    EXPECT(read_checkpoint(second_format, &s, r.f) == STEP);
    EXPECT(memcmp(f, r.f, count * sizeof *f) == 0);
    EXPECT(read_checkpoint(format, &s, r.f) == STEP);
    EXPECT(memcmp(f, r.f, count * sizeof *f) == 0);
    load(first_format);
    EXPECT(strstr(bytes, "format 1: ") && strstr(bytes, "; populations 3e863ee2c99a19cd -->\n"));
    load(second_format);
    EXPECT(add_to_checksum(empty_checksum, bytes, size - LAST_LINE_SIZE) == of_all);
    EXPECT(strcmp(bytes + size - LAST_LINE_SIZE,
                  "<!-- FNV-1a checksum of all bytes above: f5909585e99d5244 -->\n") == 0);
    free(f);
    close_flow();
}

static void read_with_another_cell(void)
{
    s.type[(2 * 4 + 1) * 3 + 2] = BODY;
    read_copy();
}

static void give(const void *source, size_t first, size_t count, Real *f)
{
    const size_t directions = (size_t)directions_of(&s);
    memcpy(f, (const Real *)source + directions * first, directions * count * sizeof *f);
}

/** The cell is named with its z; the file itself is read to the bit. */
TEST(types_in_space_are_compared)
{
    s = create_scenario(find_flow("duct"), (Parameters){.width = 3, .height = 4, .depth = 5});
    r = initial_snapshot(&s);
    Real *f = allocate(population_count(&s) * sizeof *f);
    create_copy();
    r.step = 3;
    write_checkpoint(copy, &r, give, r.f);
    EXPECT(read_checkpoint(copy, &s, f) == 3);
    EXPECT(memcmp(f, r.f, population_count(&s) * sizeof *f) == 0);
    EXPECT(refuses(read_with_another_cell, "its cell 2,1,2 is of type 0, and that of this run of type 6"));
    remove(copy);
    free(f);
    close_flow();
}

TEST(populations_are_written_some_at_a_time)
{
    s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 1100, .height = 1000});
    r = initial_snapshot(&s);
    Real *f = allocate(population_count(&s) * sizeof *f);
    create_copy();
    write_checkpoint(copy, &r, give, r.f);
    EXPECT(read_checkpoint(copy, &s, f) == 0);
    EXPECT(memcmp(f, r.f, population_count(&s) * sizeof *f) == 0);
    remove(copy);
    free(f);
    close_flow();
}

/** All that no other compiler's rounding touches: head, types, populations, and what is behind the arrays. */
TEST(a_file_is_written_as_the_stored_one_is)
{
    static char stored[sizeof bytes];
    open_flow();
    r.step = read_checkpoint(format, &s, r.f);
    find_moments(&r);
    create_copy();
    write_checkpoint(copy, &r, give, r.f);
    load(format);
    memcpy(stored, bytes, size);
    const size_t stored_size = size, head = head_size(), types = head + vtk_field_bytes(&s) - 30;
    load(copy);
    EXPECT(size == stored_size && head > 0);
    EXPECT(memcmp(bytes, stored, head) == 0);
    EXPECT(memcmp(bytes + types, stored + types, size - LAST_LINE_SIZE - types) == 0);
    EXPECT(memcmp(bytes + size - LAST_LINE_SIZE, stored + size - LAST_LINE_SIZE, 41) == 0);
    EXPECT(read_checkpoint(copy, &s, r.f) == STEP);
    remove(copy);
    close_flow();
}

/** Changes a byte, one bit or all of them, and puts the copy there; the byte is as it was again. */
static void write_damaged(size_t at)
{
    const char was = bytes[at];
    bytes[at] ^= (char)(at % 9 < 8 ? 1 << at % 9 : 0xff);
    write_copy(size);
    bytes[at] = was;
}

static jmp_buf refused;

static int leave_fail(int exit_code)
{
    longjmp(refused, exit_code);
}

/** Returns how many bytes of a range can be changed without a refusal. In a process of its own. */
static int count_accepted(size_t from, size_t to)
{
    static volatile size_t at;
    static volatile int accepted;
    fail_together(leave_fail);
    for (at = from; at < to; at++) {
        write_damaged(at);
        const int exit_code = setjmp(refused);
        if (exit_code == 0)
            read_copy();
        if (exit_code != EXIT_USAGE) {
            printf("byte %zu: exit code %d\n", at, exit_code);
            accepted++;
        }
    }
    fflush(stdout);
    return accepted;
}

/** Whether a change of any byte of a range is refused, and the first with this reason. */
static int is_guarded(size_t from, size_t to, const char *reason)
{
    enum { BYTES = 200 }; // in a process: each refusal leaves a file open
    int guarded = 1;
    for (size_t first = from; first < to; first += BYTES) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            _exit(count_accepted(first, to - first < BYTES ? to : first + BYTES) != 0);
        int status = -1;
        waitpid(child, &status, 0);
        guarded &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    write_damaged(from);
    return guarded && refuses(read_copy, reason);
}

TEST(a_change_of_any_byte_is_found)
{
    open_flow();
    create_copy();
    load(format);
    const size_t name = strlen("<?xml version=\"1.0\"?>\n<!-- lbm-stages checkpoint, format 3: ");
    EXPECT(is_guarded(0, name, "it is no checkpoint"));
    EXPECT(is_guarded(name, size, "it is damaged, or not all of it is there: "));
    write_copy(size);
    EXPECT(read_checkpoint(copy, &s, r.f) == STEP);
    remove(copy);
    close_flow();
}

/** In the first format: of head, types and populations. */
TEST(a_change_in_the_first_format_is_found)
{
    open_flow();
    create_copy();
    load(first_format);
    const size_t head = head_size(), types = head + vtk_field_bytes(&s) - 30,
                 populations = types + 30 + sizeof(uint64_t);
    EXPECT(is_guarded(0, head, "it is no checkpoint"));
    EXPECT(is_guarded(types, types + 30, "its cell "));
    EXPECT(is_guarded(populations, populations + 9 * 30 * sizeof(Real), "its populations are damaged: "));
    remove(copy);
    close_flow();
}

TEST(a_file_that_ends_early_is_refused)
{
    open_flow();
    create_copy();
    load(format);
    for (size_t length = 0; length < size; length += 11) {
        write_copy(length);
        EXPECT(refuses(read_copy, length < 58 ? "it is no checkpoint" : "not all of it is there"));
    }
    write_copy(size - 1);
    EXPECT(refuses(read_copy, "not all of it is there"));
    bytes[size] = '\n';
    write_copy(size + 1);
    EXPECT(refuses(read_copy, "it is damaged"));
    remove(copy);
    close_flow();
}
