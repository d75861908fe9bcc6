// D3Q19 BGK with an elastic membrane in the fluid, in integers where the order of sums varies: nodes gather from their
// triangles, so that atomicAdd is left for volumes, once a block, and for cells.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d3q19.h"
#include "stage/membrane_copy.h"
#include "stage/stage.h"

#include <stdlib.h>

enum { GROUP = 32 };   // cells, in their order, that share a mark
enum { THREADS = 64 }; // of a block, for nodes and triangles

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
    Fixed
        *parts; // [12][triangles]: forces along an axis on the three corners of each; gradient of its volume
    Fixed *volume;   // of each membrane
    Fixed *force;    // [3][cells]: of the nodes near a cell; zeros between two steps
    float *velocity; // [3][cells]: at the last step with nodes near a cell
    size_t cells;
    int *marked; // [cells / GROUP]: the last step with nodes near a cell of the group
    int step;
} Immersed;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    dim3 grid, block;
    float *f;    // [19][depth][height][width]: populations now, before the collision
    float *next; // the same, one step later
    Immersed immersed;
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

HOST_DEVICE void store(Fixed *sum, int apart, Vector v, float units)
{
    sum[0] = to_fixed(v.x, units);
    sum[apart] = to_fixed(v.y, units);
    sum[2 * apart] = to_fixed(v.z, units);
}

// Stores what triangles do to their corners. A block, whose triangles are of one membrane, adds to its volume once.
static __global__ void find_triangles(Immersed a)
{
    __shared__ Fixed volume[THREADS];
    const int of_one = a.mesh.triangles / a.mesh.count, membrane = blockIdx.x / blocks_of(of_one);
    const int in_one = blockIdx.x % blocks_of(of_one) * THREADS + threadIdx.x, triangles = a.mesh.triangles;
    volume[threadIdx.x] = 0;
    trigger_dependent_launch();
    grid_dependency_sync();
    if (in_one < of_one) {
        const int n = membrane * of_one + in_one;
        const Triangle t = triangle_of(&a.mesh, a.mesh.position, n);
        volume[threadIdx.x] = to_fixed(volume_below(&t), per_size);
        store(a.parts + 9 * triangles + n, triangles, volume_gradient(&t), per_size);
        Vector force[3];
        elastic_forces(force, &t, rest_of(&a.mesh, n), a.stiffness.shear);
        for (int k = 0; k < 3; k++)
            store(a.parts + k * triangles + n, 3 * triangles, force[k], per_force);
    }
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            volume[threadIdx.x] += volume[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(&a.volume[membrane], volume[0]);
}
BLOCK_KERNEL(find_triangles, Immersed);

// Spreads the forces of nodes over the cells near them: a thread for each such cell of a node.
static __global__ void spread(Immersed a, Physics physics)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, n = thread / CELLS_OF_NODE;
    const int nodes = a.mesh.nodes, triangles = a.mesh.triangles;
    if (n >= nodes)
        return;
    const int first = a.mesh.first[n], end = a.mesh.first[n + 1];
    grid_dependency_sync();
    trigger_dependent_launch();
    const Fixed volume = a.volume[n / (nodes / a.mesh.count)];
    const float pressure = volume_pressure(from_fixed(volume, per_size), a.mesh.volume, a.stiffness.volume);
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE], force[3];
    for (int axis = 0; axis < 3; axis++) {
        Fixed elastic = 0, gradient = 0;
        for (int k = first; k < end; k++) {
            elastic += a.parts[axis * 3 * triangles + a.mesh.around[k]];
            gradient += a.parts[(axis + 9) * triangles + a.mesh.around[k] % triangles];
        }
        force[axis] = from_fixed(elastic, per_force) + pressure * from_fixed(gradient, per_size);
    }
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int k = 0; k < CELLS_OF_NODE; k++) {
        if (k != thread % CELLS_OF_NODE)
            continue;
        a.marked[cell[k] / GROUP] = a.step;
        for (int axis = 0; axis < 3; axis++)
            atomicAdd(&a.force[axis * a.cells + cell[k]], to_fixed(part[k] * force[axis], per_force));
    }
}
BLOCK_KERNEL(spread, Immersed, Physics);

// Moves nodes with the fluid.
static __global__ void move(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE];
    if (n >= nodes)
        return;
    find_cells(&a.mesh, &physics, n, cell, part);
    trigger_dependent_launch();
    grid_dependency_sync();
    if (n < a.mesh.count)
        a.volume[n] = 0;
    for (int axis = 0; axis < 3; axis++) {
        float u = 0.0f;
        for (int k = 0; k < CELLS_OF_NODE; k++)
            u += part[k] * a.velocity[axis * a.cells + cell[k]];
        a.mesh.position[axis * nodes + n] += u;
    }
}
BLOCK_KERNEL(move, Immersed, Physics);

// Collides with the force on a cell, which it takes away, and keeps the velocity.
HOST_DEVICE void collide_near_nodes(float *f, CellNumber cell, const Immersed *a, const Physics *physics)
{
    float force[3], u[3];
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = from_fixed(a->force[axis * a->cells + cell], per_force);
        a->force[axis * a->cells + cell] = 0;
    }
    collide_with_force(f, force, u, physics);
    for (int axis = 0; axis < 3; axis++)
        a->velocity[axis * a->cells + cell] = u[axis];
}

// `from` is not __restrict__: without a membrane the launch before this one still writes to it when this one begins.
static __global__ void step(Physics physics, Immersed immersed, const CellType *__restrict__ type,
                            const float *from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height * physics.depth;
    const CellNumber cell = ((CellNumber)z * physics.height + y) * physics.width + x;
    if (is_wall(type[cell]))
        return;
    trigger_dependent_launch();
    grid_dependency_sync();

    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = from[at(cell, i, cells)];
    if (immersed.marked[cell / GROUP] == immersed.step)
        collide_near_nodes(f, cell, &immersed, &physics);
    else
        collide(f, type[cell], y, &physics);
    for (int i = 0; i < 19; i++) {
        const Destination destination = boundary(&physics, type, x, y, z, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}
BLOCK_KERNEL(step, Physics, Immersed, const CellType *, const float *, float *);

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    const size_t triangles = scenario->membrane.triangles, sums = 12 * triangles + scenario->membrane.count;
    const size_t numbers =
        (3 * cells + sums) * sizeof(Fixed) + (3 * cells + cells / GROUP + 1) * sizeof(float);
    if (!(scenario->membrane.triangles <= MOST_SUMMANDS))
        fail(EXIT_USAGE, "%d triangles are too many for sums of %s: it takes up to %d",
             scenario->membrane.triangles, STAGE_NAME, MOST_SUMMANDS);
    gpu_need(2 * bytes + numbers);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    Immersed *a = &solver->immersed;
    a->mesh = copy_membrane(&scenario->membrane, &device_memory);
    a->stiffness = scenario->stiffness;
    a->cells = cells;
    CHECK(cudaMalloc((void **)&a->force, numbers));
    CHECK(cudaMemset(a->force, 0, numbers));
    a->parts = a->force + 3 * cells;
    a->volume = a->parts + 12 * triangles;
    a->velocity = (float *)(a->parts + sums);
    a->marked = (int *)(a->velocity + 3 * cells);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Physics physics = solver->scenario->physics;
    Immersed *a = &solver->immersed;
    const int nodes = a->mesh.nodes, count = a->mesh.count;
    const dim3 block = {THREADS, 1, 1}, for_nodes = {blocks_of(nodes), 1, 1},
               for_cells = {blocks_of(nodes * CELLS_OF_NODE), 1, 1},
               for_triangles = {nodes > 0 ? count * blocks_of(a->mesh.triangles / count) : 0, 1, 1};
    for (int n = 0; n < steps; n++) {
        a->step++;
        if (nodes > 0) {
            LAUNCH_DEPENDENT(0, find_triangles, for_triangles, block, *a);
            LAUNCH_DEPENDENT(0, spread, for_cells, block, *a, physics);
        }
        LAUNCH_DEPENDENT(0, step, solver->grid, solver->block, physics, *a, solver->type, solver->f,
                         solver->next);
        if (nodes > 0)
            LAUNCH_DEPENDENT(0, move, for_nodes, block, *a, physics);
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
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "nodes gather from their triangles, and a block adds before it adds for all",
    .lattice = &d3q19,
    .bytes_per_update = 153.0, // 19 floats read and 19 written, 1 cell type
    .bytes_per_cell =
        189.125, // two grids of 19 floats, 3 integers of 8 bytes, 3 floats, 1 cell type, 1/32 mark
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
