# No walls and no wrapping; cells on the border do nothing.
/^\/\/ Stays in the cell/i\
HD Landing neighbour(const Physics *p, int x, int y, int i)\
{\
    const Landing landing = {(y + ey(i)) * p->width + x + ex(i), i, 0.0f};\
    return landing;\
}\

s/boundary(&physics, type, x, y, i)/neighbour(\&physics, x, y, i)/
s/if (x >= physics.width || y >= physics.height)/if (x < 1 || y < 1 || x >= physics.width - 1 || y >= physics.height - 1)/
