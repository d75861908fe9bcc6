// D3Q19 BGK with an elastic membrane in the fluid, in integers where the order of sums varies: nodes gather from the
// triangles around them, and the membrane's kernels run beside the step of the cells that are away from it.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d3q19.h"
#include "stage/membrane_copy.h"
#include "stage/stage.h"

#include <stdlib.h>

enum { GROUP = 8 };     // cells, in their order, that share a mark: the floats of a sector
enum { THREADS = 512 }; // of a block of these kernels

// A sum in fixed point: an integer of 64 bits in two's complement, and so the same in every order. A summand has
// at most 2^40 units, and a sum fewer than 2^23 summands: below 2^63 it can't overflow.
typedef unsigned long long Fixed;
enum { MOST_SUMMANDS = (1 << 23) - 1 };

// Units of one: of forces, and of areas and volumes.
static const float per_force = 0x1p40f, per_size = 0x1p30f;

HOST_DEVICE Fixed to_fixed(float number, float units)
{
    const float most = 0x1p40f;
    return (Fixed)llrintf(fminf(fmaxf(units * number, -most), most)); // of NaN: -most
}

HOST_DEVICE float from_fixed(Fixed sum, float units)
{
    return (float)(long long)sum / units;
}

// The membrane, and what it shares with the cells.
typedef struct {
    Membrane mesh; // its arrays are on the device
    Stiffness stiffness;
    Fixed *force;    // [cells][3]: of the nodes near a cell; zeros between two steps
    float *velocity; // [cells][3]: at the last step with nodes near a cell
    size_t cells;
    size_t groups;      // of cells
    int *marked;        // [2][groups]: the last even step, and odd step, with nodes near a cell
    CellNumber *list;   // of groups, in any order, with nodes near a cell at the next step
    CellNumber *listed; // [2]: how many, at an even step and at an odd one
    int step;
} Immersed;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    dim3 grid, block;
    float *f;    // [19][depth][height][width]: populations now, before the collision
    float *next; // the same, one step later
    Immersed immersed;
    cudaStream_t fluid, membrane;
    cudaEvent_t stepped, moved; // of the last step: cells away from nodes, nodes
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

HOST_DEVICE unsigned blocks_of(int threads)
{
    return (threads + THREADS - 1) / THREADS;
}

// The volume of a membrane. Each block that needs it adds it up by itself.
static __device__ float find_volume(const Immersed *a, int membrane)
{
    __shared__ Fixed sum[THREADS];
    const int of_one = a->mesh.triangles / a->mesh.count;
    sum[threadIdx.x] = 0;
    for (int n = threadIdx.x; n < of_one; n += THREADS) {
        const Triangle t = triangle_of(&a->mesh, a->mesh.position, membrane * of_one + n);
        sum[threadIdx.x] += to_fixed(volume_below(&t), per_size);
    }
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sum[threadIdx.x] += sum[threadIdx.x + half];
    }
    __syncthreads();
    return from_fixed(sum[0], per_size);
}

// What the k-th triangle around a node, if there is one, does to it: elastic force, gradient of the volume.
static __device__ void find_share(Fixed share[6][THREADS], const Immersed *a, int node, int k)
{
    const Membrane *m = &a->mesh;
    Vector gradient = {0.0f, 0.0f, 0.0f}, elastic = gradient, force[3];
    if (node < m->nodes && k < m->first[node + 1] - m->first[node]) {
        const int corner = m->around[m->first[node] + k], n = corner % m->triangles;
        const Triangle t = triangle_of(m, m->position, n);
        triangle_forces(force, m, m->position, n, a->stiffness);
        elastic = corner == n ? force[0] : corner - n == m->triangles ? force[1] : force[2];
        gradient = volume_gradient(&t);
    }
    const float number[6] = {elastic.x, elastic.y, elastic.z, gradient.x, gradient.y, gradient.z};
    for (int i = 0; i < 6; i++)
        share[i][threadIdx.x] = to_fixed(number[i], i < 3 ? per_force : per_size);
}

// Spreads the forces of nodes over the cells near them: a thread for each triangle around a
// node, and then for each cell.
static __global__ void spread(Immersed a, Physics physics)
{
    __shared__ Fixed share[6][THREADS];
    const int of_one = a.mesh.nodes / a.mesh.count, blocks = blocks_of(of_one * CELLS_OF_NODE);
    const int membrane = blockIdx.x / blocks, thread = blockIdx.x % blocks * THREADS + threadIdx.x;
    const int is_node = thread / CELLS_OF_NODE < of_one, n = membrane * of_one + thread / CELLS_OF_NODE;
    const int own = thread % CELLS_OF_NODE;
    find_share(share, &a, is_node ? n : a.mesh.nodes, own);
    const float pressure = volume_pressure(find_volume(&a, membrane), a.mesh.volume, a.stiffness.volume);
    if (!is_node)
        return;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE], force[3];
    for (int axis = 0; axis < 3; axis++) {
        Fixed elastic = 0, gradient = 0;
        for (int k = 0; k < CELLS_OF_NODE; k++) {
            elastic += share[axis][threadIdx.x - own + k];
            gradient += share[axis + 3][threadIdx.x - own + k];
        }
        force[axis] = from_fixed(elastic, per_force) + pressure * from_fixed(gradient, per_size);
    }
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int k = 0; k < CELLS_OF_NODE; k++) {
        if (k != own)
            continue;
        for (int axis = 0; axis < 3; axis++)
            atomicAdd(&a.force[3 * (size_t)cell[k] + axis], to_fixed(part[k] * force[axis], per_force));
    }
}
BLOCK_KERNEL(spread, Immersed, Physics);

// The cell near its node that a thread is for, and the part of the node that is its own.
static __device__ CellNumber own_cell(const Immersed *a, const Physics *physics, int thread, float *part)
{
    CellNumber cell[CELLS_OF_NODE], own = 0;
    float parts[CELLS_OF_NODE];
    find_cells(&a->mesh, physics, thread / CELLS_OF_NODE, cell, parts);
    for (int k = 0; k < CELLS_OF_NODE; k++)
        if (k == thread % CELLS_OF_NODE) {
            own = cell[k];
            *part = parts[k];
        }
    return own;
}

// Moves nodes with the fluid, and lists the groups of their cells for the next step, each of them once.
static __global__ void move(Immersed a, Physics physics)
{
    __shared__ float share[3][THREADS];
    __shared__ CellNumber found, first;
    const int thread = blockIdx.x * THREADS + threadIdx.x, n = thread / CELLS_OF_NODE,
              own = thread % CELLS_OF_NODE;
    const int nodes = a.mesh.nodes, next = a.step + 1, odd = next % 2;
    CellNumber cell = 0, place = 0;
    float part = 0.0f, u = 0.0f;
    int is_first = 0;
    if (threadIdx.x == 0)
        found = 0;
    if (n < nodes)
        cell = own_cell(&a, &physics, thread, &part);
    for (int axis = 0; axis < 3; axis++)
        share[axis][threadIdx.x] = n < nodes ? part * a.velocity[3 * (size_t)cell + axis] : 0.0f;
    __syncthreads();
    if (n < nodes && own < 3) {
        for (int k = 0; k < CELLS_OF_NODE; k++)
            u += share[own][threadIdx.x - own + k];
        a.mesh.position[own * nodes + n] += u;
    }
    __syncthreads();
    if (n < nodes) {
        cell = own_cell(&a, &physics, thread, &part);
        is_first = atomicExch(&a.marked[odd * a.groups + cell / GROUP], next) != next;
        if (is_first)
            place = atomicAdd(&found, 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        first = atomicAdd(&a.listed[odd], found);
    __syncthreads();
    if (is_first)
        a.list[first + place] = cell / GROUP;
}
BLOCK_KERNEL(move, Immersed, Physics);

// Collides with the force on a cell, which it takes away, and keeps the velocity.
HOST_DEVICE void collide_near_nodes(float *f, CellNumber cell, const Immersed *a, const Physics *physics)
{
    float force[3], u[3];
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = from_fixed(a->force[3 * (size_t)cell + axis], per_force);
        a->force[3 * (size_t)cell + axis] = 0;
    }
    collide_with_force(f, force, u, physics);
    for (int axis = 0; axis < 3; axis++)
        a->velocity[3 * (size_t)cell + axis] = u[axis];
}

// Steps the cells of listed groups.
static __global__ void step_near_nodes(Physics physics, Immersed a, const CellType *__restrict__ type,
                                       const float *__restrict__ from, float *__restrict__ to)
{
    const unsigned first = blockIdx.x * blockDim.x + threadIdx.x, odd = a.step % 2;
    if (first == 0)
        a.listed[!odd] = 0;
    for (unsigned n = first; n / GROUP < a.listed[odd]; n += gridDim.x * blockDim.x) {
        const CellNumber cell = a.list[n / GROUP] * GROUP + n % GROUP;
        const int x = cell % physics.width, row = cell / physics.width;
        float f[19];
        if (cell >= a.cells)
            continue;
        for (int i = 0; i < 19; i++)
            f[i] = from[at(cell, i, a.cells)];
        if (is_wall(type[cell]))
            continue;
        collide_near_nodes(f, cell, &a, &physics);
        for (int i = 0; i < 19; i++) {
            const Destination destination =
                boundary(&physics, type, x, row % physics.height, row / physics.height, i);
            to[at(destination.cell, destination.direction, a.cells)] = f[i] + destination.gain;
        }
    }
}

// Steps all other cells.
static __global__ void step(Physics physics, const int *__restrict__ marked, int now,
                            const CellType *__restrict__ type, const float *__restrict__ from,
                            float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height * physics.depth;
    const CellNumber cell = ((CellNumber)z * physics.height + y) * physics.width + x;
    if (is_wall(type[cell]) || marked[cell / GROUP] == now)
        return;

    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = from[at(cell, i, cells)];
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 19; i++) {
        const Destination destination = boundary(&physics, type, x, y, z, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

// Moves nodes, of which the next step of the cells away from them needs to know, and finds the next forces.
static void go_on_with_membrane(const Solver *solver)
{
    const Immersed *a = &solver->immersed;
    const Physics physics = solver->scenario->physics;
    const dim3 block = {THREADS, 1, 1}, for_nodes = {blocks_of(a->mesh.nodes * CELLS_OF_NODE), 1, 1},
               for_cells = {a->mesh.count * blocks_of(a->mesh.nodes / a->mesh.count * CELLS_OF_NODE), 1, 1};
    LAUNCH_BLOCKS_ON(solver->membrane, move, for_nodes, block, 0, *a, physics);
    CHECK(cudaEventRecord(solver->moved, solver->membrane));
    LAUNCH_BLOCKS_ON(solver->membrane, spread, for_cells, block, 0, *a, physics);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    if (!(scenario->membrane.triangles <= MOST_SUMMANDS))
        fail(EXIT_USAGE, "%d triangles are too many for sums of %s: it takes up to %d",
             scenario->membrane.triangles, STAGE_NAME, MOST_SUMMANDS);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    const size_t groups = cells / GROUP + 1;
    const size_t numbers = 3 * cells * sizeof(Fixed) + (3 * cells + 3 * groups + 2) * sizeof(float);
    gpu_need(2 * bytes + numbers);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    Immersed *a = &solver->immersed;
    a->mesh = copy_membrane(&scenario->membrane, &device_memory);
    a->stiffness = scenario->stiffness;
    a->cells = cells;
    a->groups = groups;
    CHECK(cudaMalloc((void **)&a->force, numbers));
    CHECK(cudaMemset(a->force, 0, numbers));
    a->velocity = (float *)(a->force + 3 * cells);
    a->marked = (int *)(a->velocity + 3 * cells);
    a->list = (CellNumber *)(a->marked + 2 * groups);
    a->listed = a->list + groups;
    CHECK(cudaStreamCreateWithFlags(&solver->fluid, cudaStreamDefault));
    CHECK(cudaStreamCreateWithPriority(&solver->membrane, cudaStreamDefault, -1));
    CHECK(cudaEventCreateWithFlags(&solver->stepped, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&solver->moved, cudaEventDisableTiming));
    if (a->mesh.nodes > 0)
        go_on_with_membrane(solver); // with velocities of zero
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Physics physics = solver->scenario->physics;
    Immersed *a = &solver->immersed;
    const dim3 block = {THREADS, 1, 1}, for_groups = {blocks_of(a->mesh.nodes * CELLS_OF_NODE), 1, 1};
    for (int n = 0; n < steps; n++) {
        a->step++;
        CHECK(cudaStreamWaitEvent(solver->fluid, solver->moved, 0));
        CHECK(cudaStreamWaitEvent(solver->membrane, solver->stepped, 0)); // the step before
        LAUNCH_ON(solver->fluid, step, solver->grid, solver->block, physics,
                  a->marked + a->step % 2 * a->groups, a->step, solver->type, solver->f, solver->next);
        CHECK(cudaEventRecord(solver->stepped, solver->fluid));
        if (a->mesh.nodes > 0) {
            LAUNCH_ON(solver->membrane, step_near_nodes, for_groups, block, physics, *a, solver->type,
                      solver->f, solver->next);
            go_on_with_membrane(solver);
        }
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 19; i++)
        f[i] = solver->f[at(site->cell, i, site->cells)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 19; i++)
        solver->f[at(site->cell, i, site->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void read_nodes(const Solver *solver, Real *position)
{
    const Membrane *mesh = &solver->immersed.mesh;
    CHECK(cudaMemcpy(position, mesh->position, 3 * mesh->nodes * sizeof *position, cudaMemcpyDeviceToDevice));
}

static void destroy(Solver *solver)
{
    release_membrane(&solver->immersed.mesh, &device_memory);
    CHECK(cudaFree(solver->immersed.force));
    CHECK(cudaEventDestroy(solver->stepped));
    CHECK(cudaEventDestroy(solver->moved));
    CHECK(cudaStreamDestroy(solver->fluid));
    CHECK(cudaStreamDestroy(solver->membrane));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "the membrane's kernels run beside the step of the cells that are away from it",
    .lattice = &d3q19,
    .bytes_per_update = 153.0, // 19 floats read and 19 written, 1 cell type
    .bytes_per_cell =
        190.5, // two grids of 19 floats, 3 integers of 8 bytes, 3 floats, 1 cell type; 3/8 integers of 4 bytes
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .read_nodes = read_nodes,
    .destroy = destroy,
};
