#include "output/vtp.h"

#include "host/allocate.h"
#include "output/vtk.h"

#include <stdint.h>
#include <stdlib.h>

/** Puts an array of 4-byte numbers with the size before it, and frees it. */
static void put_array(OutputFile *o, void *array, int count)
{
    const size_t bytes = 4 * (size_t)count;
    put_vtk_size(o, bytes);
    put(o, array, bytes);
    free(array);
}

/** The origins of the membranes, [3][count], whose centres the periodic grid then holds. */
static double *find_origins(const Scenario *s, const Membrane *m, const Real *position)
{
    const int nodes = m->nodes / m->count;
    double *origin = allocate(3 * (size_t)m->count * sizeof *origin);
    for (int i = 0; i < 3 * m->count; i++) {
        const int side = side_of(s, i / m->count);
        double sum = 0.0;
        for (int n = 0; n < nodes; n++)
            sum += position[i * nodes + n];
        origin[i] = m->origin[i] - side * floor((m->origin[i] + sum / nodes + 0.5) / side);
    }
    return origin;
}

/** value[3][nodes] as vectors, relative to origins[3][count]; NULL: they are no positions. */
static void put_vectors(OutputFile *o, const Membrane *m, const Real *value, const double *origin)
{
    const int nodes = m->nodes / m->count;
    float *vectors = allocate(3 * (size_t)m->nodes * sizeof *vectors);
    for (int i = 0; i < 3 * m->nodes; i++) {
        const int from = i % 3 * m->nodes + i / 3; // in value, where from / nodes counts through origin
        vectors[i] = (float)((origin ? origin[from / nodes] : 0.0) + value[from]);
    }
    put_array(o, vectors, 3 * m->nodes);
}

static void put_triangles(OutputFile *o, const Membrane *m)
{
    int32_t *corners = allocate(3 * (size_t)m->triangles * sizeof *corners);
    int32_t *ends = allocate((size_t)m->triangles * sizeof *ends);
    for (int i = 0; i < 3 * m->triangles; i++)
        corners[i] = m->corner[i % 3 * m->triangles + i / 3];
    for (int i = 0; i < m->triangles; i++)
        ends[i] = 3 * (i + 1);
    put_array(o, corners, 3 * m->triangles);
    put_array(o, ends, m->triangles);
}

static void print_head(OutputFile *o, const Membrane *m, long step, const char *remark)
{
    const size_t points = sizeof(uint64_t) + 12 * (size_t)m->nodes;
    const size_t corners = sizeof(uint64_t) + 12 * (size_t)m->triangles;
    print_vtk_start(o, "PolyData", "", step, remark);
    print(
        o,
        "    </FieldData>\n    <Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"%d\">\n      <PointData Vectors=\"force\">\n",
        m->nodes, m->triangles);
    print_vtk_array(o, "Float32", "force", "rho0 cells^4/step^2", 3, points);
    print(o, "      </PointData>\n      <Points>\n");
    print_vtk_array(o, "Float32", "Points", NULL, 3, 0);
    print(o, "      </Points>\n      <Polys>\n");
    print_vtk_array(o, "Int32", "connectivity", NULL, 1, 2 * points);
    print_vtk_array(o, "Int32", "offsets", NULL, 1, 2 * points + corners);
    print(o, "      </Polys>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
}

void write_vtp(const char *path, const Scenario *s, long step, const Membrane *m, const Real *position,
               const Real *force)
{
    char remark[VTK_REMARK_SIZE];
    OutputFile o;
    double *origin = find_origins(s, m, position);
    find_vtk_remark(remark, s, step);
    begin_file(&o, path);
    print_head(&o, m, step, remark);
    put_vectors(&o, m, position, origin);
    put_vectors(&o, m, force, NULL);
    put_triangles(&o, m);
    print(&o, "%s", vtk_end);
    finish_file(&o);
    free(origin);
}
