// Which tile a marching kernel takes on a GPU, and how many steps it makes with each row or plane.
#include "marching.h"

// Your own GPU, if you like: the check prints what is chosen for it.
static const Gpu my_gpu = {.registers = 65536, .shared_bytes = 232448, .bandwidth = 4289e9, .flops = 66.9e12};

// The fraction of the cells of a row of a strip, or of a plane of a tile, that is still right after all
// steps.
static double owned_share(const Kernel *kernel, const Form *form)
{
    const int lost = 2 * form->steps;
    const int along_x = kernel->dimensions == 2 ? LANES * form->columns : LANES;
    const int along_y = form->warps * form->columns;
    if (lost >= along_x || (kernel->dimensions == 3 && lost >= along_y))
        return 0.0;
    const double share = 1.0 - (double)lost / along_x;
    return kernel->dimensions == 3 ? share * (1.0 - (double)lost / along_y) : share;
}

// Whether an SM has registers and shared memory for all warps of this form.
static int fits(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    const int registers = kernel->other + form->columns * (kernel->working + kernel->waiting * form->steps);
    const int allotted = (registers + ALLOTMENT - 1) / ALLOTMENT * ALLOTMENT;
    return registers <= MOST_REGISTERS && form->warps * LANES * allotted <= gpu->registers &&
           shared_bytes(kernel, form) <= gpu->shared_bytes;
}

// Updates in a second that the bandwidth allows, if every load of the halo comes from DRAM.
static double limit_by_bytes(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    const double bytes = 4.0 * (kernel->read / owned_share(kernel, form) + kernel->written) / form->steps;
    return gpu->bandwidth / bytes;
}

// Updates in a second that the arithmetic units allow.
static double limit_by_instructions(const Gpu *gpu, const Kernel *kernel, const Form *form)
{
    const double instructions = kernel->fixed + kernel->per_step * form->steps;
    return gpu->flops / 2.0 / (instructions / (owned_share(kernel, form) * form->steps));
}

// The form with the highest speed that both limits allow, of all that fit: a multiple of WARPS_APART warps,
// from least_warps to MOST_WARPS. Of equals it is that with the fewest warps, and then with the fewest
// columns.
static Form choose(const Gpu *gpu, const Kernel *kernel)
{
    Form best = {kernel->least_warps, 1, 1};
    double highest = 0.0;
    Form form;
    for (form.warps = kernel->least_warps; form.warps <= MOST_WARPS; form.warps += WARPS_APART)
        for (form.columns = 1; form.columns <= MOST_COLUMNS; form.columns++)
            for (form.steps = 1; form.steps <= MOST_STEPS; form.steps++) {
                const double bytes = limit_by_bytes(gpu, kernel, &form);
                const double instructions = limit_by_instructions(gpu, kernel, &form);
                const double limit = bytes < instructions ? bytes : instructions;
                if (fits(gpu, kernel, &form) && limit > highest) {
                    highest = limit;
                    best = form;
                }
            }
    return best;
}
