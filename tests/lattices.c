// Stages and flows on two lattices: which belong together, what sizes they take, and what a run shows of
// flows in space.
#include "check.h"
#include "output/figure.h"
#include "output/png_picture.h"
#include "run_lbm.h"

#include <stdio.h>
#include <stdlib.h>

/** Whether a call is refused with one line that has the reason in it. */
static int is_refused(const char *line, const char *reason)
{
    const Outcome o = lbm("%s", line);
    const int good = o.code == 2 && !*o.out && is_one_line(o.err) && strstr(o.err, reason);
    if (!good)
        printf("%s: exit code %d, %s%s", line, o.code, o.out, o.err);
    return good;
}

TEST(stages_refuse_flows_on_other_lattices)
{
    EXPECT(is_refused("run 50_d3q19 cavity", "50_d3q19 computes on D3Q19, and cavity is a flow on D2Q9: it "
                                             "takes duct, abc, cube, taylor_green_3d, sphere"));
    EXPECT(is_refused("run 02_soa abc", "02_soa computes on D2Q9, and abc is a flow on D3Q19: it takes "
                                        "poiseuille, cavity, "));
    EXPECT(is_refused("run 50_d3q19 capsule",
                      "50_d3q19 computes on D3Q19, and capsule is a flow on D3Q19 with a "
                      "membrane: it takes duct, abc, cube, taylor_green_3d, sphere"));
    EXPECT(is_refused("bench 50_d3q19 02_soa --sizes 8", "02_soa computes on D2Q9"));
    EXPECT(is_refused("bench 02_soa --scenario duct", "02_soa computes on D2Q9"));
    EXPECT(is_refused("tune 50_d3q19 --scenario cavity", "50_d3q19 computes on D3Q19"));
    EXPECT(is_refused("converge 02_soa duct", "02_soa computes on D2Q9"));
    EXPECT(is_refused("traffic 02_soa duct", "02_soa computes on D2Q9"));
}

TEST(sizes_are_those_of_the_flow)
{
    EXPECT(is_refused("run 50_d3q19 duct --size 40x30",
                      "size 40x30x1 is too small for duct: it takes at least "
                      "1x3x3 cells"));
    EXPECT(is_refused("run 50_d3q19 abc --size 8x8x9", "size 8x8x9 is no cube, and abc takes one"));
    EXPECT(is_refused("run 50_d3q19 taylor_green_3d --size 8x8x9", "no cube, and taylor_green_3d takes one"));
    EXPECT(is_refused("run 50_d3q19 cube --size 8x2x8", "too small for cube: it takes at least 3x3x1 cells"));
    EXPECT(is_refused("run 50_d3q19 cube --size 3x3x2", "fluid"));
    EXPECT(is_refused("run 50_d3q19 sphere --size 19",
                      "size 19x19x19 is too small for sphere: it takes at least 20x4x4 cells"));
    EXPECT(is_refused("run 02_soa cavity --size 40x30x20", "size 40x30x20 has a depth, but cavity is plane"));
    EXPECT(is_refused("run 50_d3q19 duct --size 70000x70000x70000", "size 70000x70000x70000 is too large"));
    for (const char *const *size =
             (const char *const[]){"8x8x8x8", "8x8x", "8xx8", "8x8x0", "x8", "8,8", NULL};
         *size; size++) {
        char line[128];
        snprintf(line, sizeof line, "run 50_d3q19 duct --size %s", *size);
        EXPECT(is_refused(line, "it takes W, WxH or WxHxD"));
    }
    const Outcome o = lbm("run 50_d3q19 duct --size 9 --steps 3");
    EXPECT(o.code == 0 && strstr(o.out, "size      9 x 9 x 9 cells"));
}

TEST(bench_takes_the_flow_of_its_stages)
{
    setenv("LBM_REPEAT_MS", "1", 1);
    Outcome o = lbm("bench 50_d3q19 --sizes 8 --repeat 1");
    EXPECT(o.code == 0 && strstr(o.out, "duct at tau 0.8, N x N x N cells"));
    o = lbm("bench --scenario abc --sizes 8 --repeat 1");
    EXPECT(o.code == 0 && strstr(o.out, "\n50_d3q19 ") && !strstr(o.out, "\n02_soa "));
}

TEST(a_sphere_must_fit_and_takes_no_other_body)
{
    EXPECT(is_refused(
        "run 50_d3q19 sphere --size 80x40x8",
        "sphere 27.65,19.5,3.5,4 reaches out of the fluid: that lies from 0.5 to 78.5 and from 0.5 "
        "to 38.5 and from 0.5 to 6.5; it is the flow's own at 80x40x8 cells: take a size such as "
        "100x60x60\n"));
    EXPECT(is_refused("run 50_d3q19 sphere --size 80x8x40", "reaches out of the fluid"));
    EXPECT(is_refused("run 50_d3q19 sphere --circle 20,20,4", "sphere takes no other body than its own"));
    EXPECT(is_refused("run 50_d3q19 cube --circle 20,20,4", "cube takes no bodies"));
    EXPECT(is_refused("run 50_d3q19 cube --size 9 --forces f.csv", "cube has no body for a force to act on"));
}

TEST(the_force_in_space_has_three_components)
{
    const Outcome o = lbm("run 50_d3q19 sphere --size 20x8x8 --tau 0.8 --steps 30 --forces f.csv --sample 5");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "\ndrag      last ") &&
           strstr(o.out, "\nlift      last ") && strstr(o.out, "\nside      last "));
    EXPECT(!strstr(o.out, "pressure"));
    char head[64] = "";
    FILE *file = fopen("f.csv", "r");
    double step = 0.0, drag = 0.0, lift = 0.0, side = 0.0;
    EXPECT(file && fgets(head, sizeof head, file) && strcmp(head, "step,drag,lift,side\n") == 0);
    EXPECT(file && fscanf(file, "%lf,%lf,%lf,%lf", &step, &drag, &lift, &side) == 4);
    EXPECT(step == 5.0 && drag > 1.0 && fabs(side) < 1e-6 && fabs(lift) < drag);
    if (file)
        fclose(file);
}

TEST(nonsense_about_capsules_is_refused)
{
    EXPECT(is_refused("run 60_membrane capsule --ca 0", "--ca \"0\" makes no sense"));
    EXPECT(is_refused("run 60_membrane capsule --ca nan", "--ca \"nan\" makes no sense"));
    EXPECT(is_refused("run 60_membrane capsule --ca 1e-9", "capillary number 1e-09 makes no sense"));
    EXPECT(is_refused("run 60_membrane capsule --ca 1e300", "capillary number 1e+300 makes no sense"));
    EXPECT(is_refused("run 60_membrane capsule --size 15x96x32",
                      "no room for 1 x 1 x 1 capsules of radius 6.75"));
    EXPECT(is_refused("run 60_membrane capsule --size 32x96x15", "each takes 16 cells a side"));
    EXPECT(is_refused("run 60_membrane abc --ca 0.1", "abc has no membrane, and so no capillary number 0.1"));
    EXPECT(is_refused("run 60_membrane duct --shape s.csv", "--shape s.csv: duct has no membrane"));
    EXPECT(is_refused("run 60_membrane capsule --vtk c.vtp", "are one file"));
    EXPECT(is_refused("run 60_membrane capsule --sample 5", "without --forces, --probes or --shape"));
}

TEST(a_membrane_is_named_where_it_diverged)
{
    const Outcome o = lbm("run 60_membrane capsule --size 13x21x10 --u 0.1 --ca 0.01 --steps 300 --quiet");
    EXPECT(o.code == 1 && strstr(o.err, "lbm: the flow diverged by step 300; "));
    EXPECT(strstr(o.err,
                  ", a stiff membrane (here its shear modulus is 0.518; a larger --ca or a smaller --u "));
}

/** The node that `angle` follows begins at atan(1 / 1.618), and goes round clockwise. */
TEST(a_capsule_has_its_shape_over_time)
{
    const char *const series = "capsule --size 13x21x10 --every 10 --vtk c.vti --quiet";
    Outcome o =
        lbm("run 60_membrane capsule --size 13x21x10 --steps 30 --shape s.csv --sample 10 --vtk c.vti");
    EXPECT(o.code == 0 && *o.err == '\0' && strstr(o.out, " MiB, 181 bytes a cell, and the membrane\n"));
    EXPECT(strstr(o.out, "\nmembrane  deformation 0.") && strstr(o.out, "wrote     c.vti c.vtp s.csv\n"));
    EXPECT(
        system(
            "head -n 2 s.csv | tail -n 1 | awk -F, '{ exit !($1 == 10 && $2 > 0.02 && $2 < 0.05 && $3 > 0.7 && "
            "$4 > 0.999 && $4 < 1.001 && $5 < 0.5536 && $5 > 0.5 && $6 < 1e-6) }'") == 0);
    EXPECT(system("test $(wc -l <s.csv) = 4 && grep -q '<VTKFile type=\"PolyData\"' c.vtp") == 0);
    EXPECT(lbm("run 60_membrane %s --steps 10 --checkpoint s.vti", series).code == 0);
    EXPECT(lbm("run 60_membrane %s --steps 20 --restart s.vti", series).code == 0);
    EXPECT(system("test -e c_00000010.vtp && test -e c_00000020.vtp") == 0);
    EXPECT(system("sed -n 's/.*timestep=\"\\(.*\\)\" file=\"\\(.*\\)\".*/\\1 \\2/p' c.pvd | xargs | grep -qx "
                  "'10 c_00000010.vti 10 c_00000010.vtp 20 c_00000020.vti 20 c_00000020.vtp'") == 0);
    EXPECT(is_refused("run 60_membrane capsule --size 13x21x10 --restart c.vti", "it is no checkpoint"));
}

TEST(cubes_are_published_at_one_reynolds_number)
{
    Outcome o = lbm("run 50_d3q19 cube --size 10 --re 1000 --steps 1");
    EXPECT(o.code == 0 && strstr(o.out, "of it from the profiles of Albensoeder & Kuhlmann 2005"));
    EXPECT(strstr(o.err, "u / nu, is 125: above"));
    o = lbm("run 50_d3q19 cube --size 10x10x1 --re 1000 --steps 1");
    EXPECT(o.code == 0 && strstr(o.out, "of it from Ghia et al. 1982"));
    o = lbm("run 50_d3q19 cube --size 10 --re 100 --steps 1");
    EXPECT(o.code == 0 &&
           strstr(o.out, "error     not known here: square cavities are published at Re 100 and "
                         "1000, cubes at Re 1000\n"));
    o = lbm("run 50_d3q19 taylor_green_3d --size 8 --steps 1");
    EXPECT(o.code == 0 && !strstr(o.out, "error"));
}

/* ---- What a run shows and keeps of a flow in space ---- */

static void call(char line[256], const char *begin, const char *options)
{
    snprintf(line, 256, "%s %s", begin, options);
}

TEST(pictures_take_a_slice_of_the_grid)
{
    static const char *const refused[][2] = {
        {"--slice z=6 --pixels a.png",          "--slice z=6 lies outside the grid: it takes z=0 to z=5"       },
        {"--slice y=5 --pixels a.png",          "--slice y=5 lies outside the grid: it takes y=0 to y=4"       },
        {"--slice x=4 --pixels a.png",          "--slice x=4 lies outside the grid: it takes x=0 to x=3"       },
        {"--slice x=2147483648 --pixels a.png", "it takes x=N, y=N or z=N, N an integer from 0 on"             },
        {"--slice w=1 --pixels a.png",          "--slice \"w=1\" makes no sense: it takes x=N, y=N or z=N"     },
        {"--slice x --pixels a.png",            "--slice \"x\" makes no sense"                                 },
        {"--slice x=-1 --pixels a.png",         "--slice \"x=-1\" makes no sense"                              },
        {"--slice x=1,y=1 --pixels a.png",      "--slice \"x=1,y=1\" makes no sense"                           },
        {"--slice '' --pixels a.png",           "--slice \"\" makes no sense"                                  },
        {"--slice --pixels a.png",              "--slice lacks its value"                                      },
        {"--slice x=1 --csv a.csv",             "--slice x=1 changes nothing without --png, --pixels"          },
        {"--streamlines --png a.png",           "--streamlines: duct also flows across a slice"                },
        {"--probe 1,2 --probes a.csv",          "--probe 1,2 lacks its z: duct takes X,Y,Z"                    },
        {"--probe 1,2,6 --probes a.csv",        "--probe 1,2,6 lies outside the grid, whose last cell is 3,4,5"},
        {"--probe 1,2,5 --probes a.csv",        "--probe 1,2,5 lies in a wall or a body"                       },
        {"--probe 1,2,3,4 --probes a.csv",      "it takes X,Y, in space X,Y,Z, integers from 0 on"             },
        {"--probe 1,2,3",                       "lacks --probes F.csv, the file for its velocity, or --plot"   },
        {"--probes a.csv",                      "--probes a.csv lacks --probe X,Y,Z"                           },
    };
    char line[256];
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        call(line, "run 50_d3q19 duct --size 4x5x6 --steps 9", refused[n][0]);
        if ((can_draw() || !strstr(line, "--png")) && (can_write_png() || !strstr(line, "--pixels")))
            EXPECT(is_refused(line, refused[n][1]));
    }
    if (!can_write_png())
        SKIP("built without libpng");
    empty_folder();
    const char *const good[] = {"--slice x=3", "--slice y=4", "--slice z=5", "--slice z=3", ""};
    for (size_t n = 0; n < 5; n++) {
        char options[64];
        snprintf(options, sizeof options, "--quiet --field ux --pixels %zu.png %s", n, good[n]);
        call(line, "run 50_d3q19 duct --size 4x5x6 --steps 9", options);
        const Outcome o = lbm("%s", line);
        EXPECT(o.code == 0 && !*o.err && count_files() == (int)n + 1);
    }
    EXPECT(are_equal("3.png", "4.png") && system("cmp -s 2.png 3.png") != 0); // the middle is what is shown
}

TEST(plane_flows_take_no_slice)
{
    const char *const begin = "run 00_cpu_aos cavity --size 9";
    char line[256];
    call(line, begin, "--slice z=0 --pixels a.png");
    EXPECT(!can_write_png() ||
           is_refused(line, "--slice z=0: cavity is a plane flow: flows in space take it"));
    call(line, begin, "--field uz --pixels a.png");
    EXPECT(!can_write_png() ||
           is_refused(line, "--field uz: cavity is a plane flow: it takes speed, vorticity, "));
    call(line, begin, "--probe 1,2,0 --probes a.csv");
    EXPECT(is_refused(line, "--probe 1,2,0 has a z: cavity takes X,Y\n"));
    call(line, begin, "--probe 1,2 --plot a.svg");
    EXPECT(is_refused(line, "--probe 1,2 lacks --probes F.csv, the file for its velocity\n"));
}

TEST(probes_in_space_have_three_components)
{
    EXPECT(lbm("run STAGE abc --size 6 --steps 8 --sample 4 --probe 1,2,3 --probe 5,4,0 --probes p.csv --csv "
               "a.csv")
               .code == 0);
    char text[512] = "";
    FILE *file = popen("cut -d , -f 1-4 p.csv | sed 1d | tr '\\n' ' '", "r");
    EXPECT(fgets(text, sizeof text, file) && strcmp(text, "4,1,2,3 4,5,4,0 8,1,2,3 8,5,4,0 ") == 0);
    pclose(file);
    file = fopen("p.csv", "r");
    EXPECT(file && fgets(text, sizeof text, file) && strcmp(text, "step,x,y,z,ux,uy,uz\n") == 0);
    if (file)
        fclose(file);
    // the last rows are those of the same cells in the table
    EXPECT(
        system(
            "grep '^8,' p.csv | cut -d , -f 2- >a && sed -n 's/^\\([154],[24],[30]\\),[^,]*/\\1/p' a.csv | "
            "grep -e ^1,2,3, -e ^5,4,0, | sort >b && sort a | cmp - b") == 0);
}

/** How many dots the curves of a plot have, times what Cairo makes of one. */
static int dots_of(const char *path)
{
    static char text[1 << 18];
    FILE *file = fopen(path, "r");
    int dots = 0;
    text[0] = '\0';
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    EXPECT(!strstr(text, "nan") && !strstr(text, "inf"));
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strstr(line, "fill:none") || strstr(line, "fill=\"none\"")) // no letters
            dots += occurrences(line, " C ");
    return dots;
}

/** A plot has the velocity along three lines, and a dot for each cell of fluid and component. */
TEST(plots_in_space_follow_three_lines)
{
    if (!can_draw())
        SKIP("built without Cairo");
    EXPECT(lbm("run STAGE duct --size 4x5x6 --steps 2 --plot a.svg").code == 0);
    EXPECT(lbm("run STAGE duct --size 4x5x7 --steps 2 --plot b.svg").code == 0);
    EXPECT(lbm("run STAGE duct --size 4x5x7 --steps 2 --plot c.svg --probe 1,2,5").code == 0);
    const int of_one = dots_of("a.svg") / (3 * (4 + 3 + 4));
    EXPECT(of_one > 0 && dots_of("a.svg") == of_one * 3 * (4 + 3 + 4));
    EXPECT(dots_of("b.svg") == of_one * 3 * (4 + 3 + 5) && dots_of("c.svg") == dots_of("b.svg"));
    EXPECT(system("cmp -s b.svg c.svg") != 0);
}

/* ---- Memory ---- */

/** Grids that don't fit are refused before any is taken, and the cube that is named does fit. */
TEST(the_largest_grid_that_fits_is_named)
{
    const struct {
        const char *line;
        double cells;
        int dimensions;
    } calls[] = {
        {"run 50_d3q19 abc --size 1600",            4.096e9, 3},
        {"run 50_d3q19 duct --size 4000x1000x1000", 4.0e9,   3},
        {"run 00_cpu_aos cavity --size 60000",      3.6e9,   2},
        {"tune 50_d3q19 --size 1600",               4.096e9, 3},
        {"converge 50_d3q19 abc --sizes 8,1600",    4.096e9, 3},
    };
    for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
        const Outcome o = lbm(calls[n].line);
        double needed = 0.0, available = 0.0;
        int side[3] = {0};
        if (o.code == 0 || strstr(o.err, "device"))
            SKIP("the largest grid fits into this machine's memory");
        const char *takes = strstr(o.err, " takes "), *free = strstr(o.err, "cells, and "),
                   *fit = strstr(o.err, ": up to ");
        EXPECT(o.code == 3 && !*o.out && is_one_line(o.err) && takes && free && fit);
        EXPECT(sscanf(takes, " takes %lf GiB", &needed) == 1 &&
               sscanf(free, "cells, and %lf GiB are free", &available) == 1);
        const int sides = sscanf(fit, ": up to %dx%dx%d fit", &side[0], &side[1], &side[2]);
        EXPECT(sides == calls[n].dimensions && side[0] == side[1] && (sides == 2 || side[0] == side[2]));
        const double of_cells = needed / calls[n].cells; // both numbers of GiB have two decimals
        EXPECT(of_cells * pow(side[0], sides) <= available * 1.01 &&
               of_cells * pow(side[0] + 1.0, sides) >= available * 0.99);
    }
}

TEST(the_largest_side_is_the_largest)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int side = 1; side < 2000; side += 1 + side / 7) {
            const double bytes = 153.0 * pow(side, dimensions);
            EXPECT(largest_side(bytes, 153.0, dimensions) == side);
            EXPECT(largest_side(bytes - 1.0, 153.0, dimensions) == side - 1);
            EXPECT(largest_side(153.0 * pow(side + 1, dimensions) - 1.0, 153.0, dimensions) == side);
        }
}

/* ---- Orders of convergence ---- */

/** The order of the velocity in the last column of its last row; NaN if there is none. */
static double order_of_velocity(const char *path)
{
    char line[512] = "";
    double order = NAN;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strstr(line, ",velocity,"))
            order = strrchr(line, ',')[1] == '\n' ? NAN : atof(strrchr(line, ',') + 1);
    if (file)
        fclose(file);
    return order;
}

TEST(flows_in_space_are_of_second_order)
{
    EXPECT(lbm("converge STAGE abc --sizes 8,12 --csv a.csv").code == 0);
    EXPECT_NEAR(order_of_velocity("a.csv"), 2.0, 0.1);
    EXPECT(lbm("converge STAGE duct --sizes 8,12 --csv d.csv").code == 0);
    EXPECT_NEAR(order_of_velocity("d.csv"), 2.0, 0.3);
}
