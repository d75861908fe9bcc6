/**
 * @file messages.h
 * What ranks tell each other, by MPI. With one rank nothing is sent.
 */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stddef.h>

/** Initializes MPI if mpirun has started the program. Returns whether it has. */
int open_messages(void);

/** Finalizes it. To be called on all ranks. */
void close_messages(void);

/** Ends all ranks, wherever they are, with this exit code; does not return if there are others. */
void abort_ranks(int exit_code);

/** Whether no other rank on this host has called this before. */
int is_first_to_call(void);

/** Gives all ranks the bytes that rank 0 has at `data`. They wait for it at rest, as it may take long to
 * come. */
void broadcast_bytes(void *data, int bytes);

/** Whether it is true on all ranks. */
int all_reduce_and(int truth);

/** The largest of the numbers that the ranks have. */
int largest_on_all(int number);

/** Layers on their way to or from another rank. */
typedef struct {
    int width, rows; /**< cells of a row; rows of a layer */
    int bytes;       /**< of a cell */
} LayerSize;

/** Sends `count` layers to a rank, which receives them. */
void send_layers(int rank, const void *layers, int count, LayerSize size);

/** Receives `count` layers from a rank, which sends them. */
void receive_layers(int rank, void *layers, int count, LayerSize size);

#endif
