#include "check.h"
#include "host/allocate.h"
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "occurrences.h"
#include "output/csv.h"
#include "output/figure.h"
#include "output/output_file.h"
#include "output/plot.h"
#include "output/png_picture.h"
#include "output/screen.h"
#include "output/vtk.h"
#include "output/vtp.h"
#include "result/gradient.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_PNG
#include <png.h>
#endif

/** The flow of a test. */
static Scenario s;
static Snapshot r;
static int is_open;

static void close_flow(void)
{
    if (is_open) {
        destroy_snapshot(&r);
        destroy_scenario(&s);
    }
    is_open = 0;
}

static void open_grid(const char *name, Parameters size)
{
    close_flow();
    s = create_scenario(find_flow(name), size);
    r = initial_snapshot(&s);
    is_open = 1;
}

static void open_flow(const char *name, int width, int height)
{
    open_grid(name, (Parameters){.width = width, .height = height});
}

static void set_cell(int x, int y, float rho, float ux, float uy)
{
    if (!is_wall(s.type[(size_t)y * s.width + x]))
        r.moments[(size_t)y * s.width + x] = (Moments){rho - 1.0f, ux + 0.5f * s.physics.force_x, uy, 0.0f};
}

/** A flow that is nowhere the same. */
static void stir(void)
{
    unsigned n = 1;
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            float random[3];
            for (int i = 0; i < 3; i++)
                random[i] = (float)((n = 1664525u * n + 1013904223u) >> 8) / (1 << 24) - 0.5f;
            set_cell(x, y, 1.0f + 0.1f * random[0], 0.25f * random[1], 0.25f * random[2]);
        }
}

/** A duct of 5 x 4 x 6 cells in which no cell is like another. */
static void open_duct(void)
{
    open_grid("duct", (Parameters){.width = 5, .height = 4, .depth = 6});
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const float n = (float)(cell * 37 % 120);
        if (!is_wall(s.type[cell]))
            r.moments[cell] = (Moments){1e-3f * n, 1e-3f * n, -2e-5f * n * n, 1e-6f * n * n * n - 0.01f * n};
    }
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *directory = opendir(".");
    for (const struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/** Every test works in a folder of its own, which must be empty again when it leaves. */
static char folder[32];

void before_each_test(void)
{
    strcpy(folder, "output.XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        fail(EXIT_MACHINE, "no folder for the test");
}

void after_each_test(void)
{
    close_flow();
    EXPECT(files_in_folder() == 0);
    EXPECT(chdir("..") == 0 && rmdir(folder) == 0);
}

/** The whole file, with a zero behind it; to be freed. */
static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    if (file) {
        fseek(file, 0, SEEK_END);
        *size = (size_t)ftell(file);
        rewind(file);
        text = allocate(*size + 1);
        EXPECT(fread(text, 1, *size, file) == *size);
        fclose(file);
    }
    return text ? text : allocate(1);
}

static void put_old(const char *path)
{
    FILE *file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
}

static int is_old(const char *path)
{
    size_t size;
    char *text = contents(path, &size);
    const int old = strcmp(text, "old") == 0;
    free(text);
    return old;
}

static char message[1024];

/** Runs action(path) in a child; returns its exit code and leaves what it said in `message`. */
static int run(void (*prepare)(void), void (*action)(const char *), const char *path)
{
    int ends[2], status = -1;
    fflush(NULL);
    EXPECT(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        if (prepare)
            prepare();
        action(path);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(ends[0], message + length, sizeof message - 1 - length)) > 0;)
        length += (size_t)n;
    message[length] = '\0';
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/** Whether it was one line that says so of the path. */
static int one_line_says(const char *what, const char *path)
{
    const char *end = strchr(message, '\n');
    return end && end[1] == '\0' && strstr(message, what) && strstr(message, path);
}

/** Whether it was one line that names the path, which can't be written. */
static int one_line(const char *path)
{
    return one_line_says("cannot write", path);
}

static void vtk(const char *path)
{
    write_vtk(path, &r);
}

static void csv(const char *path)
{
    write_csv(path, &r);
}

static void png(const char *path)
{
    write_png(path, &r, SPEED, middle_slice(&s), 0.0);
}

static void figure(const char *path)
{
    write_figure(path, &r, &(Look){.field = SPEED, .slice = middle_slice(&s), .streamlines = 1}, "a_stage");
}

static void plot(const char *path);

static void (*const writers[])(const char *) = {vtk, csv, png, figure, plot};

enum { WRITERS = sizeof writers / sizeof *writers };

static void need_figures(void)
{
    if (!can_draw() || !can_write_png())
        SKIP("built without Cairo or libpng");
}

/** Whether this build has what a writer needs. */
static int is_there(int n)
{
    return writers[n] == png ? can_write_png() : writers[n] == figure || writers[n] == plot ? can_draw() : 1;
}

/* ---- VTK and CSV ---- */

/** The bytes of an appended array; expects type, number of components and size in bytes. */
static const char *vtk_array(const char *text, const char *type, const char *name, int components,
                             size_t bytes)
{
    char wanted[128];
    snprintf(wanted, sizeof wanted, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    const char *array = strstr(text, wanted), *raw = strstr(text, "<AppendedData encoding=\"raw\">\n_");
    EXPECT(array && raw);
    if (!array || !raw)
        exit(1);
    array += strlen(wanted);
    int found = 1;
    size_t offset = 0;
    sscanf(array, "NumberOfComponents=\"%d\"", &found);
    EXPECT(found == components);
    EXPECT(sscanf(strstr(array, "offset="), "offset=\"%zu\"", &offset) == 1);
    raw = strchr(raw, '_') + 1 + offset;
    uint64_t size;
    memcpy(&size, raw, sizeof size);
    EXPECT(size == bytes);
    return raw + sizeof size;
}

/** The n-th number of an array, which may lie anywhere. */
static float number_at(const char *array, int n)
{
    float number;
    memcpy(&number, array + n * sizeof number, sizeof number);
    return number;
}

/** Whether a file holds the moments of the flow, and what follows from them. */
static void expect_vtk_arrays(const char *path)
{
    const size_t cells = cell_count(&s);
    const int in_space = s.depth > 1;
    size_t size;
    char *text = contents(path, &size);
    const char *density = vtk_array(text, "Float32", "density", 1, 4 * cells);
    const char *velocity = vtk_array(text, "Float32", "velocity", 3, 12 * cells);
    const char *pressure = vtk_array(text, "Float32", "pressure", 1, 4 * cells);
    const char *curl = vtk_array(text, "Float32", "vorticity", in_space ? 3 : 1, (in_space ? 12 : 4) * cells);
    const char *q = in_space ? vtk_array(text, "Float32", "q_criterion", 1, 4 * cells) : NULL;
    const char *type = vtk_array(text, "UInt8", "type", 1, cells);
    for (int cell = 0; cell < (int)cells; cell++) {
        const Moments m = r.moments[cell];
        const float v[3] = {m.ux, m.uy, m.uz};
        const Gradient g = gradient_at(&r, position_of(&s, (size_t)cell));
        EXPECT(number_at(density, cell) == 1.0f + m.drho && number_at(pressure, cell) == m.drho / 3.0f);
        EXPECT(memcmp(velocity + 12 * cell, v, sizeof v) == 0);
        for (int axis = in_space ? 0 : 2; axis < 3; axis++)
            EXPECT(number_at(curl, in_space ? 3 * cell + axis : cell) == vorticity(&g, axis));
        EXPECT(!q || number_at(q, cell) == q_criterion(&g));
    }
    EXPECT(memcmp(type, s.type, cells) == 0);
    EXPECT(strcmp(type + cells, "\n  </AppendedData>\n</VTKFile>\n") == 0);
    EXPECT(type + cells + strlen(type + cells) == text + size);
    free(text);
    remove(path);
}

TEST(vtk_arrays_are_the_moments)
{
    open_flow("cavity", 7, 5);
    stir();
    r.moments[7 * 2 + 3].drho = 1.2345678e-9f; // which 1 in a float hides
    write_vtk("flow.vti", &r);
    expect_vtk_arrays("flow.vti");
}

TEST(vtk_header_says_what_follows)
{
    open_flow("poiseuille", 9, 4);
    r.step = 1234567;
    write_vtk("flow.vti", &r);
    size_t size;
    char *text = contents("flow.vti", &size);
    const union {
        uint16_t number;
        unsigned char first;
    } one = {1};
    EXPECT(strstr(text, "<VTKFile type=\"ImageData\""));
    EXPECT(strstr(text, one.first ? "byte_order=\"LittleEndian\"" : "byte_order=\"BigEndian\""));
    EXPECT(strstr(text, "header_type=\"UInt64\""));
    EXPECT(
        strstr(text, "<ImageData WholeExtent=\"0 9 0 4 0 1\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">"));
    EXPECT(strstr(text, "<Piece Extent=\"0 9 0 4 0 1\">"));
    EXPECT(strstr(text, "\n<!-- lbm-stages: poiseuille, 9x4 cells, Re 0.692820326, tau 0.9330127, u 0.05; "
                        "step 1234567 -->\n"));
    EXPECT(strstr(text,
                  "<FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">1234567</DataArray>\n    </FieldData>\n    <Piece"));
    const char *const units[] = {">rho0<", ">cells/step<", ">rho0 cells^2/step^2<", ">1/step<"};
    for (int n = 0; n < 4; n++)
        EXPECT(strstr(text, units[n]));
    EXPECT(strstr(text, "<CellData Scalars=\"density\" Vectors=\"velocity\">"));
    free(text);
    remove("flow.vti");
}

/** Whether a .vtp file holds the nodes where they are in the grid, their forces, and the triangles. */
TEST(vtp_holds_the_membrane)
{
    open_duct();
    double centre[3] = {2.5, 1.5, 3.0}, x[] = {0.0, 0.25}, y[] = {0.0, 0.5}, z[] = {0.0, 0.75};
    double *const shift[3] = {x, y, z};
    Membrane m = repeat_membrane(create_ellipsoid(centre, (double[]){2.0, 1.0, 1.5}, 1), 2, shift);
    Real *force = allocate(3 * (size_t)m.nodes * sizeof *force);
    for (int i = 0; i < 3 * m.nodes; i++)
        force[i] = (Real)i;
    m.origin[0] += 5 * s.width; // of the first along x, and of the second along z: round the periodic grid
    m.origin[5] -= 2 * s.depth;
    write_vtp("membrane.vtp", &s, 70, &m, m.position, force);
    size_t size;
    char *text = contents("membrane.vtp", &size);
    EXPECT(strstr(text, "; step 70 -->\n<VTKFile type=\"PolyData\" "));
    EXPECT(strstr(text, ">70</DataArray>") && strstr(text, ">rho0 cells^4/step^2<"));
    EXPECT(strstr(text, "<Piece NumberOfPoints=\"84\" ") && strstr(text, " NumberOfPolys=\"160\">"));
    const char *points = vtk_array(text, "Float32", "Points", 3, 12 * 84);
    const char *forces = vtk_array(text, "Float32", "force", 3, 12 * 84);
    const char *corners = vtk_array(text, "Int32", "connectivity", 1, 12 * 160);
    const char *ends = vtk_array(text, "Int32", "offsets", 1, 4 * 160);
    for (int i = 0; i < 3 * m.nodes; i++) {
        const int from = i % 3 * m.nodes + i / 3;
        EXPECT(number_at(points, i) ==
               (float)(centre[i % 3] + shift[i % 3][i / 3 / 42] + (double)m.position[from]));
        EXPECT(number_at(forces, i) == force[from]);
    }
    for (int i = 0; i < 3 * m.triangles; i++) {
        int32_t corner, end;
        memcpy(&corner, corners + 4 * i, sizeof corner);
        memcpy(&end, ends + i / 3 * 4, sizeof end);
        EXPECT(corner == m.corner[i % 3 * m.triangles + i / 3] && end == 3 * (i / 3 + 1));
    }
    EXPECT(strcmp(ends + 4 * m.triangles, "\n  </AppendedData>\n</VTKFile>\n") == 0);
    EXPECT(ends + 4 * m.triangles + strlen(ends + 4 * m.triangles) == text + size);
    free(text);
    free(force);
    destroy_membrane(&m);
    remove("membrane.vtp");
}

/** Whether a table has this head, and the moments of the flow to the last bit. */
static void expect_csv(const char *path, const char *head)
{
    size_t size;
    char *text = contents(path, &size), *line = strstr(text, head);
    EXPECT(line);
    line = line ? line + strlen(head) : text;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        Position at = {-1, -1, 0};
        Moments m = {0};
        double rho = NAN;
        int length = 0;
        const int found =
            s.depth > 1 ? sscanf(line, "%d,%d,%d,%lf,%f,%f,%f\n%n", &at.x, &at.y, &at.z, &rho, &m.ux, &m.uy,
                                 &m.uz, &length)
                        : 2 + sscanf(line, "%d,%d,%lf,%f,%f\n%n", &at.x, &at.y, &rho, &m.ux, &m.uy, &length);
        m.drho = (Real)(rho - 1.0);
        EXPECT(found == 7 && at.x < s.width && at.y < s.height && cell_at(&s, at) == cell);
        EXPECT(memcmp(&m, &r.moments[cell], sizeof m) == 0 || (isnan(m.drho) && isnan(r.moments[cell].drho)));
        line += length;
    }
    EXPECT(line == text + size && size > 0);
    free(text);
    remove(path);
}

TEST(csv_reads_back_to_the_bit)
{
    open_flow("cavity", 6, 9);
    stir();
    r.moments[6 * 4 + 2].ux = NAN;
    r.moments[6 * 3 + 2].drho = 1.2345678e-9f;
    r.step = 70;
    write_csv("flow.csv", &r);
    expect_csv("flow.csv", "# cavity, 6x9 cells, Re 1000, tau 0.5012, u 0.1; step 70\nx,y,rho,ux,uy\n");
    open_duct();
    write_csv("flow.csv", &r);
    expect_csv("flow.csv", "\nx,y,z,rho,ux,uy,uz\n");
}

/* ---- Colours and fields ---- */

static double linear(int c)
{
    return c <= 10 ? c / 255.0 / 12.92 : pow((c / 255.0 + 0.055) / 1.055, 2.4);
}

/** CIE 1976 L*a*b* of an sRGB colour, white point D65. */
static void to_lab(Colour c, double lab[3])
{
    const double r = linear(c.red), g = linear(c.green), b = linear(c.blue);
    const double light[3] = {
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    };
    double t[3];
    for (int i = 0; i < 3; i++)
        t[i] = light[i] > 216.0 / 24389.0 ? cbrt(light[i]) : (24389.0 / 27.0 * light[i] + 16.0) / 116.0;
    lab[0] = 116.0 * t[1] - 16.0;
    lab[1] = 500.0 * (t[0] - t[1]);
    lab[2] = 200.0 * (t[1] - t[2]);
}

static double difference(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

enum { STEPS = 16 };

/** L*a*b* at even distances along a colour map; expects steps of equal size, but for rounding to 8 bits. */
static void expect_even(Colour (*map)(double), double lab[STEPS + 1][3])
{
    double step[STEPS], mean = 0.0;
    for (int n = 0; n <= STEPS; n++)
        to_lab(map((double)n / STEPS), lab[n]);
    for (int n = 0; n < STEPS; n++)
        mean += (step[n] = difference(lab[n], lab[n + 1])) / STEPS;
    for (int n = 0; n < STEPS; n++)
        EXPECT_NEAR(step[n], mean, 0.1 * mean);
}

TEST(sequential_colours_rise_evenly)
{
    double lab[STEPS + 1][3];
    expect_even(sequential_colour, lab);
    const double rise = lab[STEPS][0] - lab[0][0];
    EXPECT(rise > 70.0);
    for (int n = 0; n < STEPS; n++)
        EXPECT_NEAR(lab[n + 1][0] - lab[n][0], rise / STEPS, 0.1 * rise / STEPS);
}

TEST(diverging_colours_are_even_and_symmetric)
{
    double lab[STEPS + 1][3];
    expect_even(diverging_colour, lab);
    for (int n = 0; n <= STEPS; n++)
        EXPECT_NEAR(lab[n][0], lab[STEPS - n][0], 1.0);
    EXPECT(lab[STEPS / 2][0] > 90.0 && lab[0][0] < 50.0);
    EXPECT_NEAR(hypot(lab[STEPS / 2][1], lab[STEPS / 2][2]), 0.0, 1.0);
    const Colour low = diverging_colour(0.0), high = diverging_colour(1.0);
    EXPECT(low.blue > low.red && low.blue > low.green);
    EXPECT(high.red > high.blue && high.red > high.green);
}

TEST(vorticity_of_a_solid_body_is_twice_its_rotation)
{
    open_flow("taylor_green", 11, 8);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 11; x++)
            set_cell(x, y, 1.0f, -0.004f * ((float)y - 3.0f), 0.004f * ((float)x - 6.0f));
    Picture p = create_picture(&r, VORTICITY, middle_slice(&s));
    for (int y = 1; y < 7; y++)
        for (int x = 1; x < 10; x++) // no body that rotates is periodic
            EXPECT_NEAR(p.value[11 * y + x], 2.0 * 0.004, 1e-6);
    destroy_picture(&p);
}

TEST(vorticity_knows_the_speed_of_walls)
{
    open_flow("cavity", 9, 9);
    Picture p = create_picture(&r, VORTICITY, middle_slice(&s));
    EXPECT_NEAR(p.value[9 * 7 + 4], -4.0 / 3.0 * s.u, 1e-7); // of the parabola through u, 0 and 0
    EXPECT_NEAR(p.value[9 * 6 + 4], 0.0, 1e-7);
    destroy_picture(&p);
}

TEST(one_cell_wide_grids_have_a_vorticity)
{
    open_flow("poiseuille", 1, 5);
    set_cell(0, 1, 1.0f, 0.01f, 0.0f);
    Picture p = create_picture(&r, VORTICITY, middle_slice(&s));
    EXPECT_NEAR(p.value[2], 0.5 * 0.01, 1e-5);
    destroy_picture(&p);
}

static void expect_scale(Field field, double low, double high, double tolerance)
{
    Picture p = create_picture(&r, field, middle_slice(&s));
    EXPECT_NEAR(p.low, low, tolerance);
    EXPECT_NEAR(p.high, high, tolerance);
    destroy_picture(&p);
}

TEST(scales_span_the_fluid)
{
    open_flow("cavity", 8, 8);
    expect_scale(SPEED, 0.0, 1.0, 0.0); /* all at rest: the lid does not count */
    expect_scale(UX, -1.0, 1.0, 0.0);
    set_cell(2, 2, 1.1f, -0.03f, 0.04f);
    set_cell(3, 3, 0.7f, 0.02f, 0.01f);
    set_cell(4, 4, NAN, NAN, NAN);
    r.moments[8 * 5 + 5].drho = INFINITY;
    expect_scale(SPEED, 0.0, sqrt(0.05), 1e-6);
    expect_scale(UX, -0.03, 0.03, 1e-6);
    expect_scale(UY, -0.04, 0.04, 1e-6);
    expect_scale(RHO, -0.3, 0.1, 1e-6);

    open_flow("taylor_green", 2, 1);
    set_cell(0, 0, 1.0f, 0.02f, 0.0f);
    set_cell(1, 0, 1.0f, 0.04f, 0.0f);
    expect_scale(SPEED, 0.0, sqrt(0.04), 1e-6);
    expect_scale(UX, -0.04, 0.04, 1e-6);
}

TEST(a_singular_corner_does_not_set_the_scale_of_vorticity)
{
    open_flow("taylor_green", 40, 40);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++)
            set_cell(x, y, 1.0f, 0.001f * fabsf((float)y - 20.0f), 0.0f);
    set_cell(0, 39, 1.0f, 0.5f, 0.0f);
    expect_scale(VORTICITY, -0.001, 0.001, 1e-5);
}

static int equal(Colour a, Colour b)
{
    return a.red == b.red && a.green == b.green && a.blue == b.blue;
}

TEST(values_have_the_colours_of_their_map)
{
    open_flow("taylor_green", 3, 1);
    set_cell(0, 0, 1.0f, -0.1f, 0.0f);
    set_cell(1, 0, 1.0f, 0.0f, 0.0f);
    set_cell(2, 0, 1.0f, 0.05f, 0.0f);
    Picture signed_one = create_picture(&r, UX, middle_slice(&s)),
            speed = create_picture(&r, SPEED, middle_slice(&s));
    EXPECT(equal(colour_of(&signed_one, 0, 1, 0, 1), diverging_colour(0.0)));
    EXPECT(equal(colour_of(&signed_one, 1, 2, 0, 1), diverging_colour(0.5)));
    EXPECT(equal(colour_of(&signed_one, 1, 3, 0, 1), signed_one.shade[159])); /* mean: 0.025 of 0.1 */
    EXPECT(equal(colour_of(&speed, 0, 1, 0, 1), sequential_colour(1.0)));
    EXPECT(equal(colour_of(&speed, 1, 2, 0, 1), sequential_colour(0.0)));
    destroy_picture(&signed_one);
    destroy_picture(&speed);
}

/* ---- PNG ---- */

typedef struct {
    int width, height;
    Colour *pixel;
} Image;

/** The pixels of a file, which is removed. */
static Image read_png(const char *path)
{
    Image result = {0};
#ifdef HAVE_PNG
    png_image image = {.version = PNG_IMAGE_VERSION};
    EXPECT(png_image_begin_read_from_file(&image, path));
    EXPECT(image.format == PNG_FORMAT_RGB);
    result = (Image){(int)image.width, (int)image.height, allocate(PNG_IMAGE_SIZE(image) + 1)};
    EXPECT(png_image_finish_read(&image, NULL, result.pixel, 0, NULL));
#endif
    remove(path);
    return result;
}

TEST(png_shows_walls_nan_and_y_up)
{
    if (!can_write_png())
        SKIP("built without libpng");
    open_flow("cavity", 8, 6);
    set_cell(1, 4, 1.0f, 0.1f, 0.0f); /* fast: upper left corner of the fluid */
    set_cell(6, 1, 1.0f, NAN, 0.0f);  /* broken: lower right one */
    write_png("flow.png", &r, SPEED, middle_slice(&s), 0.0);
    Image image = read_png("flow.png");
    EXPECT(image.width == 8 && image.height == 6);
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const int wall = x == 0 || x == 7 || y == 0 || y == 5;
            const Colour wanted = wall               ? wall_colour
                                  : x == 1 && y == 1 ? sequential_colour(1.0)
                                  : x == 6 && y == 4 ? nan_colour
                                                     : sequential_colour(0.0);
            EXPECT(equal(image.pixel[image.width * y + x], wanted));
        }
    EXPECT(wall_colour.red == wall_colour.green && wall_colour.green == wall_colour.blue);
    free(image.pixel);
}

/** Where a figure of fewer than 800 cells shows the centre of a cell: behind the margin, below the title. */
static Colour pixel_of_cell(const Image *image, int x, int y)
{
    const int longer = r.scenario->width > r.scenario->height ? r.scenario->width : r.scenario->height;
    const int pixels = (800 + longer - 1) / longer, left = (image->width - pixels * r.scenario->width) / 2;
    const int column = left + pixels * x + pixels / 2;
    const int row = 84 + pixels * (r.scenario->height - 1 - y) + pixels / 2;
    return image->pixel[(size_t)row * image->width + column];
}

TEST(a_figure_shows_each_cell_large_and_y_up)
{
    need_figures();
    const int sizes[][2] = {
        {8,  6 },
        {5,  70},
        {70, 5 }
    };
    for (int n = 0; n < 3; n++) {
        open_flow("cavity", sizes[n][0], sizes[n][1]);
        set_cell(1, 3, 1.0f, 0.1f, 0.0f);
        set_cell(3, 1, 1.0f, NAN, 0.0f);
        set_cell(2, 2, 1.0f, 0.025f, 0.0f);
        write_figure("flow.png", &r, &(Look){.field = SPEED, .slice = middle_slice(&s)}, "a_stage");
        Image image = read_png("flow.png");
        EXPECT(image.width % 2 == 0 && image.height % 2 == 0);
        EXPECT(image.width >= 800 || image.height >= 800);
        EXPECT(equal(pixel_of_cell(&image, 1, 3), sequential_colour(1.0)));
        EXPECT(equal(pixel_of_cell(&image, 2, 2), sequential_colour(0.5)));
        EXPECT(equal(pixel_of_cell(&image, 3, 1), nan_colour));
        EXPECT(equal(pixel_of_cell(&image, 0, 0), wall_colour));
        EXPECT(equal(pixel_of_cell(&image, 1, 1), sequential_colour(0.0)));
        free(image.pixel);
    }
}

/** Number of pixels of this colour. */
static long count_pixels(const Image *image, Colour colour)
{
    long count = 0;
    for (size_t n = 0; n < (size_t)image->width * image->height; n++)
        count += equal(image->pixel[n], colour);
    return count;
}

TEST(a_figure_of_many_cells_shows_their_mean)
{
    need_figures();
    open_flow("taylor_green", 3200, 6);
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 3200; x++)
            set_cell(x, y, 1.0f, x % 2 ? 0.02f : -0.02f, 0.0f);
    write_figure("flow.png", &r, &(Look){.field = UX, .slice = middle_slice(&s)}, "a_stage");
    Image image = read_png("flow.png");
    EXPECT(image.width >= 1600 && image.width < 1700);
    EXPECT(count_pixels(&image, diverging_colour(0.5)) >= 1600 * 3);
    free(image.pixel);
}

TEST(a_figure_keeps_the_scale_that_it_is_given)
{
    need_figures();
    for (int field = 0; field < FIELD_COUNT; field++) {
        Image image[2];
        for (int n = 0; n < 2; n++) {
            open_flow("taylor_green", 8, 8);
            set_cell(3, 3, 1.0f, 0.02f, 0.0f);
            set_cell(6, 6, 1.0f, n ? 0.5f : 0.0f, 0.0f); // beyond the scale
            write_figure("flow.png", &r, &(Look){(Field)field, middle_slice(&s), 0.04, 0}, "a_stage");
            image[n] = read_png("flow.png");
            EXPECT(field == VORTICITY ||
                   equal(pixel_of_cell(&image[n], 3, 3),
                         field == SPEED ? sequential_colour(lround(254 * sqrt(0.5)) / 254.0)
                         : field == RHO ? sequential_colour(0.5)
                         : field == UX  ? diverging_colour(lround(254 * 0.75) / 254.0)
                                        : diverging_colour(0.5)));
        }
        EXPECT(image[0].width == image[1].width && image[0].height == image[1].height);
        free(image[0].pixel);
        free(image[1].pixel);
    }
}

/* ---- Flows in space ---- */

TEST(vtk_volumes_hold_every_layer)
{
    open_duct();
    r.step = 12;
    write_vtk("flow.vti", &r);
    EXPECT(is_vtk_of("flow.vti", &s, 12) && !is_vtk_of("flow.vti", &s, 13));
    size_t size;
    char *text = contents("flow.vti", &size);
    EXPECT(strstr(text, "\n<!-- lbm-stages: duct, 5x4x6 cells, Re ") && strstr(text, ">1/step^2<"));
    EXPECT(
        strstr(text, "<ImageData WholeExtent=\"0 5 0 4 0 6\" Origin=\"-0.5 -0.5 -0.5\" Spacing=\"1 1 1\">"));
    EXPECT(strstr(text, "<Piece Extent=\"0 5 0 4 0 6\">"));
    free(text);
    expect_vtk_arrays("flow.vti");
}

/** A slice has the cells with one coordinate; of the others the first is to the right, the second up. */
TEST(slices_show_their_cells)
{
    static const struct {
        Slice slice;
        int width, height, right, up; /**< the axes to the right and up */
    } slices[] = {
        {{0, 3}, 4, 6, 1, 2},
        {{1, 2}, 5, 6, 0, 2},
        {{2, 4}, 5, 4, 0, 1}
    };
    open_duct();
    for (int n = 0; n < 3; n++)
        for (Field field = SPEED; field < FIELD_COUNT; field++) {
            Picture p = create_picture(&r, field, slices[n].slice);
            EXPECT(p.width == slices[n].width && p.height == slices[n].height);
            for (int cell = 0; cell < p.width * p.height; cell++) {
                int at[3] = {slices[n].slice.at, slices[n].slice.at, slices[n].slice.at};
                at[slices[n].right] = cell % p.width;
                at[slices[n].up] = cell / p.width;
                const int number = (at[2] * 4 + at[1]) * 5 + at[0];
                const Moments m = r.moments[number];
                const Gradient g = gradient_at(&r, (Position){at[0], at[1], at[2]});
                const double expected = field == SPEED ? sqrt(sqrt(m.ux * m.ux + m.uy * m.uy + m.uz * m.uz))
                                        : field == VORTICITY ? vorticity(&g, slices[n].slice.axis)
                                        : field == UX        ? m.ux
                                        : field == UY        ? m.uy
                                        : field == UZ        ? m.uz
                                                             : m.drho;
                EXPECT(p.type[cell] == s.type[number]);
                EXPECT_NEAR(p.value[cell], expected, 1e-6);
            }
            destroy_picture(&p);
        }
    const Slice middle = middle_slice(&s);
    EXPECT(middle.axis == 2 && middle.at == 3);
}

TEST(a_figure_of_a_slice_has_its_shape)
{
    need_figures();
    open_duct();
    write_figure("flow.png", &r,
                 &(Look){
                     .field = UZ, .slice = {1, 2}
    },
                 "a_stage");
    write_png("cells.png", &r, UZ, (Slice){1, 2}, 0.0);
    Image figure = read_png("flow.png"), cells = read_png("cells.png");
    EXPECT(cells.width == 5 && cells.height == 6);
    const int pixels = (800 + 5) / 6, left = (figure.width - 5 * pixels) / 2;
    for (int cell = 0; cell < 30; cell++) {
        const int row = 84 + pixels * (cell / 5) + pixels / 2,
                  column = left + pixels * (cell % 5) + pixels / 2;
        EXPECT(equal(figure.pixel[(size_t)row * figure.width + column], cells.pixel[cell]));
    }
    free(figure.pixel);
    free(cells.pixel);
}

/* ---- Plots ---- */

static double numbers[8];
static Panel panel = {
    "title",
    "axis",
    0,
    2,
    {{"line", numbers, numbers + 1, 4, 2, 0}, {"dots", numbers, numbers + 1, 4, 2, 1}}
};

static void plot(const char *path)
{
    write_plot(path, "a flow", "a caption", &panel, 1);
}

/** Plots the numbers; returns the file, to be freed. */
static char *plotted(void)
{
    size_t size;
    plot("plot.svg");
    char *text = contents("plot.svg", &size);
    EXPECT(strncmp(text, "<?xml", 5) == 0 && strstr(text, "</svg>"));
    EXPECT(!strstr(text, "nan") && !strstr(text, "inf"));
    remove("plot.svg");
    return text;
}

TEST(a_plot_has_a_dot_for_each_number_and_none_for_what_is_none)
{
    if (!can_draw())
        SKIP("built without Cairo");
    const double values[][8] = {
        {0, 1,   1, 3,        2, 2,   3, 4  }, // four points
        {0, 1,   1, NAN,      2, 2,   3, 4  },
        {0, 1,   1, INFINITY, 2, NAN, 3, 4  },
        {0, 5,   1, 5,        2, 5,   3, 5  }, // an axis without length
        {0, NAN, 1, NAN,      2, NAN, 3, NAN},
        {0, -1,  1, 0,        2, 1,   3, 10 }, // and by its logarithm
    };
    const int dots[] = {4, 3, 2, 4, 0, 2};
    int in_four = 0;
    for (int n = 0; n < 6; n++) {
        memcpy(numbers, values[n], sizeof numbers);
        panel.logarithmic = n == 5;
        char *text = plotted();
        panel.curve[1].count = 0;
        char *without = plotted();
        panel.curve[1].count = 4;
        const int arcs = occurrences(text, " C ") - occurrences(without, " C "); // a circle has some
        in_four = n == 0 ? arcs : in_four;
        EXPECT(in_four > 0 && 4 * arcs == dots[n] * in_four);
        free(without);
        free(text);
    }
}

TEST(a_plot_of_very_many_numbers_keeps_their_extremes)
{
    if (!can_draw())
        SKIP("built without Cairo");
    enum { MANY = 1000000 };
    double *many = allocate(2 * MANY * sizeof *many);
    for (int n = 0; n < MANY; n++)
        many[n] = n;
    Panel usual = panel;
    panel = (Panel){"title", "axis", 0, 1, {{"line", many, many + MANY, MANY, 1, 0}}};
    char *flat = plotted();
    many[MANY + 123456] = 1.0;
    char *peak = plotted();
    EXPECT(strlen(flat) < 1000000 && strlen(peak) < 1000000);
    EXPECT(occurrences(peak, " L ") > occurrences(flat, " L "));
    panel = usual;
    free(peak);
    free(flat);
    free(many);
}

/* ---- The picture in the terminal ---- */

/** What draw prints; to be freed. */
static char *drawn(int columns, int rows, Field field)
{
    char *text = NULL;
    size_t size;
    FILE *terminal = open_memstream(&text, &size);
    draw(terminal, columns, rows, &r, field, middle_slice(&s));
    fclose(terminal);
    return text;
}

/** Expects a picture of that many half blocks in lines of equal length, each ending in a reset. */
static void expect_blocks(int columns, int rows, int wanted_columns, int wanted_rows)
{
    char *text = drawn(columns, rows, SPEED), *line = text;
    int lines = 0;
    for (char *end; (end = strchr(line, '\n')); line = end + 1, lines++) {
        *end = '\0';
        int blocks = 0;
        for (const char *c = line; (c = strstr(c, "\u2580")); c += strlen("\u2580"))
            blocks++;
        EXPECT(blocks == wanted_columns);
        EXPECT(end - line > 4 && strcmp(end - 4, "\x1b[0m") == 0);
    }
    EXPECT(*line == '\0');
    EXPECT(lines == wanted_rows);
    free(text);
}

TEST(text_pictures_fit_and_keep_their_shape)
{
    open_flow("cylinder", 200, 100);
    expect_blocks(80, 24, 80, 20);
    expect_blocks(80, 10, 40, 10);
    expect_blocks(400, 100, 400, 100);
    expect_blocks(1, 1, 1, 1);
    expect_blocks(0, 0, 1, 1);
    open_flow("poiseuille", 1, 34);
    expect_blocks(80, 24, 1, 24);
    open_flow("taylor_green", 90, 1);
    expect_blocks(80, 24, 80, 1);
}

static void expect_text_picture(int columns, int rows, Field field, const char *wanted)
{
    char *text = drawn(columns, rows, field);
    EXPECT(strcmp(text, wanted) == 0);
    free(text);
}

/** The code that sets the colour of what follows: layer 38, foreground, or 48, background. */
static const char *paint(int layer, Colour c)
{
    static char codes[8][32];
    static unsigned next;
    char *code = codes[next++ % 8];
    snprintf(code, sizeof *codes, "\x1b[%d;2;%d;%d;%dm", layer, c.red, c.green, c.blue);
    return code;
}

TEST(text_pictures_average_and_set_colours_where_they_change)
{
    open_flow("taylor_green", 6, 4);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++) /* dense: lower right, 1.1 in the mean */
            set_cell(x, y, x >= 4 && y < 2 ? 1.2f - 0.1f * (float)(x - 4 + y) : 0.9f, 0.0f, 0.0f);
    const Colour low = sequential_colour(0.0), high = sequential_colour(169.0 / (SHADES - 1));
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%s%s\u2580\u2580%s\u2580\x1b[0m\n", paint(38, low), paint(48, low),
             paint(48, high));
    expect_text_picture(3, 9, RHO, wanted);
}

TEST(text_pictures_enlarge_small_grids)
{
    open_flow("taylor_green", 1, 2);
    set_cell(0, 0, 1.0f, 0.1f, 0.0f);
    set_cell(0, 1, 1.0f, -0.1f, 0.0f);
    char wanted[256], line[2][128];
    for (int n = 0; n < 2; n++) {
        const Colour c = diverging_colour(n);
        snprintf(line[n], sizeof line[n], "%s%s\u2580\u2580\x1b[0m\n", paint(38, c), paint(48, c));
    }
    snprintf(wanted, sizeof wanted, "%s%s", line[0], line[1]);
    expect_text_picture(80, 2, UX, wanted);
}

TEST(text_pictures_show_walls_and_nan)
{
    open_flow("cavity", 4, 4);
    set_cell(1, 1, NAN, NAN, NAN);
    char wanted[256];
    snprintf(wanted, sizeof wanted, "\n%s%s\u2580%s\u2580", paint(38, wall_colour), paint(48, wall_colour),
             paint(38, nan_colour));
    char *text = drawn(4, 2, UX);
    EXPECT(strstr(text, wanted));
    free(text);

    open_flow("poiseuille", 2, 4); /* half of each pixel is wall */
    snprintf(wanted, sizeof wanted, "%s%s\u2580\x1b[0m\n", paint(38, wall_colour), paint(48, wall_colour));
    expect_text_picture(1, 1, UX, wanted);
}

/* ---- Files that can't be written ---- */

TEST(what_a_build_lacks_is_a_clear_refusal)
{
    open_flow("cavity", 8, 6);
    for (int n = 0; n < WRITERS; n++) {
        const int code = run(NULL, writers[n], "file"), is_png = writers[n] == png;
        if (is_there(n))
            EXPECT(code == EXIT_GOOD && message[0] == '\0' && remove("file") == 0);
        else
            EXPECT(code == EXIT_USAGE && one_line_says(is_png ? "cannot write" : "cannot draw", "file") &&
                   strstr(message, is_png ? "libpng-dev" : "libcairo2-dev"));
    }
}

static void fill_disk(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){50, 50});
}

/** Sizes: one that stays in the buffer of stdio to the end, one that does not. */
TEST(a_full_disk_leaves_the_old_file)
{
    for (int size = 5; size <= 85; size += 80)
        for (int n = 0; n < WRITERS; n++) {
            if (!is_there(n))
                continue;
            open_flow("cavity", size, size);
            stir();
            put_old("file");
            EXPECT(run(fill_disk, writers[n], "file") == EXIT_MACHINE);
            EXPECT(one_line("file") && strstr(message, "File too large"));
            EXPECT(is_old("file") && files_in_folder() == 1);
            EXPECT(run(NULL, writers[n], "file") == EXIT_GOOD && message[0] == '\0');
            EXPECT(!is_old("file") && files_in_folder() == 1);
            remove("file");
        }
}

static void limit_files(void)
{
    catch_signals();
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){50, 50});
}

TEST(a_limit_on_files_is_no_sudden_death)
{
    open_flow("cavity", 85, 85);
    EXPECT(run(limit_files, writers[0], "file") == EXIT_MACHINE);
    EXPECT(one_line("file") && files_in_folder() == 0);
}

/** The printf fails, not the flush. */
static void print_much(const char *path)
{
    if (!freopen(path, "w", stdout))
        exit(1);
    for (int n = 0; n < 100000; n++)
        putchar('x');
    fflush(stdout);
    errno = 0;
    flush_standard_output();
}

TEST(standard_output_that_failed_before_tells_why)
{
    if (access("/dev/full", W_OK) != 0)
        SKIP("there is no /dev/full");
    EXPECT(run(NULL, print_much, "/dev/full") == EXIT_MACHINE);
    EXPECT(strcmp(message, "lbm: can't write to standard output: No space left on device\n") == 0);
    EXPECT(run(NULL, print_much, "/dev/null") == EXIT_GOOD && message[0] == '\0');
}

TEST(a_file_keeps_its_permissions)
{
    open_flow("cavity", 5, 5);
    put_old("file");
    EXPECT(chmod("file", 0600) == 0);
    EXPECT(run(NULL, writers[0], "file") == EXIT_GOOD);
    struct stat status;
    EXPECT(stat("file", &status) == 0 && (status.st_mode & 0777) == 0600);
    remove("file");
}

TEST(what_can_not_be_a_file_is_refused)
{
    open_flow("cavity", 5, 5);
    EXPECT(mkdir("folder", 0777) == 0 && symlink("nothing", "link") == 0 && symlink("folder", "way") == 0);
    put_old("file");
    const char *const paths[] = {"folder", "folder/", ".", "way", "link", "missing/file", "file/file", ""};
    for (size_t n = 0; n < sizeof paths / sizeof *paths; n++) {
        EXPECT(run(NULL, check_writable, paths[n]) == EXIT_MACHINE);
        EXPECT(one_line(paths[n]));
        for (int w = 0; w < WRITERS; w++) {
            if (!is_there(w))
                continue;
            EXPECT(run(NULL, writers[w], paths[n]) == EXIT_MACHINE);
            EXPECT(one_line(paths[n]));
        }
    }
    EXPECT(files_in_folder() == 4 && is_old("file") && remove("file") == 0);
    EXPECT(remove("folder") == 0 && remove("way") == 0 && remove("link") == 0);
}

TEST(a_link_is_kept_and_its_file_replaced)
{
    open_flow("cavity", 5, 5);
    EXPECT(mkdir("folder", 0777) == 0 && symlink("folder/file", "link") == 0);
    for (int w = 0; w < WRITERS; w++) {
        if (!is_there(w))
            continue;
        put_old("folder/file");
        EXPECT(run(NULL, check_writable, "link") == EXIT_GOOD && is_old("link"));
        EXPECT(run(NULL, writers[w], "link") == EXIT_GOOD && message[0] == '\0');
        struct stat status;
        EXPECT(lstat("link", &status) == 0 && S_ISLNK(status.st_mode) && !is_old("folder/file"));
    }
    EXPECT(remove("folder/file") == 0 && remove("folder") == 0 && remove("link") == 0);
}

/** Runs a shell command that reads the pipe while an output is written there. */
static int run_with_reader(void (*action)(const char *), const char *path, const char *command)
{
    const pid_t reader = fork();
    if (reader == 0)
        _exit(execl("/bin/sh", "sh", "-c", command, (char *)NULL));
    const int code = run(NULL, action, path);
    waitpid(reader, NULL, 0);
    return code;
}

TEST(a_pipe_takes_what_a_file_would)
{
    open_flow("cavity", 5, 5);
    EXPECT(mkfifo("pipe", 0666) == 0);
    EXPECT(run(NULL, check_writable, "pipe") == EXIT_GOOD); // does not wait for a reader
    for (int w = 0; w < WRITERS; w++) {
        if (!is_there(w))
            continue;
        EXPECT(run(NULL, writers[w], "file") == EXIT_GOOD);
        EXPECT(run_with_reader(writers[w], "pipe", "cat pipe >read") == EXIT_GOOD && message[0] == '\0');
        EXPECT(system("cmp file read") == 0 && files_in_folder() == 3);
    }
    EXPECT(remove("pipe") == 0 && remove("file") == 0 && remove("read") == 0);
}

static void csv_to_full_device(const char *path)
{
    check_writable(path);
    csv(path);
}

TEST(a_device_that_is_full_is_an_error)
{
    if (access("/dev/full", W_OK) != 0)
        SKIP("there is no /dev/full");
    open_flow("cavity", 5, 5);
    EXPECT(run(NULL, csv_to_full_device, "/dev/full") == EXIT_MACHINE);
    EXPECT(one_line("/dev/full") && strstr(message, "No space left on device"));
    EXPECT(run(NULL, csv, "/dev/null") == EXIT_GOOD && message[0] == '\0');
}

TEST(names_as_long_as_the_system_allows)
{
    open_flow("cavity", 5, 5);
    char name[257] = {0};
    memset(name, 'n', 256);
    EXPECT(run(NULL, check_writable, name) == EXIT_MACHINE);
    EXPECT(one_line("File name too long"));
    name[255] = '\0';
    EXPECT(run(NULL, check_writable, name) == EXIT_GOOD);
    EXPECT(run(NULL, csv, name) == EXIT_GOOD);
    EXPECT(remove(name) == 0);
}

/** Permissions do not bind root; the sanitizers want to look into the process, whoever it is. */
static void become_nobody(void)
{
    if (geteuid() == 0 && setuid(65534) == 0)
        prctl(PR_SET_DUMPABLE, 1);
}

TEST(permissions_are_noticed_before_the_run)
{
    put_old("file");
    EXPECT(chmod("file", 0666) == 0 && chmod(".", 0777) == 0);
    EXPECT(run(become_nobody, check_writable, "file") == EXIT_GOOD);
    EXPECT(run(become_nobody, check_writable, "other") == EXIT_GOOD);
    EXPECT(chmod("file", 0444) == 0);
    EXPECT(run(become_nobody, check_writable, "file") == EXIT_MACHINE);
    EXPECT(one_line("file: Permission denied"));
    EXPECT(chmod("file", 0666) == 0 && chmod(".", 0555) == 0);
    EXPECT(run(become_nobody, check_writable, "other") == EXIT_MACHINE);
    EXPECT(one_line("other: Permission denied"));
    EXPECT(chmod(".", 0777) == 0);
    EXPECT(is_old("file") && remove("file") == 0);
}

TEST(checking_leaves_nothing_behind)
{
    EXPECT(run(NULL, check_writable, "new") == EXIT_GOOD && message[0] == '\0');
    EXPECT(files_in_folder() == 0);
    put_old("file");
    EXPECT(run(NULL, check_writable, "./file") == EXIT_GOOD && message[0] == '\0');
    EXPECT(is_old("file") && files_in_folder() == 1);
    remove("file");
}
