// D3Q19 BGK with an elastic membrane in the fluid: threads for cells, triangles and nodes, which add by atomicAdd.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d3q19.h"
#include "stage/membrane_copy.h"
#include "stage/stage.h"

#include <stdlib.h>

// The membrane, and what it shares with the cells.
typedef struct {
    Membrane mesh; // its arrays are on the device
    Stiffness stiffness;
    float *sums;     // [6][nodes]: elastic forces, gradient of the volume; then the volume of each membrane
    float *force;    // [3][cells]: of the nodes near a cell; zeros between two steps
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
            atomicAdd(&a.sums[i * nodes + a.mesh.corner[k * triangles + n]], number[i]);
    }
    atomicAdd(&a.sums[6 * nodes + n / (triangles / a.mesh.count)], volume_below(&t));
}

// Spreads the forces of nodes over the cells near them.
static __global__ void spread(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes, of_one = nodes / a.mesh.count;
    if (n >= nodes)
        return;
    const float pressure = volume_pressure(a.sums[6 * nodes + n / of_one], a.mesh.volume, a.stiffness.volume);
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE], force[3];
    for (int axis = 0; axis < 3; axis++) {
        force[axis] = a.sums[axis * nodes + n] + pressure * a.sums[(axis + 3) * nodes + n];
        a.sums[axis * nodes + n] = a.sums[(axis + 3) * nodes + n] = 0.0f;
    }
    find_cells(&a.mesh, &physics, n, cell, part);
    for (int k = 0; k < CELLS_OF_NODE; k++) {
        a.marked[cell[k]] = a.step;
        for (int axis = 0; axis < 3; axis++)
            atomicAdd(&a.force[axis * a.cells + cell[k]], part[k] * force[axis]);
    }
}

// Moves nodes with the fluid.
static __global__ void move(Immersed a, Physics physics)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, nodes = a.mesh.nodes;
    CellNumber cell[CELLS_OF_NODE];
    float part[CELLS_OF_NODE];
    if (n < a.mesh.count)
        a.sums[6 * nodes + n] = 0.0f;
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
        force[axis] = a->force[axis * a->cells + cell];
        a->force[axis * a->cells + cell] = 0.0f;
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
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    const size_t sums = 6 * scenario->membrane.nodes + scenario->membrane.count, numbers = 7 * cells + sums;
    gpu_need(2 * bytes + numbers * sizeof(float));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    Immersed *a = &solver->immersed;
    a->mesh = copy_membrane(&scenario->membrane, &device_memory);
    a->stiffness = scenario->stiffness;
    a->cells = cells;
    CHECK(cudaMalloc((void **)&a->force, numbers * sizeof(float)));
    CHECK(cudaMemset(a->force, 0, numbers * sizeof(float)));
    a->velocity = a->force + 3 * cells;
    a->sums = a->velocity + 3 * cells;
    a->marked = (int *)(a->sums + sums);
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
    .summary = "a membrane in the fluid: nodes, triangles and sums by atomicAdd",
    .lattice = &d3q19,
    .bytes_per_update = 157.0,  // 19 floats read and 19 written, 1 cell type, 1 mark
    .bytes_per_cell = 181.0,    // two grids of 19 floats, 6 floats, 1 cell type, 1 mark
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .varies = 1,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .read_nodes = read_nodes,
    .destroy = destroy,
};
