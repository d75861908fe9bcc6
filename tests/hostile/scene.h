/**
 * @file scene.h
 * The folder that a call is made in: what is in it before, and what has changed after it.
 */
#ifndef SCENE_H
#define SCENE_H

#include "output/checksum.h"
#include "png_chunks.h"
#include "run_lbm.h"

#include <sys/stat.h>

enum { MOST_ENTRIES = 4096, ENTRY_SIZE = 512, PICTURE_ROOM = 4096 };

/** A file, folder or link, and a checksum of what is in it. */
typedef struct {
    char name[ENTRY_SIZE];
    ino_t inode;
    uint64_t sum;
} Entry;

typedef struct {
    int count;
    Entry entry[MOST_ENTRIES];
} Listing;

/** A file as it is on the disk; the first part of it, if it is larger than any of ours. */
typedef struct {
    size_t size;
    char bytes[1 << 20];
} Contents;

static inline const Contents *contents_of(const char *path)
{
    static Contents contents;
    FILE *file = fopen(path, "rb");
    contents.size = file ? fread(contents.bytes, 1, sizeof contents.bytes - 1, file) : 0;
    contents.bytes[contents.size] = '\0';
    if (file)
        fclose(file);
    return &contents;
}

static inline void list_folder(Listing *listing, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *d = readdir(folder); d && listing->count < MOST_ENTRIES; d = readdir(folder)) {
        Entry *entry = &listing->entry[listing->count];
        struct stat status;
        snprintf(entry->name, sizeof entry->name, "%s%s%s", strcmp(path, ".") ? path : "",
                 strcmp(path, ".") ? "/" : "", d->d_name);
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0 || lstat(entry->name, &status) != 0)
            continue;
        listing->count++;
        entry->inode = status.st_ino;
        entry->sum = 0;
        if (S_ISREG(status.st_mode)) {
            const Contents *c = contents_of(entry->name);
            entry->sum = add_to_checksum(empty_checksum, c->bytes, c->size);
        } else if (S_ISDIR(status.st_mode)) {
            list_folder(listing, entry->name);
        }
    }
    closedir(folder);
}

static inline const Entry *find_entry(const Listing *listing, const char *name)
{
    for (int n = 0; n < listing->count; n++)
        if (strcmp(listing->entry[n].name, name) == 0)
            return &listing->entry[n];
    return NULL;
}

static inline int is_same(const Entry *a, const Entry *b)
{
    return a && b && a->inode == b->inode && a->sum == b->sum;
}

static inline void write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
}

/* ---- A mask ---- */

/** Adds a chunk to a PNG file in memory; returns its new size. */
static inline size_t add_chunk(unsigned char *png, size_t size, const char *name, const void *data,
                               size_t length)
{
    put_number(png + size, (unsigned)length);
    memcpy(png + size + 4, name, 4);
    memcpy(png + size + 8, data, length);
    put_number(png + size + 8 + length, crc(png + size + 4, length + 4));
    return size + 12 + length;
}

/** 40 x 30 grey pixels with a black box in them, not compressed. */
static inline size_t make_picture(unsigned char png[PICTURE_ROOM])
{
    enum { WIDTH = 40, HEIGHT = 30, LENGTH = HEIGHT * (WIDTH + 1) };
    const unsigned char header[13] = {0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8};
    unsigned char data[LENGTH + 11] = {
        0x78, 1, 1, LENGTH & 255, LENGTH >> 8, 255 - (LENGTH & 255), 255 - (LENGTH >> 8)};
    unsigned a = 1, b = 0; // Adler-32
    for (int n = 0; n < LENGTH; n++) {
        const int x = n % (WIDTH + 1) - 1, y = n / (WIDTH + 1);
        data[7 + n] =
            x < 0 || (x >= 10 && x < 14 && y >= 12 && y < 17) ? 0 : 255; // in front of a row: no filter
        a = (a + data[7 + n]) % 65521;
        b = (b + a) % 65521;
    }
    put_number(data + 7 + LENGTH, b << 16 | a);
    memcpy(png, "\x89PNG\r\n\x1a\n", 8);
    size_t size = add_chunk(png, 8, "IHDR", header, sizeof header);
    size = add_chunk(png, size, "IDAT", data, sizeof data);
    return add_chunk(png, size, "IEND", "", 0);
}

/* ---- The scene ---- */

/** What was there before the call. */
static Listing before;

static inline void empty_scene(void)
{
    if (chdir("folder") == 0) {
        empty_folder();
        if (chdir("..") != 0)
            exit(1);
    }
    empty_folder();
}

/** Notes what is there before the call. */
static inline void list_scene(void)
{
    before.count = 0;
    list_folder(&before, ".");
}

/** Writes a checkpoint, which the program made at the first call. */
static inline void write_state(const char *path)
{
    static Contents state;
    if (state.size == 0) {
        lbm("run STAGE bodies --size 40x30 --steps 1 --checkpoint state --quiet");
        state = *contents_of("state");
        remove("state");
    }
    write_bytes(path, state.bytes, state.size);
}

/** Puts into the folder what calls may read, replace or stumble over, unless all of that is there untouched:
 * `now` is what is there. */
static inline void restore_scene(const Listing *now)
{
    int same = before.count > 0 && now->count == before.count;
    for (int n = 0; n < now->count && same; n++)
        same = is_same(&now->entry[n], find_entry(&before, now->entry[n].name));
    if (same)
        return;
    unsigned char picture[PICTURE_ROOM];
    empty_scene();
    write_bytes("in.png", picture, make_picture(picture));
    write_file("options", "# a scene\n--size 40x30\n--u 0.05\n--tau 0.8\n--circle 20,15,4\n");
    write_file("old.csv", "old\n");
    if (mkdir("folder", 0700) != 0 || symlink("in.png", "link") != 0)
        exit(1);
    write_file("folder/old.csv", "old\n");
    write_state("state.vti");
    list_scene();
}

static inline void set_scene(void)
{
    static Listing now;
    now.count = 0;
    list_folder(&now, ".");
    restore_scene(&now);
}

#endif
