/* A flow in a stage: where its state lives, it is started, looked at and sampled as the host would do it. */
#include "run_flow.h"
#include "simulation/samples.h"
#include "studies/accuracy.h"

#include "check.h"

/** Two of each lattice: on the host and on the device. */
static const char *const some_stages[] = {"12_cpu_pairs", "03_aa", "35_async", "50_d3q19", "55_pieces_3d"};
enum { SOME = sizeof some_stages / sizeof *some_stages };

/** A grid with odd sides, of more cells than there are partial sums, and than a batch has on the host. */
static Scenario large_flow(const Stage *stage)
{
    return stage->lattice->dimensions == 2
               ? create_scenario(find_flow("taylor_green"), (Parameters){.width = 331, .height = 199})
               : create_scenario(find_flow("abc"), (Parameters){.width = 41, .height = 41, .depth = 41});
}

static int close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(b), 1.0);
}

TEST(a_look_finds_what_the_host_finds)
{
    for (int n = 0; n < SOME; n++) {
        const Stage *stage = find_stage(some_stages[n]);
        Scenario s = large_flow(stage);
        Snapshot r = create_snapshot(&s), before = create_snapshot(&s);
        Simulation *simulation = begin_simulation(stage, &s, small_block);
        look_at_change(simulation);
        read_snapshot(&before, simulation);
        for (int steps = 0; steps <= stage->cycle + 1; steps++) {
            const FlowSums sums = look_at(simulation), error = look_at_error(simulation);
            read_snapshot(&r, simulation);
            EXPECT(sums.insane == 0.0 && r.step == steps);
            EXPECT(close_to(sums.mass, total_mass(&r)) && close_to(change_of(&error), exact_error(&r)));
            const FlowSums change = look_at_change(simulation);
            EXPECT(close_to(change_of(&change), relative_change(&r, before.moments)));
            memcpy(before.moments, r.moments, cell_count(&s) * sizeof *r.moments);
            advance_simulation(simulation, 1);
        }
        end_simulation(simulation);
        destroy_snapshot(&before);
        destroy_snapshot(&r);
        destroy_scenario(&s);
    }
}

static int same_bits_of(const FlowSums *a, const FlowSums *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

TEST(sums_have_the_same_bits_in_every_order)
{
    const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    const Stage *const stages_[] = {find_stage("02_soa"), find_stage("00_cpu_aos")};
    Scenario s = large_flow(stages_[0]);
    FlowSums first = {0};
    for (int n = 0; n < 8; n++) { // these two stages have the same bits
        setenv("LBM_THREAD_ORDER", orders[n % 4], 1);
        Simulation *simulation = begin_simulation(stages_[n / 4], &s, small_block);
        advance_simulation(simulation, 3);
        const FlowSums sums = look_at(simulation);
        if (n == 0)
            first = sums;
        EXPECT(same_bits_of(&sums, &first) || !gpu_is_emulated);
        end_simulation(simulation);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_scenario(&s);
}

TEST(a_start_is_the_same_in_both_memories)
{
    for (int k = 0; k < flow_count; k++) {
        const int in_space = flows[k].lattice->dimensions == 3;
        if (has_membrane(&flows[k]))
            continue; // these stages have none
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        Snapshot here = run_flow(find_stage(in_space ? "15_cpu_3d" : "00_cpu_aos"), &s, small_block, 0),
                 there = run_flow(find_stage(in_space ? "50_d3q19" : "02_soa"), &s, small_block, 0),
                 expected = initial_snapshot(&s);
        EXPECT(different_bits(&here, &expected) == 0);
        EXPECT(velocity_difference(&there, &expected) <= (gpu_is_emulated ? 0.0 : 1e-6));
        destroy_snapshot(&expected);
        destroy_snapshot(&there);
        destroy_snapshot(&here);
        destroy_scenario(&s);
    }
}

/** All cells, from the last to the first. */
TEST(a_list_may_be_longer_than_a_batch)
{
    for (int n = 0; n < SOME; n++) {
        const Stage *stage = find_stage(some_stages[n]);
        Scenario s = large_flow(stage);
        const CellNumber cells = (CellNumber)cell_count(&s);
        CellNumber *list = allocate(cells * sizeof *list);
        for (CellNumber k = 0; k < cells; k++)
            list[k] = cells - 1 - k;
        Snapshot r = create_snapshot(&s);
        Moments *listed = allocate(cells * sizeof *listed);
        Simulation *simulation = begin_simulation(stage, &s, small_block);
        for (int steps = 0; steps < 2; steps++) {
            read_snapshot(&r, simulation);
            read_listed_moments(simulation, list, cells, listed);
            size_t wrong = 0;
            for (CellNumber k = 0; k < cells; k++)
                wrong += memcmp(&listed[k], &r.moments[list[k]], sizeof *listed) != 0;
            EXPECT(wrong == 0);
            advance_simulation(simulation, 1);
        }
        end_simulation(simulation);
        destroy_snapshot(&r);
        destroy_scenario(&s);
        free(listed);
        free(list);
    }
}

TEST(lists_and_ranges_are_parts_of_the_whole)
{
    for (int n = 0; n < SOME; n++) {
        const Stage *stage = find_stage(some_stages[n]);
        Scenario s = large_flow(stage);
        Snapshot r = create_snapshot(&s);
        Simulation *simulation = begin_simulation(stage, &s, small_block);
        const CellNumber cells = (CellNumber)cell_count(&s), list[] = {cells - 1, 0, 7, cells / 2, 7};
        for (int steps = 0; steps < 3; steps++) {
            Moments listed[5], some[20];
            read_snapshot(&r, simulation);
            read_listed_moments(simulation, list, 5, listed);
            for (int k = 0; k < 5; k++)
                EXPECT(memcmp(&listed[k], &r.moments[list[k]], sizeof *listed) == 0);
            read_moments(simulation, cells / 2 - 10, 20, some);
            EXPECT(memcmp(some, r.moments + cells / 2 - 10, sizeof some) == 0);
            advance_simulation(simulation, 1);
        }
        end_simulation(simulation);
        destroy_snapshot(&r);
        destroy_scenario(&s);
    }
}

/** NaN, or a density that is negative or infinite, where the velocity is finite. */
TEST(one_cell_that_makes_no_sense_is_counted)
{
    Scenario s = large_flow(find_stage("02_soa"));
    Real *f = allocate(population_count(&s) * sizeof *f);
    const Real wrong[] = {NAN, -3.0f, INFINITY};
    for (int n = 0; n < 6; n++) {
        initial_populations(&s, f);
        f[9 * (cell_count(&s) - 1)] = wrong[n / 2];
        s.start.f = f;
        Simulation *simulation =
            begin_simulation(find_stage(n % 2 ? "02_soa" : "00_cpu_aos"), &s, small_block);
        EXPECT(look_at(simulation).insane == 1.0);
        end_simulation(simulation);
        s.start.f = NULL;
    }
    free(f);
    destroy_scenario(&s);
}

/** More cells than a batch has on the device, whose moments come home in more than two pieces. */
TEST(batches_and_pieces_follow_each_other)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 1001, .height = 601});
    Snapshot here = create_fields(&s), there = create_fields(&s);
    Simulation *on_host = begin_simulation(find_stage("00_cpu_aos"), &s, small_block),
               *on_device = begin_simulation(find_stage("02_soa"), &s, small_block);
    advance_simulation(on_host, 1);
    advance_simulation(on_device, 1);
    const FlowSums sums = look_at(on_host), other = look_at(on_device);
    read_snapshot(&here, on_host);
    read_snapshot(&there, on_device);
    EXPECT(fabs(sums.mass - other.mass) <= 1e-9 * sums.mass && other.energy > 0.0);
    EXPECT(fabs(sums.energy - other.energy) <= 1e-5 * sums.energy);
    EXPECT(velocity_difference(&here, &there) <= (gpu_is_emulated ? 0.0 : 1e-5)); // fused operations differ
    end_simulation(on_device);
    end_simulation(on_host);
    destroy_snapshot(&there);
    destroy_snapshot(&here);
    destroy_scenario(&s);
}

TEST(what_was_read_after_any_step_goes_on)
{
    for (int n = 0; n < SOME; n++) {
        const Stage *stage = find_stage(some_stages[n]);
        Scenario s = create_scenario(find_flow(stage->lattice->dimensions == 2 ? "cavity" : "cube"),
                                     (Parameters){.width = 21, .height = 21, .tau = 0.8, .u = 0.05});
        for (int first = 0; first <= stage->cycle + 1; first++) {
            Snapshot whole = run_flow(stage, &s, small_block, first + 3),
                     half = run_flow(stage, &s, small_block, first);
            Scenario rest = s;
            rest.start = (Start){.f = half.f, .step = first};
            Snapshot r = run_flow(stage, &rest, small_block, 3);
            EXPECT(r.step == first + 3);
            EXPECT(velocity_difference(&r, &whole) <= 1e-5);
            destroy_snapshot(&r);
            destroy_snapshot(&half);
            destroy_snapshot(&whole);
        }
        destroy_scenario(&s);
    }
}

TEST(samples_wait_in_a_queue_of_any_length)
{
    enum { STEPS = 2500 };
    Scenario s =
        create_scenario(find_flow("channel_cylinder"), (Parameters){.width = 45, .height = 17, .re = 20.0});
    const Probes probes = {
        .count = 2, .cell = {{30, 8, 0}, {1, 3, 0}}
    };
    for (int n = 0; n < 2; n++) {
        TimeSeries all = create_time_series(&s, &probes), by_one = create_time_series(&s, &probes);
        Simulation *simulation = begin_simulation(find_stage(n ? "03_aa" : "12_cpu_pairs"), &s, small_block);
        Samples *samples = begin_samples(simulation, &all), *single = begin_samples(simulation, &by_one);
        for (int step = 1; step <= STEPS; step++) {
            advance_simulation(simulation, 1);
            take_sample(samples);
            take_sample(single);
            collect_samples(single);
            if (step == 777)
                look_at(simulation);
        }
        collect_samples(samples);
        EXPECT(all.samples == STEPS && by_one.samples == STEPS);
        EXPECT(memcmp(all.force, by_one.force, STEPS * sizeof *all.force) == 0);
        EXPECT(memcmp(all.velocity, by_one.velocity, STEPS * 2 * 5 * sizeof *all.velocity) == 0);
        Snapshot r = create_snapshot(&s);
        read_snapshot(&r, simulation);
        const Force expected = force_on_bodies(&r, &all.links), *last = &all.force[STEPS - 1];
        EXPECT(close_to(last->drag, expected.drag) && close_to(last->lift, expected.lift));
        EXPECT(last->step == STEPS && all.velocity[2 * 5 * STEPS - 1] == moments_at(&r, 1, 3).uy);
        end_samples(samples);
        end_samples(single);
        end_simulation(simulation);
        destroy_snapshot(&r);
        destroy_time_series(&all);
        destroy_time_series(&by_one);
    }
    destroy_scenario(&s);
}
