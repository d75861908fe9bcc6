// All tests of this stage stand in this header.
#include "marching_moments.h"
