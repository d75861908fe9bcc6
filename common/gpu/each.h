/**
 * @file each.h
 * Loops over cells that are written once for both memories: kernels behind gpu.h, else loops of the host.
 */
#pragma once

/** Defines `name`_each(arguments, count), which calls name(&arguments, n) for each n < count, in any order
 * and at the same time. `arguments` is a struct that is passed by value. */
#ifndef EACH // of gpu.h
#define EACH(name, Arguments)                                                                                \
    static inline void name##_each(Arguments arguments, CellNumber count)                                    \
    {                                                                                                        \
        for (CellNumber n = 0; n < count; n++)                                                               \
            name(&arguments, n);                                                                             \
    }
#endif
