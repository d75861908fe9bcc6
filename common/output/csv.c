#include "output/csv.h"

#include "output/output_file.h"

void write_csv(const char *path, const Result *r)
{
    char about[DESCRIPTION_SIZE];
    describe(r->scenario, about);
    OutputFile o;
    begin_file(&o, path);
    print(&o, "# %s; step %ld\nx,y,rho,ux,uy\n", about, r->step);
    for (int y = 0; y < r->scenario->height; y++)
        for (int x = 0; x < r->scenario->width; x++) {
            const Moments m = moments_at(r, x, y);
            print(&o, "%d,%d,%.9g,%.9g,%.9g\n", x, y, m.rho, m.ux, m.uy);
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
