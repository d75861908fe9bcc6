// Stages and flows on two lattices: which belong together, and what sizes they take.
#include "check.h"
#include "run_lbm.h"

#include <stdio.h>
#include <stdlib.h>

/** Whether a call is refused with one line that has the reason in it. */
static int is_refused(const char *line, const char *reason)
{
    const Outcome o = lbm(line);
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
    empty_folder();
    const Outcome o = lbm("run 50_d3q19 sphere --size 20x8x8 --tau 0.8 --steps 30 --forces f.csv --sample 5");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "\ndrag      last ") &&
           strstr(o.out, "\nlift      last ") && strstr(o.out, "\nside      last "));
    EXPECT(!strstr(o.out, "pressure"));
    char head[64] = "";
    FILE *file = fopen("f.csv", "r");
    double step, drag, lift, side;
    EXPECT(file && fgets(head, sizeof head, file) && strcmp(head, "step,drag,lift,side\n") == 0);
    EXPECT(file && fscanf(file, "%lf,%lf,%lf,%lf", &step, &drag, &lift, &side) == 4);
    EXPECT(step == 5.0 && drag > 1.0 && fabs(side) < 1e-6 && fabs(lift) < drag);
    if (file)
        fclose(file);
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
