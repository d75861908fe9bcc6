#include "exact_capsules.h"
