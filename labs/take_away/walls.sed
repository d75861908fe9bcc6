# No walls: the cell types of the neighbours are not read.
/^\/\/ Stays in the cell/i\
HD Landing neighbour(const Physics *p, int x, int y, int i)\
{\
    const Landing landing = {wrap(y + ey(i), p->height) * p->width + wrap(x + ex(i), p->width), i, 0.0f};\
    return landing;\
}\

s/boundary(&physics, type, x, y, i)/neighbour(\&physics, x, y, i)/
