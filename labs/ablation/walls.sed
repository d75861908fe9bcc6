# No walls: the cell types of the neighbours are not read.
/^\/\/ Stays in the cell/i\
HOST_DEVICE Destination neighbour(const Physics *p, int x, int y, int i)\
{\
    const Destination destination = {wrap(y + ey(i), p->height) * p->width + wrap(x + ex(i), p->width), i, 0.0f};\
    return destination;\
}\

s/boundary(&physics, type, x, y, i)/neighbour(\&physics, x, y, i)/
