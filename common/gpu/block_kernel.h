/**
 * @file block_kernel.h
 * Lets fibres call a kernel: no function in C can keep arguments of any types for later, so BLOCK_KERNEL
 * defines a struct of a kernel's arguments, up to eight, and a function that calls the kernel with them.
 */
#pragma once

#define BLOCK_KERNEL(kernel, ...)                                                                            \
    struct kernel##_arguments {                                                                              \
        PASTE(MEMBERS_, TYPE_COUNT(__VA_ARGS__))(__VA_ARGS__)                                                \
    };                                                                                                       \
    static void kernel##_thread(const void *arguments)                                                       \
    {                                                                                                        \
        const struct kernel##_arguments *a = (const struct kernel##_arguments *)arguments;                   \
        kernel(PASTE(VALUES_, TYPE_COUNT(__VA_ARGS__)));                                                     \
    }                                                                                                        \
    _Static_assert(__builtin_types_compatible_p(__typeof__(kernel), void(__VA_ARGS__)),                      \
                   "the kernel " #kernel " has other parameters than BLOCK_KERNEL names")

#define TYPE_COUNT(...)                                 TYPE_COUNT_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TYPE_COUNT_(a, b, c, d, e, f, g, h, count, ...) count
#define PASTE(name, count)                              PASTE_(name, count)
#define PASTE_(name, count)                             name##count

// clang-format off
#define MEMBERS_1(type)      __typeof__(type) a1;
#define MEMBERS_2(type, ...) __typeof__(type) a2; MEMBERS_1(__VA_ARGS__)
#define MEMBERS_3(type, ...) __typeof__(type) a3; MEMBERS_2(__VA_ARGS__)
#define MEMBERS_4(type, ...) __typeof__(type) a4; MEMBERS_3(__VA_ARGS__)
#define MEMBERS_5(type, ...) __typeof__(type) a5; MEMBERS_4(__VA_ARGS__)
#define MEMBERS_6(type, ...) __typeof__(type) a6; MEMBERS_5(__VA_ARGS__)
#define MEMBERS_7(type, ...) __typeof__(type) a7; MEMBERS_6(__VA_ARGS__)
#define MEMBERS_8(type, ...) __typeof__(type) a8; MEMBERS_7(__VA_ARGS__)
// clang-format on

#define VALUES_1 a->a1
#define VALUES_2 a->a2, VALUES_1
#define VALUES_3 a->a3, VALUES_2
#define VALUES_4 a->a4, VALUES_3
#define VALUES_5 a->a5, VALUES_4
#define VALUES_6 a->a6, VALUES_5
#define VALUES_7 a->a7, VALUES_6
#define VALUES_8 a->a8, VALUES_7
