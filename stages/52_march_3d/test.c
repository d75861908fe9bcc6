// All tests of this stage stand in this header.
#include "floats_in_space.h"
