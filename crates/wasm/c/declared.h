/* Functions that C libraries inside the module use, and that their own headers for this target do not declare. */
#pragma once
#ifdef __cplusplus
extern "C" {
#endif
float acosf(float x);
float ceilf(float x);
float cosf(float x);
float floorf(float x);
float frexpf(float x, int *exponent);
float ldexpf(float x, int exponent);
float expf(float x);
float log2f(float x);
#ifdef __cplusplus
}
#endif
