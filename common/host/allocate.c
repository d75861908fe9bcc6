#define _GNU_SOURCE // madvise

#include "host/allocate.h"

#include "host/fail.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif
#include <unistd.h>

static const size_t huge_page = (size_t)2 << 20;

size_t free_memory(void)
{
    size_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        char line[128];
        while (fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %zu", &kib) != 1)
            ;
        fclose(file);
    }
    return kib ? kib * 1024 : (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t second_cache(void)
{
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); // 0 or -1: not known
#endif
    return bytes > 0 ? (size_t)bytes : (size_t)512 << 10;
}

/**
 * Asks for huge pages, or for none, where memory is not in use yet: a solver goes through nine arrays at a
 * time, and a core remembers where a few dozens of pages are.
 */
static void prefer_huge_pages(void *memory, size_t bytes, int huge)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t begin = ((uintptr_t)memory + huge_page - 1) / huge_page * huge_page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / huge_page * huge_page;
    if (begin < end) // a wish; it may fail
        madvise((void *)begin, end - begin, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)memory, (void)bytes, (void)huge;
#endif
}

NORETURN static void fail_without(size_t bytes)
{
    const double gib = 1024.0 * 1024.0 * 1024.0, unit = (double)bytes < gib ? gib / 1024.0 : gib;
    const size_t free_now = free_memory();
    fail(EXIT_MACHINE, "not enough memory: %.1f %s needed, %.1f GiB free%s", (double)bytes / unit,
         unit < gib ? "MiB" : "GiB", (double)free_now / gib,
         bytes <= free_now ? ", but not for this process" : "");
}

static void *take(size_t bytes)
{
    // To look at how much is free takes longer than to allocate little.
    void *memory = bytes < huge_page || bytes <= free_memory() ? calloc(1, bytes) : NULL;
    if (!memory)
        fail_without(bytes);
    return memory;
}

void *allocate(size_t bytes)
{
    void *memory = take(bytes);
    prefer_huge_pages(memory, bytes, 1);
    return memory;
}

void *reserve(size_t bytes)
{
    void *memory = take(bytes);
    prefer_huge_pages(memory, bytes, 0);
    return memory;
}

void *reallocate(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (!memory && bytes > 0)
        fail(EXIT_MACHINE, "not enough memory: %zu bytes needed for what is kept of each step", bytes);
    return memory;
}
