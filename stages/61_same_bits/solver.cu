// D3Q19 BGK with an elastic membrane in the fluid: threads for cells, triangles and nodes, which add integers by
// atomicAdd, so that the order does not matter.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d3q19.h"
#include "stage/membrane_copy.h"
#include "stage/stage.h"

#include <stdlib.h>

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
    Fixed *sums;     // [6][nodes]: elastic forces, gradient of the volume; then the volume of each membrane
    Fixed *force;    // [3][cells]: of the nodes near a cell; zeros between two steps
    float *velocity; // [3][cells]: at the last step with nodes near a cell
    size_t cells;
    int *marked; // [cells]: the last step with nodes near a cell
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

// Adds up what triangles do to their corners.
static __global__ void add_triangles(Immersed a)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes, triangles = a.mesh.triangles;
    if (n >= triangles)
        return;
    const Triangle t = triangle_of(&a.mesh, a.mesh.position, n);
    const Vector gradient = volume_gradient(&t);
    Vector force[3];
    triangle_forces(force, &t, &a.mesh, a.mesh.position, n, a.stiffness);
    for (int k = 0; k < 3; k++) {
        const float number[6] = {force[k].x, force[k].y, force[k].z, gradient.x, gradient.y, gradient.z};
        for (int i = 0; i < 6; i++)
            atomicAdd(&a.sums[i * nodes + a.mesh.corner[k * triangles + n]],
                      to_fixed(number[i], i < 3 ? per_force : per_size));
    }
    atomicAdd(&a.sums[6 * nodes + n / (triangles / a.mesh.count)], to_fixed(volume_below(&t), per_size));
}

// Spreads the forces of nodes over the cells near them.
static __global__ void spread(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes, of_one = nodes / a.mesh.count;
    if (n >= nodes)
        return;
    const float pressure = volume_pressure(from_fixed(a.sums[6 * nodes + n / of_one], per_size),
                                           a.mesh.volume, a.stiffness.volume);
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE], force[3];
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = from_fixed(a.sums[axis * nodes + n], per_force) +
                      pressure * from_fixed(a.sums[(axis + 3) * nodes + n], per_size);
        a.sums[axis * nodes + n] = a.sums[(axis + 3) * nodes + n] = 0;
    }
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int k = 0; k < CELLS_OF_NODE; k++) {
        a.marked[cell[k]] = a.step;
        for (int axis = 0; axis < 3; axis++)
            atomicAdd(&a.force[axis * a.cells + cell[k]], to_fixed(part[k] * force[axis], per_force));
    }
}

// Moves nodes with the fluid.
static __global__ void move(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE];
    if (n < a.mesh.count)
        a.sums[6 * nodes + n] = 0;
    if (n >= nodes)
        return;
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int axis = 0; axis < 3; axis++) {
        float u = 0.0f;
        for (int k = 0; k < CELLS_OF_NODE; k++)
            u += part[k] * a.velocity[axis * a.cells + cell[k]];
        a.mesh.position[axis * nodes + n] += u;
    }
}

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

    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = from[at(cell, i, cells)];
    if (immersed.marked[cell] == immersed.step)
        collide_near_nodes(f, cell, &immersed, &physics);
    else
        collide(f, type[cell], y, &physics);
    for (int i = 0; i < 19; i++) {
        const Destination destination = boundary(&physics, type, x, y, z, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
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
    const size_t sums = 6 * scenario->membrane.nodes + scenario->membrane.count;
    const size_t numbers = (3 * cells + sums) * sizeof(Fixed) + 4 * cells * sizeof(float);
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
    a->sums = a->force + 3 * cells;
    a->velocity = (float *)(a->sums + sums);
    a->marked = (int *)(a->velocity + 3 * cells);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Physics physics = solver->scenario->physics;
    Immersed *a = &solver->immersed;
    const dim3 block = {64, 1, 1}, threads = {a->mesh.triangles / 64u + 1, 1, 1}; // more than nodes
    for (int n = 0; n < steps; n++) {
        a->step++;
        if (a->mesh.nodes > 0) {
            LAUNCH(add_triangles, threads, block, *a);
            LAUNCH(spread, threads, block, *a, physics);
        }
        LAUNCH(step, solver->grid, solver->block, physics, *a, solver->type, solver->f, solver->next);
        if (a->mesh.nodes > 0)
            LAUNCH(move, threads, block, *a, physics);
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
    .summary = "sums of integers in fixed point: the same bits in every run and order",
    .lattice = &d3q19,
    .bytes_per_update = 157.0, // 19 floats read and 19 written, 1 cell type, 1 mark
    .bytes_per_cell = 193.0,   // two grids of 19 floats, 3 integers of 8 bytes, 3 floats, 1 cell type, 1 mark
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
