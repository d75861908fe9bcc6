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

/** The largest of the numbers that the ranks have. */
int largest_on_all(int number);

/** Sends bytes to a rank, which receives as many. */
void send_bytes(int rank, const void *bytes, size_t count);

/** Receives bytes from a rank, which sends as many. */
void receive_bytes(int rank, void *bytes, size_t count);

#endif
