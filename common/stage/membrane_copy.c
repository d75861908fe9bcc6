#include "stage/membrane_copy.h"

static void *copy(const void *array, size_t bytes, const Memory *memory)
{
    if (bytes == 0) // there is no membrane
        return NULL;
    void *there = memory->allocate(bytes);
    memory->upload(there, array, bytes);
    return there;
}

Membrane copy_membrane(const Membrane *m, const Memory *memory)
{
    const size_t nodes = (size_t)m->nodes, corners = 3 * (size_t)m->triangles;
    Membrane result = *m;
    result.origin = copy(m->origin, 3 * (size_t)m->count * sizeof *m->origin, memory);
    result.position = copy(m->position, 3 * nodes * sizeof *m->position, memory);
    result.corner = copy(m->corner, corners * sizeof *m->corner, memory);
    result.across = copy(m->across, corners * sizeof *m->across, memory);
    result.rest = copy(m->rest, corners * sizeof *m->rest, memory);
    result.first = copy(m->first, m->first ? (nodes + 1) * sizeof *m->first : 0, memory);
    result.around = copy(m->around, corners * sizeof *m->around, memory);
    return result;
}

void release_membrane(const Membrane *m, const Memory *memory)
{
    void *const arrays[] = {m->origin, m->position, m->corner, m->across, m->rest, m->first, m->around};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++)
        memory->release(arrays[n]);
}
