/**
 * @file reductions.cu
 * Measures five ways to add up an array (forms.h): how fast they are, whether the sum has the same bits in
 * each run, and how far it is from the exact one. Usage: reductions [--csv FILE]
 */
#include "forms.h"
#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "program/measured_table.h"
#ifdef __cplusplus
}
#endif

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The number of blocks of two passes is the same on every device: so are the bits of the sum.
enum { RUNS = 10, MOST_BLOCKS = 1024 };

/** An array on the device, and room for its sum. */
typedef struct {
    size_t count; /**< a multiple of 4 THREADS */
    float *numbers;
    double *partial; /**< [MOST_BLOCKS] */
    double *sum;
    double exact; /**< the sum, to the last bit of a double or two */
} Array;

static const dim3 block = {THREADS, 1, 1};

static dim3 all_blocks(const Array *array)
{
    const dim3 grid = {(unsigned)(array->count / THREADS), 1, 1};
    return grid;
}

static dim3 few_blocks(const Array *array)
{
    const size_t blocks = array->count / (4 * THREADS);
    const dim3 grid = {(unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), 1, 1};
    return grid;
}

static void by_atomic_each(const Array *a)
{
    CHECK(cudaMemset(a->sum, 0, sizeof *a->sum));
    LAUNCH(atomic_each, all_blocks(a), block, a->numbers, a->sum);
}

static void by_atomic_warp(const Array *a)
{
    CHECK(cudaMemset(a->sum, 0, sizeof *a->sum));
    LAUNCH_BLOCKS(atomic_warp, all_blocks(a), block, 0, a->numbers, a->sum);
}

static void by_atomic_block(const Array *a)
{
    CHECK(cudaMemset(a->sum, 0, sizeof *a->sum));
    LAUNCH_BLOCKS(atomic_block, all_blocks(a), block, 0, a->numbers, a->sum);
}

static void fold(const Array *a)
{
    const dim3 one = {1, 1, 1};
    LAUNCH_BLOCKS(second_pass, one, block, 0, a->partial, few_blocks(a).x, a->sum);
}

static void by_two_passes(const Array *a)
{
    LAUNCH_BLOCKS(first_pass, few_blocks(a), block, 0, a->numbers, a->count, a->partial);
    fold(a);
}

static void by_two_passes_by_four(const Array *a)
{
    LAUNCH_BLOCKS(first_pass_by_four, few_blocks(a), block, 0, (const float4 *)a->numbers, a->count / 4,
                  a->partial);
    fold(a);
}

/** A row of the table; `numbers` are added in a thread or between threads for one atomic addition, 0: none.
 */
typedef struct {
    const char *name;
    void (*add)(const Array *array);
    size_t numbers;
} Form;

static const Form forms[] = {
    {"atomic_each",        by_atomic_each,        1           },
    {"atomic_warp",        by_atomic_warp,        WARP_THREADS},
    {"atomic_block",       by_atomic_block,       THREADS     },
    {"two_passes",         by_two_passes,         0           },
    {"two_passes_by_four", by_two_passes_by_four, 0           },
};

/** Numbers from 0 to 1 that look random, small ones more often than large ones. */
static float number_at(size_t n)
{
    uint32_t bits = (uint32_t)n * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    const float uniform = (float)(bits ^ bits >> 13) * 0x1p-32f;
    return uniform * uniform;
}

/** Fills the array, and adds up what each addition loses by rounding, too (Neumaier's sum). */
static Array create_array(size_t count)
{
    Array a;
    const size_t bytes = count * sizeof *a.numbers;
    gpu_need(bytes);
    float *on_host = (float *)allocate(bytes);
    double sum = 0.0, lost = 0.0;
    for (size_t n = 0; n < count; n++) {
        const double number = on_host[n] = number_at(n), next = sum + number;
        lost += sum > number ? (sum - next) + number : (number - next) + sum;
        sum = next;
    }
    a.count = count;
    a.exact = sum + lost;
    CHECK(cudaMalloc((void **)&a.numbers, bytes));
    CHECK(cudaMalloc((void **)&a.partial, MOST_BLOCKS * sizeof *a.partial));
    CHECK(cudaMalloc((void **)&a.sum, sizeof *a.sum));
    CHECK(cudaMemcpy(a.numbers, on_host, bytes, cudaMemcpyHostToDevice));
    free(on_host);
    return a;
}

static void destroy_array(Array *a)
{
    CHECK(cudaFree(a->numbers));
    CHECK(cudaFree(a->partial));
    CHECK(cudaFree(a->sum));
}

/** Seconds that a sum takes. */
static double run_once(const Form *form, const Array *a, double *sum)
{
    cudaEvent_t begin, end;
    float ms;
    CHECK(cudaEventCreateWithFlags(&begin, 0));
    CHECK(cudaEventCreateWithFlags(&end, 0));
    CHECK(cudaEventRecord(begin, 0));
    form->add(a);
    CHECK(cudaEventRecord(end, 0));
    CHECK(cudaMemcpy(sum, a->sum, sizeof *sum, cudaMemcpyDeviceToHost)); // waits
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return 1e-3 * ms;
}

static void add_row(Record *record, const Form *form, const Array *a)
{
    double least = INFINITY, worst = 0.0, first = 0.0, sum;
    int same = 1;
    for (int n = -1; n < RUNS; n++) { // the first one is not counted
        const double seconds = run_once(form, a, &sum);
        const double error = fabs(sum - a->exact) / a->exact;
        first = n < 0 ? sum : first;
        same &= memcmp(&sum, &first, sizeof sum) == 0;
        least = n < 0 ? least : fmin(least, seconds);
        worst = error <= worst || isnan(worst) ? worst : error;
    }
    const size_t atomics = form->numbers ? a->count / form->numbers : 0;
    const double gbs = 1e-9 * (double)(a->count * sizeof *a->numbers) / least,
                 percent = 100.0 * gbs / record->device_copy;
    const char *same_bits = same ? "yes" : "no";
    printf("%-19s %10zu %10.1f %8.1f %6.1f %9s %9.1e\n", form->name, atomics, 1e6 * least, gbs, percent,
           same_bits, worst);
    add_text(record, "%s,%zu,%.1f,%.3f,%.3f,%s,%.1e\n", form->name, atomics, 1e6 * least, gbs, percent,
             same_bits, worst);
    flush_standard_output();
}

/** The array: larger than a cache; on the emulator, which runs a thread after another, small. The emulator's
 * order of the threads changes from run to run, as that of a GPU does. */
static size_t choose_count(void)
{
    if (!gpu_is_emulated)
        return (size_t)1 << 28;
    setenv("LBM_THREAD_ORDER", "shuffle", 0);
    return (size_t)1 << 15;
}

int main(int argc, char **argv)
{
    catch_signals();
    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--csv") != 0 || !*argv[2]))
        fail(EXIT_USAGE, "reductions does not take \"%s\"; it takes nothing, or --csv FILE", argv[argc - 1]);
    const char *csv = argc == 3 ? argv[2] : "";
    Words words;
    snprintf(words.text, sizeof words.text, "reductions%s%.900s", *csv ? " --csv " : "", csv);
    sanitize(words.text);

    Record record;
    begin_record(&record, csv, &words, 1, 0);
    Array a = create_array(choose_count());
    note(&record, "numbers", "%zu floats, added up as doubles", a.count);
    note(&record, "us", "microseconds of a sum, the least of %d runs", RUNS);
    note(&record, "gbs", "GB/s that are read; copy_percent: of a copy, whose bytes are read and written");
    note(&record, "error", "relative, of the worst run");
    printf("\n%-19s %10s %10s %8s %6s %9s %9s\n", "form", "atomics", "us", "GB/s", "copy %", "same bits",
           "error");
    add_text(&record, "form,atomics,us,gbs,copy_percent,same_bits,error\n");
    int measured = 0;
    while (measured < (int)(sizeof forms / sizeof *forms) && !stop_code())
        add_row(&record, &forms[measured++], &a);
    end_record(&record, measured);
    destroy_array(&a);
    check_standard_output();
    return stop_code();
}
