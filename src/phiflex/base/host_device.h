// PHIFLEX_HD marks functions that kernels on a graphics card call too (src/phiflex/cuda). Only nvcc sees the mark:
// for every other compiler the function is what it is without it.
#pragma once

#ifdef __CUDACC__
#define PHIFLEX_HD __host__ __device__
#else
#define PHIFLEX_HD
#endif
