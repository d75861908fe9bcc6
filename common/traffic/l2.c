#include "traffic/l2.h"

#include "host/allocate.h"
#include "traffic/transactions.h"

#include <string.h>

/** Of all sectors of a cache, those that may wait to be written: labs/results/nvidia-h200/l2_streams.csv. */
static const double most_waiting = 0.44;

typedef struct {
    uint32_t before, after;
} Node;

/** Sectors, counted from 1, from the one last used to the one that has not been used for the longest time. */
typedef struct {
    Node *node; // [nodes]; 0 is both ends
    size_t count;
} Queue;

enum { HALVES = 2, WAITING = HALVES, QUEUES };

typedef struct {
    Queue queue[QUEUES]; // of each half, and the sectors that wait to be written
    Bytes moved;
} Cache;

static Cache caches[KINDS_OF_L2]; // KEPT and EMPTY
static size_t size;               // of each, sectors
static size_t nodes;              // of each queue

static int remove_sector(Queue *queue, uint32_t n)
{
    Node *node = queue->node, *own = &node[n];
    if (own->before == 0 && node[0].after != n)
        return 0;
    node[own->before].after = own->after;
    node[own->after].before = own->before;
    *own = (Node){0, 0};
    queue->count--;
    return 1;
}

/** Puts a sector at the beginning. Returns whether it was in the queue. */
static int use_sector(Queue *queue, uint32_t n)
{
    const int was_there = remove_sector(queue, n);
    Node *node = queue->node;
    node[n].after = node[0].after;
    node[node[0].after].before = n;
    node[0].after = n;
    queue->count++;
    return was_there;
}

static uint32_t remove_last(Queue *queue)
{
    const uint32_t n = queue->node[0].before;
    remove_sector(queue, n);
    return n;
}

/** 0 or 1, as if at random. */
static int half_of(uint32_t n)
{
    n = (n ^ n >> 16) * 0x7feb352du;
    n = (n ^ n >> 15) * 0x846ca68bu;
    return (int)(n >> 31);
}

/** The half beside the DRAM of a sector: that of its 4 KiB. */
static int home_of(uint32_t n)
{
    return half_of(n / 128);
}

/** Puts a sector into a half. Returns whether it was there. */
static int use_half(Cache *cache, int half, uint32_t n)
{
    const int was_there = use_sector(&cache->queue[half], n);
    if (cache->queue[half].count > size / HALVES) {
        const uint32_t last = remove_last(&cache->queue[half]);
        if (home_of(last) == half && remove_sector(&cache->queue[WAITING], last))
            cache->moved.written += SECTOR;
    }
    return was_there;
}

static void use_cache(Cache *cache, uint32_t n, int is_store, int half)
{
    const int home = home_of(n);
    int is_hit = half != home && use_half(cache, half, n);
    if (!is_hit || is_store)
        is_hit = use_half(cache, home, n);
    if (!is_store && !is_hit)
        cache->moved.read += SECTOR;
    if (is_store)
        use_sector(&cache->queue[WAITING], n);
    if ((double)cache->queue[WAITING].count > most_waiting * (double)size) {
        remove_last(&cache->queue[WAITING]);
        cache->moved.written += SECTOR;
    }
}

static void empty(Cache *cache)
{
    for (int n = 0; n < QUEUES; n++)
        while (cache->queue[n].count > 0)
            remove_last(&cache->queue[n]);
}

void simulate_l2(size_t bytes)
{
    size = bytes / SECTOR;
    empty(&caches[KEPT]);
}

int is_l2_simulated(void)
{
    return size > 0;
}

static void enlarge(Queue *queue, size_t more)
{
    queue->node = reallocate(queue->node, more * sizeof *queue->node);
    memset(queue->node + nodes, 0, (more - nodes) * sizeof *queue->node);
}

void begin_l2(size_t sectors)
{
    if (size == 0)
        return;
    for (int n = KEPT * QUEUES; n < KINDS_OF_L2 * QUEUES && sectors >= nodes; n++)
        enlarge(&caches[n / QUEUES].queue[n % QUEUES], sectors + 1);
    nodes = nodes > sectors ? nodes : sectors + 1;
    empty(&caches[EMPTY]);
}

void access_l2(size_t sector, int is_store, int block)
{
    for (int n = KEPT; n <= EMPTY && size > 0; n++)
        use_cache(&caches[n], (uint32_t)sector + 1, is_store, half_of((uint32_t)block));
}

void end_l2(Bytes moved[KINDS_OF_L2])
{
    for (int n = KEPT; n <= EMPTY; n++) {
        moved[n].read += caches[n].moved.read;
        moved[n].written += caches[n].moved.written;
        caches[n].moved = (Bytes){0, 0};
    }
}
