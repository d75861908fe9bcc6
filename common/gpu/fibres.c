// A longjmp to another stack is what the checks of _FORTIFY_SOURCE take for a mistake.
#undef _FORTIFY_SOURCE
#include "gpu/fibres.h"

#include "host/fail.h"

#include <setjmp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

// gcc tells of the address sanitizer by a macro, clang by a feature.
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#else
#define __sanitizer_start_switch_fiber(fake_stack, bottom, size)      ((void)(fake_stack))
#define __sanitizer_finish_switch_fiber(fake_stack, old_bottom, size) ((void)(fake_stack))
#endif

// A place to go back to. The compiler's own setjmp and longjmp, where it has them, take a tenth of the time
// of the C library's, which look for what is to be cleaned up on the stack that is left; and the address
// sanitizer does not unpoison that stack, on which nothing ends. No function has both: gcc takes it that a
// GO_TO never leads to a MARK of the same function.
#if defined(__GNUC__) && (!defined(__clang__) || defined(__x86_64__))
typedef void *Context[5];
#define MARK(place)  __builtin_setjmp(place)
#define GO_TO(place) __builtin_longjmp(place, 1)
#define SWITCHES     __attribute__((noinline, no_sanitize("address")))
#else
typedef jmp_buf Context;
#define MARK(place)  setjmp(place)
#define GO_TO(place) longjmp(place, 1)
#define SWITCHES
#endif

// In bytes. What runs over its stack meets the guard, and ends. Where all stacks began at the same place of a
// page, their first lines would push each other out of the caches: 1024 threads take twice as long.
enum { GUARD = 1 << 16, STACK = 1 << 18, SPREAD = 576 };

// In bytes: a line of the caches, and about the size of the stack frames of a kernel that waits.
enum { LINE = 64, FRAMES = 12 * LINE };

typedef struct {
    Context here;    /**< where it yielded */
    char *top;       /**< of its stack when it yielded */
    char *stack;     /**< kept for the next body */
    FibreBody *body; /**< none: it has returned */
    const void *argument;
    void *fake_stack; /**< the address sanitizer's */
} Fibre;

static Fibre fibres[MOST_FIBRES], *running;

/** Whoever called run_fibre. */
static struct {
    Context here;
    const void *stack;
    size_t stack_size;
    void *fake_stack;
} caller;

void start_fibre(int n, FibreBody *body, const void *argument)
{
    fibres[n].body = body;
    fibres[n].argument = argument;
}

SWITCHES static _Noreturn void go_back(void)
{
    __sanitizer_start_switch_fiber(&running->fake_stack, caller.stack, caller.stack_size);
    GO_TO(caller.here);
}

SWITCHES void yield(void)
{
    running->top = (char *)__builtin_frame_address(0);
    if (MARK(running->here) == 0)
        go_back();
    __sanitizer_finish_switch_fiber(running->fake_stack, &caller.stack, &caller.stack_size);
}

void fetch_fibre(int n)
{
    const Fibre *fibre = &fibres[n];
    for (size_t byte = 0; byte < sizeof *fibre; byte += LINE)
        __builtin_prefetch((const char *)fibre + byte);
    for (size_t byte = 0; byte < FRAMES; byte += LINE)
        __builtin_prefetch(fibre->top + byte);
}

static void run_bodies(void)
{
    __sanitizer_finish_switch_fiber(NULL, &caller.stack, &caller.stack_size);
    for (;;) {
        running->body(running->argument);
        running->body = NULL;
        yield();
    }
}

static char *new_stack(void)
{
    char *memory = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD, PROT_NONE) != 0)
        fail(EXIT_MACHINE, "not enough memory for the stacks of a block's threads: %d bytes each",
             GUARD + STACK);
    return memory + GUARD;
}

/** Goes to the running fibre. The first time takes a system call, all others take none. */
SWITCHES static _Noreturn void resume(void)
{
    static ucontext_t first;
    if (running->stack) {
        __sanitizer_start_switch_fiber(&caller.fake_stack, running->stack, STACK);
        GO_TO(running->here);
    }
    running->stack = new_stack();
    getcontext(&first);
    first.uc_stack.ss_sp = running->stack;
    first.uc_stack.ss_size = STACK - (size_t)(running - fibres) * SPREAD % (1 << 13);
    makecontext(&first, run_bodies, 0);
    __sanitizer_start_switch_fiber(&caller.fake_stack, running->stack, STACK);
    setcontext(&first);
    fail(EXIT_MACHINE, "a thread of a block could not be given a stack");
}

SWITCHES int run_fibre(int n)
{
    running = &fibres[n];
    if (MARK(caller.here) == 0)
        resume();
    __sanitizer_finish_switch_fiber(caller.fake_stack, NULL, NULL);
    return running->body == NULL;
}
