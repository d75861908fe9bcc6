// All tests of this stage stand in this header.
#include "bits_of_the_stage_before.h"
