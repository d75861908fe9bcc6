/**
 * @file half_on_cpu.h
 * CUDA's half precision without a GPU, bit for bit: IEEE 754 binary16 and its conversions, by F16C if the
 * compiler may use it.
 */
#pragma once

#include <stdint.h>
#include <string.h>
#ifdef __F16C__
#include <immintrin.h>
#endif

/** 1 sign, 5 exponent, 10 mantissa bits. If accesses are recorded it is no structure, because gcc does
 * not report the line in which a member of a structure is loaded. */
#ifdef RECORD_ACCESSES
typedef uint16_t __half;

static inline uint16_t __half_as_ushort(__half h)
{
    return h;
}

static inline __half __ushort_as_half(uint16_t bits)
{
    return bits;
}
#else
typedef struct {
    uint16_t bits;
} __half;

static inline uint16_t __half_as_ushort(__half h)
{
    return h.bits;
}

static inline __half __ushort_as_half(uint16_t bits)
{
    const __half h = {bits};
    return h;
}
#endif

/** Two neighbouring halves that are loaded and stored as one word; the low half has the lower address. */
typedef struct {
    uint32_t bits;
} __half2;

typedef struct {
    _Alignas(8) float x;
    float y;
} float2;

typedef struct {
    _Alignas(16) float x;
    float y, z, w;
} float4;

static inline float2 make_float2(float x, float y)
{
    const float2 both = {x, y};
    return both;
}

#ifdef __F16C__

static inline float __half2float(__half h)
{
    return _cvtsh_ss(__half_as_ushort(h));
}

/** Rounds to nearest, ties to even; too large a number becomes infinity. */
static inline __half __float2half_rn(float value)
{
    return __ushort_as_half(value != value ? 0x7fff : _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
}

#else

static inline float __half2float(__half h)
{
    const uint32_t half = __half_as_ushort(h), sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
    float value;
    if (magnitude < 0x0400) { /* subnormal: a multiple of 2^-24 */
        value = (float)magnitude * 0x1p-24f;
        return sign ? -value : value;
    }
    const uint32_t exponent = magnitude >= 0x7c00 ? 0x70000000 : 0x38000000; /* keeps infinity and NaN */
    const uint32_t bits = sign | ((magnitude << 13) + exponent);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/** The same, without F16C. */
static inline __half __float2half_rn(float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;

    uint32_t half;
    if (bits > 0x7f800000) /* NaN: CUDA has only one */
        return __ushort_as_half(0x7fff);
    if (bits >= 0x477ff000) /* 65520 and above */
        half = 0x7c00;
    else if (bits < 0x38800000) { /* below 2^-14: let the addition round to a multiple of 2^-24 */
        const float magnitude = (value < 0.0f ? -value : value) + 0.5f;
        uint32_t rounded;
        __builtin_memcpy(&rounded, &magnitude, sizeof rounded);
        half = rounded - 0x3f000000;
    } else
        half = (bits - 0x38000000 + 0x0fff + (bits >> 13 & 1)) >> 13;
    return __ushort_as_half((uint16_t)(sign | half));
}

#endif

/** Rounds away from zero if requested, else towards it. What is too large lies between 65504 and infinity. */
static inline __half round_magnitude(float value, int away)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7fffffff;

    uint32_t half, rest;   /* the half below, and whether anything is left of the magnitude */
    if (bits > 0x7f800000) /* NaN */
        return __ushort_as_half(0x7fff);
    if (bits == 0x7f800000) {
        half = 0x7c00;
        rest = 0;
    } else if (bits >= 0x47800000) { /* 65536 and above */
        half = 0x7bff;
        rest = 1;
    } else if (bits < 0x38800000) { /* below 2^-14: in multiples of 2^-24, which is exact */
        const float multiple = (value < 0.0f ? -value : value) * 0x1p24f;
        half = (uint32_t)multiple;
        rest = multiple != (float)half;
    } else {
        half = (bits - 0x38000000) >> 13;
        rest = bits & 0x1fff;
    }
    return __ushort_as_half((uint16_t)(sign | (half + (away && rest != 0))));
}

/** Rounds down, towards minus infinity. */
static inline __half __float2half_rd(float value)
{
    return round_magnitude(value, value < 0.0f);
}

/** Rounds up, towards infinity. */
static inline __half __float2half_ru(float value)
{
    return round_magnitude(value, value > 0.0f);
}

/** Rounds towards zero. */
static inline __half __float2half_rz(float value)
{
    return round_magnitude(value, 0);
}

static inline __half2 __halves2half2(__half low, __half high)
{
    const __half2 both = {__half_as_ushort(low) | (uint32_t)__half_as_ushort(high) << 16};
    return both;
}

static inline __half __low2half(__half2 both)
{
    return __ushort_as_half((uint16_t)both.bits);
}

static inline __half __high2half(__half2 both)
{
    return __ushort_as_half((uint16_t)(both.bits >> 16));
}

static inline __half2 __floats2half2_rn(float low, float high)
{
    return __halves2half2(__float2half_rn(low), __float2half_rn(high));
}

static inline float __low2float(__half2 both)
{
    return __half2float(__low2half(both));
}

static inline float __high2float(__half2 both)
{
    return __half2float(__high2half(both));
}

static inline float2 __half22float2(__half2 both)
{
    return make_float2(__low2float(both), __high2float(both));
}
