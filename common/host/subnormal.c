#include "host/subnormal.h"

#ifdef __SSE__
#include <xmmintrin.h>

int flush_subnormals(int flush)
{
    const int before = _MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON;
    _MM_SET_FLUSH_ZERO_MODE(flush ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
    return before;
}
#else
int flush_subnormals(int flush)
{
    (void)flush;
    return 0;
}
#endif
