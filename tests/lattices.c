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
                                             "takes duct, abc"));
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
