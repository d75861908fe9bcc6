#include "program/measured_table.h"

#include "commit.h"
#include "gpu/device.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "output/output_file.h"
#include "program/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

Words join_words(const char *command, int count, char **arguments)
{
    Words words;
    size_t used = (size_t)snprintf(words.text, sizeof words.text, "lbm %s", command);
    for (int n = 0; n < count && used < sizeof words.text; n++)
        used += (size_t)snprintf(words.text + used, sizeof words.text - used, " %s", arguments[n]);
    sanitize(words.text);
    return words;
}

void add_text(Record *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    r->written += (size_t)vfprintf(r->csv, format, arguments);
    va_end(arguments);
}

void note(Record *r, const char *key, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("%-9s %s\n", key, text);
    flush_standard_output();
    add_text(r, "# %s: %s\n", key, text);
}

static void note_machine(Record *r, int gpu)
{
    const Machine machine = find_machine(gpu);
    note(r, "device", "%s", machine.device);
    note(r, "driver", "%s", machine.driver);
    note(r, gpu_api, "%s", machine.runtime);
    note(r, "host", "%s", machine.host);
    note(r, "compiler", "%s", COMPILER);
    note(r, "backend", "%s",
         gpu_is_emulated ? "cpu: GPU stages run on an emulator, one thread after another, and their speed "
                           "means nothing"
         : strcmp(gpu_api, "CUDA") == 0 ? "cuda"
                                        : "hip: an experimental backend");
}

static void note_copies(Record *r, int device, int host)
{
    if (getenv("LBM_COPY_MIB"))
        note(r, "copies", "of %s MiB, as LBM_COPY_MIB says: caches may hold them", getenv("LBM_COPY_MIB"));
    r->device_copy = device ? device_copy_bandwidth() : 0.0;
    if (host)
        r->host_copy = measure_host_copy();
    if (device)
        note(r, "copy", "%.1f GB/s read and written within the device's memory", r->device_copy);
    if (host)
        note(r, "host copy",
             "%.1f GB/s read and written in place by one CPU thread, %.1f from array to array, %.1f in place "
             "by %d",
             r->host_copy.in_place, r->host_copy.between, r->host_copy.all_cores, r->host_copy.threads);
}

void begin_record(Record *r, const char *path, const Words *words, int device, int host)
{
    *r = (Record){.path = path};
    if (*path) {
        check_output(path);
        check_writable(path);
    }
    r->csv = open_memstream(&r->text, &r->size);
    if (!r->csv)
        fail(EXIT_MACHINE, "can't keep a table: %s", strerror(errno));

    char date[32];
    const time_t seconds = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    note(r, "command", "%s", words->text);
    note(r, "date", "%s", date);
    note(r, "commit", "%s", COMMIT);
    note_machine(r, device);
    note_copies(r, device, host);
    defer_signals(); // before that nothing is lost
}

static void write_record(const Record *r)
{
    OutputFile o;
    begin_file(&o, r->path);
    if (stop_code())
        print(&o, "# interrupted: %s; the cases that would have come next are missing\n", stop_reason());
    put(&o, r->text, r->size);
    finish_file(&o);
}

void end_record(Record *r, int measured)
{
    const int writes = *r->path && measured > 0;
    if (fclose(r->csv) != 0 || r->size != r->written) // the stream itself says nothing of a lack of memory
        fail(EXIT_MACHINE, "not enough memory for a table of %zu bytes", r->written);
    if (writes)
        write_record(r);
    if (stop_code())
        fprintf(stderr, "lbm: interrupted (%s); cases measured: %d; wrote %s\n", stop_reason(), measured,
                writes ? r->path : "nothing");
    free(r->text);
}
