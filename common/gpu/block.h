/**
 * @file block.h
 * The shape of a thread block: the only part of a GPU that the contract (stage.h) needs.
 */
#pragma once

/** Threads of a thread block along x and y. */
typedef struct {
    unsigned x, y;
} Block;
