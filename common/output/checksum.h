/**
 * @file checksum.h
 * FNV-1a with 64 bits (Fowler, Noll & Vo): a sum of bytes that a change of any one byte changes for certain,
 * and a change of several almost for certain.
 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/** The checksum of no bytes. */
static const uint64_t empty_checksum = 0xcbf29ce484222325;

/** The checksum of some bytes and those that follow them, given that of the first ones. */
uint64_t add_to_checksum(uint64_t checksum, const void *data, size_t bytes);

#endif
