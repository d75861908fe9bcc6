// All tests of this stage stand in this header.
#include "march_in_space.h"
