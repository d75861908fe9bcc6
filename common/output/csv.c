#include "output/csv.h"

#include "output/output_file.h"

void write_csv(const char *path, const Snapshot *r)
{
    const Scenario *s = r->scenario;
    const int in_space = is_in_space(s);
    char about[DESCRIPTION_SIZE];
    describe(s, about);
    OutputFile o;
    begin_file(&o, path);
    print(&o, "# %s; step %ld\n%s\n", about, r->step, in_space ? "x,y,z,rho,ux,uy,uz" : "x,y,rho,ux,uy");
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Position at = position_of(s, cell);
        const Moments m = r->moments[cell];
        if (in_space)
            print(&o, "%d,%d,%d,%.17g,%.9g,%.9g,%.9g\n", at.x, at.y, at.z, 1.0 + m.drho, m.ux, m.uy, m.uz);
        else
            print(&o, "%d,%d,%.17g,%.9g,%.9g\n", at.x, at.y, 1.0 + m.drho, m.ux, m.uy);
    }
    finish_file(&o);
}

void write_table(const char *path, const char *names, const double *value, size_t rows, int columns,
                 size_t stride)
{
    OutputFile o;
    begin_file(&o, path);
    print(&o, "%s\n", names);
    for (size_t row = 0; row < rows; row++)
        for (int n = 0; n < columns; n++)
            print(&o, "%.9g%c", value[row * stride + n], n < columns - 1 ? ',' : '\n');
    finish_file(&o);
}
