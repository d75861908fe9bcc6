# from: 02_soa stages/02_soa/solver.cu
# The kernel finds its places with numbers of type int.
/^static __global__ void step/i\
// Where the kernel finds a population.\
HOST_DEVICE int place(int cell, int i, int cells)\
{\
    return i * cells + cell;\
}\

/^static __global__ void step/,/^}/s/\[at(/[place(/
