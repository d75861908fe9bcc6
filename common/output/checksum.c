#include "output/checksum.h"

uint64_t add_to_checksum(uint64_t checksum, const void *data, size_t bytes)
{
    const unsigned char *byte = data, *end = byte + bytes;
    for (; byte < end; byte++)
        checksum = (checksum ^ *byte) * 0x100000001b3;
    return checksum;
}
