#include "run_flow.h"

#include "check.h"
