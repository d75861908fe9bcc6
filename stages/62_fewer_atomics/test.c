#include "capsules.h"
