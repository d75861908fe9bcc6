#include "host/background.h"

#include "host/fail.h"

#include <pthread.h>
#include <stddef.h>

static void (*the_job)(void *context);
static pthread_t thread;
static int is_under_way;

static void *work(void *context)
{
    fail_at_once();
    the_job(context);
    return NULL;
}

void begin_job(void (*job)(void *context), void *context)
{
    finish_job();
    the_job = job;
    is_under_way = pthread_create(&thread, NULL, work, context) == 0;
    if (!is_under_way)
        job(context);
}

void finish_job(void)
{
    if (is_under_way)
        pthread_join(thread, NULL);
    is_under_way = 0;
}
