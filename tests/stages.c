#include "gpu/known_devices.h"
#include "host/allocate.h"
#include "run_flow.h"

#include "check.h"
#include "simulation/simulation.h"

#include <malloc.h>
#include <stdlib.h>

enum { SIZES = 3 };
static const Position sizes[][SIZES] = {
    {{37, 53, 1}, {1, 34, 1}, {130, 34, 1}}, // in a plane
    {{23, 9, 11}, {1, 5, 6},  {12, 12, 12}}  // in space
};

/** The parameters of a flow at a size; the width is 0 if the flow does not take the size. */
static Parameters at_size(const Flow *flow, int size)
{
    Position n = sizes[flow->lattice->dimensions - 2][size];
    const Position least = flow->least;
    if (has_membrane(flow))
        n.y += 8;
    const int fits = n.x >= least.x && n.y >= least.y && n.z >= least.z && !(flow->is_cube && n.x != n.y);
    return (Parameters){.width = fits ? n.x : 0, .height = n.y, .depth = n.z, .tau = 0.6};
}

enum { MOST_READ = 21 }; // the longest cycle, and the state that it begins with

/** What a stage has after many steps, and after each step of the cycle that follows. */
static void run_and_read(const Stage *stage, const Scenario *s, Snapshot results[MOST_READ], int count)
{
    Simulation *solver = begin_simulation(stage, s, small_block);
    for (int more = 0; more < count; more++) {
        results[more] = create_snapshot(s);
        advance_simulation(solver, more == 0 ? MANY_STEPS : 1);
        read_snapshot(&results[more], solver);
    }
    end_simulation(solver);
}

/** Compares a stage with what its reference has after many steps and after each of some more. */
static void compare_stage(const Stage *stage, const Scenario *s, const Snapshot expected[MOST_READ],
                          const Stage *reference)
{
    Snapshot r[MOST_READ];
    run_and_read(stage, s, r, stage->cycle + 1);
    for (int more = 0; more <= stage->cycle; more++) {
        const int steps = MANY_STEPS + more, alike = agree(stage, &r[more], &expected[more], steps);
        EXPECT(alike);
        if (!alike)
            printf("%s: %s %dx%d, %d steps: velocity differs by %g of u from %s, in outflow cells by %g\n",
                   stage->name, s->flow->name, s->width, s->height, steps,
                   velocity_difference_in(&r[more], &expected[more], IN_FLUID), reference->name,
                   velocity_difference_in(&r[more], &expected[more], IN_OUTFLOW));
        destroy_snapshot(&r[more]);
    }
}

/** Compares all stages with a reference that are to agree with it. */
static void compare_with(int reference, const Scenario *s)
{
    int longest = 0;
    for (int n = 0; n < stage_count; n++)
        if (n != reference && stage_info[n].reference == reference && takes(stages[n], s) &&
            stages[n]->cycle > longest)
            longest = stages[n]->cycle;
    EXPECT(longest < MOST_READ);
    if (longest == 0 || !takes(stages[reference], s))
        return;
    Snapshot expected[MOST_READ];
    run_and_read(stages[reference], s, expected, longest + 1);
    for (int n = 0; n < stage_count; n++)
        if (n != reference && stage_info[n].reference == reference && takes(stages[n], s))
            compare_stage(stages[n], s, expected, stages[reference]);
    for (int more = 0; more <= longest; more++)
        destroy_snapshot(&expected[more]);
}

/** Compares all stages in a flow with those that they are to agree with. */
static void expect_agreement(const char *name)
{
    const Flow *flow = find_flow(name);
    for (int size = 0; size < SIZES; size++) {
        const Parameters parameters = at_size(flow, size);
        if (parameters.width == 0)
            continue;
        Scenario s = create_scenario(flow, parameters);
        for (int reference = 0; reference < stage_count; reference++)
            compare_with(reference, &s);
        destroy_scenario(&s);
    }
}

TEST(all_agree_on_poiseuille)
{
    expect_agreement("poiseuille");
}

TEST(all_agree_on_cavity)
{
    expect_agreement("cavity");
}

TEST(all_agree_on_taylor_green)
{
    expect_agreement("taylor_green");
}

TEST(all_agree_on_cylinder)
{
    expect_agreement("cylinder");
}

TEST(all_agree_on_bodies)
{
    expect_agreement("bodies");
}

TEST(all_agree_on_channel_cylinder)
{
    expect_agreement("channel_cylinder");
}

TEST(all_agree_on_duct)
{
    expect_agreement("duct");
}

TEST(all_agree_on_abc)
{
    expect_agreement("abc");
}

TEST(all_agree_on_cube)
{
    expect_agreement("cube");
}

TEST(all_agree_on_taylor_green_3d)
{
    expect_agreement("taylor_green_3d");
}

TEST(all_agree_on_sphere)
{
    expect_agreement("sphere");
}

TEST(all_agree_on_capsule)
{
    expect_agreement("capsule");
}

/** A scenario with x and y swapped; the caller destroys it. */
static Scenario mirror(const Scenario *s)
{
    Scenario m = *s;
    m.width = m.physics.width = s->height;
    m.height = m.physics.height = s->width;
    m.physics.force_x = s->physics.force_y;
    m.physics.force_y = s->physics.force_x;
    m.type = allocate(cell_count(s));
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            m.type[(size_t)x * m.width + y] = s->type[(size_t)y * s->width + x];
    return m;
}

/** Moments of a mirrored scenario's result, mirrored back. The caller destroys the result. */
static Snapshot mirror_back(const Snapshot *r, const Scenario *s)
{
    Snapshot back = create_snapshot(s);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = moments_at(r, y, x);
            back.moments[(size_t)y * s->width + x] = (Moments){m.drho, m.uy, m.ux, 0.0f};
        }
    return back;
}

/** A channel with an obstacle, so that the stream has both components. No flow has a force along y. */
TEST(a_force_along_y_acts_like_one_along_x)
{
    Scenario s =
        create_scenario(find_flow("poiseuille"), (Parameters){.width = 21, .height = 12, .tau = 0.8});
    for (int y = 1; y < 5; y++)
        s.type[(size_t)y * s.width + 7] = WALL;
    Scenario mirrored = mirror(&s);
    for (int steps = 1; steps <= 100; steps += steps < 12 ? 1 : 88)
        for (int n = 0; n < stage_count; n++) {
            if (!takes(stages[n], &mirrored) || !takes(stages[stage_info[n].reference], &s))
                continue;
            Snapshot expected = run_flow(stages[stage_info[n].reference], &s, small_block, steps),
                     r = run_flow(stages[n], &mirrored, small_block, steps), back = mirror_back(&r, &s);
            const double difference = velocity_difference(&back, &expected);
            EXPECT(difference <= allowed_difference(stages[n], steps));
            if (!(difference <= allowed_difference(stages[n], steps)))
                printf("%s: %d steps with a force along y: velocity differs by %g of u\n", stages[n]->name,
                       steps, difference);
            destroy_snapshot(&back);
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
    destroy_scenario(&mirrored);
    destroy_scenario(&s);
}

/** However many steps `advance` is requested, and whatever is read between. */
TEST(steps_in_any_parts_are_the_same_steps)
{
    static const int parts[] = {1, 3, 0, 1, 2, 7};
    for (int n = 0; n < stage_count; n++) {
        Scenario s = create_scenario(first_flow(stages[n]), odd_grid(first_flow(stages[n])));
        if (takes(stages[n], &s)) {
            Snapshot expected = run_flow(stages[n], &s, small_block, 14), r = create_snapshot(&s);
            Simulation *solver = begin_simulation(stages[n], &s, small_block);
            for (int part = 0; part < 6; part++) {
                advance_simulation(solver, parts[part]);
                read_snapshot(&r, solver);
            }
            end_simulation(solver);
            // A stage that rounds after several steps rounds elsewhere.
            const int rounds_elsewhere = stages[n]->rounding == STOCHASTIC && stages[n]->cycle > 2;
            const int is_same = rounds_elsewhere ? velocity_difference(&r, &expected) <= stages[n]->epsilon
                                                 : different_bits(&r, &expected) == 0;
            EXPECT(is_same);
            if (!is_same)
                printf("%s: its steps depend on how many are asked for at a time\n", stages[n]->name);
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
}

/** What a stage has read back `first` steps after the start goes on for as many more; the caller destroys it.
 */
static Snapshot run_on(const Stage *stage, const Scenario *s, int first, int more)
{
    Snapshot half = run_flow(stage, s, small_block, first);
    Scenario rest = *s;
    rest.start = (Start){.f = half.f};
    if (half.nodes)
        rest.membrane.position = half.nodes;
    Snapshot r = run_flow(stage, &rest, small_block, more);
    r.scenario = s;
    destroy_snapshot(&half);
    return r;
}

/** Whether a stage that goes on from what it read is to have the same bits; on a GPU, if it is where a cycle
 * begins. */
static int goes_on_exactly(int n, int first)
{
    const int exact = stage_info[n].reference == 0 && stages[n]->epsilon == stages[0]->epsilon;
#ifdef GPU_ON_CPU
    (void)first;
    return exact;
#else
    return exact && first % stages[n]->cycle == 0;
#endif
}

TEST(all_go_on_from_what_they_read) // long
{
#ifdef __SANITIZE_ADDRESS__ // a wrong address shows at once
    enum { PARTS = 1 };
#else
    enum { PARTS = 3 };
#endif
    static const int parts[3][2] = {
        {7, 6},
        {6, 7},
        {0, 7}
    };
    for (int k = 0; k < flow_count; k++) {
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int n = 0; n < stage_count; n++)
            for (int part = 0; part < PARTS && takes(stages[n], &s); part++) {
                const int first = parts[part][0], more = parts[part][1];
                Snapshot expected = run_flow(stages[n], &s, small_block, first + more);
                Snapshot r = run_on(stages[n], &s, first, more);
                const double difference = velocity_difference(&r, &expected),
                             most = allowed_difference(stages[n], first + more) + 6.0 * stages[n]->epsilon;
                const int good =
                    goes_on_exactly(n, first) ? different_bits(&r, &expected) == 0 : difference <= most;
                EXPECT(good);
                if (!good)
                    printf("%s: %s is %g of u away when it goes on after %d of %d steps\n", stages[n]->name,
                           flows[k].name, difference, first, first + more);
                destroy_snapshot(&r);
                destroy_snapshot(&expected);
            }
        destroy_scenario(&s);
    }
}

TEST(every_start_moves)
{
    for (int n = 0; n < stage_count; n++) {
        const int moves = device_reason(stages[n]) || moves_its_start(stages[n]);
        EXPECT(moves);
        if (!moves)
            printf("the first step of %s does not move its start\n", stages[n]->name);
    }
}

TEST(the_block_shape_does_not_matter)
{
    const Block blocks[] = {
        {1,   1 },
        {7,   3 },
        {64,  1 },
        {1,   64},
        {256, 4 }
    };
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 37, .height = 53});
    for (int n = 0; n < stage_count; n++) {
        if (!takes(stages[n], &s))
            continue;
        Snapshot expected = run_flow(stages[n], &s, small_block, 11);
        for (int k = 0; k < 5; k++) {
            Snapshot r = run_flow(stages[n], &s, blocks[k], 11);
            const size_t different = different_bits(&r, &expected);
            EXPECT(different == 0);
            if (different != 0)
                printf("%s in blocks of %ux%u: %zu populations differ from those in blocks of 32x8\n",
                       stages[n]->name, blocks[k].x, blocks[k].y, different);
            destroy_snapshot(&r);
        }
        destroy_snapshot(&expected);
    }
    destroy_scenario(&s);
}

TEST(walls_hold_zeros)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 9, .height = 7});
    for (int n = 0; n < stage_count; n++)
        for (int steps = 4; steps <= 5 && takes(stages[n], &s); steps++) {
            Snapshot r = run_flow(stages[n], &s, small_block, steps);
            for (size_t cell = 0; cell < cell_count(&s); cell++)
                for (int i = 0; i < 9 && is_wall(s.type[cell]); i++)
                    EXPECT(r.f[9 * cell + i] == 0.0f);
            destroy_snapshot(&r);
        }
    destroy_scenario(&s);
}

#if defined __GLIBC__ && defined GPU_ON_CPU && !defined __SANITIZE_ADDRESS__
/** Bytes that a solver takes. */
static double bytes_taken(const Stage *stage, const Scenario *s)
{
    const struct mallinfo2 before = mallinfo2();
    Solver *solver = stage->create(s, s->type, small_block);
    const struct mallinfo2 after = mallinfo2();
    stage->destroy(solver);
    return (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
}
#endif

/** Grids are padded at this size by up to two fifths. A stage on the chip has mailboxes, whatever the size. */
TEST(a_stage_takes_the_memory_that_it_states)
{
#if defined __GLIBC__ && defined GPU_ON_CPU && !defined __SANITIZE_ADDRESS__
    for (int n = 0; n < stage_count; n++) {
        const int plane = stages[n]->lattice->dimensions == 2, size = plane ? 256 : 78;
        if (stage_info[n].on_chip)
            continue;
        Scenario s = create_scenario(first_flow(stages[n]),
                                     (Parameters){.width = size, .height = size, .depth = plane ? 1 : size});
        const double bytes = bytes_taken(stages[n], &s) / (double)cell_count(&s) + sizeof *s.type;
        EXPECT(bytes >= stages[n]->bytes_per_cell && bytes <= 1.45 * stages[n]->bytes_per_cell);
        if (!(bytes <= 1.45 * stages[n]->bytes_per_cell))
            printf("%s takes %g bytes a cell\n", stages[n]->name, bytes);
        destroy_scenario(&s);
    }
#else
    SKIP("what is allocated is not known here");
#endif
}

/** Some stages keep sums of nodes in half as many bytes, or none. */
TEST(membranes_take_the_memory_that_is_said)
{
#if defined __GLIBC__ && defined GPU_ON_CPU && !defined __SANITIZE_ADDRESS__
    Parameters p = {.width = 78, .height = 80, .depth = 78};
    Scenario one = create_scenario(find_flow("capsule"), p);
    p.capsules = 27;
    Scenario many = create_scenario(one.flow, p);
    const double said = membrane_bytes(&many) - membrane_bytes(&one);
    int takers = 0;
    for (int n = 0; n < stage_count; n++)
        if (takes(stages[n], &one)) {
            const double more = bytes_taken(stages[n], &many) - bytes_taken(stages[n], &one);
            EXPECT(more >= 0.6 * said && more <= 1.02 * said);
            takers++;
        }
    EXPECT(takers >= 3);
    destroy_scenario(&many);
    destroy_scenario(&one);
#else
    SKIP("what is allocated is not known here");
#endif
}

TEST(the_facts_are_plausible)
{
    for (int n = 0; n < stage_count; n++) {
        EXPECT(strlen(stages[n]->name) > 3 && strlen(stages[n]->summary) > 10);
        EXPECT(stages[n]->epsilon > 0.0 && stages[n]->epsilon < 1e-2);
        EXPECT(stages[n]->rounding == TO_NEAREST || stages[n]->rounding == STOCHASTIC);
        EXPECT(stages[n]->cycle >= 1 && stages[n]->cycle <= 1000);
        EXPECT(stages[n]->magic_tau > 0.5 && stages[n]->magic_tau <= 2.0);
        EXPECT(stages[n]->bytes_per_cell > 0.0 && stages[n]->bytes_per_update > 0.0);
    }
}

/* ---- Devices ---- */

/** Whether this device lacks what a refusal says; from compute capability 9.0 on it has all. */
static int is_lacking(const char *reason)
{
    int needed, most;
    if (find_device(0).capability >= 90)
        return 0;
    if (sscanf(reason, "a block takes %d KiB of shared memory, of %d on this device", &needed, &most) == 2)
        return needed > most && (!gpu_is_emulated || most == (int)(emulated_device()->shared_bytes >> 10));
    return strstr(reason, "this device has no clusters") != NULL;
}

/** A stage that a device refused for nothing would run nowhere. */
TEST(a_device_refuses_a_stage_only_for_what_it_lacks)
{
    for (int d = 0; d < (gpu_is_emulated ? known_device_count : 1); d++) {
        setenv("LBM_DEVICE", known_devices[d].name, 1);
        for (int n = 0; n < stage_count; n++) {
            const char *reason = stage_reason(stages[n], 4, 10); // the smallest grid of validate
            EXPECT(!reason || is_lacking(reason));
            if (reason)
                printf("%s: %s: %s\n", find_device(0).name, stages[n]->name, reason);
        }
    }
    unsetenv("LBM_DEVICE");
}

/** A stage that refused it would be compared with nothing in most tests. */
TEST(every_stage_takes_the_usual_grid_of_tests)
{
    for (int n = 0; n < stage_count; n++) {
        const Parameters p = odd_grid(first_flow(stages[n]));
        const char *reason = stage_reason(stages[n], p.width, p.height);
        EXPECT(!reason || device_reason(stages[n]));
        if (reason)
            printf("%s refuses %d x %d cells: %s\n", stages[n]->name, p.width, p.height, reason);
    }
}

TEST(every_device_computes_the_same_bits)
{
    if (!gpu_is_emulated)
        SKIP("there is one device");
    for (int n = 0; n < stage_count; n++) {
        Scenario s = create_scenario(first_flow(stages[n]), odd_grid(first_flow(stages[n])));
        Snapshot expected = run_flow(stages[n], &s, small_block, 7);
        for (int d = 1; d < known_device_count && stage_info[n].on_gpu; d++) {
            setenv("LBM_DEVICE", known_devices[d].name, 1);
            if (takes(stages[n], &s)) {
                Snapshot r = run_flow(stages[n], &s, small_block, 7);
                EXPECT(different_bits(&r, &expected) == 0);
                destroy_snapshot(&r);
            }
            unsetenv("LBM_DEVICE");
        }
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
}

TEST(every_flow_has_a_case_here)
{
    for (int n = 0; n < flow_count; n++) {
        char name[64];
        snprintf(name, sizeof name, "all_agree_on_%s", flows[n].name);
        EXPECT(find_test(first_test, name));
    }
}
