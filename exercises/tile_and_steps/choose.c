// Which tile a marching kernel takes on a GPU, and how many steps it makes with each row or plane.
#include "marching.h"

// Your own GPU, if you like: the check prints what is chosen for it.
static const Gpu my_gpu = {.registers = 65536, .shared_bytes = 232448, .bandwidth = 4289e9, .flops = 66.9e12};

// The fraction of the cells of a row of a strip, or of a plane of a tile, that is still right after all
// steps.
static double owned_share(const Kernel *kernel, const Form *form)
{
    // TODO(1): how many cells lie along x, and in space along y? What is lost along each?
    return 0.0 * kernel->dimensions * form->steps;
}

// Whether an SM has registers and shared memory for all warps of this form.
static int fits(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    // TODO(2): the registers of a thread, of all threads, and shared_bytes
    return 0 * gpu->registers * kernel->other * form->columns;
}

// Updates in a second that the bandwidth allows, if every load of the halo comes from DRAM.
static double limit_by_bytes(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    // TODO(3): bytes of an update; the halo is loaded, but not stored
    return 0.0 * gpu->bandwidth * kernel->read * form->steps;
}

// Updates in a second that the arithmetic units allow.
static double limit_by_instructions(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    // TODO(4): instructions of an update; in space a tile works on more cells than in the plane for each it
    // owns
    return 0.0 * gpu->flops * kernel->fixed * form->steps;
}

// The form with the highest speed that both limits allow, of all that fit: a multiple of WARPS_APART warps,
// from least_warps to MOST_WARPS. Of equals it is that with the fewest warps, and then with the fewest
// columns.
static Form choose(const Gpu *gpu, const Kernel *kernel)
{
    Form best = {kernel->least_warps, 1, 1};
    // TODO(5): try all forms
    (void)gpu;
    return best;
}
