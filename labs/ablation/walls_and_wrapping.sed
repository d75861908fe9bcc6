# No walls and no wrapping; cells on the border do nothing.
/^\/\/ Stays in the cell/i\
HOST_DEVICE Destination neighbour(const Physics *p, int x, int y, int i)\
{\
    const Destination destination = {(y + ey(i)) * p->width + x + ex(i), i, 0.0f};\
    return destination;\
}\

s/boundary(&physics, type, x, y, i)/neighbour(\&physics, x, y, i)/
s/if (x >= physics.width || y >= physics.height)/if (x < 1 || y < 1 || x >= physics.width - 1 || y >= physics.height - 1)/
