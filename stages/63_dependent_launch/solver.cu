// D3Q19 BGK with an elastic membrane in the fluid, in integers where the order of sums varies: each kernel begins
// before the one before it ends.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d3q19.h"
#include "stage/membrane_copy.h"
#include "stage/stage.h"

#include <stdlib.h>

enum { THREADS = 64 }; // of a block of these kernels

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
    Fixed *volume;   // of each membrane
    Fixed *force;    // [cells][3]: of the nodes near a cell; zeros between two steps
    float *velocity; // [cells][3]: at the last step with nodes near a cell
    size_t cells;
    unsigned char *marked; // [cells]: whether nodes are near a cell
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

// Adds up volumes. A block, whose triangles are of one membrane, adds to that volume once.
static __global__ void add_volumes(Immersed a)
{
    __shared__ Fixed volume[THREADS];
    const int of_one = a.mesh.triangles / a.mesh.count, membrane = blockIdx.x / blocks_of(of_one);
    const int n = blockIdx.x % blocks_of(of_one) * THREADS + threadIdx.x;
    volume[threadIdx.x] = 0;
    grid_dependency_sync();
    trigger_dependent_launch(); // only now: the next two kernels rely on nodes that have moved
    if (n < of_one) {
        const Triangle t = triangle_of(&a.mesh, a.mesh.position, membrane * of_one + n);
        volume[threadIdx.x] = to_fixed(volume_below(&t), per_size);
    }
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            volume[threadIdx.x] += volume[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(&a.volume[membrane], volume[0]);
}
BLOCK_KERNEL(add_volumes, Immersed);

// What the k-th triangle around a node, if there is one, does to it: elastic force, gradient of the volume.
static __device__ void find_share(Fixed share[6][THREADS], const Immersed *a, int node, int k)
{
    const Membrane *m = &a->mesh;
    Vector gradient = {0.0f, 0.0f, 0.0f}, elastic = gradient, force[3];
    if (node < m->nodes && k < m->first[node + 1] - m->first[node]) {
        const int corner = m->around[m->first[node] + k], n = corner % m->triangles;
        const Triangle t = triangle_of(m, m->position, n);
        triangle_forces(force, &t, m, m->position, n, a->stiffness);
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
    const int thread = blockIdx.x * THREADS + threadIdx.x, n = thread / CELLS_OF_NODE,
              own = thread % CELLS_OF_NODE;
    const int nodes = a.mesh.nodes, of_one = nodes / a.mesh.count;
    trigger_dependent_launch();
    find_share(share, &a, n, own);
    __syncthreads();
    if (n >= nodes)
        return;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE], force[3];
    find_cells(&a.mesh, &physics, n, cell, part);
    grid_dependency_sync();
    const float pressure =
        volume_pressure(from_fixed(a.volume[n / of_one], per_size), a.mesh.volume, a.stiffness.volume);
    for (int axis = 0; axis < 3; axis++) {
        Fixed elastic = 0, gradient = 0;
        for (int k = 0; k < CELLS_OF_NODE; k++) {
            elastic += share[axis][threadIdx.x - own + k];
            gradient += share[axis + 3][threadIdx.x - own + k];
        }
        force[axis] = from_fixed(elastic, per_force) + pressure * from_fixed(gradient, per_size);
    }
    for (int k = 1; k < CELLS_OF_NODE; k++)
        if (k == own) {
            cell[0] = cell[k];
            part[0] = part[k];
        }
    for (int axis = 0; axis < 3; axis++)
        atomicAdd(&a.force[3 * (size_t)cell[0] + axis], to_fixed(part[0] * force[axis], per_force));
}
BLOCK_KERNEL(spread, Immersed, Physics);

// Moves nodes with the fluid.
static __global__ void move(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE];
    trigger_dependent_launch();
    if (n < nodes)
        find_cells(&a.mesh, &physics, n, cell, part);
    grid_dependency_sync();
    if (n < a.mesh.count)
        a.volume[n] = 0;
    if (n >= nodes)
        return;
    float u[3] = {0.0f, 0.0f, 0.0f};
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < CELLS_OF_NODE; k++)
            u[axis] += part[k] * a.velocity[3 * (size_t)cell[k] + axis];
    for (int axis = 0; axis < 3; axis++)
        a.mesh.position[axis * nodes + n] += u[axis];
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int k = 0; k < CELLS_OF_NODE; k++)
        a.marked[cell[k]] = 1;
}
BLOCK_KERNEL(move, Immersed, Physics);

// Collides with the force on a cell, which it takes away, and keeps the velocity.
static __device__ void collide_near_nodes(float *f, CellNumber cell, const Immersed *a,
                                          const Physics *physics)
{
    float force[3], u[3];
    grid_dependency_sync();
    a->marked[cell] = 0;
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = from_fixed(a->force[3 * (size_t)cell + axis], per_force);
        a->force[3 * (size_t)cell + axis] = 0;
    }
    collide_with_force(f, force, u, physics);
    for (int axis = 0; axis < 3; axis++)
        a->velocity[3 * (size_t)cell + axis] = u[axis];
}

static __global__ void step(Physics physics, Immersed immersed, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height * physics.depth;
    const CellNumber cell = ((CellNumber)z * physics.height + y) * physics.width + x;
    if (is_wall(type[cell]))
        return;

    const int is_marked = immersed.marked[cell];
    trigger_dependent_launch();
    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = from[at(cell, i, cells)];
    if (is_marked)
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
    if (!(scenario->membrane.triangles <= MOST_SUMMANDS))
        fail(EXIT_USAGE, "%d triangles are too many for sums of %s: it takes up to %d",
             scenario->membrane.triangles, STAGE_NAME, MOST_SUMMANDS);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    const size_t sums = 3 * cells + scenario->membrane.count;
    const size_t numbers = sums * sizeof(Fixed) + 3 * cells * sizeof(float) + cells;
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
    a->volume = a->force + 3 * cells;
    a->velocity = (float *)(a->force + sums);
    a->marked = (unsigned char *)(a->velocity + 3 * cells);
    const dim3 threads = {THREADS, 1, 1}, for_nodes = {blocks_of(a->mesh.nodes), 1, 1};
    if (a->mesh.nodes > 0) // marks cells; all velocities are zero
        LAUNCH_DEPENDENT(0, move, for_nodes, threads, *a, scenario->physics);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Physics physics = solver->scenario->physics;
    const Immersed *a = &solver->immersed;
    const int nodes = a->mesh.nodes, count = a->mesh.count;
    const dim3 block = {THREADS, 1, 1}, for_nodes = {blocks_of(nodes), 1, 1},
               for_cells = {blocks_of(nodes * CELLS_OF_NODE), 1, 1},
               for_triangles = {nodes > 0 ? count * blocks_of(a->mesh.triangles / count) : 0, 1, 1};
    for (int n = 0; n < steps; n++) {
        if (nodes > 0) {
            LAUNCH_DEPENDENT(0, add_volumes, for_triangles, block, *a);
            LAUNCH_DEPENDENT(0, spread, for_cells, block, *a, physics);
            LAUNCH_DEPENDENT(0, step, solver->grid, solver->block, physics, *a, solver->type, solver->f,
                             solver->next);
            LAUNCH_DEPENDENT(0, move, for_nodes, block, *a, physics);
        } else {
            LAUNCH_BLOCKS(step, solver->grid, solver->block, 0, physics, *a, solver->type, solver->f,
                          solver->next);
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
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "each kernel begins before the one before it ends",
    .lattice = &d3q19,
    .bytes_per_update = 154.0, // 19 floats read and 19 written, 1 cell type, 1 mark
    .bytes_per_cell = 190.0,   // two grids of 19 floats, 3 integers of 8 bytes, 3 floats, 1 cell type, 1 mark
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
