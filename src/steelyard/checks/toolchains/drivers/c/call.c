/* The answer, as it would stand alone, and after it the code that calls its function. All other names of the answer
   stay within this file (see driver.toml), so that it may have a main, or a pow and a read of its own. */
#include "answer.c"
#include "steelyard.h"

/* The types of a signature, which the answer may not have included. */
#undef bool
#define bool _Bool
#undef size_t
#define size_t __SIZE_TYPE__
#undef ptrdiff_t
#define ptrdiff_t __PTRDIFF_TYPE__
#undef ssize_t
#define ssize_t __PTRDIFF_TYPE__
#undef int8_t
#define int8_t __INT8_TYPE__
#undef int16_t
#define int16_t __INT16_TYPE__
#undef int32_t
#define int32_t __INT32_TYPE__
#undef int64_t
#define int64_t __INT64_TYPE__
#undef uint8_t
#define uint8_t __UINT8_TYPE__
#undef uint16_t
#define uint16_t __UINT16_TYPE__
#undef uint32_t
#define uint32_t __UINT32_TYPE__
#undef uint64_t
#define uint64_t __UINT64_TYPE__

void steelyard_call(struct steelyard_data *steelyard_args, steelyard_size_t steelyard_count) {
STEELYARD_CALL
}
