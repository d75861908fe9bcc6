#include "vtk.h"

#include "output_file.h"

#include <stdint.h>

/** The XML around the arrays, up to the mark after which the raw bytes begin. */
static void print_vtk_header(OutputFile *o, const Scenario *s)
{
    const char *order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian";
    const size_t cells = cell_count(s), size = sizeof(uint64_t);
    const size_t velocity = size + 4 * cells, type = velocity + size + 12 * cells;
    print(o, "<?xml version=\"1.0\"?>\n");
    print(o, "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n",
          order);
    print(o,
          "  <ImageData WholeExtent=\"0 %d 0 %d 0 1\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">\n"
          "    <Piece Extent=\"0 %d 0 %d 0 1\">\n",
          s->width, s->height, s->width, s->height);
    print(o,
          "      <CellData Scalars=\"density\" Vectors=\"velocity\">\n"
          "        <DataArray type=\"Float32\" Name=\"density\" format=\"appended\" offset=\"0\"/>\n"
          "        <DataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\" format=\"appended\""
          " offset=\"%zu\"/>\n"
          "        <DataArray type=\"UInt8\" Name=\"type\" format=\"appended\" offset=\"%zu\"/>\n"
          "      </CellData>\n",
          velocity, type);
    print(o, "    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
}

/** Each appended array begins with its size in bytes. */
static void put_size(OutputFile *o, uint64_t bytes)
{
    put(o, &bytes, sizeof bytes);
}

void write_vtk(const char *path, const Result *r)
{
    const size_t cells = cell_count(r->scenario);
    OutputFile o;
    begin_file(&o, path);
    print_vtk_header(&o, r->scenario);
    put_size(&o, cells * sizeof(float));
    for (size_t cell = 0; cell < cells; cell++) {
        const float density = (float)r->moments[cell].rho;
        put(&o, &density, sizeof density);
    }
    put_size(&o, 3 * cells * sizeof(float));
    for (size_t cell = 0; cell < cells; cell++) {
        const float velocity[3] = {(float)r->moments[cell].ux, (float)r->moments[cell].uy, 0.0f};
        put(&o, velocity, sizeof velocity);
    }
    put_size(&o, cells);
    put(&o, r->scenario->type, cells);
    print(&o, "\n  </AppendedData>\n</VTKFile>\n");
    finish_file(&o);
}
