// All tests of this stage stand in this header.
#include "exact_march_in_space.h"
