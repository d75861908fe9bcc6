#include "output/vtk.h"

#include "host/allocate.h"
#include "result/gradient.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char vtk_end[] = "\n  </AppendedData>\n</VTKFile>\n";

/** An array: one value of so many components for each cell. */
typedef struct {
    const char *type, *name, *unit; /**< as VTK calls its type; what it is; NULL: it has no unit */
    int components;
    size_t bytes;                                                 /**< of a cell */
    void (*find)(const Snapshot *r, Position at, float value[3]); /**< NULL: it is there already */
} Array;

static Moments moments_of(const Snapshot *r, Position at)
{
    return r->moments[cell_at(r->scenario, at)];
}

static void find_density(const Snapshot *r, Position at, float *value)
{
    value[0] = (float)(1.0f + moments_of(r, at).drho);
}

static void find_velocity(const Snapshot *r, Position at, float *value)
{
    const Moments m = moments_of(r, at);
    value[0] = (float)m.ux;
    value[1] = (float)m.uy;
    value[2] = (float)m.uz;
}

static void find_pressure(const Snapshot *r, Position at, float *value)
{
    value[0] = (float)(moments_of(r, at).drho / 3.0f);
}

/** In a plane flow the component along z alone. */
static void find_vorticity(const Snapshot *r, Position at, float *value)
{
    const Gradient g = gradient_at(r, at);
    const int first = is_in_space(r->scenario) ? 0 : 2;
    for (int axis = first; axis < 3; axis++)
        value[axis - first] = (float)vorticity(&g, axis);
}

static void find_q_criterion(const Snapshot *r, Position at, float *value)
{
    const Gradient g = gradient_at(r, at);
    value[0] = (float)q_criterion(&g);
}

/** The arrays of a file; the types of the cells are the last. */
typedef struct {
    int count;
    Array array[6];
} Arrays;

static Arrays arrays_of(const Scenario *s)
{
    const int in_space = is_in_space(s), components = in_space ? 3 : 1;
    Arrays a = {
        0,
        {{"Float32", "density", "rho0", 1, 4, find_density},
          {"Float32", "velocity", "cells/step", 3, 12, find_velocity},
          {"Float32", "pressure", "rho0 cells^2/step^2", 1, 4, find_pressure},
          {"Float32", "vorticity", "1/step", components, 4 * (size_t)components, find_vorticity},
          {"Float32", "q_criterion", "1/step^2", 1, 4, find_q_criterion}}
    };
    a.count = in_space ? 6 : 5;
    a.array[a.count - 1] = (Array){"UInt8", "type", NULL, 1, sizeof(CellType), NULL};
    return a;
}

static Array populations_of(const Scenario *s)
{
    const int directions = directions_of(s);
    return (Array){sizeof(Real) == 4 ? "Float32" : "Float64",
                   "populations",
                   "rho0",
                   directions,
                   directions * sizeof(Real),
                   NULL};
}

/** Cells of the rows that are composed at a time. */
enum { ROWS_CELLS = 1 << 20 };

void print_vtk_array(OutputFile *o, const char *type, const char *name, const char *unit, int components,
                     size_t offset)
{
    print(o,
          "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
          "offset=\"%zu\"",
          type, name, components, offset);
    if (unit)
        print(o,
              ">\n          <InformationKey name=\"UNITS_LABEL\" "
              "location=\"vtkDataArray\">%s</InformationKey>\n"
              "        </DataArray>\n",
              unit);
    else
        print(o, "/>\n");
}

void print_vtk_start(OutputFile *o, const char *type, const char *attributes, long step, const char *remark)
{
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian";
    print(o, "<?xml version=\"1.0\"?>\n<!-- %s -->\n", remark);
    print(o, "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n", type, order);
    print(o, "  <%s%s>\n", type, attributes);
    print(o,
          "    <FieldData>\n"
          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
          "format=\"ascii\">%ld</DataArray>\n",
          step);
}

static void print_array(OutputFile *o, const Array *a, size_t offset)
{
    print_vtk_array(o, a->type, a->name, a->unit, a->components, offset);
}

/** The array of a membrane's nodes, behind the populations. */
static void print_nodes(OutputFile *o, const Scenario *s)
{
    print(o,
          "      <DataArray type=\"%s\" Name=\"nodes\" NumberOfTuples=\"%d\" format=\"appended\" "
          "offset=\"%zu\"/>\n",
          populations_of(s).type, 3 * s->membrane.nodes,
          vtk_field_bytes(s) + sizeof(uint64_t) + population_count(s) * sizeof(Real));
}

void print_vtk_head(OutputFile *o, const Scenario *s, long step, const char *remark, int populations)
{
    char attributes[128];
    size_t offset = 0;
    snprintf(attributes, sizeof attributes,
             " WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\"", s->width,
             s->height, s->depth);
    print_vtk_start(o, "ImageData", attributes, step, remark);
    if (populations && s->membrane.nodes > 0)
        print_nodes(o, s);
    print(o,
          "    </FieldData>\n"
          "    <Piece Extent=\"0 %d 0 %d 0 %d\">\n"
          "      <CellData Scalars=\"density\" Vectors=\"velocity\">\n",
          s->width, s->height, s->depth);
    const Arrays arrays = arrays_of(s);
    for (int n = 0; n < arrays.count; n++) {
        print_array(o, &arrays.array[n], offset);
        offset += sizeof(uint64_t) + arrays.array[n].bytes * cell_count(s);
    }
    if (populations) {
        const Array last = populations_of(s);
        print_array(o, &last, offset);
    }
    print(o, "      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
}

void put_vtk_size(OutputFile *o, uint64_t bytes)
{
    put(o, &bytes, sizeof bytes);
}

/** Writes the values of the cells of some rows, from row `first` on, to values[]. */
static void compose_rows(const Array *a, const Snapshot *r, size_t first, size_t rows, char *values)
{
    const Scenario *s = r->scenario;
    const size_t width = (size_t)s->width;
#pragma omp parallel for schedule(static) if (rows * width >= PARALLEL_CELLS)
    for (size_t row = 0; row < rows; row++) {
        Position at = position_of(s, (first + row) * width);
        char *to = values + row * width * a->bytes;
        for (float value[3]; at.x < s->width; at.x++, to += a->bytes) {
            a->find(r, at, value);
            memcpy(to, value, a->bytes);
        }
    }
}

void put_vtk_fields(OutputFile *o, const Snapshot *r)
{
    const Scenario *s = r->scenario;
    const size_t width = (size_t)s->width, rows = cell_count(s) / width;
    const size_t fit = ROWS_CELLS / width, most = fit < 1 ? 1 : fit < rows ? fit : rows;
    char *values = allocate(most * width * 3 * sizeof(float));
    const Arrays arrays = arrays_of(s);
    for (const Array *a = arrays.array; a->find; a++) {
        put_vtk_size(o, a->bytes * cell_count(s));
        for (size_t first = 0; first < rows; first += most) {
            const size_t count = rows - first < most ? rows - first : most;
            compose_rows(a, r, first, count, values);
            put(o, values, count * width * a->bytes);
        }
    }
    free(values);
    put_vtk_size(o, cell_count(s) * sizeof *s->type);
    put(o, s->type, cell_count(s) * sizeof *s->type);
}

size_t vtk_field_bytes(const Scenario *s)
{
    const Arrays arrays = arrays_of(s);
    size_t bytes = 0;
    for (int n = 0; n < arrays.count; n++)
        bytes += sizeof(uint64_t) + arrays.array[n].bytes * cell_count(s);
    return bytes;
}

void find_vtk_remark(char remark[VTK_REMARK_SIZE], const Scenario *s, long step)
{
    char about[DESCRIPTION_SIZE];
    describe(s, about);
    snprintf(remark, VTK_REMARK_SIZE, "lbm-stages: %s; step %ld", about, step);
}

int is_vtk_of(const char *path, const Scenario *s, long step)
{
    char remark[VTK_REMARK_SIZE], expected[VTK_REMARK_SIZE + 16], line[VTK_REMARK_SIZE + 16] = "";
    find_vtk_remark(remark, s, step);
    snprintf(expected, sizeof expected, "<!-- %s -->\n", remark);
    struct stat status;
    FILE *file = NULL; // an entry of an old list may be anything; a fifo would wait for a writer
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        file = fopen(path, "r");
    for (int n = 0; file && n < 2; n++)
        if (!fgets(line, sizeof line, file))
            *line = '\0';
    if (file)
        fclose(file);
    return strcmp(line, expected) == 0;
}

void write_vtk(const char *path, const Snapshot *r)
{
    char remark[VTK_REMARK_SIZE];
    find_vtk_remark(remark, r->scenario, r->step);
    OutputFile o;
    begin_file(&o, path);
    print_vtk_head(&o, r->scenario, r->step, remark, 0);
    put_vtk_fields(&o, r);
    print(&o, "%s", vtk_end);
    finish_file(&o);
}
