#include "phiflex/linalg/eigen_products.h"

PHIFLEX_EIGEN_PRODUCTS()
