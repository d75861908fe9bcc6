// All tests of this stage stand in this header.
#include "resident.h"
